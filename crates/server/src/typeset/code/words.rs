//! Scans languages that consist of words, numbers, strings and comments.

use super::{
    language::{Language, Vocabulary},
    painter::{Color, Painter},
};

pub(super) fn scan(vocabulary: &Vocabulary, code: &str, painter: &mut Painter) {
    let mut rest = code;
    let mut is_line_start = true;
    while let Some(character) = rest.chars().next() {
        let (length, color) = part(vocabulary, rest, character, is_line_start);
        let (part, after) = rest.split_at(length);
        match color {
            Some(color) => painter.paint(color, part),
            None => painter.plain(part),
        }
        let is_indent = part.chars().all(|character| character == ' ' || character == '-');
        is_line_start = part.ends_with('\n') || (is_line_start && is_indent);
        rest = after;
    }
}

/// The length and the colour of the next part. It is never empty.
fn part(vocabulary: &Vocabulary, rest: &str, character: char, is_line_start: bool) -> (usize, Option<Color>) {
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
        return (string_length(language, rest, begin, end), Some(Color::String));
    }
    if character == '\'' && language.has_char_literals {
        return (char_literal_length(rest).unwrap_or(1), char_literal_length(rest).map(|_| Color::String));
    }
    if character.is_ascii_digit() {
        return (number_length(rest), Some(Color::Number));
    }
    if is_of_word(character, language) {
        let length = rest.find(|character: char| !is_of_word(character, language)).unwrap_or(rest.len());
        return (length, word_color(vocabulary, &rest[..length], &rest[length..], is_line_start));
    }
    (character.len_utf8(), None)
}

/// The length up to the end of the line, without the line break.
fn line_length(rest: &str) -> usize {
    rest.find('\n').unwrap_or(rest.len())
}

/// The length of a string with its quotes. If its quote is a single character, it ends at the latest with its line,
/// unless the language lets strings span lines.
fn string_length(language: &Language, rest: &str, begin: &str, end: &str) -> usize {
    let spans_lines = end.len() > 1 || end == "`" || language.strings_span_lines;
    let mut at = begin.len();
    while let Some(character) = rest[at..].chars().next() {
        if rest[at..].starts_with(end) {
            return at + end.len();
        }
        if character == '\n' && !spans_lines {
            return at;
        }
        at += character.len_utf8();
        if character == '\\' && language.has_escapes {
            at += rest[at..].chars().next().filter(|next| spans_lines || *next != '\n').map_or(0, char::len_utf8);
        }
    }
    rest.len()
}

/// The length of one character in quotes. A lone quote is something else, such as a lifetime.
fn char_literal_length(rest: &str) -> Option<usize> {
    let content = &rest[1..];
    let mut characters = content.char_indices();
    let (_, first) = characters.next()?;
    if first == '\\' {
        let end = content.bytes().take(12).skip(2).position(|byte| byte == b'\'')?;
        return Some(end + 4);
    }
    let (at, second) = characters.next()?;
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

fn is_of_word(character: char, language: &Language) -> bool {
    character.is_alphanumeric() || character == '_' || language.word_symbols.contains(character)
}

fn word_color(vocabulary: &Vocabulary, word: &str, after: &str, is_line_start: bool) -> Option<Color> {
    let language = vocabulary.language;
    if let Some(separator) = language.key_separator
        && is_line_start
        && after.trim_start_matches(' ').starts_with(separator)
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
