//! Work that takes the processor's time: reading and writing documents, hashing passwords.

use async_trait::async_trait;
use octavo_core_model::{cancellation::Cancellation, fault::ComputeFault};
use std::{
    any::Any,
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// Documents of more bytes than that are long ones.
const SHORT_BYTES: usize = 64 << 10;

/// Pages of more blocks than that are long ones.
const SHORT_BLOCKS: usize = 500;

/// Which jobs share a queue and threads. Each kind has its own, so that none of them waits for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WorkKind {
    /// A few milliseconds.
    Short,
    /// Up to seconds, and much memory.
    Long,
    Hashing,
}

impl WorkKind {
    pub const ALL: [Self; 3] = [Self::Short, Self::Long, Self::Hashing];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Long => "long",
            Self::Hashing => "hashing",
        }
    }

    /// What reading a document of that length is.
    pub const fn of_bytes(bytes: usize) -> Self {
        if bytes > SHORT_BYTES { Self::Long } else { Self::Short }
    }

    /// What writing a page of so many blocks is.
    pub const fn of_blocks(blocks: usize) -> Self {
        if blocks > SHORT_BLOCKS { Self::Long } else { Self::Short }
    }
}

/// One job. It looks at the flag now and then and ends early once that is raised.
pub type Work = Box<dyn FnOnce(&Cancellation) + Send>;

/// A place among the jobs of a kind that run at the same time. Whoever holds what a job made keeps its turn until that is let go of, so that
/// the number of turns bounds the memory too.
pub struct Turn(#[expect(dead_code, reason = "held only")] Option<Box<dyn Any + Send>>);

impl Turn {
    pub fn new(held: impl Any + Send) -> Self {
        Self(Some(Box::new(held)))
    }

    /// The turn of a job that bounds nothing.
    pub const fn unbounded() -> Self {
        Self(None)
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Turn")
    }
}

/// Runs jobs away from the threads that serve requests: a bounded number at a time, and a bounded number of others that wait.
#[async_trait]
pub trait ComputePool: Send + Sync {
    /// Runs one job and returns when it is done, at the latest after `within`, waiting included. A job whose caller stopped waiting before it
    /// began never runs; one that runs already is told to stop.
    async fn run(&self, kind: WorkKind, within: Duration, work: Work) -> Result<Turn, ComputeFault>;
}

/// Runs a job that makes something.
pub async fn compute<T: Send + 'static>(
    pool: &dyn ComputePool,
    kind: WorkKind,
    within: Duration,
    work: impl FnOnce(&Cancellation) -> T + Send + 'static,
) -> Result<(T, Turn), ComputeFault> {
    let made = Arc::new(Mutex::new(None));
    let into = Arc::clone(&made);
    let work = move |cancellation: &Cancellation| {
        let value = work(cancellation);
        *into.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    };
    let turn = pool.run(kind, within, Box::new(work)).await?;
    let value = made.lock().unwrap_or_else(PoisonError::into_inner).take();
    value.map(|value| (value, turn)).ok_or(ComputeFault::Failed)
}

/// Runs each job at once on the thread that asks, for programs that serve nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct InPlace;

#[async_trait]
impl ComputePool for InPlace {
    async fn run(&self, _: WorkKind, _: Duration, work: Work) -> Result<Turn, ComputeFault> {
        work(&Cancellation::default());
        Ok(Turn::unbounded())
    }
}
