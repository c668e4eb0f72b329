//! Memory for argon2, reused from one job to the next.
//!
//! Fresh memory causes a page fault for each page: that costs a third of a hash, and it would affect each thread
//! again. It would slow sign-in down and make the duration of equal work vary.

use argon2::Block;
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// How long unused memory is kept: at least this long, at most twice as long. A server without sign-ins keeps none.
pub(super) const KEPT: Duration = Duration::from_secs(2);

#[derive(Default)]
pub(super) struct Memory(Mutex<Unused>);

#[derive(Default)]
struct Unused {
    memory: Vec<Vec<Block>>,
    /// Whether a job has run since the last check.
    touched: bool,
    watched: bool,
}

impl Memory {
    /// Runs a job with `blocks` blocks of memory, whatever their content.
    pub(super) fn run<T>(&self, blocks: usize, job: impl FnOnce(&mut [Block]) -> T) -> T {
        let mut memory = self.unused().memory.pop().unwrap_or_default();
        if memory.len() != blocks {
            memory = vec![Block::new(); blocks];
        }
        let result = job(&mut memory);
        self.unused().memory.push(memory);
        result
    }

    /// Starts a task that frees the memory when no job has run for a while.
    pub(super) fn release_when_idle(self: &Arc<Self>) {
        let mut unused = self.unused();
        unused.touched = true;
        if !std::mem::replace(&mut unused.watched, true) {
            tokio::spawn(Arc::clone(self).watch());
        }
    }

    async fn watch(self: Arc<Self>) {
        loop {
            tokio::time::sleep(KEPT).await;
            let mut unused = self.unused();
            if !std::mem::take(&mut unused.touched) {
                *unused = Unused::default();
                return;
            }
        }
    }

    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        self.unused().memory.len()
    }

    fn unused(&self) -> MutexGuard<'_, Unused> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
