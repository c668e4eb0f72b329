//! Values that borrow nothing.

use super::{Date, RowError, Value};

/// A value with a text of its own.
#[derive(Clone, Debug, PartialEq)]
pub enum OwnedValue {
    /// No value.
    Null,
    /// A finite number.
    Number(f64),
    /// A text.
    Text(Box<str>),
    /// True or false.
    Boolean(bool),
    /// A day or a point in time.
    Date(Date),
    /// An error.
    Error(RowError),
}

impl OwnedValue {
    /// The same value, borrowed.
    pub fn as_value(&self) -> Value<'_> {
        match self {
            Self::Null => Value::Null,
            Self::Number(number) => Value::Number(*number),
            Self::Text(text) => Value::Text(text),
            Self::Boolean(boolean) => Value::Boolean(*boolean),
            Self::Date(date) => Value::Date(*date),
            Self::Error(error) => Value::Error(*error),
        }
    }
}

impl From<Value<'_>> for OwnedValue {
    fn from(value: Value<'_>) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Number(number) => Self::Number(number),
            Value::Text(text) => Self::Text(text.into()),
            Value::Boolean(boolean) => Self::Boolean(boolean),
            Value::Date(date) => Self::Date(date),
            Value::Error(error) => Self::Error(error),
        }
    }
}
