//! Edits change what they name and leave the ids of other blocks alone.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::{Anchor, Edit, EditFault, EditIssue, edit};
use crate::{
    Kind, Piece, Refusal,
    markdown::{read, write},
};
use octavo_core_model::{cancellation::Cancellation, id::BlockId};
use proptest::prelude::*;

fn id(number: i64) -> BlockId {
    BlockId::new(number, [0; 10])
}

fn number(pieces: &mut [Piece], next: &mut i64) {
    for piece in pieces {
        piece.id = Some(id(*next));
        *next += 1;
        number(&mut piece.children, next);
    }
}

/// A page whose blocks have the ids 0, 1, 2 and so on, in the order of the page.
fn page(markdown: &str) -> Vec<Piece> {
    let mut pieces = read(markdown).unwrap();
    number(&mut pieces, &mut 0);
    pieces
}

/// The number of each block in the order of the page, none for new ones.
fn numbers(pieces: &[Piece]) -> Vec<Option<i64>> {
    let number = |id: BlockId| (0..100_000).find(|number| self::id(*number) == id);
    pieces.iter().flat_map(|piece| [vec![piece.id.and_then(number)], numbers(&piece.children)].concat()).collect()
}

fn replace(find: &str, markdown: &str) -> Edit {
    Edit::FindReplace { find: find.to_owned(), markdown: markdown.to_owned(), all: false }
}

fn whole(markdown: &str) -> Edit {
    Edit::ReplaceAll { markdown: markdown.to_owned() }
}

#[track_caller]
fn becomes(before: &str, edits: &[Edit], after: &str, kept: &[Option<i64>]) {
    let pieces = edit(&page(before), edits, &Cancellation::default()).unwrap();
    assert_eq!(write(&pieces), after);
    assert_eq!(numbers(&pieces), kept);
}

#[test]
fn text_inserted_before_or_behind_changes_nothing_else() {
    let (append, prepend) =
        (Edit::Append { markdown: "b\n\nc".to_owned() }, Edit::Prepend { markdown: "# z".to_owned() });
    becomes("a\n\na", &[append, prepend], "# z\n\na\n\na\n\nb\n\nc\n", &[None, Some(0), Some(1), None, None]);
}

#[test]
fn blocks_that_stay_equal_keep_their_ids() {
    becomes("a\n\nb\n\nc", &[whole("a\n\nc")], "a\n\nc\n", &[Some(0), Some(2)]);
    becomes("a\n\nb", &[whole("x\n\na\n\ny\n\nb")], "x\n\na\n\ny\n\nb\n", &[None, Some(0), None, Some(1)]);
}

#[test]
fn a_changed_block_between_its_neighbours_keeps_its_id() {
    becomes(
        "a\n\nthe old text\n\nc",
        &[replace("old", "new")],
        "a\n\nthe new text\n\nc\n",
        &[Some(0), Some(1), Some(2)],
    );
    becomes("a\n\nb\n\nc", &[replace("b", "# b")], "a\n\n# b\n\nc\n", &[Some(0), Some(1), Some(2)]);
    becomes(
        "a\n\nsome words\n\nc",
        &[replace("some", "## some")],
        "a\n\n## some words\n\nc\n",
        &[Some(0), Some(1), Some(2)],
    );
    becomes("- [ ] a\n- [ ] b", &[replace("[ ] b", "[x] b")], "- [ ] a\n- [x] b\n", &[Some(0), Some(1)]);
}

#[test]
fn several_changed_blocks_keep_the_ids_of_those_they_resemble() {
    becomes(
        "first of all\n\nthen something long happens",
        &[whole("a new beginning\n\nfirst of them all\n\nthen something longer happens")],
        "a new beginning\n\nfirst of them all\n\nthen something longer happens\n",
        &[None, Some(0), Some(1)],
    );
}

#[test]
fn moved_blocks_keep_their_ids() {
    becomes(
        "a\n\nb\n\nc\n\nd",
        &[whole("d\n\na\n\nb\n\nc")],
        "d\n\na\n\nb\n\nc\n",
        &[Some(3), Some(0), Some(1), Some(2)],
    );
    becomes("- a\n- b\n  - c", &[whole("- a\n  - b\n    - c")], "- a\n  - b\n    - c\n", &[Some(0), Some(1), Some(2)]);
}

#[test]
fn a_change_below_a_block_leaves_the_block_its_id() {
    becomes(
        "- a\n  - b\n  - c\n- d",
        &[replace("- b\n", "- x\n")],
        "- a\n  - x\n  - c\n- d\n",
        &[Some(0), Some(1), Some(2), Some(3)],
    );
    becomes(
        ":::toggle {\"text\":\"t\"}\n\na\n\n:::",
        &[replace("a\n", "a\n\nb\n")],
        ":::toggle {\"text\":\"t\"}\n\na\n\nb\n\n:::\n",
        &[Some(0), Some(1), None],
    );
}

#[test]
fn equal_blocks_are_distinguished_by_their_place() {
    becomes(
        "a\n\na\n\na",
        &[replace("a\n\na\n\na", "a\n\nb\n\na\n\na")],
        "a\n\nb\n\na\n\na\n",
        &[Some(0), None, Some(1), Some(2)],
    );
}

