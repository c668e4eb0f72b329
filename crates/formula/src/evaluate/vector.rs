//! What the steps of a program work on: a value for each selected row.

use super::selection::Selection;
use crate::{
    column::{Column, Input, Presence, State},
    value::Value,
};

/// A value for each selected row.
#[derive(Debug)]
pub(super) enum Vector<'a> {
    /// The same for all.
    Same(Value<'a>),
    /// In a box, because vectors are moved on and off the stack all the time.
    Column(Box<Column>),
    /// Texts that lie elsewhere.
    Texts(Vec<Option<&'a str>>),
}

impl<'a> Vector<'a> {
    /// The values of an input in the selected rows of a block that begins at `start`.
    pub(super) fn load(input: &Input<'a>, start: usize, selection: &Selection) -> Self {
        match *input {
            Input::Same(value) => Self::Same(value),
            Input::Numbers { values, present } => Self::numbers(values, present, input, start, selection),
            Input::Texts(_) | Input::Joined { .. } | Input::Names { .. } => {
                let text = |row| if let Value::Text(text) = input.get(start + row) { Some(text) } else { None };
                Self::Texts(selection.rows().map(text).collect())
            }
            _ => selection.rows().map(|row| input.get(start + row)).collect::<Column>().into(),
        }
    }

    /// Numbers are copied as they are, if they are all there and finite.
    fn numbers(values: &[f64], present: Presence<'_>, input: &Input<'a>, start: usize, selection: &Selection) -> Self {
        let numbers: Vec<f64> = match selection {
            Selection::All(rows) => values.get(start..start + rows).unwrap_or(&[]).to_vec(),
            Selection::Rows(rows) => rows.iter().filter_map(|row| values.get(start + row)).copied().collect(),
        };
        let are_finite = numbers.iter().fold(true, |all, number| all & number.is_finite());
        if numbers.len() < selection.len() || !are_finite {
            return selection.rows().map(|row| input.get(start + row)).collect::<Column>().into();
        }
        let state = |row| if present.has(start + row) { State::Value } else { State::Null };
        let states = match present {
            Presence::All => Vec::new(),
            _ => selection.rows().map(state).collect(),
        };
        Column::of_numbers(numbers, states).without_full_states().into()
    }

    /// The value in a place.
    pub(super) fn get(&self, place: usize) -> Value<'_> {
        match self {
            Self::Same(value) => *value,
            Self::Column(column) => column.get(place),
            Self::Texts(texts) => texts.get(place).copied().flatten().map_or(Value::Null, Value::Text),
        }
    }

    /// As a column with so many rows.
    pub(super) fn into_column(self, rows: usize) -> Column {
        match self {
            Self::Column(column) => *column,
            other => (0..rows).map(|place| other.get(place)).collect(),
        }
    }
}

impl From<Column> for Vector<'_> {
    fn from(column: Column) -> Self {
        Self::Column(Box::new(column))
    }
}
