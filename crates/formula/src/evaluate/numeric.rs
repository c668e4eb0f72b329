//! Steps on numbers only, for all rows at once: loops without branches, which the compiler turns into instructions
//! that handle several numbers each.

use super::vector::Vector;
use crate::{
    column::{Column, State},
    operators::{Operator, OperatorKind},
    value::{RowError, Value},
};

/// Numbers of a vector that has nothing else.
#[derive(Clone, Copy)]
enum Numbers<'v> {
    Same(f64),
    Each(&'v [f64], &'v [State]),
}

impl<'v> Numbers<'v> {
    fn of(vector: &'v Vector<'_>) -> Option<Self> {
        match vector {
            Vector::Same(Value::Number(number)) => Some(Self::Same(*number)),
            Vector::Column(column) => Some(Self::Each(column.numbers()?, column.states().unwrap_or(&[]))),
            _ => None,
        }
    }

    const fn states(self) -> &'v [State] {
        match self {
            Self::Same(_) => &[],
            Self::Each(_, states) => states,
        }
    }

    fn get(self, place: usize) -> f64 {
        match self {
            Self::Same(number) => number,
            Self::Each(numbers, _) => numbers.get(place).copied().unwrap_or_default(),
        }
    }
}

/// An operator between two vectors of numbers; `None` if they are something else.
pub(super) fn binary<'a>(operator: Operator, left: &Vector<'a>, right: &Vector<'a>) -> Option<Vector<'a>> {
    let (left, right) = (Numbers::of(left)?, Numbers::of(right)?);
    // Two constants are one value and no column.
    if let (Numbers::Same(_), Numbers::Same(_)) = (left, right) {
        return None;
    }
    let states = states(left.states(), right.states());
    if operator.kind() == OperatorKind::Comparison {
        let booleans = compared(operator, left, right);
        return Some(Column::of_booleans(booleans, states).into());
    }
    // A match outside of the loops, so that each has the operation inlined.
    let numbers = match operator {
        Operator::Add => zip(left, right, |a, b| Operator::Add.compute(a, b)),
        Operator::Subtract => zip(left, right, |a, b| Operator::Subtract.compute(a, b)),
        Operator::Multiply => zip(left, right, |a, b| Operator::Multiply.compute(a, b)),
        Operator::Divide => zip(left, right, |a, b| Operator::Divide.compute(a, b)),
        other => zip(left, right, |a, b| other.compute(a, b)),
    };
    let reason = |place| operator.reason(left.get(place), right.get(place));
    Some(finite(numbers, states, reason))
}

#[expect(clippy::float_cmp, reason = "numbers are equal or not; nobody can say which difference would not count")]
fn compared(operator: Operator, left: Numbers<'_>, right: Numbers<'_>) -> Vec<bool> {
    match operator {
        Operator::Equal => zip(left, right, |a, b| a == b),
        Operator::NotEqual => zip(left, right, |a, b| a != b),
        Operator::Less => zip(left, right, |a, b| a < b),
        Operator::AtMost => zip(left, right, |a, b| a <= b),
        Operator::Greater => zip(left, right, |a, b| a > b),
        _ => zip(left, right, |a, b| a >= b),
    }
}

/// A function of one number.
pub(super) fn unary<'a>(run: fn(f64) -> f64, operand: &Vector<'a>) -> Option<Vector<'a>> {
    let Numbers::Each(numbers, states) = Numbers::of(operand)? else { return None };
    let computed = numbers.iter().map(|number| run(*number)).collect();
    Some(finite(computed, states.to_vec(), |_| RowError::InvalidArgument))
}

