//! Which units a query matches.

use super::tokens::text;
use crate::{Class, Field, Fields, Query};
use proptest::prelude::*;

fn class(query: &str, texts: &[(Field, &str)]) -> Option<Class> {
    Query::parse(query).unwrap().class(texts.iter().copied(), Fields::ALL)
}

fn matches(query: &str, text: &str) -> bool {
    class(query, &[(Field::Text, text)]).is_some()
}

#[test]
fn a_word_matches_tokens_that_start_with_it() {
    assert!(matches("road", "The Roadmap"));
    assert!(!matches("map", "The Roadmap"));
    assert!(!matches("\"road\"", "The Roadmap"));
    assert!(matches("creme", "Cr\u{e8}me"));
    assert!(matches("CR\u{c8}ME", "creme"));
}

#[test]
fn a_phrase_matches_adjacent_whole_tokens() {
    assert!(matches("\"road map\"", "a road: map b"));
    assert!(!matches("\"road map\"", "a road and map"));
    assert!(!matches("\"road map\"", "map road"));
    assert!(!matches("\"road ma\"", "road map"));
    assert!(matches("road-ma", "road map"));
    assert!(!matches("ro-map", "road map"));
}

#[test]
fn a_phrase_never_crosses_texts() {
    assert_eq!(class("\"road map\"", &[(Field::Text, "road"), (Field::Text, "map")]), None);
    assert_eq!(class("\u{6771}\u{4eac}", &[(Field::Property, "\u{6771}"), (Field::Property, "\u{4eac}")]), None);
}

#[test]
fn all_terms_match_within_one_unit() {
    let unit = [(Field::Title, "Road"), (Field::Text, "map"), (Field::Property, "Q3")];
    assert_eq!(class("road map q3", &unit), Some(Class::Elsewhere));
    assert_eq!(class("road map q4", &unit), None);
}

#[test]
fn an_excluded_word_in_any_text_excludes_the_unit() {
    let unit = [(Field::Title, "Road"), (Field::Text, "old drafts")];
    assert_eq!(class("road -draft", &unit), None);
    assert_eq!(class("road -\"draft\"", &unit), Some(Class::WholeTitle));
    assert_eq!(class("road -\"drafts old\"", &unit), Some(Class::WholeTitle));
}

#[test]
fn classes_look_at_the_title() {
    assert_eq!(class("road map", &[(Field::Title, "R\u{f3}ad  Map!")]), Some(Class::WholeTitle));
    assert_eq!(class("road map", &[(Field::Title, "map of the roads")]), Some(Class::InTitle));
    assert_eq!(class("road ma", &[(Field::Title, "road map")]), Some(Class::InTitle));
    assert_eq!(class("road map", &[(Field::Title, "road"), (Field::Text, "road map")]), Some(Class::Elsewhere));
    assert!(Class::WholeTitle < Class::InTitle && Class::InTitle < Class::Elsewhere);
}

#[test]
fn only_the_fields_that_were_asked_for_count() {
    let query = Query::parse("road -map").unwrap();
    let unit = [(Field::Title, "Road"), (Field::Text, "map")];
    assert_eq!(query.class(unit, Fields::from_iter([Field::Title])), Some(Class::WholeTitle));
    assert_eq!(query.class(unit, Fields::from_iter([Field::Text, Field::Comment])), None);
    assert_eq!(query.class(unit, Fields::from_iter([])), None);
}

proptest! {
    #[test]
    fn a_text_matches_itself(text in text()) {
        let quoted = format!("\"{}\"", text.replace(|c| "\"\u{ff02}\u{201c}\u{201d}\u{201e}".contains(c), " "));
        if let Ok(query) = Query::parse(&quoted) {
            let inside = quoted.trim_matches('"');
            prop_assert_eq!(query.class([(Field::Title, inside)], Fields::ALL), Some(Class::WholeTitle));
        }
    }
}
