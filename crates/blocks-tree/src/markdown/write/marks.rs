//! Rich text as Markdown.

use super::escape::{Escaper, Place, Style};
use crate::{Mark, MarkKind, RichText, markdown::read::address::MENTION};
use std::fmt::Write as _;

/// Examining the surroundings of each mark costs up to the length of the text; beyond this limit it is not worth it.
const MOST_WORK: usize = 10_000_000;

/// Writes a text; `None` if its marks are not properly nested.
pub(super) fn write(text: &RichText, place: Place, style: Style) -> Option<String> {
    let source = text.text();
    if text.marks().len().saturating_mul(source.len()) > MOST_WORK {
        return None;
    }
    let mut out = String::with_capacity(source.len() + 16);
    let escaper = Escaper::new(source, place, style);
    if text.marks().is_empty() {
        escaper.write(0..source.len(), &mut out);
        return Some(out);
    }
    let mut marks = text.marks().iter().collect::<Vec<_>>();
    marks.sort_by(|a, b| (a.from, b.to, rank(&a.kind)).cmp(&(b.from, a.to, rank(&b.kind))));
    let mut writer = Writer { source, place, escaper, out, units: 0, at: 0, open: Vec::new() };
    for mark in marks {
        writer.close_until(mark.from)?;
        writer.open(mark)?;
    }
    writer.close_until(usize::MAX)?;
    Some(writer.out)
}

/// Whether a text is so simple that its form need not be checked: one line, in which the delimiters of marks touch
/// words on the inside and nothing on the outside.
pub(super) fn is_simple(text: &RichText) -> bool {
    const MOST_MARKS: usize = 20;
    let plain = text.text();
    let is_plain = plain.bytes().all(|byte| {
        !byte.is_ascii_control() && !matches!(byte, b'\\' | b'`' | b'<' | b'&' | b'$' | b'=' | b'[' | b']')
    });
    if !plain.is_ascii() || !is_plain || plain.trim() != plain || text.marks().len() > MOST_MARKS {
        return false;
    }
    // The text is ASCII, so each unit is a byte.
    let bytes = plain.as_bytes();
    let is_apart = |mark: &Mark| {
        let (before, after) = (mark.from.checked_sub(1).map(|at| bytes[at]), bytes.get(mark.to));
        let touches = bytes[mark.from].is_ascii_alphanumeric() && bytes[mark.to - 1].is_ascii_alphanumeric();
        touches && before.is_none_or(|byte| byte == b' ') && after.is_none_or(|byte| matches!(byte, b' ' | b'.' | b','))
    };
    let is_common = |mark: &Mark| !matches!(mark.kind, MarkKind::Equation | MarkKind::Highlight);
    text.marks().iter().all(|mark| is_common(mark) && is_apart(mark))
        && text.marks().windows(2).all(|pair| pair[0].to < pair[1].from)
}

/// The nesting of marks on the same part: those that contain their text literally are innermost.
const fn rank(kind: &MarkKind) -> u8 {
    match kind {
        MarkKind::Link { .. } | MarkKind::Mention { .. } => 0,
        MarkKind::Bold => 1,
        MarkKind::Italic => 2,
        MarkKind::Strikethrough => 3,
        MarkKind::Highlight => 4,
        MarkKind::Underline => 5,
        MarkKind::Code | MarkKind::Equation => 6,
    }
}

struct Writer<'a> {
    source: &'a str,
    place: Place,
    escaper: Escaper<'a>,
    out: String,
    /// How much of the text is written, in UTF-16 code units and in bytes.
    units: usize,
    at: usize,
    open: Vec<(&'a Mark, Closing)>,
}

