//! Comparison of texts: canonical composition (NFC) and simple case folding. Accents count.

use icu_casemap::CaseMapper;
use icu_normalizer::ComposingNormalizerBorrowed;
use std::borrow::Cow;

/// The text in canonical composition.
pub fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { ComposingNormalizerBorrowed::new_nfc().normalize(text) }
}

/// The form in which texts are compared when case makes no difference.
pub fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mapper = CaseMapper::new();
    let folded: String = composed(text).chars().map(|letter| mapper.simple_fold(letter)).collect();
    // A folded letter can compose with the accent after it although its other case could not.
    composed(&folded).into_owned()
}

/// Like [`folded`], without outer white space.
pub fn folded_line(text: &str) -> String {
    folded(text.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn case_and_composition_make_no_difference_but_accents_do() {
        assert_eq!(folded("\u{c4}RGER"), folded("a\u{308}rger"));
        assert_eq!(folded("\u{3a3}\u{3a3}"), folded("\u{3c3}\u{3c2}"));
        assert_ne!(folded("\u{e4}"), folded("a"));
        assert_ne!(folded("stra\u{df}e"), folded("STRASSE"), "simple folding never changes the length");
        assert_eq!(folded_line("  Done\t"), "done");
    }

    proptest! {
        #[test]
        fn folding_twice_changes_nothing(text: String) {
            prop_assert_eq!(folded(&folded(&text)), folded(&text));
        }
    }
}
