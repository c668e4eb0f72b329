//! Memory that argon2 works in, handed on from one job to the next.
//!
//! Memory fresh from the operating system costs a fault for each of its pages: a third of a hash, and another share on each thread. That
//! would slow sign-in down and make equal work take unequal time.

use argon2::Block;
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// How long memory waits for a next job, at least; at most twice as long. A server that nobody signs in to holds none.
pub(super) const KEPT: Duration = Duration::from_secs(2);

#[derive(Default)]
pub(super) struct Memory(Mutex<Unused>);

#[derive(Default)]
struct Unused {
    memory: Vec<Vec<Block>>,
    /// Whether a job came since the watch looked last.
    touched: bool,
    watched: bool,
}

impl Memory {
    /// Runs a job in `blocks` blocks of memory, of whatever content.
    pub(super) fn lend<T>(&self, blocks: usize, job: impl FnOnce(&mut [Block]) -> T) -> T {
        let mut memory = self.unused().memory.pop().unwrap_or_default();
        if memory.len() != blocks {
            memory = vec![Block::new(); blocks];
        }
        let result = job(&mut memory);
        self.unused().memory.push(memory);
        result
    }

    /// Sees to it that the memory goes back once no job has come for a while.
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
