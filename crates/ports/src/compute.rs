//! Processor-heavy work: reading and writing documents, hashing passwords.

use async_trait::async_trait;
use octavo_core_model::{
    cancellation::Cancellation,
    fault::ComputeFault,
    id::{UserId, WorkspaceId},
    network::prefix_64,
};
use std::{
    any::Any,
    fmt,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// Documents with more bytes than this are long ones.
const SHORT_BYTES: usize = 64 << 10;

/// Pages with more blocks than this are long ones.
pub const SHORT_BLOCKS: usize = 500;

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

    /// The kind of job for text of this length.
    pub const fn of_bytes(bytes: usize) -> Self {
        if bytes > SHORT_BYTES { Self::Long } else { Self::Short }
    }

    /// The kind of job for a page with this many blocks, whose content has this many bytes.
    pub const fn of_page(blocks: u64, bytes: u64) -> Self {
        if blocks > SHORT_BLOCKS as u64 || bytes > SHORT_BYTES as u64 { Self::Long } else { Self::Short }
    }

    /// The kind of job for parsing a document. In any format, roughly each line, tag or object may become a block.
    pub fn of_text(text: &str) -> Self {
        let mut beginnings = text.bytes().filter(|byte| matches!(byte, b'\n' | b'<' | b'{'));
        let is_long = text.len() > SHORT_BYTES || beginnings.nth(SHORT_BLOCKS).is_some();
        if is_long { Self::Long } else { Self::Short }
    }
}

/// For whom a call works. Places in the compute pool, memory and reads of the store are shared between owners, of which
/// only the server may take everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WorkOwner {
    /// A person, whether they call themselves or through an app or an API key that they made.
    User(UserId),
    /// A workspace, for everybody who reads what its share links show.
    Workspace(WorkspaceId),
    /// A network, for callers without an account: see [`WorkOwner::network_of`].
    Network(IpAddr),
    /// All callers without an account whose network is unknown, together.
    Anonymous,
    /// The server itself.
    Server,
}

impl WorkOwner {
    /// The owner for a caller without an account: the address, or for IPv6 its /64.
    pub const fn network_of(address: IpAddr) -> Self {
        Self::Network(match address.to_canonical() {
            IpAddr::V4(v4) => IpAddr::V4(v4),
            IpAddr::V6(v6) => IpAddr::V6(prefix_64(v6)),
        })
    }
}

/// One job. It checks the flag now and then and ends early once the flag is set.
pub type Work = Box<dyn FnOnce(&Cancellation) + Send>;

/// The right of an owner to have the result of a long job in memory. Keep it for as long as that is so: the next long
/// job of the same owner waits for it. The results of other jobs are small, and nothing waits for their slots.
pub struct ComputeSlot(#[expect(dead_code, reason = "held only")] Option<Box<dyn Any + Send>>);

impl ComputeSlot {
    pub fn new(held: impl Any + Send) -> Self {
        Self(Some(Box::new(held)))
    }

    /// A slot for which nobody waits.
    pub const fn unbounded() -> Self {
        Self(None)
    }
}

impl fmt::Debug for ComputeSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ComputeSlot")
    }
}

/// A place among the jobs of a kind that wait or run. It is taken before the job exists, so that what the job works on
/// is loaded only if there is room for it. It becomes free when it is dropped, when its job has ended, or, if that was
/// a long one, with its [`ComputeSlot`].
pub struct Reservation {
    kind: WorkKind,
    owner: WorkOwner,
    #[expect(dead_code, reason = "held only")]
    held: Option<Box<dyn Any + Send>>,
}

impl Reservation {
    pub fn new(kind: WorkKind, owner: WorkOwner, held: impl Any + Send) -> Self {
        Self { kind, owner, held: Some(Box::new(held)) }
    }

    /// A reservation in a pool that has room for everybody.
    pub const fn unbounded(kind: WorkKind, owner: WorkOwner) -> Self {
        Self { kind, owner, held: None }
    }

    pub const fn kind(&self) -> WorkKind {
        self.kind
    }

    pub const fn owner(&self) -> WorkOwner {
        self.owner
    }
}

impl fmt::Debug for Reservation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reservation").field("kind", &self.kind).field("owner", &self.owner).finish_non_exhaustive()
    }
}

/// Runs jobs outside of the threads that serve requests: a bounded number at a time, with a bounded queue.
#[async_trait]
pub trait ComputePool: Send + Sync {
    /// Takes a place for a job, without waiting. Fails if all places, or all that this owner may have, are taken.
    fn reserve(&self, kind: WorkKind, owner: WorkOwner) -> Result<Reservation, ComputeFault>;

    /// Runs one job in its place and returns when it is done, or after `within` at the latest, including the time in
    /// the queue. If the caller stops waiting before the job starts, it never runs; if it is running, it is
    /// cancelled.
    async fn run(&self, reservation: Reservation, within: Duration, work: Work) -> Result<ComputeSlot, ComputeFault>;
}

/// Runs a job in a place that was reserved for it, and returns its result.
pub async fn compute<T: Send + 'static>(
    pool: &dyn ComputePool,
    reservation: Reservation,
    within: Duration,
    work: impl FnOnce(&Cancellation) -> T + Send + 'static,
) -> Result<(T, ComputeSlot), ComputeFault> {
    let made = Arc::new(Mutex::new(None));
    let into = Arc::clone(&made);
    let work = move |cancellation: &Cancellation| {
        let value = work(cancellation);
        *into.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    };
    let slot = pool.run(reservation, within, Box::new(work)).await?;
    let value = made.lock().unwrap_or_else(PoisonError::into_inner).take();
    value.map(|value| (value, slot)).ok_or(ComputeFault::Failed)
}

/// Runs each job immediately on the calling thread, for programs that serve no requests.
#[derive(Clone, Copy, Debug, Default)]
pub struct InPlace;

#[async_trait]
impl ComputePool for InPlace {
    fn reserve(&self, kind: WorkKind, owner: WorkOwner) -> Result<Reservation, ComputeFault> {
        Ok(Reservation::unbounded(kind, owner))
    }

    async fn run(&self, _: Reservation, _: Duration, work: Work) -> Result<ComputeSlot, ComputeFault> {
        work(&Cancellation::default());
        Ok(ComputeSlot::unbounded())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_long_by_its_blocks_or_by_its_bytes() {
        for (blocks, bytes, kind) in
            [(500, 64 << 10, WorkKind::Short), (501, 0, WorkKind::Long), (1, (64 << 10) + 1, WorkKind::Long)]
        {
            assert_eq!(WorkKind::of_page(blocks, bytes), kind, "{blocks} blocks, {bytes} bytes");
        }
    }

    #[test]
    fn a_document_is_long_by_its_bytes_or_by_the_blocks_it_may_become() {
        assert_eq!(WorkKind::of_text(&"a".repeat(64 << 10)), WorkKind::Short);
        assert_eq!(WorkKind::of_text(&"a".repeat((64 << 10) + 1)), WorkKind::Long);
        for block in ["a\n", "<p>", "{},"] {
            assert_eq!(WorkKind::of_text(&block.repeat(500)), WorkKind::Short, "{block}");
            assert_eq!(WorkKind::of_text(&block.repeat(501)), WorkKind::Long, "{block}");
        }
    }

    #[test]
    fn callers_without_an_account_are_distinguished_by_network() {
        let of = |text: &str| text.parse().map(WorkOwner::network_of);
        assert_ne!(of("203.0.113.1"), of("203.0.113.2"));
        assert_eq!(of("203.0.113.1"), of("::ffff:203.0.113.1"));
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::2"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
    }
}
