//! How queries are read.

use super::tokens::text;
use crate::{NoTerm, Query, Term};
use proptest::prelude::*;

/// A query as text: prefixes end in `*`, tokens of one term are joined by `+`, excluded terms begin with `!`.
fn read(text: &str) -> String {
    let Ok(query) = Query::parse(text) else { return "none".to_owned() };
    let show = |term: &Term| term.tokens().join("+") + if term.is_prefix() { "*" } else { "" };
    let excluded = query.excluded().iter().map(|term| format!("!{}", show(term)));
    query.terms().iter().map(show).chain(excluded).collect::<Vec<_>>().join(" ")
}

#[test]
fn words_are_prefixes_and_phrases_are_whole() {
    assert_eq!(read("Road map"), "road* map*");
    assert_eq!(read("\"Road map\" plan"), "road+map plan*");
    assert_eq!(read("say\"road map\"now"), "say* road+map now*");
    assert_eq!(read("\u{201c}road map\u{201d}"), "road+map");
}

#[test]
fn a_word_of_several_tokens_is_one_term() {
    assert_eq!(read("foo-bar"), "foo+bar*");
    assert_eq!(read("\u{6771}\u{4eac}"), "\u{6771}+\u{4eac}*");
    assert_eq!(read("3.14 a_b"), "3+14* a+b*");
}

#[test]
fn a_hyphen_excludes_at_the_start_and_after_a_space_only() {
    assert_eq!(read("a -b"), "a* !b*");
    assert_eq!(read("-b a"), "a* !b*");
    assert_eq!(read("a -\"b c\""), "a* !b+c");
    assert_eq!(read("a\t-b"), "a* !b*");
    assert_eq!(read("a-\"b\""), "a* b");
    assert_eq!(read("\"a\"-b"), "a b*");
    assert_eq!(read("a - b"), "a* b*");
    assert_eq!(read("a --b"), "a* !b*");
}

#[test]
fn a_query_needs_a_term_that_must_occur() {
    for nothing in ["", " ", "-a", "-\"a b\"", "\"\"", "* ? %", "-", "\u{1f389}", "\"", "\u{0}\u{7}"] {
        assert_eq!(Query::parse(nothing), Err(NoTerm), "{nothing:?}");
    }
}

#[test]
fn an_open_phrase_is_still_being_typed() {
    assert_eq!(read("\"road ma"), "road+ma*");
    assert_eq!(read("a \""), "a*");
}

#[test]
fn wildcards_and_operators_mean_nothing() {
    assert_eq!(read("ro*d OR title:x (a) ^2 ~"), "ro+d* or* title+x* a* 2*");
}

#[test]
fn repeated_terms_count_once() {
    assert_eq!(read("a A \u{e1} -b -b \"a\""), "a* a !b*");
    let many = "word ".repeat(500);
    assert_eq!(Query::parse(&many).unwrap().terms().len(), 1);
}

#[test]
fn the_whole_query_is_what_a_title_is_compared_with() {
    assert_eq!(Query::parse("Road-Map: \"Q3\" -draft").unwrap().whole(), "road map q3");
}

proptest! {
    #[test]
    fn every_text_with_a_letter_or_digit_can_be_searched_for(text in text()) {
        // Without hyphens nothing is excluded.
        let text = text.replace('-', " ");
        prop_assert_eq!(Query::parse(&text).is_ok(), !crate::tokens(&text).is_empty());
    }

    #[test]
    fn terms_have_tokens(text in text()) {
        if let Ok(query) = Query::parse(&text) {
            for term in query.terms().iter().chain(query.excluded()) {
                prop_assert!(!term.tokens().is_empty() && term.tokens().iter().all(|token| !token.is_empty()));
            }
        }
    }
}
