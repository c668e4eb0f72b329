//! Numbers and texts within bounds.

use super::text;
use crate::wire::{Documented, Readable};
use octavo_core_model::fault::Issue;
use serde_json::{Value, json};

/// A whole number between two bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole<const MIN: i64, const MAX: i64>(pub i64);

impl<const MIN: i64, const MAX: i64> Documented for Whole<MIN, MAX> {
    fn schema() -> Value {
        json!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }

    fn example() -> Value {
        MIN.into()
    }
}

impl<const MIN: i64, const MAX: i64> Readable for Whole<MIN, MAX> {
    fn read(value: &Value) -> Result<Self, Issue> {
        match value.as_i64() {
            Some(number) if number < MIN => Err(Issue::TooSmall),
            Some(number) if number > MAX => Err(Issue::TooLarge),
            Some(number) => Ok(Self(number)),
            None if value.as_u64().is_some() => Err(Issue::TooLarge),
            None => Err(Issue::InvalidType),
        }
    }

    fn read_text(text: &str) -> Result<Self, Issue> {
        let number: i64 = text.parse().map_err(|_| Issue::InvalidType)?;
        Self::read(&number.into())
    }
}

/// Free text of a bounded length, counted in Unicode scalar values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text<const MIN: usize, const MAX: usize>(pub String);

impl<const MIN: usize, const MAX: usize> Documented for Text<MIN, MAX> {
    fn schema() -> Value {
        json!({ "type": "string", "minLength": MIN, "maxLength": MAX })
    }

    fn example() -> Value {
        "Some text".into()
    }
}

impl<const MIN: usize, const MAX: usize> Readable for Text<MIN, MAX> {
    fn read(value: &Value) -> Result<Self, Issue> {
        let text = text(value)?;
        match text.chars().count() {
            length if length < MIN => Err(Issue::TooShort),
            length if length > MAX => Err(Issue::TooLong),
            _ => Ok(Self(text.to_owned())),
        }
    }
}
