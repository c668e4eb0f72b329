//! Languages of words, numbers, texts and comments.

use super::{
    language::{Language, Vocabulary},
    painter::{Color, Painter},
};

pub(super) fn scan(vocabulary: &Vocabulary, code: &str, painter: &mut Painter) {
    let mut rest = code;
    let mut is_line_start = true;
    while let Some(letter) = rest.chars().next() {
        let (length, color) = part(vocabulary, rest, letter, is_line_start);
        let (part, after) = rest.split_at(length);
        match color {
            Some(color) => painter.paint(color, part),
            None => painter.plain(part),
        }
        let is_indent = part.chars().all(|letter| letter == ' ' || letter == '-');
        is_line_start = part.ends_with('\n') || (is_line_start && is_indent);
        rest = after;
    }
}

/// The length and the colour of the next part. It is never empty.
fn part(vocabulary: &Vocabulary, rest: &str, letter: char, is_line_start: bool) -> (usize, Option<Color>) {
    let language = vocabulary.language;
    if language.line_comments.iter().any(|begin| rest.starts_with(begin)) {
        return (line_length(rest), Some(Color::Comment));
    }
    if let Some((begin, end)) = language.block_comment
        && let Some(content) = rest.strip_prefix(begin)
    {
        let length = content.find(end).map_or(rest.len(), |at| begin.len() + at + end.len());
        return (length, Some(Color::Comment));
    }
    if let Some((begin, end)) = language.quotes.iter().find(|(begin, _)| rest.starts_with(begin)) {
        return (text_length(language, rest, begin, end), Some(Color::Text));
    }
    if letter == '\'' && language.has_letters {
        return (letter_length(rest).unwrap_or(1), letter_length(rest).map(|_| Color::Text));
    }
    if letter.is_ascii_digit() {
        return (number_length(rest), Some(Color::Number));
    }
    if is_of_word(letter, language) {
        let length = rest.find(|letter: char| !is_of_word(letter, language)).unwrap_or(rest.len());
        return (length, word_color(vocabulary, &rest[..length], &rest[length..], is_line_start));
    }
    (letter.len_utf8(), None)
}

/// The length up to the end of the line, without the line break.
fn line_length(rest: &str) -> usize {
    rest.find('\n').unwrap_or(rest.len())
}

/// The length of a text in quotes. One with a single sign as its quote ends at the latest with its line, except where
/// the language lets it go on.
fn text_length(language: &Language, rest: &str, begin: &str, end: &str) -> usize {
    let is_long = end.len() > 1 || end == "`" || language.texts_go_on;
    let mut at = begin.len();
    while let Some(letter) = rest[at..].chars().next() {
        if rest[at..].starts_with(end) {
            return at + end.len();
        }
        if letter == '\n' && !is_long {
            return at;
        }
        at += letter.len_utf8();
        if letter == '\\' && language.has_escapes {
            at += rest[at..].chars().next().filter(|next| is_long || *next != '\n').map_or(0, char::len_utf8);
        }
    }
    rest.len()
}

/// The length of one letter in quotes. A lone quote is something else, such as a lifetime.
fn letter_length(rest: &str) -> Option<usize> {
    let content = &rest[1..];
    let mut letters = content.char_indices();
    let (_, first) = letters.next()?;
    if first == '\\' {
        let end = content.bytes().take(12).skip(2).position(|byte| byte == b'\'')?;
        return Some(end + 4);
    }
    let (at, second) = letters.next()?;
    (second == '\'').then_some(at + 2)
}

fn number_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let is_part = |at: usize| {
        let byte = bytes[at];
        let is_fraction = byte == b'.' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        byte.is_ascii_alphanumeric() || byte == b'_' || is_fraction
    };
    (0..bytes.len()).find(|at| !is_part(*at)).unwrap_or(bytes.len())
}

fn is_of_word(letter: char, language: &Language) -> bool {
    letter.is_alphanumeric() || letter == '_' || language.signs_of_words.contains(letter)
}

fn word_color(vocabulary: &Vocabulary, word: &str, after: &str, is_line_start: bool) -> Option<Color> {
    let language = vocabulary.language;
    if let Some(sign) = language.key_sign
        && is_line_start
        && after.trim_start_matches(' ').starts_with(sign)
    {
        return Some(Color::Type);
    }
    let color = vocabulary.color_of(word);
    if color.is_some() {
        color
    } else if language.has_capital_types && word.starts_with(char::is_uppercase) {
        Some(Color::Type)
    } else {
        after.starts_with('(').then_some(Color::Function)
    }
}
