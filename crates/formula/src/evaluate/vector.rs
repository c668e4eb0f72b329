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
    Column(Column),
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
            _ => Self::Column(selection.rows().map(|row| input.get(start + row)).collect()),
        }
    }

    /// Numbers of all rows of a block are copied as they are, if they are all finite.
    fn numbers(values: &[f64], present: Presence<'_>, input: &Input<'a>, start: usize, selection: &Selection) -> Self {
        if let Selection::All(rows) = selection
            && let Some(values) = values.get(start..start + rows)
            && values.iter().fold(true, |all, number| all & number.is_finite())
        {
            let state = |has: &bool| if *has { State::Value } else { State::Null };
            let states = match present {
                Presence::All => Some(Vec::new()),
                Presence::Flags(flags) => flags.get(start..start + rows).map(|flags| flags.iter().map(state).collect()),
                Presence::Bits(_) => {
                    Some((start..start + rows).map(|row| state(&present.has(row))).collect::<Vec<_>>())
                }
            };
            if let Some(mut states) = states {
                if states.iter().all(|state| *state == State::Value) {
                    states.clear();
                }
                return Self::Column(Column::of_numbers(values.to_vec(), states));
            }
        }
        Self::Column(selection.rows().map(|row| input.get(start + row)).collect())
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
            Self::Column(column) => column,
            other => (0..rows).map(|place| other.get(place)).collect(),
        }
    }
}
