//! Parsing only the part of a page that an edit affects.
//!
//! The text after that part must parse as before. It does if nothing in the edited part can continue after an empty
//! line, if the next block still starts on a line of its own, and if that block parses as before: then the same lists
//! are open after it.

use super::keep::keep_ids;
use crate::{
    Piece,
    markdown::{
        MAX_IMPORT_BYTES, isolate, read,
        write::{Span, Written, are_same},
    },
    refusal::Budget,
};
use octavo_core_model::cancellation::Cancellation;
use std::{ops::Range, slice};

/// The result of an edit for the top-level blocks that it touches, with one neighbour on each side.
pub(super) struct Around {
    pub(super) blocks: Range<usize>,
    pub(super) pieces: Vec<Piece>,
}

impl Around {
    /// `None` if the whole page must be parsed, or if the edit is cancelled.
    pub(super) fn of(
        page: &[Piece],
        written: &Written,
        find: &str,
        with: &str,
        cancellation: &Cancellation,
    ) -> Option<Self> {
        let text = &written.text;
        let begin = text.find(find)?;
        let part = Part::of(written, begin..begin + find.len())?;
        let new = [&text[part.inner.start..begin], with, &text[begin + find.len()..part.inner.end]].concat();
        if reaches_far(&text[part.inner.clone()]) || reaches_far(&new) || !part.parses_alone(page, text) {
            return None;
        }
        let changed = [&text[part.outer.start..part.inner.start], &new, &text[part.inner.end..part.outer.end], "\n"];
        let read = read::read(&changed.concat(), Budget::of(MAX_IMPORT_BYTES), cancellation).ok()?;
        part.keeps_neighbours(page, &read).then(|| {
            let pieces = keep_ids(&page[part.blocks.clone()], read);
            Self { blocks: part.blocks, pieces }
        })
    }
}

/// Whether something may start here that an empty line does not end: fenced code, HTML with an explicit end, a
/// directive, or a link reference definition. Their markers count anywhere, so that nothing depends on recognising
/// the starts of lines.
fn reaches_far(text: &str) -> bool {
    const SIGNS: [&str; 4] = ["```", "~~~", ":::", "]:"];
    // `<!--`, `<?`, `<pre>`, `<script>`, `<style>`, `<textarea>`
    let is_far =
        |tag: &str| tag.starts_with(|sign: char| matches!(sign.to_ascii_lowercase(), '!' | '?' | 'p' | 's' | 't'));
    SIGNS.iter().any(|sign| text.contains(sign)) || text.split('<').skip(1).any(is_far)
}

struct Part {
    /// The blocks that the edit touches with a neighbour on each side, and their ranges in the text.
    blocks: Range<usize>,
    outer: Range<usize>,
    /// The range of the touched blocks.
    inner: Range<usize>,
    has_before: bool,
    has_behind: bool,
}

impl Part {
    /// `None` for an edit between blocks, which could join them with anything.
    fn of(written: &Written, edited: Range<usize>) -> Option<Self> {
        let tops =
            std::iter::successors(written.spans.first(), |span| written.spans.get(span.next)).collect::<Vec<&Span>>();
        let first = tops.partition_point(|span| span.whole.end <= edited.start);
        let behind = tops.partition_point(|span| span.whole.start < edited.end);
        let last = behind.checked_sub(1).filter(|last| first <= *last)?;
        let inner = tops[first].whole.start..tops[last].whole.end;
        let (from, to) = (first.saturating_sub(1), tops.len().min(behind + 1));
        let outer = tops[from].whole.start..tops[to - 1].whole.end;
        let (has_before, has_behind) = (from < first, behind < to);
        let is_inside = inner.start <= edited.start && edited.end <= inner.end;
        is_inside.then_some(Self { blocks: from..to, outer, inner, has_before, has_behind })
    }

    /// Whether the part parses in isolation as it does in place, and the block after it starts independently.
    fn parses_alone(&self, page: &[Piece], text: &str) -> bool {
        let (above, before) = (&text[..self.outer.start], &text[self.outer.start..self.inner.start]);
        let is_settled = !isolate::has_directives(text) || isolate::is_settled(above) && isolate::is_settled(before);
        // Without an empty line in between, the next block is a single line, unless it has children: then that line
        // could become part of the edited blocks while the rest still looks like the next block.
        let is_loose = text[self.inner.end..self.outer.end].starts_with("\n\n");
        is_settled && (!self.has_behind || is_loose || page[self.blocks.end - 1].children.is_empty())
    }

