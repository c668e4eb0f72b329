//! The rules for single values of blocks.

use crate::rich_text::{self, LINK, RichText, is_link};
use octavo_core_model::{
    fault::{Hint, Issue, Violation},
    is_one_emoji,
};
use serde_json::{Map, Value, json};
use std::fmt;
use std::str::FromStr;

/// The largest number of rows in a table, and of cells in a row.
const MOST_ROWS: usize = 500;
const MOST_CELLS: usize = 50;
const URL_CHARS: usize = 2048;
/// The widest column of a table, in pixels.
const MOST_WIDTH: u64 = 10_000;
/// What [`is_color`] accepts.
const COLOR: &str = "^(#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})|[A-Za-z][0-9A-Za-z_-]{0,31})$";

pub(crate) enum Rule {
    /// A text with at most this many characters, possibly with line breaks.
    Text {
        most: usize,
    },
    Whole {
        least: u64,
        most: u64,
    },
    Number {
        least: u32,
        most: u32,
    },
    Flag,
    OneOf(&'static [&'static str]),
    /// An id; the function checks a text.
    Id {
        prefix: &'static str,
        is_id: fn(&str) -> bool,
    },
    /// The target of a link.
    Url,
    Emoji,
    /// The name of a colour or its value as `#rgb`, `#rrggbb` or `#rrggbbaa`.
    Color,
    /// Widths in pixels.
    Widths,
    /// Only null.
    Nothing,
}

pub(super) const ALIGN: Rule = Rule::OneOf(&["left", "center", "right", "justify"]);
pub(super) const DISPLAY: Rule = Rule::OneOf(&["fullPage", "pageWidth", "auto"]);
pub(super) const FLAG: Rule = Rule::Flag;
pub(super) const CAPTION: Rule = Rule::Text { most: 2000 };
pub(super) const TITLE: Rule = Rule::Text { most: 300 };
pub(super) const LINE: Rule = Rule::Text { most: 300 };
pub(super) const NAME: Rule = Rule::Text { most: 255 };
pub(super) const MIME: Rule = Rule::Text { most: 255 };
pub(super) const LANGUAGE: Rule = Rule::Text { most: 50 };
pub(super) const URL: Rule = Rule::Url;

pub(super) const fn id<I: FromStr>(prefix: &'static str) -> Rule {
    Rule::Id { prefix, is_id: |text| text.parse::<I>().is_ok() }
}

impl Rule {
    /// Parses the value at the path `at`.
    pub(crate) fn read(&self, value: Value, at: &dyn fmt::Display) -> Result<Value, Violation> {
        if let Self::Text { most } = self {
            return text(value, *most, at);
        }
        let fits = match (self, &value) {
            (Self::Whole { least, most }, Value::Number(number)) => {
                let whole = number.as_u64();
                whole.map_or(Err(out_of_range(number.as_f64(), *least, *most)), |whole| in_range(whole, *least, *most))
            }
            (Self::Number { least, most }, Value::Number(number)) => {
                let number = number.as_f64().unwrap_or(f64::NAN);
                if number < f64::from(*least) {
                    Err(Issue::TooSmall)
                } else if number > f64::from(*most) {
                    Err(Issue::TooLarge)
                } else {
                    Ok(())
                }
            }
            (Self::Flag, Value::Bool(_)) | (Self::Nothing, Value::Null) => Ok(()),
            (Self::OneOf(words), Value::String(word)) => require(words.contains(&word.as_str()), Issue::InvalidValue),
            (Self::Id { is_id, .. }, Value::String(id)) => require(is_id(id), Issue::InvalidId),
            (Self::Url, Value::String(url)) if url.chars().count() > URL_CHARS => Err(Issue::TooLong),
            (Self::Url, Value::String(url)) => require(is_link(url), Issue::InvalidFormat),
            (Self::Emoji, Value::String(emoji)) => require(is_one_emoji(emoji), Issue::InvalidFormat),
            (Self::Color, Value::String(color)) => require(is_color(color), Issue::InvalidFormat),
            (Self::Widths, Value::Array(widths)) if widths.len() > MOST_CELLS => Err(Issue::TooLong),
            (Self::Widths, Value::Array(widths)) => {
                let is_width = |width: &Value| width.as_u64().is_some_and(|width| width <= MOST_WIDTH);
                require(widths.iter().all(is_width), Issue::InvalidValue)
            }
            _ => Err(Issue::InvalidType),
        };
        match fits {
            Ok(()) => Ok(value),
            Err(issue) => Err(Violation::new(at.to_string(), issue).with(value).hinting(self.hint(issue))),
        }
    }

