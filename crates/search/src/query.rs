//! What somebody searches for: words and phrases that must occur, and those that must not.

use crate::tokens::{normalize, tokens};
use std::fmt;

/// The most characters of a query.
pub const MAX_QUERY: usize = 200;

/// A word or phrase of a query.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Term {
    tokens: Vec<String>,
    is_prefix: bool,
}

impl Term {
    /// The tokens, which stand side by side in a text that has this term. There is at least one.
    pub fn tokens(&self) -> &[String] {
        &self.tokens
    }

    /// Whether the last token is the beginning of one in the text. The others are always whole.
    pub fn is_prefix(&self) -> bool {
        self.is_prefix
    }

    fn new(text: &str, is_prefix: bool) -> Option<Self> {
        let tokens: Vec<_> = tokens(text).into_iter().map(|token| token.text).collect();
        (!tokens.is_empty()).then_some(Self { tokens, is_prefix })
    }
}

/// A query that has at least one term that must occur.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    terms: Vec<Term>,
    excluded: Vec<Term>,
    whole: String,
}

/// The query has no word that must occur: it is blank, or consists of signs and of words to exclude.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoTerm;

impl fmt::Display for NoTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the query has no word to find: it needs at least one letter or digit that is not excluded")
    }
}

impl std::error::Error for NoTerm {}

impl Query {
    /// Reads a query.
    ///
    /// Words match tokens that begin with them, phrases in quotation marks match whole tokens. A hyphen at the start or
    /// after a space excludes the word or phrase after it. A word of several tokens is a phrase whose last token may go
    /// on. A phrase that is not closed ends with the query, and its last token may go on too, because it is probably
    /// still being typed.
    pub fn parse(text: &str) -> Result<Self, NoTerm> {
        let (mut terms, mut excluded, mut whole) = (Vec::new(), Vec::new(), String::new());
        for part in (Parts { rest: text, after_space: true }) {
            let Some(term) = Term::new(part.text, part.is_prefix) else { continue };
            if part.is_excluded {
                add(&mut excluded, term);
                continue;
            }
            if !whole.is_empty() {
                whole.push(' ');
            }
            whole.push_str(&normalize(part.text));
            add(&mut terms, term);
        }
        if terms.is_empty() { Err(NoTerm) } else { Ok(Self { terms, excluded, whole }) }
    }

    /// What must occur, without repetitions.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// What must not occur, without repetitions.
    pub fn excluded(&self) -> &[Term] {
        &self.excluded
    }

    /// All that must occur as one normalized text, as [`normalize`] makes it of a title.
    pub fn whole(&self) -> &str {
        &self.whole
    }
}

fn add(terms: &mut Vec<Term>, term: Term) {
    if !terms.contains(&term) {
        terms.push(term);
    }
}

/// A word or phrase as it is written.
struct Part<'a> {
    text: &'a str,
    is_excluded: bool,
    is_prefix: bool,
}

struct Parts<'a> {
    rest: &'a str,
    after_space: bool,
}

impl<'a> Iterator for Parts<'a> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Part<'a>> {
        let trimmed = self.rest.trim_start();
        let after_space = self.after_space || trimmed.len() < self.rest.len();
        let positive = after_space.then(|| trimmed.strip_prefix(is_hyphen)).flatten();
        let (is_excluded, rest) = (positive.is_some(), positive.unwrap_or(trimmed));
        self.after_space = false;
        let first = rest.chars().next()?;
        if is_quote(first) {
            let inside = &rest[first.len_utf8()..];
            let end = inside.char_indices().find(|&(_, c)| is_quote(c));
            let (text, after) = match end {
                Some((at, quote)) => (&inside[..at], &inside[at + quote.len_utf8()..]),
                None => (inside, ""),
            };
            self.rest = after;
            return Some(Part { text, is_excluded, is_prefix: end.is_none() });
        }
        let end = rest.find(|c: char| c.is_whitespace() || is_quote(c)).unwrap_or(rest.len());
        self.rest = &rest[end..];
        Some(Part { text: &rest[..end], is_excluded, is_prefix: true })
    }
}

/// The hyphen and the characters that are compatible with it.
fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{fe63}' | '\u{ff0d}')
}

/// Quotation marks, with those that keyboards of phones put in their place.
fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\u{ff02}' | '\u{201c}' | '\u{201d}' | '\u{201e}')
}