    fn keeps_neighbours(&self, page: &[Piece], read: &[Piece]) -> bool {
        let stays = |old: usize, new: Option<&Piece>| {
            new.is_some_and(|new| are_same(slice::from_ref(&page[old]), slice::from_ref(new)))
        };
        read.len() >= usize::from(self.has_before) + usize::from(self.has_behind)
            && (!self.has_before || stays(self.blocks.start, read.first()))
            && (!self.has_behind || stays(self.blocks.end - 1, read.last()))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

    use super::*;
    use crate::{
        Kind,
        markdown::{edit::replace::whole, tests::arbitrary, write::write},
    };
    use proptest::{collection::vec, prelude::*};

    /// How many blocks were parsed for an edit, if not all. The result is the same as for the whole page.
    fn read_for(page: &[Piece], find: &str, with: &str) -> Result<Option<usize>, String> {
        let nobody = Cancellation::default();
        let written = write(page, &nobody).unwrap();
        let Some(around) = Around::of(page, &written, find, with, &nobody) else { return Ok(None) };
        let read = around.pieces.len();
        let mut changed = page.to_vec();
        changed.splice(around.blocks, around.pieces);
        let expected = whole(page, &written.text, find, with, &nobody);
        if expected.as_ref().is_ok_and(|expected| are_same(&changed, expected)) {
            Ok(Some(read))
        } else {
            Err(format!("{with:?} for {find:?} in\n{}\n{changed:#?}\n{expected:#?}", written.text))
        }
    }

    #[track_caller]
    fn reads(markdown: &str, find: &str, with: &str) -> Option<usize> {
        read_for(&crate::markdown::read(markdown).unwrap(), find, with).unwrap()
    }

    #[test]
    fn an_edit_of_a_paragraph_of_a_long_page_reads_it_and_its_neighbours() {
        let section = |number: usize| {
            format!(
                "# Part {number}\n\nThe text of part {number}.\n\n- one of {number}\n- two of {number}\n- three of {number}\n\n\
                 ```\ncode\n```\n\n:::toggle {{\"text\":\"more\"}}\n\ninside\n\n:::\n\n> Quoted <u>in</u> {number}.\n\nThe end."
            )
        };
        let page = (1..=50).map(section).collect::<Vec<_>>().join("\n\n");
        let reads = |find: &str, with: &str| reads(&page, find, with);
        assert_eq!(reads("The text of part 25.", "Another **text**.\n\n- [ ] and a task"), Some(4));
        assert_eq!(reads("The text of part 25.", ""), Some(2));
        assert_eq!(reads("# Part 25", "## Part 25"), Some(3));
        assert_eq!(reads("two of 25", "two & a half"), Some(3));
        assert_eq!(reads("two of 25", "two\n\n  of 25"), Some(3));
        assert_eq!(reads("in</u> 25", "within</u> 25"), Some(3));
        assert_eq!(reads("The text of part 25.", "```\ncode\n```"), None);
    }

    #[test]
    fn code_that_an_edit_leaves_open_in_a_list_reaches_beyond_the_next_block() {
        let page = "- item\n\n  ```\n  code\n  ```\n\nnext\n\n:::form\n:::\n";
        assert_eq!(reads(page, "code\n  ```", "code"), None);
    }

    #[test]
    fn code_that_an_edit_opens_before_empty_code_reaches_beyond_it() {
        let page = "text\n\n```\n```\n\nnext\n\nlast";
        assert_eq!(reads(page, "text", "```\ntext"), None);
        assert_eq!(reads(page, "text\n\n", "> "), None);
    }

    fn items() -> impl Strategy<Value = Vec<Piece>> {
        let item = (arbitrary::pieces(), 0..3usize).prop_map(|(pieces, most)| {
            let is_item =
                |piece: &Piece| matches!(piece.body.kind(), Kind::BulletedList | Kind::NumberedList | Kind::Todo);
            pieces.into_iter().filter(is_item).take(most).collect::<Vec<_>>()
        });
        vec(item, 0..8).prop_map(|items| items.concat())
    }

    proptest! {
        /// Parsing only a part of the page changes nothing but the time.
        #[test]
        fn what_is_read_around_an_edit_is_what_all_of_the_page_says(
            pieces in prop_oneof![arbitrary::pieces(), items()],
            at in any::<prop::sample::Index>(),
            length in 1..12usize,
            with in prop_oneof![arbitrary::text(), arbitrary::markdown()],
        ) {
            let text = write(&pieces, &Cancellation::default()).unwrap().text;
            let letters = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect::<Vec<_>>();
            let start = at.index(letters.len());
            let end = letters.get(start + length).copied().unwrap_or(text.len());
            let find = &text[letters[start]..end];
            if !find.is_empty() && text.matches(find).count() == 1 {
                read_for(&pieces, find, &with).map_err(TestCaseError::fail)?;
            }
        }
    }
}
