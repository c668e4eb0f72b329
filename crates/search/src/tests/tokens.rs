//! The tokens of texts in different scripts.

use crate::{MAX_TOKEN, normalize, tokens};
use proptest::prelude::*;

fn places(text: &str) -> Vec<&str> {
    tokens(text).iter().map(|token| &text[token.place.clone()]).collect()
}

#[test]
fn case_and_compatibility_forms_make_no_difference() {
    assert_eq!(normalize("STRASSE"), normalize("stra\u{df}e"));
    assert_eq!(normalize("\u{ff26}\u{ff35}\u{ff2c}\u{ff2c}"), "full");
    assert_eq!(normalize("o\u{fb03}ce"), "office");
    assert_eq!(normalize("\u{39f}\u{394}\u{39f}\u{3a3}"), normalize("\u{3bf}\u{3b4}\u{3bf}\u{3c2}"));
    assert_eq!(normalize("m\u{b2}"), "m2");
}

#[test]
fn accents_of_latin_greek_and_cyrillic_letters_are_dropped() {
    assert_eq!(normalize("\u{c5}ngstr\u{f6}m \u{1ec7}"), "angstrom e");
    assert_eq!(normalize("a\u{30a}\u{323}b"), "ab");
    assert_eq!(normalize("\u{3ac}\u{3cb}"), "\u{3b1}\u{3c5}");
    assert_eq!(normalize("\u{451}\u{439}"), "\u{435}\u{438}");
    assert_eq!(normalize("\u{141}\u{f3}d\u{17a} S\u{f8}ren \u{130}\u{131}"), "lodz soren ii");
}

#[test]
fn marks_of_other_scripts_stay() {
    // Devanagari with a nukta and a vowel sign, composed and decomposed.
    assert_eq!(normalize("\u{958}\u{93f}"), normalize("\u{915}\u{93c}\u{93f}"));
    assert_ne!(normalize("\u{915}\u{93f}"), normalize("\u{915}"));
    // Voiced kana differ from unvoiced ones, in every form.
    assert_eq!(normalize("\u{30ac}"), normalize("\u{30ab}\u{3099}"));
    assert_eq!(normalize("\u{ff76}\u{ff9e}"), normalize("\u{30ac}"));
    assert_ne!(normalize("\u{304c}"), normalize("\u{304b}"));
    // Arabic vowels, Hebrew points.
    assert_ne!(normalize("\u{643}\u{64e}"), normalize("\u{643}"));
    assert_eq!(tokens("\u{5e9}\u{5b8}\u{5dc}\u{5d5}\u{5b9}\u{5dd}").len(), 1);
}

#[test]
fn texts_are_split_at_what_is_neither_letter_nor_digit() {
    assert_eq!(places("foo-bar_baz's 3.14 (x)"), ["foo", "bar", "baz", "s", "3", "14", "x"]);
    assert_eq!(places("a\u{0}b\u{7}c\nd\te\u{2028}f\u{1f389}g"), ["a", "b", "c", "d", "e", "f", "g"]);
    assert!(tokens("- \u{1f389} \"\" \u{301}").is_empty());
    assert_eq!(normalize("\u{bd}"), "1 2");
}

#[test]
fn each_han_kana_or_hangul_character_is_a_token() {
    assert_eq!(places("\u{6771}\u{4eac}abc"), ["\u{6771}", "\u{4eac}", "abc"]);
    assert_eq!(places("\u{30b5}\u{30fc}\u{30d0}\u{30fc}x"), ["\u{30b5}", "\u{30fc}", "\u{30d0}", "\u{30fc}", "x"]);
    assert_eq!(places("\u{d55c}\u{ae00}"), ["\u{d55c}", "\u{ae00}"]);
    // Hangul in single letters is the same syllables.
    assert_eq!(normalize("\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}"), "\u{d55c} \u{ae00}");
    assert_eq!(places("\u{1112}\u{1161}\u{11ab}a"), ["\u{1112}\u{1161}\u{11ab}", "a"]);
}

