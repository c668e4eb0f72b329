//! Numbers, texts and lists within bounds.

use super::text;
use crate::wire::{Documented, Named, Readable, parse};
use octavo_core_model::fault::{Issue, Violation};
use serde_json::{Value, json};
use validator::{ValidateLength, ValidateRange};

/// A whole number between two bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole<const MIN: i64, const MAX: i64>(pub i64);

impl<const MIN: i64, const MAX: i64> Whole<MIN, MAX> {
    const IS_COUNT: () = assert!(MIN >= 0 && MAX <= u32::MAX as i64, "a count has bounds that fit one");

    /// The number, for bounds within which it counts something.
    pub fn count(self) -> u32 {
        let () = Self::IS_COUNT;
        u32::try_from(self.0).unwrap_or_default()
    }
}

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
            Some(number) if !number.validate_range(Some(MIN), None, None, None) => Err(Issue::TooSmall),
            Some(number) if !number.validate_range(None, Some(MAX), None, None) => Err(Issue::TooLarge),
            Some(number) => Ok(Self(number)),
            None if value.as_u64().is_some() => Err(Issue::TooLarge),
            None => Err(Issue::InvalidType),
        }
    }

    fn read_text(text: &str) -> Result<Self, Issue> {
        // Besides digits, an integer can be written in every way that is possible in a body.
        let number = text.parse::<i64>().map(Value::from).or_else(|_| parse(text.as_bytes()));
        Self::read(&number.map_err(|_| Issue::InvalidType)?)
    }
}

/// What a caller types to confirm a deletion. It is either right or wrong: no value is a flaw of the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfirmationText(pub Option<String>);

impl Documented for ConfirmationText {
    fn schema() -> Value {
        json!({ "type": "string" })
    }

    fn example() -> Value {
        "Some text".into()
    }
}

impl Readable for ConfirmationText {
    fn read(value: &Value) -> Result<Self, Issue> {
        Ok(Self(value.as_str().map(str::to_owned)))
    }
}

fn check_length(of: &(impl ValidateLength<u64> + ?Sized), min: usize, max: usize) -> Result<(), Issue> {
    if !of.validate_length(Some(min as u64), None, None) {
        Err(Issue::TooShort)
    } else if !of.validate_length(None, Some(max as u64), None) {
        Err(Issue::TooLong)
    } else {
        Ok(())
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
        check_length(text, MIN, MAX)?;
        Ok(Self(text.to_owned()))
    }
}

/// A list of a bounded length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Several<T, const MIN: usize, const MAX: usize>(pub Vec<T>);

impl<T: Documented, const MIN: usize, const MAX: usize> Documented for Several<T, MIN, MAX> {
    const HOLDS_SECRET: bool = T::HOLDS_SECRET;

    fn schema() -> Value {
        json!({ "type": "array", "items": T::schema(), "minItems": MIN, "maxItems": MAX })
    }

    fn example() -> Value {
        json!([T::example()])
    }

    fn collect(named: &mut Named) {
        T::collect(named);
    }
}

impl<T: Readable, const MIN: usize, const MAX: usize> Several<T, MIN, MAX> {
    /// Checks the length of a list. A value that is not a list has another flaw, which is found later.
    fn check_items(value: &Value) -> Result<(), Issue> {
        value.as_array().map_or(Ok(()), |items| check_length(items, MIN, MAX))
    }
}

impl<T: Readable, const MIN: usize, const MAX: usize> Readable for Several<T, MIN, MAX> {
    const SECRET: bool = T::SECRET;

    fn read(value: &Value) -> Result<Self, Issue> {
        Self::check_items(value)?;
        Vec::read(value).map(Self)
    }

    fn read_field(field: &str, value: &Value, violations: &mut Vec<Violation>) -> Option<Self> {
        // A list that is too long is not parsed, so that the number of flaws stays bounded.
        if let Err(issue) = Self::check_items(value) {
            violations.push(Self::flawed(field, issue, value));
            return None;
        }
        Vec::read_field(field, value, violations).map(Self)
    }
}
