//! Ends a search that nobody waits for.

use crate::Failure;
use octavo_core_model::cancellation::Cancellation;

/// How many steps are made between two looks.
const STEPS: usize = 2_048;

/// Looks now and then whether to go on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop<'a>(pub(crate) &'a Cancellation);

impl Stop<'_> {
    /// Looks if the number of steps is one at which to look.
    pub(crate) fn check_now_and_then(self, step: usize) -> crate::Result<()> {
        if step.is_multiple_of(STEPS) && self.0.is_cancelled() { Err(Failure::Cancelled) } else { Ok(()) }
    }
}
