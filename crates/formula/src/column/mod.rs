//! Values of one property in many records.

mod input;
mod lanes;
mod state;

pub use input::{Input, Presence, Rows, Times};
pub(crate) use lanes::Lanes;
pub use state::State;

use crate::value::Value;

/// What a formula has in each of many rows. Values of one type lie side by side.
#[derive(Clone, Debug, Default)]
pub struct Column {
    rows: usize,
    /// What each row has; empty as long as every row has a value.
    states: Vec<State>,
    lanes: Lanes,
}

impl Column {
    /// How many rows it has.
    pub const fn len(&self) -> usize {
        self.rows
    }

    /// Whether it has no rows.
    pub const fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// What a row has; null if there is no such row.
    pub fn get(&self, row: usize) -> Value<'_> {
        match self.state(row) {
            State::Value => self.lanes.get(row),
            State::Null => Value::Null,
            State::Error(error) => Value::Error(error),
        }
    }

    /// What the rows have, one after the other.
    pub fn values(&self) -> impl ExactSizeIterator<Item = Value<'_>> {
        (0..self.rows).map(|row| self.get(row))
    }

    /// Whether a row has a value.
    pub fn state(&self, row: usize) -> State {
        if self.states.is_empty() && row < self.rows {
            State::Value
        } else {
            self.states.get(row).copied().unwrap_or(State::Null)
        }
    }

    /// The states of all rows; `None` if every row has a value.
    pub fn states(&self) -> Option<&[State]> {
        (!self.states.is_empty()).then_some(&self.states)
    }

    /// The numbers of all rows, if no row has a value of another type. Rows without a value have any number.
    pub fn numbers(&self) -> Option<&[f64]> {
        if let Lanes::Numbers(numbers) = &self.lanes { Some(numbers) } else { None }
    }

    /// Like [`Column::numbers`], for booleans.
    pub fn booleans(&self) -> Option<&[bool]> {
        if let Lanes::Booleans(booleans) = &self.lanes { Some(booleans) } else { None }
    }

    /// Like [`Column::numbers`], for dates.
    pub fn dates(&self) -> Option<&[crate::Date]> {
        if let Lanes::Dates(dates) = &self.lanes { Some(dates) } else { None }
    }

    /// Adds a row.
    pub fn push(&mut self, value: Value<'_>) {
        let state = match value {
            Value::Null => State::Null,
            Value::Error(error) => State::Error(error),
            _ => State::Value,
        };
        if state != State::Value && self.states.is_empty() {
            self.states.resize(self.rows, State::Value);
        }
        if state != State::Value || !self.states.is_empty() {
            self.states.push(state);
        }
        self.lanes.push(self.rows, value);
        self.rows += 1;
    }

    /// Adds all rows of another column.
    pub fn append(&mut self, other: Self) {
        if self.rows == 0 {
            *self = other;
            return;
        }
        if !self.lanes.append(&other.lanes) {
            other.values().for_each(|value| self.push(value));
            return;
        }
        if !(self.states.is_empty() && other.states.is_empty()) {
            self.states.resize(self.rows, State::Value);
            self.states.extend_from_slice(&other.states);
            self.states.resize(self.rows + other.rows, State::Value);
        }
        self.rows += other.rows;
    }

    /// The longest text of a row, in bytes; 0 if there are none.
    pub(crate) fn longest_text(&self) -> usize {
        self.lanes.longest_text()
    }

    /// Roughly how many bytes of memory it takes.
    pub fn memory(&self) -> usize {
        self.states.capacity() * size_of::<State>() + self.lanes.memory()
    }

    /// Numbers, with the state of each row. No states mean that every row has a value.
    pub(crate) fn of_numbers(numbers: Vec<f64>, states: Vec<State>) -> Self {
        Self { rows: numbers.len(), states, lanes: Lanes::Numbers(numbers) }
    }

    /// Like [`Column::of_numbers`], for booleans.
    pub(crate) fn of_booleans(booleans: Vec<bool>, states: Vec<State>) -> Self {
        Self { rows: booleans.len(), states, lanes: Lanes::Booleans(booleans) }
    }

    /// Forgets the states if every row has a value, as a column promises.
    pub(crate) fn without_full_states(mut self) -> Self {
        if self.states.iter().all(|state| *state == State::Value) {
            self.states.clear();
        }
        self
    }

    /// Turns negative zeros into the one zero that answers have.
    pub(crate) fn with_one_zero(mut self) -> Self {
        match &mut self.lanes {
            Lanes::Numbers(numbers) => numbers.iter_mut().for_each(|number| *number += 0.0),
            Lanes::Mixed(values) => {
                for value in values {
                    if let crate::OwnedValue::Number(number) = value {
                        *number += 0.0;
                    }
                }
            }
            _ => {}
        }
        self
    }
}

impl<'a> FromIterator<Value<'a>> for Column {
    fn from_iter<I: IntoIterator<Item = Value<'a>>>(values: I) -> Self {
        let mut column = Self::default();
        values.into_iter().for_each(|value| column.push(value));
        column
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Date, RowError};
    use proptest::{collection::vec, prelude::*, sample::select};

    fn values() -> impl Strategy<Value = Vec<Value<'static>>> {
        let any = vec![
            Value::Null,
            Value::Number(1.5),
            Value::Number(-2.0),
            Value::Text("a"),
            Value::Text(""),
            Value::Boolean(true),
            Value::Date(Date::PLACEHOLDER),
            Value::Error(RowError::Cycle),
        ];
        let one_type = vec![Value::Null, Value::Text("ä"), Value::Text("bc"), Value::Error(RowError::DivisionByZero)];
        prop_oneof![vec(select(any), 0..6), vec(select(one_type), 0..6)]
    }

    proptest! {
        #[test]
        fn a_column_has_what_was_put_into_it(first in values(), second in values()) {
            let mut column: Column = first.iter().copied().collect();
            column.append(second.iter().copied().collect());
            let expected: Vec<_> = first.into_iter().chain(second).collect();
            prop_assert_eq!(column.values().collect::<Vec<_>>(), expected.clone());
            prop_assert_eq!(column.get(expected.len()), Value::Null);
            let has_gaps = expected.iter().any(|value| matches!(value, Value::Null | Value::Error(_)));
            prop_assert_eq!(column.states().is_some(), has_gaps);
        }
    }
}
