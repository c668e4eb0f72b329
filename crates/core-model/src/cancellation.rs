//! Cancelling work that nobody waits for any more.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// A flag that the caller of some work sets and the work checks now and then. All clones share one flag.
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    /// Raises the flag.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is raised.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
