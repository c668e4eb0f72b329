//! Arguments in the types that functions need.

use crate::value::{Date, RowError, Unit, Value};

type Read<T> = Result<T, RowError>;

pub(super) fn number(arguments: &[Value<'_>], at: usize) -> Read<f64> {
    match arguments.get(at) {
        Some(Value::Number(number)) => Ok(*number),
        _ => Err(RowError::InvalidArgument),
    }
}

/// A whole number, possibly the greatest or least one that there is.
#[expect(clippy::cast_possible_truncation, reason = "what is too large is larger than any length or date allows")]
pub(super) fn whole(arguments: &[Value<'_>], at: usize) -> Read<i64> {
    let number = number(arguments, at)?;
    if number.fract() == 0.0 { Ok(number as i64) } else { Err(RowError::InvalidArgument) }
}

pub(super) fn text<'a>(arguments: &[Value<'a>], at: usize) -> Read<&'a str> {
    match arguments.get(at) {
        Some(Value::Text(text)) => Ok(text),
        _ => Err(RowError::InvalidArgument),
    }
}

/// A date. A text is one if it is written in ISO 8601, so that formulas can name fixed dates.
pub(super) fn date(arguments: &[Value<'_>], at: usize) -> Read<Date> {
    match arguments.get(at) {
        Some(Value::Date(date)) => Ok(*date),
        Some(Value::Text(text)) => Date::parse(text).ok_or(RowError::InvalidArgument),
        _ => Err(RowError::InvalidArgument),
    }
}

pub(super) fn unit(arguments: &[Value<'_>], at: usize) -> Read<Unit> {
    Unit::parse(text(arguments, at)?).ok_or(RowError::InvalidArgument)
}
