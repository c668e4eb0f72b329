//! Processor-heavy work: reading and writing documents, hashing passwords.

use async_trait::async_trait;
use octavo_core_model::{cancellation::Cancellation, fault::ComputeFault, id::UserId};
use std::{
    any::Any,
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// Documents with more bytes than this are long ones.
const SHORT_BYTES: usize = 64 << 10;

/// Pages with more blocks than this are long ones.
const SHORT_BLOCKS: usize = 500;

/// Which jobs share a queue and threads. Each kind has its own, so that no kind waits for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WorkKind {
    /// Takes a few milliseconds.
    Short,
    /// Takes up to seconds, and much memory.
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

    /// The kind of job for parsing a document of this length.
    pub const fn of_bytes(bytes: usize) -> Self {
        if bytes > SHORT_BYTES { Self::Long } else { Self::Short }
    }

    /// The kind of job for writing a page with this many blocks.
    pub const fn of_blocks(blocks: usize) -> Self {
        if blocks > SHORT_BLOCKS { Self::Long } else { Self::Short }
    }
}

/// On whose behalf a job runs. Owners that wait in a queue are served in rotation, and only the server may fill it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JobOwner {
    /// A person, whether they call themselves or through an app or an API key that they made.
    User(UserId),
    /// All callers without an account together.
    Anonymous,
    /// The server itself, which may fill a queue.
    Server,
}

/// One job. It checks the flag now and then and ends early once the flag is set.
pub type Work = Box<dyn FnOnce(&Cancellation) + Send>;

/// A slot among the jobs of a kind that run at the same time. Keep it for as long as the result of the job is in
/// memory: the number of slots bounds the memory too.
pub struct Turn(#[expect(dead_code, reason = "held only")] Option<Box<dyn Any + Send>>);

impl Turn {
    pub fn new(held: impl Any + Send) -> Self {
        Self(Some(Box::new(held)))
    }

    /// A turn that takes no slot.
    pub const fn unbounded() -> Self {
        Self(None)
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Turn")
    }
}

/// Runs jobs outside of the threads that serve requests: a bounded number at a time, with a bounded queue.
#[async_trait]
pub trait ComputePool: Send + Sync {
    /// Runs one job and returns when it is done, or after `within` at the latest, including the time in the queue. If
    /// the caller stops waiting before the job starts, it never runs; if it is running, it is told to stop.
    async fn run(&self, kind: WorkKind, owner: JobOwner, within: Duration, work: Work) -> Result<Turn, ComputeFault>;
}

/// Runs a job and returns its result.
pub async fn compute<T: Send + 'static>(
    pool: &dyn ComputePool,
    kind: WorkKind,
    owner: JobOwner,
    within: Duration,
    work: impl FnOnce(&Cancellation) -> T + Send + 'static,
) -> Result<(T, Turn), ComputeFault> {
    let made = Arc::new(Mutex::new(None));
    let into = Arc::clone(&made);
    let work = move |cancellation: &Cancellation| {
        let value = work(cancellation);
        *into.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    };
    let turn = pool.run(kind, owner, within, Box::new(work)).await?;
    let value = made.lock().unwrap_or_else(PoisonError::into_inner).take();
    value.map(|value| (value, turn)).ok_or(ComputeFault::Failed)
}

/// Runs each job immediately on the calling thread, for programs that serve no requests.
#[derive(Clone, Copy, Debug, Default)]
pub struct InPlace;

#[async_trait]
impl ComputePool for InPlace {
    async fn run(&self, _: WorkKind, _: JobOwner, _: Duration, work: Work) -> Result<Turn, ComputeFault> {
        work(&Cancellation::default());
        Ok(Turn::unbounded())
    }
}
