//! Makes each directive a separate paragraph, whatever surrounds it.

use super::directive::{self, DirectiveLine};
use crate::refusal::{Refusal, check_cancelled};
use octavo_core_model::cancellation::Cancellation;
use std::borrow::Cow;

/// Puts blank lines around directives. Lines within fences are code and do not change.
pub(super) fn isolate<'a>(text: &'a str, cancellation: &Cancellation) -> Result<Cow<'a, str>, Refusal> {
    if !has_directives(text) {
        return Ok(Cow::Borrowed(text));
    }
    let mut isolated = String::with_capacity(text.len() + text.len() / 8);
    let mut open = Open::default();
    let mut wants_blank = false;
    for line in text.split_inclusive('\n') {
        check_cancelled(cancellation)?;
        let (prefix, rest) = split_prefix(line);
        let is_directive = open.pass(line, prefix, rest);
        if (is_directive && is_plain(prefix) || wants_blank) && !isolated.is_empty() && !rest.trim().is_empty() {
            isolated.push_str(&blank(prefix));
        }
        isolated.push_str(line);
        wants_blank = is_directive;
    }
    Ok(Cow::Owned(isolated))
}

/// Whether the lines after the text parse as they would without it, even if the text is within a directive: a line of
/// colons would end the directive.
pub(super) fn is_settled(text: &str) -> bool {
    let mut open = Open { fence: None, directives: 1 };
    for line in text.split_inclusive('\n') {
        let (prefix, rest) = split_prefix(line);
        open.pass(line, prefix, rest);
        if open.directives == 0 {
            return false;
        }
    }
    open.fence.is_none() && open.directives == 1
}

/// If there are none, no line changes.
pub(super) fn has_directives(text: &str) -> bool {
    text.contains(":::")
}

/// What the lines so far have opened.
#[derive(Default)]
struct Open {
    fence: Option<Fence>,
    directives: usize,
}

impl Open {
    /// Processes a line; returns true if the line is a directive.
    fn pass(&mut self, line: &str, prefix: &str, rest: &str) -> bool {
        if let Some(around) = &self.fence {
            if around.ends_with(line) {
                self.fence = None;
            }
        } else {
            self.fence = Fence::opened_by(line, prefix, rest);
        }
        if self.fence.is_some() || !rest.starts_with(":::") {
            return false;
        }
        match directive::read(rest) {
            Some(DirectiveLine::Open(_)) => {
                self.directives += 1;
                true
            }
            Some(DirectiveLine::Close) if self.directives > 0 => {
                self.directives -= 1;
                true
            }
            _ => false,
        }
    }
}

/// A blank line within the same quotes.
fn blank(prefix: &str) -> String {
    let quotes = prefix.rfind('>').map_or("", |end| &prefix[..=end]);
    let plain = quotes.chars().map(|letter| if matches!(letter, '>' | '\t') { letter } else { ' ' });
    plain.chain(['\n']).collect()
}

/// Whether the prefix only contains quote markers and white space.
fn is_plain(prefix: &str) -> bool {
    prefix.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'>'))
}

/// Splits white space, quote markers and list markers off the start of a line.
fn split_prefix(line: &str) -> (&str, &str) {
    let bytes = line.as_bytes();
    let mut at = 0;
    loop {
        at += bytes[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'>')).count();
        let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let sign = if digits == 0 { b"-*+".as_slice() } else { b".)".as_slice() };
        let behind = at + digits;
        match (bytes.get(behind), bytes.get(behind + 1)) {
            (Some(byte), Some(b' ' | b'\t')) if sign.contains(byte) && digits < 10 => at = behind + 1,
            _ => return line.split_at(at),
        }
    }
}

/// Code between two lines of backticks or tildes.
struct Fence {
    sign: u8,
    length: usize,
    /// The number of enclosing quotes, and the indentation within them.
    quotes: usize,
    column: usize,
}

impl Fence {
    fn opened_by(line: &str, prefix: &str, rest: &str) -> Option<Self> {
        let sign = *rest.as_bytes().first().filter(|byte| matches!(byte, b'`' | b'~'))?;
        let length = rest.bytes().take_while(|byte| *byte == sign).count();
        if length < 3 || (sign == b'`' && rest[length..].contains('`')) {
            return None;
        }
        let quotes = prefix.bytes().filter(|byte| *byte == b'>').count();
        let column = prefix.len() - prefix.rfind('>').map_or(0, |at| at + 1);
        debug_assert!(line.len() >= prefix.len());
        Some(Self { sign, length, quotes, column })
    }

    /// Whether the line closes the fence, or ends the enclosing quote.
    fn ends_with(&self, line: &str) -> bool {
        let mut left = line;
        for _ in 0..self.quotes {
            match left.trim_start_matches([' ', '\t']).strip_prefix('>') {
                Some(rest) => left = rest,
                None => return true,
            }
        }
        let code = left.trim_start_matches([' ', '\t']);
        let length = code.bytes().take_while(|byte| *byte == self.sign).count();
        length >= self.length && code[length..].trim().is_empty() && left.len() - code.len() <= self.column + 3
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    fn isolated(text: &str) -> Cow<'_, str> {
        isolate(text, &Cancellation::default()).unwrap()
    }

    #[test]
    fn directives_get_blank_lines_around_them() {
        assert_eq!(isolated("a\n:::toggle\nb\n:::\nc"), "a\n\n:::toggle\n\nb\n\n:::\n\nc");
        assert_eq!(isolated("> a\n> :::toggle\n> b\n> :::\n"), "> a\n>\n> :::toggle\n>\n> b\n>\n> :::\n");
    }

    #[test]
    fn a_text_is_settled_if_it_neither_opens_nor_ends_anything() {
        for text in ["a\n::: b", "```\n:::\n```", ":::toggle\n:::"] {
            assert!(is_settled(text), "{text}");
        }
        for text in ["a\n:::\nb", "$$\n2) :::\n$$", ":::\n:::toggle", ":::toggle", "```\na"] {
            assert!(!is_settled(text), "{text}");
        }
    }

    #[test]
    fn code_and_what_is_no_directive_stay_as_they_are() {
        for text in [
            "a\n:::\nb",
            "a\n:::note\nb\n:::",
            "```\n:::divider\n:::\n```\n",
            "> ```\n> > ```\n> :::divider\n> ```\n",
            "~~~\n    ~~~\n:::divider\n~~~\n",
        ] {
            assert_eq!(isolated(text), text, "{text}");
        }
    }
}
