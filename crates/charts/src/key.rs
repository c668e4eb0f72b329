//! What the records of a point have in common.

use octavo_databases::{
    query::Bucket,
    value::{Day, Number},
};
use serde_json::{Value, json};

/// What the records of a point, or of a series, have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The value.
    pub value: KeyValue,
    /// What people call it.
    pub label: String,
}

/// The value that records have in common.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyValue {
    /// They have no value.
    Empty,
    /// A text, or the id of an option, a person or a record.
    Text(String),
    /// A number, or the start of a bin.
    Number(Number),
    /// A boolean.
    Boolean(bool),
    /// A day, or the first day of a span of the calendar.
    Day(Day),
}

/// What records without a value are called.
const EMPTY: &str = "Empty";

impl Key {
    /// The key of a value, with the name that it goes by if it has one.
    pub fn new(value: KeyValue, name: Option<String>, bucket: Option<Bucket>) -> Self {
        let label = match (&value, bucket) {
            (KeyValue::Empty, _) => EMPTY.to_owned(),
            (KeyValue::Day(day), Some(Bucket::Time(bucket))) => bucket.label(*day),
            (KeyValue::Number(start), Some(Bucket::Number(width))) => width.label(start.get()),
            _ => name.unwrap_or_else(|| value.text()),
        };
        Self { value, label }
    }
}

impl KeyValue {
    /// Whether there is no value.
    pub const fn is_empty(&self) -> bool {
        matches!(self, Self::Empty)
    }

    /// The value in JSON; `None` if there is none.
    pub fn to_json(&self) -> Option<Value> {
        Some(match self {
            Self::Empty => return None,
            Self::Text(text) => json!(text),
            Self::Number(number) => number.to_json(),
            Self::Boolean(boolean) => json!(boolean),
            Self::Day(day) => json!(day.to_string()),
        })
    }

    fn text(&self) -> String {
        match self {
            Self::Empty => EMPTY.to_owned(),
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_json().to_string(),
            Self::Boolean(boolean) => boolean.to_string(),
            Self::Day(day) => day.to_string(),
        }
    }
}