#[test]
fn text_is_inserted_behind_a_block() {
    let behind = |anchor| Edit::InsertAfter { anchor, markdown: "x".to_owned() };
    becomes(
        "- a\n  - b\n  - c\n- d",
        &[behind(Anchor::Block(id(1)))],
        "- a\n  - b\n\n  x\n\n  - c\n\n- d\n",
        &[Some(0), Some(1), None, Some(2), Some(3)],
    );
    let find = |text: &str| behind(Anchor::Find(text.to_owned()));
    becomes("one\n\ntwo\n\nthree", &[find("two")], "one\n\ntwo\n\nx\n\nthree\n", &[Some(0), Some(1), None, Some(2)]);
    becomes(
        "one\n\ntwo\n\nthree",
        &[find("one\n\ntwo")],
        "one\n\ntwo\n\nx\n\nthree\n",
        &[Some(0), Some(1), None, Some(2)],
    );
    becomes(
        "> a\n>\n> deep\n\nend",
        &[find("deep")],
        "> a\n>\n> deep\n>\n> x\n\nend\n",
        &[Some(0), Some(1), None, Some(2)],
    );
    becomes(
        "> head\n>\n> b\n\nend",
        &[find("head")],
        "> head\n>\n> b\n\nx\n\nend\n",
        &[Some(0), Some(1), None, Some(2)],
    );
    becomes("end", &[find("end\n")], "end\n\nx\n", &[Some(0), None]);
}

#[test]
fn every_match_is_replaced_where_that_is_asked() {
    let all = Edit::FindReplace { find: "a".to_owned(), markdown: "b".to_owned(), all: true };
    becomes("a a\n\na", &[all], "b b\n\nb\n", &[Some(0), Some(1)]);
}

#[track_caller]
fn fails(before: &str, edits: &[Edit], index: usize, issue: EditIssue) {
    assert_eq!(edit(&page(before), edits, &Cancellation::default()), Err(EditFault { index, issue }));
}

#[test]
fn an_edit_without_exactly_one_match_is_refused() {
    let fine = Edit::Append { markdown: "b".to_owned() };
    fails("a", &[fine.clone(), replace("x", "y")], 1, EditIssue::FindNotFound);
    fails("a", &[replace("", "y")], 0, EditIssue::FindNotFound);
    fails("a\n\na a", &[fine.clone(), fine, replace("a", "y")], 2, EditIssue::FindNotUnique { matches: 3 });
    let behind = |anchor| Edit::InsertAfter { anchor, markdown: String::new() };
    fails("a a", &[behind(Anchor::Find("a".to_owned()))], 0, EditIssue::FindNotUnique { matches: 2 });
    fails("a", &[behind(Anchor::Block(id(7)))], 0, EditIssue::UnknownBlock(id(7)));
}

#[test]
fn edits_keep_to_the_limits_and_rules_of_blocks() {
    let deep = Edit::Append { markdown: "> ".repeat(51) };
    fails("a", &[deep], 0, EditIssue::Refused(Refusal::TooDeep));
    let behind =
        |number, markdown: &str| Edit::InsertAfter { anchor: Anchor::Block(id(number)), markdown: markdown.to_owned() };
    fails(&"+ ".repeat(50), &[behind(49, "- a\n  - b")], 0, EditIssue::Refused(Refusal::TooDeep));
    let nesting = Refusal::InvalidNesting { block: Kind::Paragraph, parent: Some(Kind::ColumnList) };
    fails(":::column_list\n:::column\n:::\n:::", &[behind(1, "a")], 0, EditIssue::Refused(nesting));
    let bomb = Edit::FindReplace { find: "a".to_owned(), markdown: "b".repeat(1_000_000), all: true };
    fails(&"a".repeat(1_000_000), &[bomb], 0, EditIssue::Refused(Refusal::TooLong { most: 5 << 20 }));
}

#[test]
#[expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests may look at the clock")]
fn a_small_edit_of_a_large_page_is_quick() {
    let markdown =
        (0..10_000).map(|number| format!("paragraph number {number} of many")).collect::<Vec<_>>().join("\n\n");
    let page = page(&markdown);
    let begin = std::time::Instant::now();
    let changed =
        edit(&page, &[replace("number 5000 of", "number five thousand of")], &Cancellation::default()).unwrap();
    // This is many times slower without optimization.
    assert!(begin.elapsed() < std::time::Duration::from_secs(2), "{:?}", begin.elapsed());
    assert!(changed.iter().zip(&page).all(|(new, old)| new.id == old.id));
}

proptest! {
    #[test]
    fn replacing_all_gives_what_was_written_and_no_id_twice(
        before in crate::markdown::tests::arbitrary::pieces(),
        after in crate::markdown::tests::arbitrary::pieces(),
    ) {
        let mut page = before;
        number(&mut page, &mut 0);
        let markdown = write(&after);
        let changed = edit(&page, &[whole(&markdown)], &Cancellation::default()).unwrap();
        prop_assert_eq!(write(&changed), markdown);
        let mut kept = numbers(&changed).into_iter().flatten().collect::<Vec<_>>();
        let all = kept.len();
        kept.sort_unstable();
        kept.dedup();
        prop_assert_eq!(kept.len(), all);
    }

    #[test]
    fn what_is_written_back_keeps_every_id(before in crate::markdown::tests::arbitrary::pieces()) {
        let mut page = before;
        number(&mut page, &mut 0);
        prop_assert_eq!(edit(&page, &[whole(&write(&page))], &Cancellation::default()), Ok(page));
    }
}

#[test]
fn another_source_in_the_markdown_makes_another_block() {
    let shows = |number| format!(":::synced_block {{\"sourceBlockId\":\"{}\"}}\n:::\n", id(number));
    becomes(&shows(7), &[whole(&shows(8))], &shows(8), &[None]);
    // Nor does a text become an instance because its text looks like the source.
    let text = format!("{}\n", id(7));
    becomes(&text, &[whole(&shows(7))], &shows(7), &[None]);
    becomes(
        &format!("a\n\n{}", shows(7)),
        &[whole(&format!("b\n\n{}", shows(7)))],
        &format!("b\n\n{}", shows(7)),
        &[Some(0), Some(1)],
    );
}
