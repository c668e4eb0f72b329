//! The memory for page content.
//!
//! A call that reads the blocks of a large page needs several times their size in memory, until its answer is sent. So
//! it declares how many bytes of blocks it will load, and is refused at once if too many are in memory already. A view
//! does this between checking the rights of its caller and loading.

use crate::{
    outcome::AppResult,
    quota::{PARTS, Quota, QuotaShare},
};
use octavo_core_model::fault::ComputeFault;
use octavo_ports::compute::WorkOwner;
use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

/// Up to this size, content is not counted. The number of calls that run at the same time is limited anyway.
pub(crate) const SMALL: u64 = 256 << 10;

/// Up to this size, answers are not counted. The limit is lower than that of content, because clients decide how long
/// they take to read.
const SMALL_ANSWER: u64 = 128 << 10;

/// How many bytes of page content all calls together may have in memory, and how many they have.
#[derive(Debug)]
pub struct ContentMemory {
    quota: Arc<Quota>,
    /// The amount for calls that need the compute pool: all but one part. Such calls may wait for long, and must not
    /// keep others from reading.
    for_jobs: Arc<Quota>,
    /// The amount for readers of share links, whichever workspace the links belong to: one part, of which one network has
    /// a third. Anybody can make workspaces with links and read them slowly.
    for_links: Arc<Quota>,
    refused: AtomicU64,
}

impl ContentMemory {
    pub fn new(total_bytes: u64) -> Arc<Self> {
        let part = total_bytes.div_ceil(PARTS);
        Arc::new(Self {
            quota: Quota::with_part(total_bytes, part),
            for_jobs: Quota::with_part(total_bytes.saturating_sub(part), part),
            for_links: Quota::new(part),
            refused: AtomicU64::new(0),
        })
    }

    /// The content of a new call from this network. It holds nothing yet.
    pub fn of_call(self: &Arc<Self>, network: WorkOwner) -> HeldContent {
        HeldContent(Some(Arc::new(Held {
            memory: Arc::clone(self),
            network,
            is_for_job: AtomicBool::new(false),
            amounts: Mutex::default(),
        })))
    }

    /// How many bytes are held now.
    pub fn used(&self) -> u64 {
        self.quota.used()
    }

    /// How many calls were refused since the start.
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }
}

/// The page content that one call has in memory. The bytes are returned when the last clone is dropped; the server
/// keeps one until the answer is sent.
#[derive(Clone, Debug, Default)]
pub struct HeldContent(Option<Arc<Held>>);

#[derive(Debug)]
struct Held {
    memory: Arc<ContentMemory>,
    network: WorkOwner,
    /// Whether the call passes the content to the compute pool.
    is_for_job: AtomicBool,
    amounts: Mutex<Amounts>,
}

/// What a call has taken from each quota.
#[derive(Debug, Default)]
struct Amounts {
    /// The owner that the call named with its content, however small.
    owner: Option<WorkOwner>,
    all: Option<QuotaShare>,
    for_job: Option<QuotaShare>,
    for_link: Option<QuotaShare>,
}

impl HeldContent {
    /// Content that is not counted, for work of the deployment itself.
    pub const fn uncounted() -> Self {
        Self(None)
    }

    /// Whether the call holds so much that it counts.
    pub fn is_counted(&self) -> bool {
        self.0.as_ref().is_some_and(|held| held.amounts().all.is_some())
    }

    /// Declares how much content the call has in memory, instead of what it declared before. The owner is always the
    /// same for one call.
    pub(crate) fn hold(&self, owner: WorkOwner, bytes: u64) -> AppResult<()> {
        let Some(held) = &self.0 else { return Ok(()) };
        let counted = if bytes <= SMALL { 0 } else { bytes };
        held.exchange(&mut held.amounts(), owner, counted)
    }

