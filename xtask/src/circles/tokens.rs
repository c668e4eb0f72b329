//! Splits Rust source into tokens, without comments, characters, numbers and lifetimes.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    /// A name, a string with its quotes, `::`, or one sign.
    pub(super) text: &'a str,
    pub(super) line: usize,
}

pub(super) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer { source, at: 0, line: 1 };
    let mut found = Vec::new();
    while lexer.at < source.len() {
        found.extend(lexer.next_token());
    }
    found
}

pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(is_name_start)
}

struct Lexer<'a> {
    source: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    fn advance(&mut self, length: usize) -> Token<'a> {
        let length = length.min(self.rest().len());
        let token = Token { text: &self.rest()[..length], line: self.line };
        self.line += token.text.matches('\n').count();
        self.at += length;
        token
    }

    fn next_token(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        let first = rest.chars().next()?;
        if let Some(length) = comment(rest).or_else(|| character(rest)) {
            self.advance(length);
            return None;
        }
        if let Some(length) = string(rest) {
            return Some(self.advance(length));
        }
        if rest.starts_with("r#") && rest[2..].starts_with(is_name_start) {
            self.advance(2);
            return None;
        }
        if is_name_start(first) {
            return Some(self.advance(name_length(rest)));
        }
        if first.is_ascii_digit() {
            self.advance(name_length(rest));
            return None;
        }
        // `$crate` in a macro is the crate that declares the macro.
        if first.is_whitespace() || rest.starts_with("$crate") {
            self.advance(first.len_utf8());
            return None;
        }
        let length = if rest.starts_with("::") { 2 } else { first.len_utf8() };
        Some(self.advance(length))
    }
}

fn is_name_start(letter: char) -> bool {
    letter.is_alphabetic() || letter == '_'
}

fn name_length(text: &str) -> usize {
    text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len())
}

fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if !text.starts_with("/*") {
        return None;
    }
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                break;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    Some(at)
}

/// The length of a character literal or a lifetime.
fn character(text: &str) -> Option<usize> {
    let skipped = usize::from(text.starts_with("b'"));
    let body = text[skipped..].strip_prefix('\'')?;
    let mut letters = body.chars();
    let first = letters.next()?;
    let length = if first == '\\' {
        // The escaped sign itself may be a quote.
        let escaped = letters.next()?.len_utf8();
        1 + escaped + body[1 + escaped..].find('\'')? + 1
    } else if letters.next() == Some('\'') {
        first.len_utf8() + 1
    } else {
        name_length(body)
    };
    Some(skipped + 1 + length)
}

/// The length of a string literal, with its prefix.
fn string(text: &str) -> Option<usize> {
    let prefix = ["br", "cr", "b", "c", "r", ""].into_iter().find(|prefix| {
        let quoted = text
            .strip_prefix(prefix)
            .map(|rest| if prefix.ends_with('r') { rest.trim_start_matches('#') } else { rest });
        quoted.is_some_and(|rest| rest.starts_with('"'))
    })?;
    let rest = &text[prefix.len()..];
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    let body = &rest[hashes + 1..];
    let start = prefix.len() + hashes + 1;
    if prefix.ends_with('r') {
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(start + body.find(&end).map_or(body.len(), |at| at + end.len()));
    }
    let mut is_escaped = false;
    let end = body.bytes().position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    Some(start + end.map_or(body.len(), |at| at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        tokens(source).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn names_paths_and_signs_are_tokens() {
        assert_eq!(texts("use crate::{a, r#type};"), ["use", "crate", "::", "{", "a", ",", "type", "}", ";"]);
        assert_eq!(texts("$crate::a! $x"), ["crate", "::", "a", "!", "$", "x"]);
    }

    #[test]
    fn comments_characters_lifetimes_and_numbers_are_not() {
        assert_eq!(texts("a // crate::b\n/* c /* d */ e */ f"), ["a", "f"]);
        assert_eq!(texts(r"a '{' '\'' b'}' '\u{7d}' 'é' 1_u8 z"), ["a", "z"]);
        assert_eq!(texts("&'a str"), ["&", "str"]);
        assert_eq!(texts("<'static>"), ["<", ">"]);
    }

    #[test]
    fn a_string_is_one_token_whatever_it_holds() {
        for string in [r#""a\"{""#, r##"r#"a"{"#"##, r#"b"}""#, r#"r"\""#, "\"\\\\\""] {
            assert_eq!(texts(&format!("x {string} y")), ["x", string, "y"]);
        }
    }

    #[test]
    fn a_token_knows_its_line() {
        let lines = tokens("a\n/*\n*/ b \"\n\" c").into_iter().map(|token| token.line).collect::<Vec<_>>();
        assert_eq!(lines, [1, 3, 3, 4]);
    }
}
