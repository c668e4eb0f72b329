//! Whatever blocks say, their Markdown says it too.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

pub(crate) mod arbitrary;
mod bombs;
mod commonmark;
mod forms;

use super::{
    read, write,
    write::{Choice, are_same, compose},
};
use proptest::prelude::*;

proptest! {
    #[test]
    fn blocks_read_back_from_their_markdown(pieces in arbitrary::pieces()) {
        let text = write(&pieces);
        prop_assert_eq!(read(&text), Ok(pieces), "{}", text);
    }

    /// The look at the whole is a safety net: what is written block by block holds without it.
    #[test]
    fn the_forms_of_blocks_do_not_depend_on_their_neighbours(pieces in arbitrary::pieces()) {
        let text = compose(&pieces, Choice::Plain).text;
        let read = read(&text).unwrap_or_default();
        prop_assert!(are_same(&read, &pieces), "{}\n{:#?}", text, read);
        prop_assert_eq!(text, compose(&pieces, Choice::PlainTried).text);
    }

    #[test]
    fn what_any_text_means_reads_back(text in arbitrary::markdown()) {
        let pieces = read(&text).unwrap_or_default();
        let written = compose(&pieces, Choice::Plain).text;
        prop_assert_eq!(read(&written), Ok(pieces), "{}", written);
    }
}

#[test]
fn nothing_is_written_as_nothing() {
    assert_eq!(write(&[]), "");
    assert_eq!(read(""), Ok(Vec::new()));
}
