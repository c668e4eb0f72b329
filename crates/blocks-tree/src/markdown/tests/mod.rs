//! Markdown preserves the content of all blocks.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

pub(crate) mod arbitrary;
mod bombs;
mod commonmark;
mod forms;

use super::{
    export, read, write,
    write::{Choice, are_same, compose},
};
use crate::{Body, Kind, Piece, Refusal, RichText};
use octavo_core_model::cancellation::Cancellation;
use proptest::prelude::*;
use serde_json::{Value, json};

proptest! {
    #[test]
    fn blocks_read_back_from_their_markdown(pieces in arbitrary::pieces()) {
        let text = write(&pieces);
        prop_assert_eq!(read(&text), Ok(pieces), "{}", text);
    }

    /// Checking the whole document is only a safety net: what is written block by block must be right without it.
    #[test]
    fn the_forms_of_blocks_do_not_depend_on_their_neighbours(pieces in arbitrary::pieces()) {
        let text = compose(&pieces, Choice::Plain, &Cancellation::default()).text;
        let read = read(&text).unwrap_or_default();
        prop_assert!(are_same(&read, &pieces), "{}\n{:#?}", text, read);
        prop_assert_eq!(text, compose(&pieces, Choice::PlainTried, &Cancellation::default()).text);
    }

    #[test]
    fn what_any_text_means_reads_back(text in arbitrary::markdown()) {
        let pieces = read(&text).unwrap_or_default();
        let written = compose(&pieces, Choice::Plain, &Cancellation::default()).text;
        prop_assert_eq!(read(&written), Ok(pieces), "{}", written);
    }
}

/// Cases that random tests have found.
#[test]
fn what_looks_like_something_else_is_written_so_that_it_does_not() {
    let block = |kind, content: Value| Piece::new(Body::read(kind, Some(content), None, "block").unwrap());
    let highlight_ends_in_a_line_of_its_own =
        block(Kind::NumberedList, json!({ "text": "a\n", "marks": [{ "type": "highlight", "from": 1, "to": 2 }] }));
    let url = json!({ "url": "b" });
    let bracket_in_a_link = block(
        Kind::BulletedList,
        json!({ "text": "1. [a", "marks": [{ "type": "link", "from": 0, "to": 5, "attrs": url }] }),
    );
    let fence_in_an_equation = block(Kind::Equation, json!({ "latex": "\t```x" }));
    let colons_in_an_equation = block(Kind::Equation, json!({ "latex": ":::" }));
    let marks = json!([{ "type": "equation", "from": 0, "to": 5 }, { "type": "underline", "from": 3, "to": 5 }]);
    let colons_below_an_equation =
        block(Kind::Todo, json!({ "text": "# .]\u{a0}#", "marks": marks })).with(vec![colons_in_an_equation]);
    let quote_after_a_tab =
        block(Kind::Quote, json!({ "text": "a" })).with(vec![block(Kind::Equation, json!({ "latex": "\t>[^1]: x" }))]);
    let colons_in_an_item_in_an_equation = block(Kind::Toggle, json!({ "text": "a" })).with(vec![
        block(Kind::Paragraph, json!({ "text": "}" })),
        block(Kind::Equation, json!({ "latex": "2) :::" })),
    ]);
    for piece in [
        highlight_ends_in_a_line_of_its_own,
        bracket_in_a_link,
        fence_in_an_equation,
        colons_below_an_equation,
        quote_after_a_tab,
        colons_in_an_item_in_an_equation,
    ] {
        let callout = block(Kind::Callout, json!("behind it"));
        let pieces = [piece, callout];
        let text = compose(&pieces, Choice::Plain, &Cancellation::default()).text;
        assert!(read(&text).is_ok_and(|read| are_same(&read, &pieces)), "{text}");
    }
}

#[test]
fn a_line_of_colons_does_not_end_the_directive_around_its_block() {
    let block = |kind, content: Value| Piece::new(Body::read(kind, Some(content), None, "block").unwrap());
    let marks = json!([{ "type": "equation", "from": 0, "to": 7 }]);
    for piece in [
        block(Kind::Equation, json!({ "latex": ":::" })),
        block(Kind::Equation, json!({ "latex": "2) :::" })),
        block(Kind::Equation, json!({ "latex": "a\n\t> :::" })),
        block(Kind::Paragraph, json!({ "text": "a\n:::\nb", "marks": marks })),
        block(Kind::Paragraph, json!("\u{a0}:::")),
    ] {
        let pieces = [block(Kind::Toggle, json!("around it")).with(vec![piece])];
        let text = compose(&pieces, Choice::Plain, &Cancellation::default()).text;
        assert!(read(&text).is_ok_and(|read| are_same(&read, &pieces)), "{text}");
    }
}

#[test]
fn an_empty_item_that_ends_a_quote_in_an_item_does_not_end_the_item() {
    let block = |kind, text: &str| Piece::new(Body::with_text(kind, RichText::plain(text)));
    let items = vec![block(Kind::BulletedList, "first"), block(Kind::BulletedList, "")];
    let quote = block(Kind::Quote, "").with(vec![block(Kind::Quote, "quoted").with(items)]);
    for quote in [quote.children[0].clone(), quote] {
        let below = vec![quote, block(Kind::Paragraph, "below the outer item")];
        let pieces = [block(Kind::NumberedList, "outer").with(below)];
        let text = compose(&pieces, Choice::Plain, &Cancellation::default()).text;
        assert!(read(&text).is_ok_and(|read| are_same(&read, &pieces)), "{text}");
    }
}

#[test]
fn nothing_is_written_as_nothing() {
    assert_eq!(write(&[]), "");
    assert_eq!(read(""), Ok(Vec::new()));
}

#[test]
fn writing_stops_when_it_is_cancelled() {
    let pieces = read("one\n\n- two\n").unwrap();
    let cancellation = Cancellation::default();
    assert_eq!(export(&pieces, &cancellation), Ok(write(&pieces)));
    cancellation.cancel();
    assert_eq!(export(&pieces, &cancellation), Err(Refusal::Cancelled));
    assert_eq!(compose(&pieces, Choice::Plain, &cancellation).text, "", "no block is written any more");
}
