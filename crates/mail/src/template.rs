//! Plain texts with `{{placeholders}}`, and values that mail programs do not turn into links.

/// Inserts values. Placeholders within values are not replaced.
pub(crate) fn fill(template: &str, values: &[(&str, String)]) -> String {
    let mut filled = String::with_capacity(template.len() + 256);
    let mut rest = template;
    while let Some((before, place, after)) = next_place(rest) {
        filled.push_str(before);
        if let Some((_, value)) = values.iter().find(|(name, _)| *name == place) {
            filled.push_str(value);
        }
        rest = after;
    }
    filled + rest
}

fn next_place(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("{{")?;
    let (place, after) = rest.split_once("}}")?;
    Some((before, place, after))
}

/// The characters of links and markup, and those that are normalised to a dot, slash, colon or at sign in a host
/// name.
const LINK_MAKING: &[char] = &[
    '/', ':', '@', '\\', '<', '>', '[', ']', '{', '}', '"', '`', '#', '?', '=', '%', '\u{3002}', '\u{FF0E}',
    '\u{FF61}', '\u{2024}', '\u{FE52}', '\u{FF0F}', '\u{2044}', '\u{2215}', '\u{FF1A}', '\u{FE55}', '\u{FF20}',
    '\u{FE6B}',
];

/// Invisible characters, which could be between a dot and its neighbour.
const fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

/// A text that somebody chose, without anything that mail programs turn into a link: `https://evil.test/x` becomes
/// `https evil test x`. Escaping alone is not enough, because mail programs look for links in plain text too.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let kept = match letter {
            // Allowed at the end of a sentence or abbreviation and in numbers; elsewhere it could be part of a host
            // name.
            '.' => letters.peek().is_none_or(|next| next.is_whitespace() || next.is_ascii_digit()),
            other => !other.is_control() && !LINK_MAKING.contains(&other) && !is_invisible(other),
        };
        plain.push(if kept { letter } else { ' ' });
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A name that somebody chose, without links; replaced if nothing else is left.
pub(crate) fn named(name: &str) -> String {
    let name = plain(name);
    if name.is_empty() { "(no name)".to_owned() } else { name }
}
