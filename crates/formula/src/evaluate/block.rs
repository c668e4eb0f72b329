//! The loop over the steps of a program, for one block of rows.

use super::{Costs, Halt, calls, choices::Choice, meter::Meter, selection::Selection, vector::Vector};
use crate::{
    column::{Column, Input},
    functions::MAX_TEXT,
    program::{Action, Program, Split},
    value::{OwnedValue, RowError, Value},
};

/// What a block reads.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    /// Rows of columns, from this one on.
    Columns(&'a [Input<'a>], usize),
    /// One row.
    Row(&'a [Value<'a>]),
}

pub(super) struct Block<'a, 'm> {
    program: &'a Program,
    source: Source<'a>,
    now: i64,
    rows: usize,
    meter: Meter<'m>,
    stack: Vec<Vector<'a>>,
    choices: Vec<Choice<'a>>,
    selection: Selection,
}

impl<'a, 'm> Block<'a, 'm> {
    pub(super) fn new(program: &'a Program, source: Source<'a>, now: i64, meter: Meter<'m>) -> Self {
        let rows = meter.rows();
        let (stack, choices, selection) = (Vec::with_capacity(8), Vec::new(), Selection::All(rows));
        Self { program, source, now, rows, meter, stack, choices, selection }
    }

    /// Runs all steps. Returns what each row has, and what it cost.
    pub(super) fn evaluate(mut self) -> Result<(Column, Costs), Halt> {
        let values = self.result()?.into_column(self.rows).with_one_zero();
        let values = self.limited(values);
        Ok((values, self.meter.costs(&self.selection, self.program.is_uniform)))
    }

    /// Runs all steps for a single row.
    pub(super) fn evaluate_row(mut self) -> Result<OwnedValue, Halt> {
        let vector = self.result()?;
        Ok(match vector.get(0) {
            _ if self.meter.check(0).is_err() => OwnedValue::Error(RowError::FormulaBudget),
            Value::Text(text) if text.len() > MAX_TEXT => OwnedValue::Error(RowError::FormulaBudget),
            Value::Number(number) => OwnedValue::Number(number + 0.0),
            value => value.into(),
        })
    }

    fn result(&mut self) -> Result<Vector<'a>, Halt> {
        let mut next = 0;
        while let Some(step) = self.program.steps.get(next) {
            self.meter.count(step.cost);
            next = self.step(step.action, next + 1)?;
        }
        Ok(self.pop())
    }

    /// Takes one step. Returns the number of the next one.
    fn step(&mut self, action: Action, next: usize) -> Result<usize, Halt> {
        let rows = self.selection.len();
        let vector = match action {
            Action::Constant(index) => {
                Vector::Same(self.program.constants.get(index).map_or(Value::Null, |constant| constant.as_value()))
            }
            Action::Input(index) => self.input(index),
            Action::Negate => calls::negate(&self.pop(), rows),
            Action::Not => calls::not(&self.pop(), rows),
            Action::Binary(operator) => {
                let right = self.pop();
                calls::binary(operator, &self.pop(), &right, rows)
            }
            Action::Call { function, arguments } => {
                let first = self.stack.len().saturating_sub(arguments);
                let vector = calls::call(function, &self.stack[first..], &self.selection, self.now, &mut self.meter)?;
                self.stack.truncate(first);
                vector
            }
            Action::Split { choice, next: behind } => return Ok(self.split(choice, next, behind)),
            Action::Otherwise { next: behind } => return Ok(self.otherwise(next, behind)),
            Action::Join => match self.choices.pop() {
                Some(choice) => {
                    let last = self.pop();
                    self.meter.settle(&self.selection);
                    let (vector, selection) = choice.join(last);
                    self.selection = selection;
                    vector
                }
                None => return Ok(next),
            },
        };
        self.stack.push(vector);
        Ok(next)
    }

    fn input(&self, index: usize) -> Vector<'a> {
        match self.source {
            Source::Columns(inputs, start) => match inputs.get(index) {
                Some(input) => Vector::load(input, start, &self.selection),
                None => Vector::Same(Value::Null),
            },
            Source::Row(values) => Vector::Same(values.get(index).copied().unwrap_or(Value::Null)),
        }
    }

    fn split(&mut self, split: Split, next: usize, behind: usize) -> usize {
        let condition = self.pop();
        self.meter.settle(&self.selection);
        let outer = std::mem::replace(&mut self.selection, Selection::All(0));
        let (choice, selection) = Choice::new(split, outer, condition);
        self.choices.push(choice);
        self.turn_to(selection, next, behind)
    }

    fn otherwise(&mut self, next: usize, behind: usize) -> usize {
        let first = self.pop();
        self.meter.settle(&self.selection);
        let selection = self.choices.last_mut().map_or(Selection::All(0), |choice| choice.turn(first));
        self.turn_to(selection, next, behind)
    }

    /// Goes into a branch, unless no row needs it.
    fn turn_to(&mut self, selection: Selection, next: usize, behind: usize) -> usize {
        self.selection = selection;
        if self.selection.len() > 0 {
            return next;
        }
        self.stack.push(Vector::Same(Value::Null));
        behind
    }

    fn pop(&mut self) -> Vector<'a> {
        self.stack.pop().unwrap_or(Vector::Same(Value::Null))
    }

    /// Replaces the results of rows that spent too much, and texts that are too long.
    fn limited(&self, values: Column) -> Column {
        let is_long = |value: Value<'_>| matches!(value, Value::Text(text) if text.len() > MAX_TEXT);
        if !self.meter.may_be_exceeded() && values.longest_text() <= MAX_TEXT {
            return values;
        }
        let limited = |(row, value)| {
            let is_exceeded = self.meter.check(row).is_err() || is_long(value);
            if is_exceeded { Value::Error(RowError::FormulaBudget) } else { value }
        };
        values.values().enumerate().map(limited).collect()
    }
}
