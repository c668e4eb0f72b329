//! What excerpts show.

use super::tokens::text;
use crate::{Excerpt, Field, Fields, MAX_EXCERPT, MAX_EXCERPTS, Query, excerpt, excerpts};
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

/// An excerpt with its matches in brackets.
fn marked(excerpt: &Excerpt) -> String {
    let units: Vec<u16> = excerpt.text.encode_utf16().collect();
    let mut marked = String::new();
    let mut from = 0;
    for range in &excerpt.ranges {
        marked += &String::from_utf16(&units[from..range.start]).unwrap();
        let found = String::from_utf16(&units[range.clone()]).unwrap();
        marked = [marked.as_str(), "[", &found, "]"].concat();
        from = range.end;
    }
    marked + &String::from_utf16(&units[from..]).unwrap()
}

fn shown(query: &str, text: &str) -> Option<String> {
    excerpt(text, &Query::parse(query).unwrap()).as_ref().map(marked)
}

#[test]
fn a_short_text_is_shown_as_it_is() {
    assert_eq!(shown("road q3", "The Roadmap,\nfor \u{1f389} Q3!").unwrap(), "The [Roadmap],\nfor \u{1f389} [Q3]!");
    assert_eq!(shown("road", "nothing"), None);
}

#[test]
fn matches_are_marked_in_the_original_text() {
    assert_eq!(shown("creme", "\u{1f600} Cre\u{300}me!").unwrap(), "\u{1f600} [Cre\u{300}me]!");
    assert_eq!(shown("\"road map\"", "a road - map, road").unwrap(), "a [road - map], road");
    assert_eq!(shown("\u{6771}\u{4eac} \u{90fd}", "\u{6771}\u{4eac}\u{90fd}").unwrap(), "[\u{6771}\u{4eac}\u{90fd}]");
    assert_eq!(shown("road \"road map\"", "road map").unwrap(), "[road map]");
}

#[test]
fn a_long_text_is_cut_at_words_around_the_matches() {
    let text = format!("{} needle {}", "before ".repeat(100), "after ".repeat(100));
    let shown = shown("needle", &text).unwrap();
    assert!(shown.starts_with("before") && shown.ends_with("after") && shown.contains(" [needle] "), "{shown}");
    assert!(shown.chars().count() > 200);
}

#[test]
fn the_part_with_most_terms_is_shown() {
    let text = format!("one {} one and two {}", "x ".repeat(300), "x ".repeat(300));
    assert!(shown("one two", &text).unwrap().contains("[one] and [two]"));
}

#[test]
fn a_match_that_is_too_long_is_cut() {
    let long = "y".repeat(1000);
    assert_eq!(shown("y", &long).unwrap(), format!("[{}]", "y".repeat(MAX_EXCERPT)));
    let marks = format!("a{}", "\u{301}".repeat(1000));
    assert_eq!(excerpt(&marks, &Query::parse("a").unwrap()).unwrap().text.chars().count(), MAX_EXCERPT);
}

#[test]
fn texts_that_show_further_terms_are_preferred() {
    let query = Query::parse("one two").unwrap();
    let texts = [
        (Field::Text, "one a"),
        (Field::Text, "one b"),
        (Field::Text, "one c"),
        (Field::Text, "two"),
        (Field::Property, "one p"),
        (Field::Comment, "none"),
    ];
    let found = excerpts(&query, &texts, Fields::ALL);
    assert_eq!(found.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [4, 0, 3]);
    assert_eq!(excerpts(&query, &texts, Fields::from_iter([Field::Comment])), []);
}

proptest! {
    #[test]
    fn excerpts_are_parts_of_the_text_with_whole_characters(
        pieces in prop::collection::vec(text(), 1..30), query in text(), repeat in 1_usize..4,
    ) {
        let text = pieces.concat().repeat(repeat);
        let Ok(query) = Query::parse(&query) else { return Ok(()) };
        let Some(excerpt) = excerpt(&text, &query) else {
            prop_assert!(query.terms().iter().all(|term| term.places(&crate::tokens(&text)).next().is_none()));
            return Ok(());
        };
        prop_assert!(text.contains(&excerpt.text));
        prop_assert!(excerpt.text.chars().count() <= MAX_EXCERPT);
        prop_assert!(!excerpt.ranges.is_empty());
        let ends: Vec<usize> = excerpt.text.graphemes(true)
            .scan(0, |at, character| { *at += character.encode_utf16().count(); Some(*at) }).collect();
        let mut before = 0;
        for range in &excerpt.ranges {
            prop_assert!(range.start >= before && range.start < range.end);
            for end in [range.start, range.end] {
                prop_assert!(end == 0 || ends.contains(&end), "{range:?} of {excerpt:?}");
            }
            before = range.end;
        }
    }

    #[test]
    fn a_unit_has_few_excerpts(texts in prop::collection::vec(text(), 0..9), query in text()) {
        let Ok(query) = Query::parse(&query) else { return Ok(()) };
        let texts: Vec<_> = texts.iter().map(|text| (Field::Text, text.as_str())).collect();
        let found = excerpts(&query, &texts, Fields::ALL);
        prop_assert!(found.len() <= MAX_EXCERPTS);
        // A unit that matches shows why.
        prop_assert!(!found.is_empty() || query.class(texts.iter().copied(), Fields::ALL).is_none());
    }
}
