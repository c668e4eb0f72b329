//! Recognising emoji.

const JOINER: char = '\u{200D}';
const VARIATION: char = '\u{FE0F}';
const KEYCAP: char = '\u{20E3}';

/// Whether a text is a single emoji as a reader sees it: a picture with its modifiers, several pictures joined into
/// one, a flag, or a keycap.
pub fn is_one_emoji(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    match *letters.as_slice() {
        [digit, KEYCAP] | [digit, VARIATION, KEYCAP] => matches!(digit, '0'..='9' | '#' | '*'),
        [first, second] if is_regional(first) => is_regional(second),
        _ => letters.split(|letter| *letter == JOINER).all(is_picture),
    }
}

/// A picture with its modifiers.
fn is_picture(letters: &[char]) -> bool {
    letters.split_first().is_some_and(|(first, rest)| is_base(*first) && rest.iter().copied().all(is_modifier))
}

const fn is_regional(letter: char) -> bool {
    matches!(letter, '\u{1F1E6}'..='\u{1F1FF}')
}

/// Variation selectors, skin tones, and the tags for subdivisions of countries.
const fn is_modifier(letter: char) -> bool {
    matches!(letter, VARIATION | '\u{1F3FB}'..='\u{1F3FF}' | '\u{E0020}'..='\u{E007F}')
}

const fn is_base(letter: char) -> bool {
    matches!(
        letter,
        '\u{A9}' | '\u{AE}' | '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2194}'..='\u{21AA}'
            | '\u{231A}'..='\u{23FF}' | '\u{24C2}' | '\u{25AA}'..='\u{27BF}' | '\u{2934}' | '\u{2935}'
            | '\u{2B05}'..='\u{2B55}' | '\u{3030}' | '\u{303D}' | '\u{3297}' | '\u{3299}' | '\u{1F000}'..='\u{1F1E5}'
            | '\u{1F200}'..='\u{1F3FA}' | '\u{1F400}'..='\u{1FAFF}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_emoji_is_told_from_none_and_from_two() {
        for one in [
            "\u{1F600}",
            "\u{2764}\u{FE0F}",
            "\u{1F44D}\u{1F3FD}",
            "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}",
            "\u{1F3F4}\u{200D}\u{2620}\u{FE0F}",
            "\u{1F1E8}\u{1F1ED}",
            "7\u{FE0F}\u{20E3}",
            "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
        ] {
            assert!(is_one_emoji(one), "{one}");
        }
        for other in ["", "a", "7", "\u{1F600}\u{1F600}", "\u{1F600}a", "\u{1F1E8}", "\u{200D}", "\u{1F600}\u{200D}"] {
            assert!(!is_one_emoji(other), "{other:?}");
        }
    }
}
