//! Counts what a block of rows costs: operations for each row, time and memory for all of them.

use super::{Costs, Halt, selection::Selection};
use crate::value::RowError;

/// How many bytes a text function handles for one operation.
const BYTES: usize = 64;

/// After so many operations on texts the caller is asked whether to go on; they take some hundred microseconds.
const BETWEEN_QUESTIONS: usize = 50_000;

/// A block of more than one row is given up when its texts take more memory than this.
const MOST_BYTES: usize = 8 * 1024 * 1024;

pub(super) struct Meter<'a> {
    rows: usize,
    budget: u32,
    is_over: &'a mut dyn FnMut() -> bool,
    /// What each row has spent itself on texts and in branches; empty as long as none has.
    spent: Vec<u32>,
    /// What all rows have spent.
    by_all: u32,
    /// What the selected rows have spent since the selection was made.
    pending: u32,
    /// What the formulas that are used have spent in each row.
    used: Vec<u32>,
    since_question: usize,
    bytes: usize,
}

impl<'a> Meter<'a> {
    pub(super) fn new(
        start: usize,
        rows: usize,
        budget: u32,
        used: &[&Costs],
        is_over: &'a mut dyn FnMut() -> bool,
    ) -> Self {
        let of_row = |row| used.iter().fold(0_u32, |sum, costs| sum.saturating_add(costs.get(row)));
        let used = if used.is_empty() { Vec::new() } else { (start..start + rows).map(of_row).collect() };
        let (spent, by_all, pending, since_question, bytes) = (Vec::new(), 0, 0, 0, 0);
        Self { rows, budget, is_over, spent, by_all, pending, used, since_question, bytes }
    }

    pub(super) const fn rows(&self) -> usize {
        self.rows
    }

    /// Counts operations for each selected row.
    pub(super) fn count(&mut self, operations: u32) {
        self.pending = self.pending.saturating_add(operations);
    }

    /// Charges the selected rows with what has been counted; before another selection is made.
    pub(super) fn settle(&mut self, selection: &Selection) {
        let pending = std::mem::take(&mut self.pending);
        match selection {
            Selection::All(_) => self.by_all = self.by_all.saturating_add(pending),
            Selection::Rows(rows) => {
                for row in rows {
                    self.spend(*row, pending);
                }
            }
        }
    }

    /// Charges a row with the texts that a function has read or written.
    pub(super) fn charge(&mut self, row: usize, bytes: usize) {
        let operations = bytes / BYTES;
        self.since_question += operations + 1;
        self.spend(row, u32::try_from(operations).unwrap_or(u32::MAX));
    }

    fn spend(&mut self, row: usize, operations: u32) {
        if self.spent.is_empty() {
            self.spent.resize(self.rows, 0);
        }
        if let Some(spent) = self.spent.get_mut(row) {
            *spent = spent.saturating_add(operations);
        }
    }

    /// An error if a row has spent its budget.
    pub(super) fn check(&self, row: usize) -> Result<(), RowError> {
        let used = self.used.get(row).copied().unwrap_or_default();
        let spent = self.spent.get(row).copied().unwrap_or_default();
        let own = spent.saturating_add(self.by_all).saturating_add(self.pending);
        if own.saturating_add(used) > self.budget { Err(RowError::FormulaBudget) } else { Ok(()) }
    }

    /// Notes that a text of so many bytes is kept.
    pub(super) fn keep(&mut self, bytes: usize) {
        self.bytes += bytes;
    }

    /// Whether the block has to end; asks the caller from time to time.
    pub(super) fn go_on(&mut self) -> Result<(), Halt> {
        if self.bytes > MOST_BYTES && self.rows > 1 {
            return Err(Halt::TooLarge);
        }
        if self.since_question < BETWEEN_QUESTIONS {
            return Ok(());
        }
        self.since_question = 0;
        if (self.is_over)() { Err(Halt::Interrupted) } else { Ok(()) }
    }

    /// Whether a row may have spent its budget; if not, no row has to be checked.
    pub(super) fn may_be_exceeded(&self) -> bool {
        let most = |costs: &[u32]| costs.iter().copied().max().unwrap_or_default();
        let own = most(&self.spent).saturating_add(self.by_all).saturating_add(self.pending);
        own.saturating_add(most(&self.used)) > self.budget
    }

    /// What the formula has spent itself.
    pub(super) fn costs(mut self, selection: &Selection, is_uniform: bool) -> Costs {
        self.settle(selection);
        if is_uniform {
            return Costs::Same(self.by_all);
        }
        self.spent.resize(self.rows, 0);
        Costs::Each(self.spent.into_iter().map(|spent| spent.saturating_add(self.by_all)).collect())
    }
}