    /// Like [`HeldContent::hold`], for a call that passes the content to the compute pool. What the call declares
    /// afterwards counts for the pool too.
    pub(crate) fn hold_for_job(&self, owner: WorkOwner, bytes: u64) -> AppResult<()> {
        if let Some(held) = &self.0 {
            held.is_for_job.store(true, Ordering::Relaxed);
        }
        self.hold(owner, bytes)
    }

    /// Declares how large the answer made from the content is. HTML can be many times as large as the blocks that it
    /// shows. Answers that are not made from page content do not count.
    pub fn hold_answer(&self, bytes: u64) -> AppResult<()> {
        let Some(held) = &self.0 else { return Ok(()) };
        let mut amounts = held.amounts();
        match amounts.owner {
            Some(owner) if bytes > SMALL_ANSWER && bytes > amounts.held() => held.exchange(&mut amounts, owner, bytes),
            _ => Ok(()),
        }
    }

    /// Returns the memory of the content, because only the answer is left of it: this many bytes to be sent.
    pub fn release_all_but(&self, bytes: u64) {
        let Some(held) = &self.0 else { return };
        let mut amounts = held.amounts();
        let kept = if bytes <= SMALL_ANSWER { 0 } else { bytes.min(amounts.held()) };
        if let Some(owner) = amounts.owner {
            // A smaller amount always fits.
            let _ = held.exchange(&mut amounts, owner, kept);
        }
    }
}

impl Amounts {
    fn held(&self) -> u64 {
        self.all.as_ref().map_or(0, QuotaShare::amount)
    }
}

impl Held {
    /// Makes the call hold this amount, or refuses the call if it does not fit into one of the quotas.
    fn exchange(&self, amounts: &mut Amounts, owner: WorkOwner, bytes: u64) -> AppResult<()> {
        if bytes == 0 {
            *amounts = Amounts::default();
        }
        amounts.owner = Some(owner);
        if bytes == 0 || self.take(amounts, owner, bytes) {
            return Ok(());
        }
        self.memory.refused.fetch_add(1, Ordering::Relaxed);
        Err(ComputeFault::MemoryFull.into())
    }

    /// Takes the amount from all quotas that concern the call. Returns false if it does not fit into one of them.
    fn take(&self, amounts: &mut Amounts, owner: WorkOwner, bytes: u64) -> bool {
        let memory = &self.memory;
        if self.is_for_job.load(Ordering::Relaxed) && !memory.for_jobs.exchange(&mut amounts.for_job, owner, bytes) {
            return false;
        }
        let is_for_link = matches!(owner, WorkOwner::Workspace(_));
        if is_for_link && !memory.for_links.exchange(&mut amounts.for_link, self.network, bytes) {
            return false;
        }
        memory.quota.exchange(&mut amounts.all, owner, bytes)
    }

    fn amounts(&self) -> MutexGuard<'_, Amounts> {
        self.amounts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use octavo_core_model::id::{UserId, WorkspaceId};
    use std::net::IpAddr;

    const MEGABYTE: u64 = 1 << 20;

    #[test]
    fn a_call_holds_what_it_declared_last_until_its_last_clone_is_gone() {
        let memory = ContentMemory::new(30 * MEGABYTE);
        let held = memory.of_call(WorkOwner::Anonymous);
        held.hold(WorkOwner::Anonymous, SMALL).unwrap();
        assert!(!held.is_counted() && memory.used() == 0);
        held.hold(WorkOwner::Anonymous, 9 * MEGABYTE).unwrap();
        held.hold(WorkOwner::Anonymous, 8 * MEGABYTE).unwrap();
        assert!(held.is_counted());
        assert_eq!(memory.used(), 8 * MEGABYTE);
        let other = memory.of_call(WorkOwner::Anonymous);
        assert!(other.hold(WorkOwner::Anonymous, 3 * MEGABYTE).is_err(), "a third is 10 MB");
        assert_eq!((memory.refused(), other.is_counted()), (1, false));
        let kept = held.clone();
        drop(held);
        assert_eq!(memory.used(), 8 * MEGABYTE);
        drop(kept);
        assert_eq!(memory.used(), 0);
        other.hold(WorkOwner::Anonymous, 3 * MEGABYTE).unwrap();
    }

