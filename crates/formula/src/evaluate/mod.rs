//! Evaluation of programs over columns.
//!
//! Rows are evaluated in blocks, each step for all rows of a block. An operator has one implementation, for a list of
//! values; a single row is a list of one. What only some rows need (the branches of `if`, the right side of `and`)
//! is evaluated for these rows alone.

mod block;
mod calls;
mod choices;
mod costs;
mod meter;
mod numeric;
mod selection;
mod vector;

pub use costs::Costs;

use crate::{
    column::{Column, Input},
    program::Program,
    value::{OwnedValue, Value},
};
use block::{Block, Source};
use meter::Meter;

/// What a formula may spend on one row: an operation for each literal, property, operator and call that is evaluated,
/// and one for every 64 bytes of the texts that its functions read and write.
pub const DEFAULT_BUDGET: u32 = 100_000;

/// As many rows as fit into the fast memory of a processor with a few steps of a formula.
const BLOCK: usize = 1024;

/// What an evaluation gets besides the program.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// A column for each of [`Program::inputs`].
    pub inputs: &'a [Input<'a>],
    /// How many rows there are.
    pub rows: usize,
    /// The present time, in milliseconds since the beginning of 1970.
    pub now: i64,
    /// How many operations a row may take.
    pub budget: u32,
    /// What the formulas that this one uses, directly or through others, have spent: each of them once.
    pub used: &'a [&'a Costs],
}

/// The results of a formula.
#[derive(Clone, Debug, Default)]
pub struct Computed {
    /// What it has in each row.
    pub values: Column,
    /// What it has spent itself. Formulas that use it count this as well.
    pub costs: Costs,
}

/// An evaluation was ended by its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the evaluation was interrupted")
    }
}

impl std::error::Error for Interrupted {}

impl<'a> Run<'a> {
    /// A run with the default budget, of a formula that uses no other.
    pub const fn new(inputs: &'a [Input<'a>], rows: usize, now: i64) -> Self {
        Self { inputs, rows, now, budget: DEFAULT_BUDGET, used: &[] }
    }
}

/// Why a block ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Halt {
    /// The caller says so.
    Interrupted,
    /// The texts of the block take too much memory. Fewer rows at a time take less.
    TooLarge,
}

impl Program {
    /// Evaluates the formula for all rows. `is_over` is asked every some hundred microseconds whether to give up.
    pub fn evaluate(&self, run: &Run<'_>, is_over: &mut dyn FnMut() -> bool) -> Result<Computed, Interrupted> {
        let mut values = Column::default();
        let costs = self.evaluate_blocks(run, is_over, &mut |block| values.append(block))?;
        Ok(Computed { values, costs })
    }

    /// Like [`Program::evaluate`], but passes on the results of some rows at a time, so that the results of all rows need
    /// not be in memory. Returns what each row has cost. `is_over` is also asked before each block of rows.
    pub fn evaluate_blocks(
        &self,
        run: &Run<'_>,
        is_over: &mut dyn FnMut() -> bool,
        take: &mut dyn FnMut(Column),
    ) -> Result<Costs, Interrupted> {
        let mut all = Costs::default();
        let (mut start, mut size) = (0, BLOCK);
        while start < run.rows {
            if is_over() {
                return Err(Interrupted);
            }
            let rows = size.min(run.rows - start);
            let meter = Meter::new(start, rows, run.budget, run.used, is_over);
            match Block::new(self, Source::Columns(run.inputs, start), run.now, meter).evaluate() {
                Ok((values, costs)) => {
                    take(values);
                    all.append(start, costs);
                    start += rows;
                    size = (size * 2).min(BLOCK);
                }
                Err(Halt::TooLarge) => size = (rows / 16).max(1),
                Err(Halt::Interrupted) => return Err(Interrupted),
            }
        }
        Ok(all)
    }

    /// Evaluates the formula for one row, with a value for each of [`Program::inputs`].
    pub fn evaluate_row(&self, values: &[Value<'_>], now: i64, budget: u32) -> OwnedValue {
        let mut is_over = || false;
        let meter = Meter::new(0, 1, budget, &[], &mut is_over);
        // A single row is neither interrupted nor too large.
        Block::new(self, Source::Row(values), now, meter).evaluate_row().unwrap_or(OwnedValue::Null)
    }
}
