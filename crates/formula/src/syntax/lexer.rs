//! From characters to words, numbers, texts and signs.

use super::mistake::Mistake;
use crate::operators::Operator;
use std::borrow::Cow;

/// One piece of a formula.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'a> {
    Number(f64),
    Text(Cow<'a, str>),
    Word(&'a str),
    Operator(Operator),
    Open,
    Close,
    Comma,
    Question,
    Colon,
    End,
}

/// A token and where it is, in bytes.
#[derive(Clone, Debug)]
pub(super) struct Lexeme<'a> {
    pub(super) token: Token<'a>,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The token that begins at this byte or after white space behind it. A mistake comes with its byte.
pub(super) fn next(text: &str, from: usize) -> Result<Lexeme<'_>, (usize, Mistake)> {
    let rest = text[from..].trim_start();
    let start = text.len() - rest.len();
    let found = |token, length| Ok(Lexeme { token, start, end: start + length });
    let Some(first) = rest.chars().next() else { return found(Token::End, 0) };
    match first {
        '"' | '\'' => match quoted(rest) {
            Some((written, length)) => found(Token::Text(written), length),
            None => Err((start, Mistake::OpenText(first))),
        },
        _ if first.is_ascii_digit() || (first == '.' && rest[1..].starts_with(|next: char| next.is_ascii_digit())) => {
            let (number, length) = number(rest).map_err(|mistake| (start, mistake))?;
            found(Token::Number(number), length)
        }
        _ if is_word(first) => {
            let length = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
            found(Token::Word(&rest[..length]), length)
        }
        _ => match sign(rest) {
            Some((token, length)) => found(token, length),
            None => Err((start, Mistake::Character { found: first, hint: hint(rest) })),
        },
    }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The text in quotes with which this begins, and its length with the quotes. A backslash makes the character after
/// it part of the text; `n` and `t` after it are a line break and a tab.
fn quoted(rest: &str) -> Option<(Cow<'_, str>, usize)> {
    let quote = rest.chars().next()?;
    let (mut text, mut kept, mut is_escaped) = (String::new(), 1, false);
    for (at, letter) in rest.char_indices().skip(1) {
        if is_escaped {
            text.push(match letter {
                'n' => '\n',
                't' => '\t',
                other => other,
            });
            (is_escaped, kept) = (false, at + letter.len_utf8());
        } else if letter == '\\' {
            text.push_str(&rest[kept..at]);
            is_escaped = true;
        } else if letter == quote {
            if kept == 1 {
                return Some((Cow::Borrowed(&rest[1..at]), at + 1));
            }
            text.push_str(&rest[kept..at]);
            return Some((Cow::Owned(text), at + 1));
        }
    }
    None
}

/// Digits, possibly a point and digits, possibly an exponent. What follows directly must not look like a part of it.
fn number(rest: &str) -> Result<(f64, usize), Mistake> {
    let digits = |from: usize| rest[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(0);
    if rest[end..].starts_with('.') {
        end += 1 + digits(end + 1);
    }
    if rest[end..].starts_with(['e', 'E']) {
        let sign = usize::from(rest[end + 1..].starts_with(['+', '-']));
        end += 1 + sign + digits(end + 1 + sign);
    }
    let belongs = |letter: char| is_word(letter) || letter == '.';
    let length = end + rest[end..].find(|letter| !belongs(letter)).unwrap_or(rest.len() - end);
    let written = &rest[..length];
    let number = written.parse::<f64>().ok().filter(|number| number.is_finite() && !written.ends_with('.'));
    number.map(|number| (number, length)).ok_or_else(|| Mistake::Number(shortened(written)))
}

/// The beginning of a long text, for messages.
pub(super) fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

fn sign(rest: &str) -> Option<(Token<'static>, usize)> {
    let two =
        [("==", Operator::Equal), ("!=", Operator::NotEqual), ("<=", Operator::AtMost), (">=", Operator::AtLeast)];
    if let Some((_, operator)) = two.into_iter().find(|(sign, _)| rest.starts_with(sign)) {
        return Some((Token::Operator(operator), 2));
    }
    let token = match rest.as_bytes().first()? {
        b'+' => Token::Operator(Operator::Add),
        b'-' => Token::Operator(Operator::Subtract),
        b'*' => Token::Operator(Operator::Multiply),
        b'/' => Token::Operator(Operator::Divide),
        b'%' => Token::Operator(Operator::Remainder),
        b'^' => Token::Operator(Operator::Power),
        // `<>` would read as two operators and give a confusing message.
        b'<' if rest.starts_with("<>") => return None,
        b'<' => Token::Operator(Operator::Less),
        b'>' => Token::Operator(Operator::Greater),
        b'(' => Token::Open,
        b')' => Token::Close,
        b',' => Token::Comma,
        b'?' => Token::Question,
        b':' => Token::Colon,
        _ => return None,
    };
    Some((token, 1))
}

/// What was probably meant by a character that means nothing.
fn hint(rest: &str) -> Option<&'static str> {
    Some(match rest.chars().next()? {
        '=' => "equality is written `==`",
        '<' | '\u{2260}' => "inequality is written `!=`",
        '&' => "write `and`; texts are joined by concat(a, b)",
        '|' => "write `or`",
        '!' => "write `not`",
        ';' => "arguments are separated by `,`",
        '[' | '{' => "only round brackets group; properties are written prop(\"Name\")",
        ']' | '}' => "only round brackets group",
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{2018}' | '\u{2019}' | '\u{ab}' | '\u{bb}' | '`' => {
            "texts stand in straight quotes, \" or '"
        }
        '\u{2212}' | '\u{2013}' | '\u{2014}' => "minus is written `-`",
        '\u{d7}' | '\u{b7}' => "the product is written `*`",
        '\u{f7}' => "the quotient is written `/`",
        '\u{2264}' => "this is written `<=`",
        '\u{2265}' => "this is written `>=`",
        _ => return None,
    })
}
