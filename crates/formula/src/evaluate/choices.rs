//! What only some rows need: the branches of `if`, and the right side of `and` and `or`.

use super::{selection::Selection, vector::Vector};
use crate::{
    column::Column,
    program::Split,
    value::{RowError, Value},
};

/// A choice whose branches are being evaluated.
#[derive(Debug)]
pub(super) struct Choice<'a> {
    split: Split,
    /// The rows before the choice.
    pub(super) outer: Selection,
    /// What each of them gets.
    sources: Vec<Source>,
    /// Which of them need the other branch.
    others: Option<Selection>,
    first: Option<Vector<'a>>,
}

/// Where a row gets its result.
#[derive(Clone, Copy, Debug)]
enum Source {
    Known(Value<'static>),
    First,
    Other,
}

impl<'a> Choice<'a> {
    /// Looks at the conditions of the selected rows. Returns the choice, and the rows that need the first branch.
    pub(super) fn new(split: Split, outer: Selection, condition: &Vector<'a>) -> (Self, Selection) {
        let (mut first, mut others) = (Vec::new(), Vec::new());
        let source = |(place, row)| {
            let source = source(split, condition.get(place));
            match source {
                Source::First => first.push(row),
                Source::Other => others.push(row),
                Source::Known(_) => {}
            }
            source
        };
        let sources = outer.rows().enumerate().map(source).collect();
        let others = Some(Selection::Rows(others));
        (Self { split, outer, sources, others, first: None }, Selection::Rows(first))
    }

    /// Takes what the first branch gave. Returns the rows that need the other branch.
    pub(super) fn turn(&mut self, first: Vector<'a>) -> Selection {
        self.first = Some(first);
        self.others.take().unwrap_or(Selection::Rows(Vec::new()))
    }

    /// Takes what the last branch gave. Returns what each row gets, and all rows.
    pub(super) fn join(self, last: Vector<'a>) -> (Vector<'a>, Selection) {
        let (first, other) = match self.first {
            Some(first) => (first, last),
            None => (last, Vector::Same(Value::Null)),
        };
        let vector = numbers(&self.sources, &first, &other).unwrap_or_else(|| {
            let (mut of_first, mut of_other) = (0.., 0..);
            let value = |source: &Source| match source {
                Source::Known(value) => *value,
                Source::First => first.get(of_first.next().unwrap_or_default()),
                Source::Other => other.get(of_other.next().unwrap_or_default()),
            };
            if self.split == Split::If {
                self.sources.iter().map(value).collect()
            } else {
                self.sources.iter().map(value).map(boolean).collect()
            }
        });
        (Vector::Column(vector), self.outer)
    }
}

/// Two branches with numbers in all rows.
fn numbers(sources: &[Source], first: &Vector<'_>, other: &Vector<'_>) -> Option<Column> {
    fn side<'v>(vector: &'v Vector<'_>) -> Option<(&'v [f64], Option<f64>)> {
        match vector {
            Vector::Same(Value::Number(number)) => Some((&[], Some(*number))),
            Vector::Column(column) if column.states().is_none() => Some((column.numbers()?, None)),
            _ => None,
        }
    }
    let ((first, same_first), (other, same_other)) = (side(first)?, side(other)?);
    let (mut first, mut other) = (first.iter(), other.iter());
    let number = |source: &Source| match source {
        Source::First => same_first.or_else(|| first.next().copied()),
        Source::Other => same_other.or_else(|| other.next().copied()),
        Source::Known(_) => None,
    };
    let numbers = sources.iter().map(number).collect::<Option<Vec<_>>>()?;
    Some(Column::of_numbers(numbers, Vec::new()))
}

fn source(split: Split, condition: Value<'_>) -> Source {
    match (split, condition) {
        (Split::If | Split::And, Value::Boolean(true)) | (Split::Or, Value::Boolean(false)) => Source::First,
        (Split::If, Value::Boolean(false)) => Source::Other,
        (_, Value::Boolean(decided)) => Source::Known(Value::Boolean(decided)),
        (_, Value::Null) => Source::Known(Value::Null),
        (_, Value::Error(error)) => Source::Known(Value::Error(error)),
        _ => Source::Known(Value::Error(RowError::InvalidArgument)),
    }
}

/// What `and` and `or` take on their right side.
fn boolean(value: Value<'_>) -> Value<'static> {
    match value {
        Value::Boolean(boolean) => Value::Boolean(boolean),
        Value::Null => Value::Null,
        Value::Error(error) => Value::Error(error),
        _ => Value::Error(RowError::InvalidArgument),
    }
}
