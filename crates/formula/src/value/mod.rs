//! Values of formulas.

mod date;
mod error;
mod number;
mod owned;
mod unit;

pub use date::Date;
pub use error::RowError;
pub(crate) use number::{parse as parse_number, rounded, write as write_number};
pub use owned::OwnedValue;
pub use unit::Unit;

use std::fmt;

/// What a formula reads from a record or computes for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// No value, of whatever type.
    Null,
    /// A finite number.
    Number(f64),
    /// A text. Lists are texts too, joined by `, `.
    Text(&'a str),
    /// True or false.
    Boolean(bool),
    /// A day or a point in time.
    Date(Date),
    /// What kept the formula from having a value in this row.
    Error(RowError),
}

impl Value<'_> {
    /// Whether `empty()` is true of it: no value, or a text without characters.
    pub fn is_empty(self) -> bool {
        matches!(self, Self::Null | Self::Text(""))
    }
}

/// As results are shown in the documentation: texts in quotes, dates in ISO 8601.
impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Number(number) => write_number(*number, f),
            Self::Text(text) => write!(f, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
            Self::Boolean(boolean) => boolean.fmt(f),
            Self::Date(date) => date.fmt(f),
            Self::Error(error) => error.fmt(f),
        }
    }
}