/// A function of one number after the other.
pub(super) fn fold<'a>(run: fn(f64, f64) -> f64, operands: &[Vector<'a>]) -> Option<Vector<'a>> {
    let operands = operands.iter().map(Numbers::of).collect::<Option<Vec<_>>>()?;
    let rows = operands.iter().find_map(|operand| match operand {
        Numbers::Same(_) => None,
        Numbers::Each(numbers, _) => Some(numbers.len()),
    })?;
    let (first, others) = operands.split_first()?;
    let mut computed: Vec<f64> = (0..rows).map(|place| first.get(place)).collect();
    let mut combined = first.states().to_vec();
    for operand in others {
        match operand {
            Numbers::Same(number) => computed.iter_mut().for_each(|result| *result = run(*result, *number)),
            Numbers::Each(numbers, _) => {
                computed.iter_mut().zip(*numbers).for_each(|(result, number)| *result = run(*result, *number));
            }
        }
        combined = states(&combined, operand.states());
    }
    Some(finite(computed, combined, |_| RowError::InvalidArgument))
}

fn zip<T>(left: Numbers<'_>, right: Numbers<'_>, run: impl Fn(f64, f64) -> T) -> Vec<T> {
    match (left, right) {
        (Numbers::Each(left, _), Numbers::Each(right, _)) => left.iter().zip(right).map(|(a, b)| run(*a, *b)).collect(),
        (Numbers::Each(left, _), Numbers::Same(b)) => left.iter().map(|a| run(*a, b)).collect(),
        (Numbers::Same(a), Numbers::Each(right, _)) => right.iter().map(|b| run(a, *b)).collect(),
        (Numbers::Same(a), Numbers::Same(b)) => vec![run(a, b)],
    }
}

/// The states of what is computed from two operands.
pub(super) fn states(left: &[State], right: &[State]) -> Vec<State> {
    match (left, right) {
        ([], states) | (states, []) => states.to_vec(),
        (left, right) => left.iter().zip(right).map(|(left, right)| left.with(*right)).collect(),
    }
}

/// A column in which numbers that are not finite have become errors.
fn finite<'a>(mut numbers: Vec<f64>, mut states: Vec<State>, reason: impl Fn(usize) -> RowError) -> Vector<'a> {
    if !numbers.iter().fold(true, |all, number| all & number.is_finite()) {
        states.resize(numbers.len(), State::Value);
        let wrong = numbers.iter_mut().zip(&mut states).enumerate().filter(|(_, (number, _))| !number.is_finite());
        for (place, (number, state)) in wrong {
            // Rows without a value have any number, and so any result.
            if *state == State::Value {
                *state = State::Error(reason(place));
            }
            *number = 0.0;
        }
    }
    Column::of_numbers(numbers, states).without_full_states().into()
}

/// A comparison of two dates, or of two booleans, in every row.
pub(super) fn comparison<'a>(operator: Operator, left: &Vector<'a>, right: &Vector<'a>) -> Option<Vector<'a>> {
    fn compared<T: Copy>(
        left: &[T],
        other: Option<&[T]>,
        same: Option<T>,
        holds: impl Fn(T, T) -> bool,
    ) -> Option<Vec<bool>> {
        match (other, same) {
            (Some(right), _) => Some(left.iter().zip(right).map(|(a, b)| holds(*a, *b)).collect()),
            (None, Some(right)) => Some(left.iter().map(|a| holds(*a, right)).collect()),
            (None, None) => None,
        }
    }
    let Vector::Column(left) = left else { return None };
    if operator.kind() != OperatorKind::Comparison {
        return None;
    }
    let (right, same) = match right {
        Vector::Column(right) => (Some(&**right), Value::Null),
        Vector::Same(value) => (None, *value),
        Vector::Texts(_) => return None,
    };
    let booleans = if let Some(dates) = left.dates() {
        let same = if let Value::Date(date) = same { Some(date) } else { None };
        compared(dates, right.and_then(Column::dates), same, |a, b| operator.holds(a.compare(b)))?
    } else {
        let same = if let Value::Boolean(boolean) = same { Some(boolean) } else { None };
        let holds = |a: bool, b: bool| operator.holds(a.cmp(&b));
        compared(left.booleans()?, right.and_then(Column::booleans), same, holds)?
    };
    let of_right = right.and_then(Column::states).unwrap_or(&[]);
    Some(Column::of_booleans(booleans, states(left.states().unwrap_or(&[]), of_right)).into())
}