    #[test]
    fn what_a_call_for_the_pool_declares_later_counts_for_the_pool_too() {
        let memory = ContentMemory::new(30 * MEGABYTE);
        let person = |number| WorkOwner::User(UserId::new(0, [number; 10]));
        let [first, second, third] = [(); 3].map(|()| memory.of_call(WorkOwner::Anonymous));
        for (held, owner) in [(&first, person(1)), (&second, person(2))] {
            held.hold_for_job(owner, SMALL).unwrap();
            held.hold(owner, 10 * MEGABYTE).unwrap();
        }
        assert!(third.hold_for_job(person(3), MEGABYTE).is_err(), "two thirds are taken");
        memory.of_call(WorkOwner::Anonymous).hold(person(3), MEGABYTE).unwrap();
        first.hold(person(1), 9 * MEGABYTE).unwrap();
        third.hold_for_job(person(3), MEGABYTE).unwrap();
    }

    #[test]
    fn readers_of_share_links_have_one_part_together_and_one_network_a_third_of_it() {
        let memory = ContentMemory::new(36 * MEGABYTE);
        let link = |number| WorkOwner::Workspace(WorkspaceId::new(0, [number; 10]));
        let network = |number| WorkOwner::network_of(IpAddr::from([192, 0, 2, number]));
        let [first, second, third] = [1, 1, 2].map(|number| memory.of_call(network(number)));
        first.hold(link(1), 4 * MEGABYTE).unwrap();
        assert!(second.hold(link(2), MEGABYTE).is_err(), "the network has a third of twelve");
        third.hold(link(2), 8 * MEGABYTE).unwrap();
        assert!(memory.of_call(network(3)).hold(link(3), MEGABYTE).is_err(), "all links have twelve together");
        memory.of_call(network(1)).hold(WorkOwner::Anonymous, 12 * MEGABYTE).unwrap();
        drop(first);
        second.hold(link(2), MEGABYTE).unwrap();
    }

    #[test]
    fn an_answer_counts_as_soon_as_it_is_larger_than_the_content_and_alone_while_it_is_sent() {
        let memory = ContentMemory::new(30 * MEGABYTE);
        let [first, second] = [(); 2].map(|()| memory.of_call(WorkOwner::Anonymous));
        first.hold(WorkOwner::Anonymous, SMALL).unwrap();
        first.hold_answer(SMALL_ANSWER).unwrap();
        assert_eq!(memory.used(), 0, "both are small");
        first.hold_answer(4 * MEGABYTE).unwrap();
        assert_eq!(memory.used(), 4 * MEGABYTE);
        second.hold(WorkOwner::Anonymous, 6 * MEGABYTE).unwrap();
        second.hold_answer(5 * MEGABYTE).unwrap();
        assert_eq!(memory.used(), 10 * MEGABYTE, "the answer is smaller than the content");
        assert!(second.hold_answer(7 * MEGABYTE).is_err(), "a third is 10 MB");
        second.release_all_but(MEGABYTE);
        assert_eq!(memory.used(), 5 * MEGABYTE);
        first.release_all_but(SMALL_ANSWER);
        assert_eq!(memory.used(), MEGABYTE);
        let other = memory.of_call(WorkOwner::Anonymous);
        other.hold_answer(9 * MEGABYTE).unwrap();
        other.release_all_but(9 * MEGABYTE);
        assert_eq!(memory.used(), MEGABYTE, "no content was read for it");
    }

    #[test]
    fn work_of_the_deployment_is_not_counted() {
        HeldContent::uncounted().hold(WorkOwner::Server, u64::MAX).unwrap();
    }
}