    /// What would have been right.
    fn hint(&self, issue: Issue) -> Hint {
        let between = |min, max| Hint { min, max, ..Hint::default() };
        match self {
            Self::Flag => Hint::boolean(),
            Self::Id { prefix, .. } if issue == Issue::InvalidId => {
                Hint { pattern: Some(id_pattern(prefix)), ..Hint::default() }
            }
            Self::Url if issue == Issue::TooLong => between(None, i64::try_from(URL_CHARS).ok()),
            Self::Url if issue == Issue::InvalidFormat => Hint::ruled_by(&[LINK]),
            Self::OneOf(words) => Hint::one_of(*words),
            Self::Whole { least, most } => between(i64::try_from(*least).ok(), i64::try_from(*most).ok()),
            Self::Number { least, most } => between(Some((*least).into()), Some((*most).into())),
            Self::Emoji => Hint::ruled_by(&["one emoji"]),
            Self::Color => Hint::ruled_by(&["the name of a colour, or #rgb, #rrggbb or #rrggbbaa"]),
            Self::Text { .. } | Self::Id { .. } | Self::Url | Self::Widths | Self::Nothing => Hint::default(),
        }
    }
}

impl Rule {
    /// The values that follow this rule, as JSON Schema.
    pub(super) fn schema(&self) -> Value {
        match self {
            Self::Text { most } => json!({ "type": "string", "maxLength": most }),
            Self::Whole { least, most } => json!({ "type": "integer", "minimum": least, "maximum": most }),
            Self::Number { least, most } => json!({ "type": "number", "minimum": least, "maximum": most }),
            Self::Flag => json!({ "type": "boolean" }),
            Self::OneOf(words) => json!({ "type": "string", "enum": words }),
            Self::Id { prefix, .. } => {
                json!({ "type": "string", "pattern": id_pattern(prefix) })
            }
            Self::Url => json!({ "type": "string", "maxLength": URL_CHARS }),
            Self::Emoji => json!({ "type": "string" }),
            Self::Color => json!({ "type": "string", "pattern": COLOR }),
            Self::Widths => {
                let width = json!({ "type": "integer", "minimum": 0, "maximum": MOST_WIDTH });
                json!({ "type": "array", "maxItems": MOST_CELLS, "items": width })
            }
            Self::Nothing => json!({ "type": "null" }),
        }
    }
}

fn id_pattern(prefix: &str) -> String {
    format!("^{prefix}[0-7][0-9A-HJKMNP-TV-Z]{{25}}$")
}

/// The rows of a table, as JSON Schema; `cell` is the schema of a cell.
pub(super) fn rows_schema(cell: &Value) -> Value {
    let row = json!({ "type": "array", "maxItems": MOST_CELLS, "items": cell });
    json!({ "type": "array", "maxItems": MOST_ROWS, "items": row })
}

/// Parses a text with at most this many characters.
fn text(value: Value, most: usize, at: &dyn fmt::Display) -> Result<Value, Violation> {
    let Value::String(text) = value else {
        return Err(Violation::new(at.to_string(), Issue::InvalidType).with(value));
    };
    if text.chars().count() > most {
        let max = i64::try_from(most).ok();
        return Err(Violation::new(at.to_string(), Issue::TooLong).hinting(Hint { max, ..Hint::default() }));
    }
    if text.contains('\0') {
        return Err(Violation::new(at.to_string(), Issue::InvalidFormat));
    }
    Ok(Value::String(text))
}

