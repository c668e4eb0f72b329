//! Formulas in the form in which they are evaluated: steps over a stack, without recursion.

use crate::{functions::Function, operators::Operator, types::Types, value::OwnedValue};

/// A compiled formula. It can be evaluated any number of times, on any threads.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) steps: Vec<Step>,
    pub(crate) constants: Vec<OwnedValue>,
    pub(crate) inputs: Vec<String>,
    pub(crate) clock: Clock,
    pub(crate) result: Types,
    /// Whether every row takes the same operations: no choices, and no function whose cost depends on texts.
    pub(crate) is_uniform: bool,
}

/// What a formula reads of the present time, and so when its results grow old by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Clock {
    /// Nothing: the results change only with the values of the record.
    Unused,
    /// The day: `today()`.
    Day,
    /// The time: `now()`.
    Time,
}

/// One step, and how many operations it counts for. A constant that was computed beforehand counts for all the nodes
/// that it replaces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) action: Action,
    pub(crate) cost: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Action {
    /// Pushes a constant.
    Constant(usize),
    /// Pushes the values of an input.
    Input(usize),
    Negate,
    Not,
    Binary(Operator),
    Call {
        function: &'static Function,
        arguments: usize,
    },
    /// Pops a condition and narrows the rows to those that need the branch that follows. If there are none, goes on at
    /// `next`, the step behind the branch.
    Split {
        choice: Split,
        next: usize,
    },
    /// Pops what the first branch gave and turns to the rows that need the other one. If there are none, goes on at
    /// `next`, the step behind that branch.
    Otherwise {
        next: usize,
    },
    /// Pops what the last branch gave, returns to all rows and pushes what each of them got.
    Join,
}

/// Which rows need the branch behind a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Split {
    /// Those in which the condition is true; those in which it is false need the other branch.
    If,
    /// Those in which it is true; false is the result of the others.
    And,
    /// Those in which it is false; true is the result of the others.
    Or,
}

impl Program {
    /// The properties that it reads, as they are named in the formula. Evaluation takes a column for each, in this
    /// order.
    pub fn inputs(&self) -> &[String] {
        &self.inputs
    }

    /// What it reads of the present time.
    pub const fn clock(&self) -> Clock {
        self.clock
    }

    /// The types that its results can have, as far as they are known without the types of its inputs.
    pub const fn result(&self) -> Types {
        self.result
    }
}
