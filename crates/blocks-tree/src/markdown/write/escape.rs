//! Escaping text so that it parses back as nothing but text.

use std::ops::Range;

/// The place of a text, which decides how its lines break and what would end it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Paragraph,
    /// A heading or the description of an image: one line.
    Line,
    Cell,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Only characters that usually have a meaning, so that the text stays readable.
    Light,
    /// All characters that could have a meaning.
    Thorough,
}

/// Whether a text needs no escaping at any place.
pub(super) fn needs_no_escape(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_harmless = |byte: &u8| {
        byte.is_ascii_alphanumeric()
            || !byte.is_ascii()
            || matches!(byte, b' ' | b',' | b'.' | b';' | b'?' | b'/' | b'(' | b')' | b'"' | b'%' | b'\'')
    };
    let is_solid = |letter: char| letter.is_alphabetic();
    text.starts_with(is_solid)
        && text.ends_with(|letter: char| letter.is_alphanumeric() || matches!(letter, '.' | ',' | '?' | ')'))
        && bytes.iter().all(is_harmless)
}

/// A text and facts about the whole of it.
pub(super) struct Escaper<'a> {
    text: &'a str,
    place: Place,
    style: Style,
    has_lines: bool,
    /// The position of the last character that could end the text of a link.
    last_link: usize,
}

impl<'a> Escaper<'a> {
    pub(super) fn new(text: &'a str, place: Place, style: Style) -> Self {
        let last_link = text.rfind("](").unwrap_or(0);
        Self { text, place, style, has_lines: text.contains('\n'), last_link }
    }

    /// Writes a part of the text.
    pub(super) fn write(&self, part: Range<usize>, out: &mut String) {
        for (at, letter) in self.text[part.clone()].char_indices() {
            let at = part.start + at;
            if letter == '\n' {
                out.push_str(if self.place == Place::Paragraph { "\\\n" } else { "<br>" });
                continue;
            }
            if letter.is_ascii_punctuation() && (self.style == Style::Thorough || self.may_have_meaning(letter, at)) {
                out.push('\\');
            }
            out.push(letter);
        }
    }

    /// Whether a character could have a meaning here. If this is wrong, the text is escaped thoroughly instead.
    fn may_have_meaning(&self, sign: char, at: usize) -> bool {
        let before = self.text[..at].chars().next_back();
        let after = self.text[at + sign.len_utf8()..].chars().next();
        let begins = matches!(before, None | Some('\n'));
        match sign {
            '\\' | '`' | '$' | '~' => true,
            '*' => begins || !(is_space(before) && is_space(after)),
            '_' => !self.is_within_word(at),
            '<' => after.is_some_and(|after| after.is_ascii_alphabetic() || matches!(after, '/' | '!' | '?')),
            '&' => after.is_some_and(|after| after.is_ascii_alphanumeric() || after == '#'),
            '=' => begins || before == Some('=') || after == Some('='),
            '[' => begins || at < self.last_link || after == Some('^'),
            ']' => after == Some('('),
            '|' => self.place == Place::Cell || self.has_lines,
            '#' if self.place == Place::Line => begins || after.is_none() || after == Some('#'),
            '#' | '>' | '+' | '-' => begins,
            ':' => self.is_first_on_line(at),
            '.' | ')' => self.ends_number(at),
            _ => false,
        }
    }

    /// Whether only white space precedes this on its line: a line is trimmed before it is read as a directive.
    fn is_first_on_line(&self, at: usize) -> bool {
        let before = self.text[..at].trim_end_matches(|letter: char| letter.is_whitespace() && letter != '\n');
        before.is_empty() || before.ends_with('\n')
    }

    /// Whether underscores are between letters. Long runs of them are not examined.
    fn is_within_word(&self, at: usize) -> bool {
        const FAR: usize = 8;
        let before = self.text[..at].chars().rev().take(FAR).find(|letter| *letter != '_');
        let after = self.text[at..].chars().take(FAR).find(|letter| *letter != '_');
        before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)
    }

    /// Whether a line starts with digits up to here, like the item of a list.
    fn ends_number(&self, at: usize) -> bool {
        let bytes = self.text.as_bytes();
        let digits = bytes[..at].iter().rev().take(10).take_while(|byte| byte.is_ascii_digit()).count();
        (1..10).contains(&digits) && (at == digits || bytes[at - digits - 1] == b'\n')
    }
}

fn is_space(letter: Option<char>) -> bool {
    letter.is_none_or(char::is_whitespace)
}
