//! The values of a column, without those that rows lack.

use crate::value::{Date, OwnedValue, Value};

/// A value for each row. Rows without one have a placeholder.
#[derive(Clone, Debug, Default)]
pub(crate) enum Lanes {
    /// No row has a value.
    #[default]
    Nothing,
    Numbers(Vec<f64>),
    Booleans(Vec<bool>),
    Dates(Vec<Date>),
    /// All texts in one, and where each ends.
    Texts {
        text: String,
        ends: Vec<usize>,
    },
    /// Values of different types.
    Mixed(Vec<OwnedValue>),
}

impl Lanes {
    pub(crate) fn get(&self, row: usize) -> Value<'_> {
        let value = match self {
            Self::Nothing => None,
            Self::Numbers(numbers) => numbers.get(row).map(|number| Value::Number(*number)),
            Self::Booleans(booleans) => booleans.get(row).map(|boolean| Value::Boolean(*boolean)),
            Self::Dates(dates) => dates.get(row).map(|date| Value::Date(*date)),
            Self::Texts { text, ends } => {
                let start = row.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or_default();
                ends.get(row).and_then(|end| text.get(start..*end)).map(Value::Text)
            }
            Self::Mixed(values) => values.get(row).map(OwnedValue::as_value),
        };
        value.unwrap_or(Value::Null)
    }

    /// Adds a value behind `rows` others. The type of the first value decides what the lanes are made for.
    pub(super) fn push(&mut self, rows: usize, value: Value<'_>) {
        match (&mut *self, value) {
            (Self::Nothing, Value::Null | Value::Error(_)) => {}
            (Self::Numbers(numbers), Value::Number(number)) => numbers.push(number),
            (Self::Booleans(booleans), Value::Boolean(boolean)) => booleans.push(boolean),
            (Self::Dates(dates), Value::Date(date)) => dates.push(date),
            (Self::Texts { text, ends }, Value::Text(added)) => {
                text.push_str(added);
                ends.push(text.len());
            }
            (Self::Mixed(values), value) => values.push(value.into()),
            (Self::Numbers(numbers), Value::Null | Value::Error(_)) => numbers.push(0.0),
            (Self::Booleans(booleans), Value::Null | Value::Error(_)) => booleans.push(false),
            (Self::Dates(dates), Value::Null | Value::Error(_)) => dates.push(Date::PLACEHOLDER),
            (Self::Texts { ends, .. }, Value::Null | Value::Error(_)) => {
                ends.push(ends.last().copied().unwrap_or_default());
            }
            (Self::Nothing, value) => {
                *self = Self::placeholders(rows, value);
                self.push(rows, value);
            }
            (_, value) => {
                let mut values: Vec<OwnedValue> = (0..rows).map(|row| self.get(row).into()).collect();
                values.push(value.into());
                *self = Self::Mixed(values);
            }
        }
    }

    fn placeholders(rows: usize, like: Value<'_>) -> Self {
        match like {
            Value::Number(_) => Self::Numbers(vec![0.0; rows]),
            Value::Boolean(_) => Self::Booleans(vec![false; rows]),
            Value::Date(_) => Self::Dates(vec![Date::PLACEHOLDER; rows]),
            Value::Text(_) => Self::Texts { text: String::new(), ends: vec![0; rows] },
            Value::Null | Value::Error(_) => Self::Nothing,
        }
    }

    /// Adds all lanes of others that are of the same type. Returns whether they are.
    pub(super) fn append(&mut self, other: &Self) -> bool {
        match (self, other) {
            (Self::Nothing, Self::Nothing) => {}
            (Self::Numbers(numbers), Self::Numbers(others)) => numbers.extend_from_slice(others),
            (Self::Booleans(booleans), Self::Booleans(others)) => booleans.extend_from_slice(others),
            (Self::Dates(dates), Self::Dates(others)) => dates.extend_from_slice(others),
            (Self::Texts { text, ends }, Self::Texts { text: added, ends: others }) => {
                let before = text.len();
                text.push_str(added);
                ends.extend(others.iter().map(|end| before + end));
            }
            (Self::Mixed(values), Self::Mixed(others)) => values.extend_from_slice(others),
            _ => return false,
        }
        true
    }

    pub(super) fn longest_text(&self) -> usize {
        let longest = match self {
            Self::Texts { ends, .. } => {
                let starts = std::iter::once(&0).chain(ends);
                ends.iter().zip(starts).map(|(end, start)| end - start).max()
            }
            Self::Mixed(values) => {
                let length = |value: &OwnedValue| if let OwnedValue::Text(text) = value { text.len() } else { 0 };
                values.iter().map(length).max()
            }
            _ => None,
        };
        longest.unwrap_or_default()
    }

    pub(super) fn memory(&self) -> usize {
        match self {
            Self::Nothing => 0,
            Self::Numbers(numbers) => numbers.capacity() * size_of::<f64>(),
            Self::Booleans(booleans) => booleans.capacity(),
            Self::Dates(dates) => dates.capacity() * size_of::<Date>(),
            Self::Texts { text, ends } => text.capacity() + ends.capacity() * size_of::<usize>(),
            Self::Mixed(values) => {
                let text = |value: &OwnedValue| if let OwnedValue::Text(text) = value { text.len() } else { 0 };
                values.capacity() * size_of::<OwnedValue>() + values.iter().map(text).sum::<usize>()
            }
        }
    }
}