/// The end of a mark.
enum Closing {
    Sign(&'static str),
    /// The text in between is written literally, with as many delimiters as it needs.
    Literal {
        from: usize,
    },
    Link(String),
    /// The text is the address.
    Auto {
        from: usize,
    },
}

impl<'a> Writer<'a> {
    fn open(&mut self, mark: &'a Mark) -> Option<()> {
        self.advance(mark.from);
        if let Some((outer, closing)) = self.open.last() {
            let is_literal = matches!(closing, Closing::Literal { .. } | Closing::Auto { .. });
            if is_literal || mark.to > outer.to {
                return None;
            }
        }
        let is_link = |kind: &MarkKind| matches!(kind, MarkKind::Link { .. } | MarkKind::Mention { .. });
        if is_link(&mark.kind) && self.open.iter().any(|(outer, _)| is_link(&outer.kind)) {
            return None;
        }
        let closing = match &mark.kind {
            MarkKind::Bold => self.sign("**", "**"),
            MarkKind::Italic => {
                let sign = if self.is_within_word(mark) { "*" } else { "_" };
                self.sign(sign, sign)
            }
            MarkKind::Strikethrough => self.sign("~~", "~~"),
            MarkKind::Highlight => self.sign("==", "=="),
            MarkKind::Underline => self.sign("<u>", "</u>"),
            MarkKind::Code | MarkKind::Equation => Closing::Literal { from: self.at },
            MarkKind::Link { url } if self.is_auto(mark, url) => Closing::Auto { from: self.at },
            MarkKind::Link { url } => {
                self.out.push('[');
                Closing::Link(destination(url))
            }
            MarkKind::Mention { id, .. } => {
                self.out.push('[');
                Closing::Link(format!("{MENTION}{id}"))
            }
        };
        self.open.push((mark, closing));
        Some(())
    }

    fn sign(&mut self, begin: &str, end: &'static str) -> Closing {
        self.out.push_str(begin);
        Closing::Sign(end)
    }

    /// Ends the marks that end here or before, the innermost first.
    fn close_until(&mut self, units: usize) -> Option<()> {
        while let Some((mark, _)) = self.open.last().filter(|(mark, _)| mark.to <= units) {
            self.advance(mark.to);
            let (mark, closing) = self.open.pop()?;
            match closing {
                Closing::Sign(sign) => self.out.push_str(sign),
                Closing::Link(address) => write!(self.out, "]({address})").ok()?,
                Closing::Auto { from } => write!(self.out, "<{}>", &self.source[from..self.at]).ok()?,
                Closing::Literal { from } => {
                    let literal = &self.source[from..self.at];
                    let literal = if self.place == Place::Cell { &literal.replace('|', "\\|") } else { literal };
                    if mark.kind == MarkKind::Code {
                        code(literal, &mut self.out);
                    } else {
                        write!(self.out, "${literal}$").ok()?;
                    }
                }
            }
        }
        self.advance(units);
        Some(())
    }

    /// Writes the text up to this point, except text that is written at the end of its mark.
    fn advance(&mut self, units: usize) {
        let from = self.at;
        for letter in self.source[from..].chars() {
            if self.units >= units {
                break;
            }
            self.units += letter.len_utf16();
            self.at += letter.len_utf8();
        }
        let is_late = matches!(self.open.last(), Some((_, Closing::Literal { .. } | Closing::Auto { .. })));
        if from < self.at && !is_late {
            self.escaper.write(from..self.at, &mut self.out);
        }
    }

    /// An underscore between letters is not a delimiter.
    fn is_within_word(&self, mark: &Mark) -> bool {
        let before = self.source[..self.at].chars().next_back();
        let after = self.letters_of(mark.to - mark.from).1.chars().next();
        before.is_some_and(char::is_alphanumeric) || after.is_some_and(char::is_alphanumeric)
    }

    fn is_auto(&self, mark: &Mark, url: &str) -> bool {
        (url.starts_with("https://") || url.starts_with("http://")) && self.letters_of(mark.to - mark.from).0 == url
    }

    /// The next characters with this many units, and the rest.
    fn letters_of(&self, units: usize) -> (&str, &str) {
        let rest = &self.source[self.at..];
        let mut left = units;
        let fits = rest.char_indices().find(|(_, letter)| {
            if left == 0 {
                return true;
            }
            left = left.saturating_sub(letter.len_utf16());
            false
        });
        rest.split_at(fits.map_or(rest.len(), |(at, _)| at))
    }
}

fn destination(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for letter in url.chars() {
        if matches!(letter, '\\' | '(' | ')' | '<' | '>' | '&' | '|') {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}

/// Writes code between more backticks in a row than it contains.
fn code(literal: &str, out: &mut String) {
    let mut longest = 0;
    let mut length = 0;
    for letter in literal.chars() {
        length = if letter == '`' { length + 1 } else { 0 };
        longest = longest.max(length);
    }
    let signs = "`".repeat(longest + 1);
    let touches = literal.starts_with('`') || literal.ends_with('`');
    let is_padded = literal.starts_with(' ') && literal.ends_with(' ') && literal.trim() != "";
    let pad = if touches || is_padded { " " } else { "" };
    out.extend([signs.as_str(), pad, literal, pad, signs.as_str()]);
}
