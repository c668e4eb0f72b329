//! Ends a search that nobody waits for.

use crate::Failure;
use octavo_core_model::cancellation::Cancellation;
use std::cell::Cell;

/// How many steps are made between two looks.
const STEPS: usize = 2_048;

/// Looks now and then whether to go on.
pub(crate) struct Stop<'a> {
    cancellation: &'a Cancellation,
    steps: Cell<usize>,
}

impl<'a> Stop<'a> {
    pub(crate) const fn new(cancellation: &'a Cancellation) -> Self {
        Self { cancellation, steps: Cell::new(0) }
    }

    /// Notes one step of the search. Some of these look whether it was cancelled.
    pub(crate) fn step(&self) -> crate::Result<()> {
        let steps = self.steps.get() + 1;
        self.steps.set(steps);
        if steps.is_multiple_of(STEPS) && self.cancellation.is_cancelled() { Err(Failure::Cancelled) } else { Ok(()) }
    }
}
