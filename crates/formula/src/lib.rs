#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

mod check;
mod column;
mod compile;
mod describe;
mod evaluate;
mod functions;
#[cfg(test)]
mod fuzz;
mod names;
mod operators;
mod order;
mod position;
mod program;
mod syntax;
#[cfg(test)]
mod tests;
mod types;
mod value;

pub use check::{Checked, Mismatch, check};
pub use column::{Column, Input, Presence, Rows, State, Times};
pub use compile::compile;
pub use describe::describe;
pub use evaluate::{Computed, Costs, DEFAULT_BUDGET, Interrupted, Run};
pub use functions::{Count, Function, MAX_TEXT, Parameter, function, functions};
pub use names::{Named, bind, properties, show};
pub use operators::{OPERATORS, Operator, OperatorNote};
pub use order::{Order, order};
pub use position::Position;
pub use program::{Clock, Program};
pub use syntax::{Expr, MAX_BYTES, MAX_DEPTH, Mistake, SyntaxError, parse};
pub use types::Types;
pub use value::{Date, OwnedValue, RowError, Unit, Value};

/// The checks shared with the fuzz target refer to this crate by its name.
#[cfg(test)]
extern crate self as octavo_formula;
