//! The properties that the expression of a formula names. Names are replaced by ids when an expression is saved, and
//! ids by the present names when it is shown, so that renaming a property never breaks a formula.

use crate::read::Flaw;
use octavo_core_model::{
    fault::{Hint, Issue, TextPosition},
    id::PropertyId,
};
use std::{borrow::Cow, collections::BTreeSet};

/// A part of an expression.
enum Part<'a> {
    /// `prop("...")` with the text between the quotes, and the number of characters before it.
    Property { named: Cow<'a, str>, at: usize },
    /// The id of a property outside of quotes.
    Id(PropertyId, &'a str),
    /// Anything else.
    Other(&'a str),
}

/// The expression with ids in place of names; fails at the first text for which `find` knows no property.
pub(crate) fn with_ids(expression: &str, find: impl Fn(&str) -> Option<PropertyId>) -> Result<String, Flaw> {
    let mut bound = String::with_capacity(expression.len());
    for part in parts(expression) {
        match part {
            Part::Property { named, at } => {
                let property = find(&named).ok_or_else(|| unknown(at))?;
                bound.push_str(&quoted(&property.to_string()));
            }
            Part::Id(_, text) | Part::Other(text) => bound.push_str(text),
        }
    }
    Ok(bound)
}

fn unknown(at: usize) -> Flaw {
    let position = Some(TextPosition { line: 1, column: at + 1 });
    let rules = vec!["`prop(\"...\")` names a property of this database".to_owned()];
    Flaw::new(Issue::InvalidValue).hinting(Hint { position, rules, ..Hint::default() })
}

/// The expression with the present names of properties in place of ids.
pub(crate) fn with_names<'a>(expression: &str, name_of: impl Fn(PropertyId) -> Option<&'a str>) -> String {
    let mut shown = String::with_capacity(expression.len());
    for part in parts(expression) {
        match part {
            Part::Property { named, .. } => {
                let name = named.parse().ok().and_then(&name_of);
                shown.push_str(&quoted(name.unwrap_or(&named)));
            }
            Part::Id(_, text) | Part::Other(text) => shown.push_str(text),
        }
    }
    shown
}

/// The properties that a saved expression names.
pub(crate) fn properties(expression: &str) -> BTreeSet<PropertyId> {
    let id = |part| match part {
        Part::Property { named, .. } => named.parse().ok(),
        Part::Id(id, _) => Some(id),
        Part::Other(_) => None,
    };
    parts(expression).into_iter().filter_map(id).collect()
}

fn quoted(name: &str) -> String {
    format!("prop(\"{}\")", name.replace('\\', "\\\\").replace('"', "\\\""))
}

fn parts(expression: &str) -> Vec<Part<'_>> {
    let (mut parts, mut at, mut kept) = (Vec::new(), 0, 0);
    while let Some(letter) = expression[at..].chars().next() {
        let rest = &expression[at..];
        let (part, length) = match letter {
            '"' | '\'' => (None, text(rest).map_or(rest.len(), |(_, length)| length)),
            _ if is_word(letter) => {
                let length = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
                word(expression, at, length)
            }
            _ => (None, letter.len_utf8()),
        };
        if let Some(part) = part {
            parts.push(Part::Other(&expression[kept..at]));
            parts.push(part);
            kept = at + length;
        }
        at += length;
    }
    parts.push(Part::Other(&expression[kept..]));
    parts
}

/// A word that begins here: a call that names a property, an id, or neither. Returns how much of the text it covers.
fn word(expression: &str, at: usize, length: usize) -> (Option<Part<'_>>, usize) {
    let rest = &expression[at..];
    let word = &rest[..length];
    if word == "prop"
        && let Some((named, length)) = call(rest)
    {
        let at = expression[..at].chars().count();
        return (Some(Part::Property { named, at }), length);
    }
    (word.parse().ok().map(|id| Part::Id(id, word)), length)
}

/// The argument of `prop(...)` and the length of the call.
fn call(rest: &str) -> Option<(Cow<'_, str>, usize)> {
    let after_blanks = |text: &str| text.len() - text.trim_start().len();
    let mut at = "prop".len();
    at += after_blanks(&rest[at..]);
    at += rest[at..].starts_with('(').then_some(1)?;
    at += after_blanks(&rest[at..]);
    let (named, length) = text(&rest[at..])?;
    at += length;
    at += after_blanks(&rest[at..]);
    rest[at..].starts_with(')').then_some((named, at + 1))
}

/// The text in quotes with which this begins, and its length with the quotes.
fn text(rest: &str) -> Option<(Cow<'_, str>, usize)> {
    let quote = rest.chars().next().filter(|letter| matches!(letter, '"' | '\''))?;
    let (mut found, mut is_escaped, mut has_escapes) = (String::new(), false, false);
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if is_escaped => {
                found.push(letter);
                is_escaped = false;
            }
            '\\' => (is_escaped, has_escapes) = (true, true),
            _ if letter == quote => {
                let named = if has_escapes { found.into() } else { Cow::Borrowed(&rest[1..at]) };
                return Some((named, at + 1));
            }
            _ => found.push(letter),
        }
    }
    None
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}