fn require(holds: bool, issue: Issue) -> Result<(), Issue> {
    if holds { Ok(()) } else { Err(issue) }
}

fn in_range(whole: u64, least: u64, most: u64) -> Result<(), Issue> {
    if whole < least { Err(Issue::TooSmall) } else { require(whole <= most, Issue::TooLarge) }
}

/// The flaw of a number that is not a natural number in range.
#[expect(clippy::cast_precision_loss, reason = "compared only to tell below from above")]
fn out_of_range(number: Option<f64>, least: u64, most: u64) -> Issue {
    match number {
        Some(number) if number < least as f64 => Issue::TooSmall,
        Some(number) if number > most as f64 => Issue::TooLarge,
        _ => Issue::InvalidType,
    }
}

fn is_color(color: &str) -> bool {
    match color.strip_prefix('#') {
        Some(digits) => matches!(digits.len(), 3 | 6 | 8) && digits.bytes().all(|digit| digit.is_ascii_hexdigit()),
        None => {
            (1..=32).contains(&color.len())
                && color.starts_with(|first: char| first.is_ascii_alphabetic())
                && color.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        }
    }
}

/// Parses rows of cells, each with a rich text; all rows have the same length.
pub(crate) fn cells(value: Value, at: &dyn fmt::Display) -> Result<Vec<Vec<RichText>>, Violation> {
    let Value::Array(rows) = value else {
        return Err(Violation::new(at.to_string(), Issue::InvalidType).with(value));
    };
    if rows.len() > MOST_ROWS {
        return Err(Violation::new(at.to_string(), Issue::TooLong));
    }
    let mut width = None;
    let mut read = Vec::with_capacity(rows.len());
    for (index, row) in rows.into_iter().enumerate() {
        let at = || format!("{at}.{index}");
        let Value::Array(cells) = row else { return Err(Violation::new(at(), Issue::InvalidType).with(row)) };
        if cells.len() > MOST_CELLS {
            return Err(Violation::new(at(), Issue::TooLong));
        }
        if *width.get_or_insert(cells.len()) != cells.len() {
            return Err(Violation::new(at(), Issue::InvalidValue));
        }
        let place = at();
        let cell = |(column, cell): (usize, Value)| cell_text(cell, &format_args!("{place}.{column}"));
        read.push(cells.into_iter().enumerate().map(cell).collect::<Result<_, _>>()?);
    }
    Ok(read)
}

/// A cell may be sent as a plain text.
fn cell_text(cell: Value, at: &dyn fmt::Display) -> Result<RichText, Violation> {
    match cell {
        Value::Null => Ok(RichText::default()),
        Value::String(plain) => rich_text::read(&mut Map::from_iter([("text".to_owned(), Value::String(plain))]), at),
        Value::Object(mut rich) => rich_text::read(&mut rich, at),
        other => Err(Violation::new(at.to_string(), Issue::InvalidType).with(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_core_model::id::PageId;

    #[test]
    fn a_refused_value_comes_with_what_would_have_been_right() {
        let hint = |rule: &Rule, sent: Value| Some(*rule.read(sent, &"content").err()?.hint?);
        let page = id::<PageId>(PageId::PREFIX);
        assert_eq!(hint(&page, json!("x")).and_then(|hint| hint.pattern).as_deref(), page.schema()["pattern"].as_str());
        assert_eq!(hint(&page, json!(5)), None);
        assert_eq!(hint(&FLAG, json!("yes")), Some(Hint::boolean()));
        assert_eq!(hint(&URL, json!("javascript:alert(1)")), Some(Hint::ruled_by(&[LINK])));
        assert_eq!(hint(&URL, json!("x".repeat(URL_CHARS + 1))).and_then(|hint| hint.max), Some(2048));
    }
}
