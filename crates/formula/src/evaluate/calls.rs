//! Calls of functions, and operators, for one row after the other.

use super::{Halt, meter::Meter, numeric, selection::Selection, vector::Vector};
use crate::{
    column::Column,
    functions::{Action, Cost, Function, MAX_TEXT, Nulls, Output, Scope},
    operators::Operator,
    value::{RowError, Value},
};

/// Calls a function for every selected row.
pub(super) fn call<'a>(
    function: &'static Function,
    arguments: &[Vector<'a>],
    selection: &Selection,
    now: i64,
    meter: &mut Meter<'_>,
) -> Result<Vector<'a>, Halt> {
    let at_once = match (function.action, arguments) {
        (Action::Number(run), [operand]) => numeric::unary(run, operand),
        (Action::Fold(run), operands) => numeric::fold(run, operands),
        _ => None,
    };
    if let Some(vector) = at_once {
        return Ok(vector);
    }
    let are_alike = arguments.iter().all(|argument| matches!(argument, Vector::Same(_)));
    let is_alike = are_alike && (function.cost == Cost::Flat || selection.len() == 1);
    let mut column = Column::default();
    let mut text = String::new();
    let mut values = Vec::with_capacity(arguments.len());
    for (place, row) in selection.rows().enumerate() {
        values.clear();
        text.clear();
        let mut met = Met::default();
        for argument in arguments {
            let value = argument.get(place);
            met.note(value);
            values.push(value);
        }
        let output = match met {
            Met { error: Some(error), .. } => Err(error),
            Met { is_null: true, .. } if function.nulls == Nulls::Spread => Ok(Output::Value(Value::Null)),
            Met { bytes, .. } => charged(function, &values, bytes, &mut Scope { now, text: &mut text }, row, meter),
        };
        let value = match output {
            Ok(Output::Value(value)) => value,
            Ok(Output::Text) => Value::Text(&text),
            Ok(Output::Argument(index)) => values.get(index).copied().unwrap_or(Value::Null),
            Err(error) => Value::Error(error),
        };
        if is_alike && let Some(value) = detached(value) {
            return Ok(Vector::Same(value));
        }
        if let Value::Text(text) = value {
            meter.keep(text.len());
        }
        column.push(value);
        meter.go_on()?;
    }
    Ok(column.into())
}

/// The value, unless it is a text, which belongs to somebody.
const fn detached(value: Value<'_>) -> Option<Value<'static>> {
    Some(match value {
        Value::Null => Value::Null,
        Value::Number(number) => Value::Number(number),
        Value::Boolean(boolean) => Value::Boolean(boolean),
        Value::Date(date) => Value::Date(date),
        Value::Error(error) => Value::Error(error),
        Value::Text(_) => return None,
    })
}

/// What there is among the arguments of a row.
#[derive(Default)]
struct Met {
    /// The first error.
    error: Option<RowError>,
    is_null: bool,
    /// The length of all texts.
    bytes: usize,
}

impl Met {
    fn note(&mut self, value: Value<'_>) {
        match value {
            Value::Error(error) => self.error = self.error.or(Some(error)),
            Value::Null => self.is_null = true,
            Value::Text(text) => self.bytes += text.len(),
            _ => {}
        }
    }
}

/// Calls a function within the budget of a row, and counts the texts that it reads and writes.
fn charged(
    function: &Function,
    values: &[Value<'_>],
    read: usize,
    scope: &mut Scope<'_>,
    row: usize,
    meter: &mut Meter<'_>,
) -> Result<Output, RowError> {
    if function.cost == Cost::Flat {
        return apply(function, values, scope);
    }
    meter.check(row)?;
    let output = apply(function, values, scope)?;
    meter.charge(row, read + scope.text.len());
    if scope.text.len() > MAX_TEXT { Err(RowError::FormulaBudget) } else { Ok(output) }
}

fn apply(function: &Function, values: &[Value<'_>], scope: &mut Scope<'_>) -> Result<Output, RowError> {
    let number = |value: &Value<'_>| match value {
        Value::Number(number) => Ok(*number),
        _ => Err(RowError::InvalidArgument),
    };
    let output = match (function.action, values) {
        (Action::Number(run), [value]) => Output::Value(Value::Number(run(number(value)?))),
        (Action::Fold(run), [first, others @ ..]) => {
            let folded = others.iter().try_fold(number(first)?, |result, value| Ok(run(result, number(value)?)))?;
            Output::Value(Value::Number(folded))
        }
        (Action::General(run), values) => run(values, scope)?,
        _ => Output::Value(Value::Null),
    };
    match output {
        Output::Value(Value::Number(number)) if !number.is_finite() => Err(RowError::InvalidArgument),
        output => Ok(output),
    }
}

/// An operator between two vectors.
pub(super) fn binary<'a>(operator: Operator, left: &Vector<'a>, right: &Vector<'a>, rows: usize) -> Vector<'a> {
    if let Some(vector) = numeric::binary(operator, left, right) {
        return vector;
    }
    if let Some(vector) = numeric::comparison(operator, left, right) {
        return vector;
    }
    if let (Vector::Same(left), Vector::Same(right)) = (left, right) {
        return Vector::Same(of_two(operator, *left, *right));
    }
    (0..rows).map(|place| of_two(operator, left.get(place), right.get(place))).collect::<Column>().into()
}

fn of_two(operator: Operator, left: Value<'_>, right: Value<'_>) -> Value<'static> {
    match (left, right) {
        (Value::Error(error), _) | (_, Value::Error(error)) => Value::Error(error),
        (Value::Null, _) | (_, Value::Null) => Value::Null,
        _ => operator.apply(left, right).unwrap_or_else(Value::Error),
    }
}

/// The negative numbers.
pub(super) fn negate<'a>(operand: &Vector<'a>, rows: usize) -> Vector<'a> {
    numeric::unary(|number| -number, operand).unwrap_or_else(|| {
        each(operand, rows, |value| match value {
            Value::Number(number) => Value::Number(-number),
            _ => Value::Error(RowError::InvalidArgument),
        })
    })
}

/// The opposite booleans.
pub(super) fn not<'a>(operand: &Vector<'a>, rows: usize) -> Vector<'a> {
    each(operand, rows, |value| match value {
        Value::Boolean(boolean) => Value::Boolean(!boolean),
        _ => Value::Error(RowError::InvalidArgument),
    })
}

/// What becomes of every value that is neither null nor an error.
fn each<'a>(operand: &Vector<'a>, rows: usize, run: impl Fn(Value<'_>) -> Value<'static>) -> Vector<'a> {
    let of_one = |value: Value<'_>| match value {
        Value::Null => Value::Null,
        Value::Error(error) => Value::Error(error),
        value => run(value),
    };
    match operand {
        Vector::Same(value) => Vector::Same(of_one(*value)),
        operand => (0..rows).map(|place| of_one(operand.get(place))).collect::<Column>().into(),
    }
}
