//! Single characters: how they are folded, and what they are in a word.

use icu_casemap::CaseMapper;
use icu_normalizer::{DecomposingNormalizerBorrowed, properties::CanonicalCombiningClassMapBorrowed};
use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{DefaultIgnorableCodePoint, GeneralCategory as Category, Script},
};

/// What a character is in a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A letter or a digit.
    Letter,
    /// A letter that is a token of its own: Han, Hiragana, Katakana, Hangul.
    Syllable,
    /// A mark on the letter before it.
    Mark,
    /// Anything else. It ends a word.
    Other,
}

pub(crate) fn kind(c: char) -> Kind {
    if c.is_ascii() {
        return if c.is_ascii_alphanumeric() { Kind::Letter } else { Kind::Other };
    }
    match CodePointMapData::<Category>::new().get(c) {
        Category::UppercaseLetter
        | Category::LowercaseLetter
        | Category::TitlecaseLetter
        | Category::ModifierLetter
        | Category::OtherLetter
        | Category::DecimalNumber
        | Category::LetterNumber
        | Category::OtherNumber => {
            if is_syllable(c) {
                Kind::Syllable
            } else {
                Kind::Letter
            }
        }
        Category::NonspacingMark | Category::SpacingMark | Category::EnclosingMark => Kind::Mark,
        _ => Kind::Other,
    }
}

/// The sign for long vowels, which both kinds of kana share and which therefore has no script.
const LONG_VOWEL: char = '\u{30fc}';

fn is_syllable(c: char) -> bool {
    const SCRIPTS: [Script; 4] = [Script::Han, Script::Hiragana, Script::Katakana, Script::Hangul];
    c == LONG_VOWEL || SCRIPTS.contains(&script(c))
}

/// Whether marks on a letter are accents, which do not count.
pub(crate) fn loses_accents(letter: char) -> bool {
    letter.is_ascii_alphabetic() || matches!(script(letter), Script::Latin | Script::Greek | Script::Cyrillic)
}

pub(crate) fn is_accent(c: char) -> bool {
    !c.is_ascii()
        && matches!(CodePointMapData::<Category>::new().get(c), Category::NonspacingMark | Category::EnclosingMark)
}

/// Whether a character is invisible and inside a word: soft hyphens, joiners, selectors of variants. The zero-width
/// space is not, because it separates words.
pub(crate) fn is_invisible(c: char) -> bool {
    c != '\u{200b}' && CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}

pub(crate) fn combining_class(c: char) -> u8 {
    if c.is_ascii() { 0 } else { CanonicalCombiningClassMapBorrowed::new().get_u8(c) }
}

/// A mark that case folding would make a letter. As a mark it is an accent, wherever it stands among others.
const IOTA_SUBSCRIPT: char = '\u{345}';

/// Hands out what a character becomes without case and compatibility forms, decomposed.
pub(crate) fn fold(c: char, mut folded: impl FnMut(char)) {
    if c.is_ascii() {
        return folded(c.to_ascii_lowercase());
    }
    let compatible = DecomposingNormalizerBorrowed::new_nfkd();
    for part in compatible.normalize_iter(std::iter::once(c)) {
        if part == IOTA_SUBSCRIPT {
            folded(part);
            continue;
        }
        let mut bytes = [0; 4];
        let lower = CaseMapper::new().fold_string(part.encode_utf8(&mut bytes));
        // Folding can compose and can yield characters with compatibility forms of their own.
        for letter in compatible.normalize_iter(lower.chars()) {
            folded(without_stroke(letter));
        }
    }
}

/// Letters of the Latin script whose accent Unicode does not separate from them. Readers look for them without it.
fn without_stroke(c: char) -> char {
    match c {
        '\u{142}' | '\u{19a}' | '\u{2c61}' => 'l',
        '\u{f8}' => 'o',
        '\u{111}' => 'd',
        '\u{127}' => 'h',
        '\u{167}' => 't',
        '\u{131}' => 'i',
        '\u{180}' => 'b',
        '\u{1b6}' => 'z',
        _ => c,
    }
}

fn script(c: char) -> Script {
    CodePointMapData::<Script>::new().get(c)
}
