//! Columns that formulas read.

use super::Column;
use crate::value::{Date, RowError, Value};

/// The values of a property, in the form in which the caller has them. Every list has a value for each row.
#[derive(Clone, Copy)]
pub enum Input<'a> {
    /// The same in every row: null for a property without values, an error for a formula in a cycle.
    Same(Value<'a>),
    /// Numbers.
    Numbers {
        /// A number for each row.
        values: &'a [f64],
        /// Which rows have one.
        present: Presence<'a>,
    },
    /// Booleans.
    Booleans {
        /// A boolean for each row.
        values: &'a [bool],
        /// Which rows have one.
        present: Presence<'a>,
    },
    /// Dates, in milliseconds since the beginning of 1970 in UTC.
    Dates {
        /// The time of each row.
        millis: &'a [i64],
        /// Which of them are points in time and not days.
        times: Times<'a>,
        /// Which rows have one.
        present: Presence<'a>,
    },
    /// Texts of their own.
    Texts(&'a [Option<&'a str>]),
    /// Texts that lie one after the other in a single one.
    Joined {
        /// All texts.
        text: &'a str,
        /// Where the text of each row ends; it begins where the one before ends.
        ends: &'a [u32],
        /// Which rows have one.
        present: Presence<'a>,
    },
    /// Texts out of a short list, such as the names of options.
    Names {
        /// The index of the name of each row. A row with an index that has no name has no value.
        codes: &'a [u32],
        /// The names.
        names: &'a [&'a str],
    },
    /// What another formula has computed.
    Column(&'a Column),
    /// Any other form.
    Rows(&'a dyn Rows),
}

/// Values of rows in a form that is not known here.
pub trait Rows {
    /// What a row has.
    fn value(&self, row: usize) -> Value<'_>;
}

/// Which rows have a value.
#[derive(Clone, Copy, Debug)]
pub enum Presence<'a> {
    /// All of them.
    All,
    /// Those with `true`.
    Flags(&'a [bool]),
    /// Those whose bit is set; the row 0 is the lowest bit of the first number.
    Bits(&'a [u64]),
}

/// Which dates are points in time and not days.
#[derive(Clone, Copy, Debug)]
pub enum Times<'a> {
    /// All of them.
    All,
    /// None of them.
    None,
    /// Those with `true`.
    Flags(&'a [bool]),
}

impl Presence<'_> {
    pub(crate) fn has(self, row: usize) -> bool {
        match self {
            Self::All => true,
            Self::Flags(flags) => flags.get(row).copied().unwrap_or_default(),
            Self::Bits(bits) => bits.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 == 1),
        }
    }
}

impl<'a> Input<'a> {
    /// What a row has; null if there is no such row.
    pub fn get(&self, row: usize) -> Value<'a> {
        match *self {
            Self::Same(value) => value,
            Self::Numbers { values, present } => number(present.has(row), values.get(row)),
            Self::Booleans { values, present } => {
                values.get(row).filter(|_| present.has(row)).map_or(Value::Null, |value| Value::Boolean(*value))
            }
            Self::Dates { millis, times, present } => {
                millis.get(row).filter(|_| present.has(row)).map_or(Value::Null, |millis| date(*millis, times, row))
            }
            Self::Texts(texts) => texts.get(row).copied().flatten().map_or(Value::Null, Value::Text),
            Self::Joined { text, ends, present } => {
                let end = |row: usize| ends.get(row).map(|end| *end as usize);
                let start = row.checked_sub(1).map_or(Some(0), end);
                let found = start.zip(end(row)).and_then(|(start, end)| text.get(start..end));
                found.filter(|_| present.has(row)).map_or(Value::Null, Value::Text)
            }
            Self::Names { codes, names } => {
                let name = codes.get(row).and_then(|code| names.get(*code as usize));
                name.map_or(Value::Null, |name| Value::Text(name))
            }
            Self::Column(column) => column.get(row),
            Self::Rows(rows) => rows.value(row),
        }
    }
}

/// A number that is not finite is no value that formulas can work with.
fn number(is_present: bool, number: Option<&f64>) -> Value<'static> {
    match number {
        Some(number) if is_present && number.is_finite() => Value::Number(*number),
        Some(_) if is_present => Value::Error(RowError::InvalidArgument),
        _ => Value::Null,
    }
}

fn date(millis: i64, times: Times<'_>, row: usize) -> Value<'static> {
    let has_time = match times {
        Times::All => true,
        Times::None => false,
        Times::Flags(flags) => flags.get(row).copied().unwrap_or_default(),
    };
    let date = if has_time { Date::at(millis) } else { Date::day_of(millis) };
    date.map_or(Value::Error(RowError::InvalidArgument), Value::Date)
}
