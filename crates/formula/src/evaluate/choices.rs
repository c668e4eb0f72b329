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
    condition: Vector<'a>,
    /// The rows before the choice. Places are counted in it.
    outer: Selection,
    /// The places that need the first branch, and those that need the other one.
    first_places: Places,
    other_places: Places,
    first: Option<Vector<'a>>,
}

/// Places of a selection, in their order.
#[derive(Debug)]
enum Places {
    All,
    These(Vec<usize>),
}

/// Where a row gets its result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// From the condition.
    Condition,
    First,
    Other,
}

impl<'a> Choice<'a> {
    /// Looks at the conditions of the selected rows. Returns the choice, and the rows that need the first branch.
    pub(super) fn new(split: Split, outer: Selection, condition: Vector<'a>) -> (Self, Selection) {
        let needing = |branch| match &condition {
            Vector::Same(value) if source(split, *value) == branch => Places::All,
            Vector::Same(_) => Places::These(Vec::new()),
            Vector::Column(column) if booleans_of(column).is_some() => {
                let is_needed = |boolean| source(split, Value::Boolean(boolean)) == branch;
                let (if_true, if_false) = (is_needed(true), is_needed(false));
                let booleans = booleans_of(column).unwrap_or(&[]).iter();
                Places::These(places(booleans.map(|boolean| if *boolean { if_true } else { if_false })))
            }
            condition => {
                let sources = (0..outer.len()).map(|place| source(split, condition.get(place)));
                Places::These(places(sources.map(|source| source == branch)))
            }
        };
        let first_places = needing(Source::First);
        let other_places = if split == Split::If { needing(Source::Other) } else { Places::These(Vec::new()) };
        let first_rows = first_places.of(&outer);
        (Self { split, condition, outer, first_places, other_places, first: None }, first_rows)
    }

    /// Takes what the first branch gave. Returns the rows that need the other branch.
    pub(super) fn turn(&mut self, first: Vector<'a>) -> Selection {
        self.first = Some(first);
        self.other_places.of(&self.outer)
    }

    /// Takes what the last branch gave. Returns what each row gets, and all rows.
    pub(super) fn join(mut self, last: Vector<'a>) -> (Vector<'a>, Selection) {
        let (first, other) = match self.first.take() {
            Some(first) => (first, last),
            None => (last, Vector::Same(Value::Null)),
        };
        let first = if self.split == Split::If { first } else { each(first, boolean) };
        let vector = match (&self.first_places, &self.other_places) {
            (Places::All, _) => first,
            (_, Places::All) => other,
            (Places::These(firsts), Places::These(others)) if firsts.is_empty() && others.is_empty() => {
                each(self.condition, boolean)
            }
            (Places::These(firsts), Places::These(others)) => self.merged((&first, firsts), (&other, others)).into(),
        };
        (vector, self.outer)
    }

    /// What each row gets, with the branches and the places that need them.
    fn merged(&self, first: (&Vector<'_>, &[usize]), other: (&Vector<'_>, &[usize])) -> Column {
        let rows = self.outer.len();
        if first.1.len() + other.1.len() == rows
            && let Some((first, other)) = numbers(first).zip(numbers(other))
        {
            return Column::of_numbers(scattered(vec![0.0; rows], first, other), Vec::new());
        }
        // The condition is what the rows have that do not need the right side of `and` and `or`.
        if let Vector::Column(condition) = &self.condition
            && let Some(known) = booleans_of(condition)
            && let Some((first, other)) = booleans(first).zip(booleans(other))
        {
            return Column::of_booleans(scattered(known.to_vec(), first, other), Vec::new());
        }
        let (mut of_first, mut of_other) = (0.., 0..);
        let value = |place| {
            let condition = self.condition.get(place);
            match source(self.split, condition) {
                Source::Condition => boolean(condition),
                Source::First => first.0.get(of_first.next().unwrap_or_default()),
                Source::Other => other.0.get(of_other.next().unwrap_or_default()),
            }
        };
        (0..rows).map(value).collect()
    }
}

impl Places {
    fn of(&self, selection: &Selection) -> Selection {
        match self {
            Self::All => selection.clone(),
            Self::These(places) => Selection::Rows(places.iter().map(|place| selection.row(*place)).collect()),
        }
    }
}

/// The places that are needed. Without a branch in the loop: which places are needed cannot be predicted.
fn places(are_needed: impl ExactSizeIterator<Item = bool>) -> Vec<usize> {
    let mut places = vec![0; are_needed.len()];
    let mut count = 0;
    for (place, is_needed) in are_needed.enumerate() {
        places[count] = place;
        count += usize::from(is_needed);
    }
    places.truncate(count);
    places
}

fn source(split: Split, condition: Value<'_>) -> Source {
    match (split, condition) {
        (Split::If | Split::And, Value::Boolean(true)) | (Split::Or, Value::Boolean(false)) => Source::First,
        (Split::If, Value::Boolean(false)) => Source::Other,
        _ => Source::Condition,
    }
}

/// What `if`, `and` and `or` take: everything else than booleans is an error.
fn boolean(value: Value<'_>) -> Value<'static> {
    match value {
        Value::Boolean(boolean) => Value::Boolean(boolean),
        Value::Null => Value::Null,
        Value::Error(error) => Value::Error(error),
        _ => Value::Error(RowError::InvalidArgument),
    }
}

fn each(vector: Vector<'_>, run: fn(Value<'_>) -> Value<'static>) -> Vector<'_> {
    match vector {
        Vector::Same(value) => Vector::Same(run(value)),
        Vector::Column(column) if column.booleans().is_some() => Vector::Column(column),
        Vector::Column(column) => column.values().map(run).collect::<Column>().into(),
        Vector::Texts(texts) => {
            texts.iter().map(|text| run(text.map_or(Value::Null, Value::Text))).collect::<Column>().into()
        }
    }
}

/// The values of a branch, all of one type and without gaps.
enum Values<'v, T> {
    Same(T),
    Each(&'v [T]),
}

/// The values of a branch, and the places where they belong.
type Branch<'v, T> = (Values<'v, T>, &'v [usize]);

fn numbers<'v>((vector, places): (&'v Vector<'_>, &'v [usize])) -> Option<Branch<'v, f64>> {
    match vector {
        _ if places.is_empty() => Some((Values::Each(&[]), places)),
        Vector::Same(Value::Number(number)) => Some((Values::Same(*number), places)),
        Vector::Column(column) if column.states().is_none() => Some((Values::Each(column.numbers()?), places)),
        _ => None,
    }
}

fn booleans<'v>((vector, places): (&'v Vector<'_>, &'v [usize])) -> Option<Branch<'v, bool>> {
    match vector {
        _ if places.is_empty() => Some((Values::Each(&[]), places)),
        Vector::Same(Value::Boolean(boolean)) => Some((Values::Same(*boolean), places)),
        Vector::Column(column) => Some((Values::Each(booleans_of(column)?), places)),
        _ => None,
    }
}

fn booleans_of(column: &Column) -> Option<&[bool]> {
    column.booleans().filter(|_| column.states().is_none())
}

/// The values with those of the branches in their places.
fn scattered<T: Copy>(mut values: Vec<T>, first: Branch<'_, T>, other: Branch<'_, T>) -> Vec<T> {
    for (of_branch, places) in [first, other] {
        match of_branch {
            Values::Same(value) => places.iter().for_each(|place| values[*place] = value),
            Values::Each(each) => places.iter().zip(each).for_each(|(place, value)| values[*place] = *value),
        }
    }
    values
}
