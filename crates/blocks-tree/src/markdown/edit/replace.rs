//! Replacing a part of the Markdown of a page.

use super::{EditIssue, keep::keep_ids, place};
use crate::{
    Piece,
    markdown::{
        MAX_IMPORT_BYTES, read,
        write::{Span, Written, are_same, write},
    },
    refusal::{Budget, Refusal},
};
use std::{borrow::Cow, slice};

pub(super) fn find_replace(page: Cow<'_, [Piece]>, find: &str, with: &str, all: bool) -> Result<Vec<Piece>, EditIssue> {
    let written = write(&page);
    if place::count(&written.text, find, all)? == 1
        && let Some(around) = Around::of(&page, &written, find, with)
    {
        let mut page = page.into_owned();
        page.splice(around.from..around.to, around.pieces);
        return Ok(page);
    }
    whole(&page, &written.text, find, with)
}

/// Reads all of the page anew.
pub(super) fn whole(page: &[Piece], text: &str, find: &str, with: &str) -> Result<Vec<Piece>, EditIssue> {
    let replaced = replaced(text, find, with)?;
    let read = read::read(&replaced, Budget::beside(page, replaced.len()))?;
    Ok(keep_ids(page, read))
}

/// The text with every match replaced. A few edits must not blow a page up.
fn replaced(text: &str, find: &str, with: &str) -> Result<String, Refusal> {
    let most = MAX_IMPORT_BYTES.max(text.len());
    let matches = text.matches(find).count();
    let length = matches.checked_mul(with.len()).and_then(|added| added.checked_add(text.len() - matches * find.len()));
    if length.is_none_or(|length| length > most) {
        Err(Refusal::TooLong { most })
    } else {
        Ok(text.replace(find, with))
    }
}

/// The blocks at the top of the page that an edit touches, and a neighbour on each side.
pub(super) struct Around {
    from: usize,
    to: usize,
    pub(super) pieces: Vec<Piece>,
}

impl Around {
    /// Reads only what was touched. Where the neighbours are not read as what they were, as behind a fence that was opened, the edit reaches
    /// further and there is nothing.
    pub(super) fn of(page: &[Piece], written: &Written, find: &str, with: &str) -> Option<Self> {
        let text = &written.text;
        let begin = text.find(find)?;
        let end = begin + find.len();
        let spans = tops(&written.spans);
        let first = spans.partition_point(|span| span.whole.end <= begin);
        let behind = spans.partition_point(|span| span.whole.start < end);
        let (from, to) = (first.saturating_sub(1), (behind + 1).min(spans.len()));
        let (start, stop) = (spans.get(from)?.whole.start, spans.get(to.checked_sub(1)?)?.whole.end);
        if begin < start || end > stop {
            return None;
        }
        let changed = [&text[start..begin], with, &text[end..stop]].concat();
        // What a reference leads to counts everywhere.
        if changed.contains("]:") {
            return None;
        }
        let read = read::read(&changed, Budget::of(MAX_IMPORT_BYTES)).ok()?;
        let stays = |old: usize, new: Option<&Piece>| {
            new.is_some_and(|new| are_same(slice::from_ref(&page[old]), slice::from_ref(new)))
        };
        let neighbours = usize::from(from < first) + usize::from(to > behind);
        let holds = read.len() >= neighbours
            && (from == first || stays(from, read.first()))
            && (to == behind || stays(to - 1, read.last()));
        holds.then(|| Self { from, to, pieces: keep_ids(&page[from..to], read) })
    }
}

fn tops(spans: &[Span]) -> Vec<&Span> {
    std::iter::successors(spans.first(), |span| spans.get(span.next)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::tests::arbitrary;
    use proptest::prelude::*;

    proptest! {
        /// Reading a part of the page makes no difference but in time.
        #[test]
        fn what_is_read_around_an_edit_is_what_all_of_the_page_says(
            pieces in arbitrary::pieces(),
            at in any::<prop::sample::Index>(),
            length in 1..12usize,
            with in arbitrary::text(),
        ) {
            let written = write(&pieces);
            let letters = written.text.char_indices().map(|(at, _)| at).chain([written.text.len()]).collect::<Vec<_>>();
            let start = at.index(letters.len());
            let end = letters.get(start + length).copied().unwrap_or(written.text.len());
            let find = &written.text[letters[start]..end];
            if find.is_empty() || written.text.matches(find).count() != 1 {
                return Ok(());
            }
            if let Some(around) = Around::of(&pieces, &written, find, &with) {
                let mut page = pieces.clone();
                page.splice(around.from..around.to, around.pieces);
                let expected = whole(&pieces, &written.text, find, &with);
                prop_assert!(expected.is_ok_and(|expected| are_same(&page, &expected)), "{:?} for {:?} in {}", with, find, written.text);
            }
        }
    }
}
