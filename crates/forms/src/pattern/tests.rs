//! Which patterns are accepted, and what they match.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::*;
use proptest::prelude::*;

fn check(pattern: &str) -> Result<(), PatternFault> {
    Pattern::read(pattern).unwrap().check()
}

#[test]
fn ordinary_patterns_are_accepted() {
    for pattern in [
        "^[A-Z]{2}[0-9]{4}$",
        r"^\+?[0-9 ()/-]{6,20}$",
        r"^[\w.+-]+@[\w-]+(\.[\w-]+)+$",
        r"^https?://[^\s/$.?#].[^\s]*$",
        "^[a-z0-9]+(?:-[a-z0-9]+)*$",
        r"^\d{4}-\d{2}-\d{2}$",
        r"^(\d+,)*\d+$",
        "^(.+,)+$",
        r"^(\d+[a-z]+)+$",
        "^(?:[A-F0-9]{2}:){5}[A-F0-9]{2}$",
        r"(?i)\b(yes|no|perhaps)\b",
        r"^\p{Lu}\p{L}*( \p{Lu}\p{L}*)*$",
        "^.{10,500}$",
        "(a+){3}",
        "colou?r",
        "[\u{e4}\u{f6}\u{fc}\u{df}]",
    ] {
        assert_eq!(check(pattern), Ok(()), "{pattern}");
    }
}

#[test]
fn repetitions_of_repetitions_are_refused() {
    for pattern in [
        "(a+)+$",
        "^(a+)+$",
        "(a*)*b",
        "([a-zA-Z]+)*$",
        "^(([a-z])+.?)+$",
        "(x+x+)+y",
        "(a|b+)*c",
        "((a+)?b?)+",
        "(?:a{2,})*",
        "^(?:[a-z0-9]+-?)+$",
        "((((a+))))+",
        "(a+){2,}",
        "(?:(?:a+){1,5})+",
    ] {
        assert_eq!(check(pattern), Err(PatternFault::NestedRepetition), "{pattern}");
    }
}

#[test]
fn what_cannot_be_searched_in_linear_time_is_refused_as_syntax() {
    let syntax = |pattern: &str| match check(pattern) {
        Err(PatternFault::Syntax { message, offset }) => (message, offset),
        other => panic!("{pattern}: {other:?}"),
    };
    assert_eq!(
        syntax("\u{e4}(?=b)"),
        ("look-around, including look-ahead and look-behind, is not supported".to_owned(), 1)
    );
    assert_eq!(syntax(r"(a)\1"), ("backreferences are not supported".to_owned(), 3));
    assert_eq!(syntax("a(b"), ("unclosed group".to_owned(), 1));
    for pattern in ["[a-", "*a", "a{2,1}", "(?<!a)b", "[z-a]", r"\xzz", "(?-u:\\xff)", &"(".repeat(100)] {
        syntax(pattern);
    }
    syntax(&format!("{}a{}", "(".repeat(90), ")".repeat(90)));
}

#[test]
fn large_and_slow_patterns_are_refused() {
    for pattern in ["((a{100}){100}){100}", r"(\w{500}){100}", r"\pL{1000}"] {
        assert_eq!(check(pattern), Err(PatternFault::TooLarge), "{pattern}");
    }
    for pattern in ["[ab]*a[ab]{1000}c", r"(?:[0-9]*5[0-9]{500}){2}x", "(a?){200}(b?){200}[ab]{500}c"] {
        assert_eq!(check(pattern), Err(PatternFault::TooSlow), "{pattern}");
    }
}

#[test]
fn catastrophic_patterns_are_refused_or_take_few_steps_for_long_texts() {
    for pattern in ["(a|a)*$", "(a|aa)+$", "^(a|a?)+$", "(.*a){12}$", "(a?){50}a{50}b", "(?:a+a)+b"] {
        let pattern = Pattern::read(pattern).unwrap();
        if pattern.check().is_ok() {
            let text = format!("{}!", "a".repeat(9_999));
            assert!(pattern.compile().unwrap().is_match(&text).is_ok(), "{pattern:?}");
        }
    }
}

#[test]
fn a_search_that_would_take_too_many_steps_ends() {
    let matcher = Pattern::read("[ab]*a[ab]{1000}c").unwrap().compile().unwrap();
    assert_eq!(matcher.is_match(&"ab".repeat(5000)), Err(TooSlow));
    assert_eq!(matcher.is_match("ab"), Ok(false));
}

#[test]
fn patterns_match_anywhere_unless_they_are_anchored() {
    let is_match = |pattern: &str, text: &str| Pattern::read(pattern).unwrap().compile().unwrap().is_match(text);
    assert_eq!(is_match("b", "abc"), Ok(true));
    assert_eq!(is_match("^b", "abc"), Ok(false));
    assert_eq!(is_match("(?m)^b$", "a\nb\nc"), Ok(true));
    assert_eq!(is_match(r"^\w+$", "\u{e4}rger"), Ok(true));
    assert_eq!(is_match("^.$", "\u{1f600}"), Ok(true));
    assert_eq!(is_match(r"\bb\b", "\u{e4}b"), Ok(false));
    assert_eq!(is_match("^$", ""), Ok(true));
}

#[test]
fn a_pattern_has_1_to_200_characters() {
    assert_eq!(Pattern::read(""), Err(TextFlaw::Empty));
    assert!(Pattern::read(&"\u{e4}".repeat(200)).is_ok());
    assert_eq!(Pattern::read(&"a".repeat(201)), Err(TextFlaw::TooLong));
}

fn patterns() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "a", "b", "\u{e4}", ".", r"\w", r"\d", "[ab]", "[^a]", "^", "$", r"\b", r"\B", r"\p{L}", "(?i:b)", "",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(4, 16, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(one, other)| format!("{one}{other}")),
            (inner.clone(), inner.clone()).prop_map(|(one, other)| format!("(?:{one}|{other})")),
            (inner, prop::sample::select(vec!["*", "+", "?", "{2}", "{1,3}", "{2,}", "*?"]))
                .prop_map(|(one, times)| format!("({one}){times}")),
        ]
    })
}

proptest! {
    #[test]
    fn searches_find_what_the_crate_regex_finds(
        pattern in patterns(),
        text in "[ab1 \u{e4}\u{c4}\n-]{0,12}",
    ) {
        let Ok(pattern) = Pattern::read(&pattern) else { return Ok(()) };
        let expected = regex::Regex::new(pattern.as_str()).unwrap().is_match(&text);
        prop_assert_eq!(pattern.compile().unwrap().is_match(&text), Ok(expected));
    }

    #[test]
    fn any_text_is_a_pattern_or_refused(text in "\\PC{1,60}|[()a+*?|{}0-9,.\\[\\]^$\\\\-]{1,60}") {
        if let Ok(pattern) = Pattern::read(&text)
            && pattern.check().is_ok()
        {
            prop_assert!(pattern.compile().unwrap().is_match(&text).is_ok());
        }
    }
}