#[test]
fn invisible_characters_do_not_split_words() {
    assert_eq!(places("Ge\u{ad}sund"), ["Ge\u{ad}sund"]);
    assert_eq!(normalize("Ge\u{ad}sund \u{645}\u{6cc}\u{200c}\u{62e}"), "gesund \u{645}\u{6cc}\u{62e}");
    assert_eq!(places("a\u{200b}b"), ["a", "b"]);
}

#[test]
fn a_place_covers_the_marks_of_its_last_letter() {
    assert_eq!(places("cafe\u{301} x"), ["cafe\u{301}", "x"]);
    assert_eq!(places("\u{30ab}\u{3099}"), ["\u{30ab}\u{3099}"]);
    assert_eq!(places("x\u{fe0f} y"), ["x\u{fe0f}", "y"]);
}

#[test]
fn long_words_are_cut() {
    let long = "x".repeat(100_000);
    let found = tokens(&long);
    assert_eq!((found.len(), found[0].text.len(), found[0].place.clone()), (1, MAX_TOKEN, 0..100_000));
    let marks = format!("\u{915}{}", "\u{93c}".repeat(100_000));
    assert_eq!(tokens(&marks)[0].text.chars().count(), MAX_TOKEN);
}

/// Characters of all kinds, those with rules of their own more often than others.
pub(crate) fn text() -> impl Strategy<Value = String> {
    let special = prop::sample::select(
        "aAeEzZ09 -\"'._\n\u{301}\u{308}\u{323}\u{93c}\u{3099}\u{200d}\u{ad}\u{fe0f}\u{345}\u{1100}\u{1161}\u{11a8}\u{d55c}\u{304b}\u{30ab}\u{ff76}\u{ff9e}\u{6771}\u{df}\u{130}\u{131}\u{3c2}\u{1fb3}\u{915}\u{958}\u{bd}\u{fdfa}\u{1f389}\u{1f468}\u{20e3}\u{439}\u{e9}"
            .chars()
            .collect::<Vec<_>>(),
    );
    prop::collection::vec(prop_oneof![4 => special, 1 => any::<char>()], 0..40)
        .prop_map(|all| all.into_iter().collect())
}

proptest! {
    #[test]
    fn normalizing_twice_changes_nothing(text in text()) {
        let once = normalize(&text);
        prop_assert_eq!(normalize(&once), once);
    }

    #[test]
    fn equivalent_texts_have_the_same_tokens(text in text()) {
        use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
        let expected = normalize(&text);
        prop_assert_eq!(normalize(&ComposingNormalizerBorrowed::new_nfkc().normalize(&text)), &*expected);
        prop_assert_eq!(normalize(&DecomposingNormalizerBorrowed::new_nfd().normalize(&text)), &*expected);
    }

    #[test]
    fn places_are_within_the_text_and_in_order(text in text()) {
        let mut before = 0;
        for token in tokens(&text) {
            prop_assert!(text.get(token.place.clone()).is_some_and(|place| !place.is_empty()));
            // Several tokens can come from one character.
            prop_assert!(token.place.start >= before);
            before = token.place.start;
            prop_assert!(!token.text.is_empty());
        }
    }
}

#[test]
fn normalizing_any_character_twice_changes_nothing() {
    // Without the ranges of syllables and ideographs, of which one is like the next.
    let ranges =
        [0..=0x33ff, 0x9ffe..=0xac02, 0xd7a0..=0x1_6fff, 0x1_b000..=0x2_0001, 0x2_f800..=0x2_fa1f, 0xe_0000..=0xe_01ff];
    for c in ranges.into_iter().flatten().filter_map(char::from_u32) {
        let once = normalize(&c.to_string());
        assert_eq!(normalize(&once), once, "{c:?}");
    }
}
