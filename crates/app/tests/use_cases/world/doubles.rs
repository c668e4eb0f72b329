//! Replacements for random numbers and argon2.

use async_trait::async_trait;
use octavo_core_model::{Secret, cancellation::Cancellation, fault::ComputeFault};
use octavo_ports::{
    compute::{ComputePool, ComputeSlot, Reservation, Work, WorkKind, WorkOwner},
    passwords::{Comparison, HasherBusy, PasswordHash, PasswordHasher},
    random::Random,
};
use std::{
    collections::VecDeque,
    future::Future,
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

/// The same bits in every run, and never the same bits twice. Later values start with a higher number, so that ids of
/// the same moment are sorted in the order of their creation, and so are letters.
#[derive(Clone, Default)]
pub(super) struct Deterministic(Arc<AtomicU64>);

impl Random for Deterministic {
    fn fill(&mut self, bytes: &mut [u8]) {
        let draw = self.0.fetch_add(1, Ordering::Relaxed);
        blake3::Hasher::new().update(&draw.to_le_bytes()).finalize_xof().fill(bytes);
        for (byte, digit) in bytes.iter_mut().zip(draw.to_be_bytes()) {
            *byte = digit;
        }
    }
}

type Interruption = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Hashes immediately, in place of argon2, and lets a test run something during a job.
#[derive(Default)]
pub(crate) struct TestHasher {
    pub(crate) busy: AtomicBool,
    /// The number of jobs.
    pub(crate) jobs: AtomicUsize,
    /// A part of every hash; if it is raised, earlier hashes are outdated.
    pub(crate) cost: AtomicU64,
    owners: Mutex<Vec<WorkOwner>>,
    interruption: Mutex<Option<Interruption>>,
}

impl TestHasher {
    /// Sets what happens during the next job.
    pub(crate) fn interrupt(&self, action: impl Future<Output = ()> + Send + 'static) {
        *self.interruption.lock().unwrap() = Some(Box::pin(action));
    }

    pub(crate) fn jobs_done(&self) -> usize {
        self.jobs.load(Ordering::Relaxed)
    }

    /// The owner of each job since the last time.
    pub(crate) fn take_owners(&self) -> Vec<WorkOwner> {
        std::mem::take(&mut *self.owners.lock().unwrap())
    }

    async fn work(&self, owner: WorkOwner) -> Result<(), HasherBusy> {
        if self.busy.load(Ordering::Relaxed) {
            return Err(HasherBusy);
        }
        self.jobs.fetch_add(1, Ordering::Relaxed);
        self.owners.lock().unwrap().push(owner);
        let interruption = self.interruption.lock().unwrap().take();
        if let Some(action) = interruption {
            action.await;
        }
        Ok(())
    }
}

fn digest(password: &Secret<String>, salt: &str) -> String {
    blake3::hash(format!("{salt}:{}", password.expose()).as_bytes()).to_hex().to_string()
}

#[async_trait]
impl PasswordHasher for TestHasher {
    async fn hash(
        &self,
        owner: WorkOwner,
        password: Secret<String>,
        salt: [u8; 16],
    ) -> Result<PasswordHash, HasherBusy> {
        self.work(owner).await?;
        let salt = blake3::hash(&salt).to_hex();
        let cost = self.cost.load(Ordering::Relaxed);
        Ok(PasswordHash(Secret::new(format!("{cost}${salt}${}", digest(&password, &salt)))))
    }

    async fn compare(
        &self,
        owner: WorkOwner,
        password: Secret<String>,
        hash: Option<PasswordHash>,
    ) -> Result<Comparison, HasherBusy> {
        self.work(owner).await?;
        let Some(hash) = hash else { return Ok(Comparison { matches: false, outdated: false }) };
        let parts: Vec<_> = hash.0.expose().split('$').collect();
        let outdated = parts[0] != self.cost.load(Ordering::Relaxed).to_string();
        Ok(Comparison { matches: digest(&password, parts[1]) == parts[2], outdated })
    }
}

/// Runs each job immediately, and lets a test run something before it.
#[derive(Default)]
pub(crate) struct TestPool {
    pub(crate) busy: AtomicBool,
    jobs: AtomicUsize,
    reserved: Mutex<Vec<(WorkKind, WorkOwner)>>,
    interruptions: Mutex<VecDeque<Interruption>>,
}

impl TestPool {
    /// Adds something that happens before the next job; several are run before one job each.
    pub(crate) fn interrupt(&self, action: impl Future<Output = ()> + Send + 'static) {
        self.interruptions.lock().unwrap().push_back(Box::pin(action));
    }

    /// The kind and the owner of each reservation since the last time.
    pub(crate) fn take_reserved(&self) -> Vec<(WorkKind, WorkOwner)> {
        std::mem::take(&mut *self.reserved.lock().unwrap())
    }

    pub(crate) fn jobs_done(&self) -> usize {
        self.jobs.load(Ordering::Relaxed)
    }
}

#[async_trait]
impl ComputePool for TestPool {
    fn reserve(&self, kind: WorkKind, owner: WorkOwner) -> Result<Reservation, ComputeFault> {
        if self.busy.load(Ordering::Relaxed) {
            return Err(ComputeFault::Busy);
        }
        self.reserved.lock().unwrap().push((kind, owner));
        Ok(Reservation::unbounded(kind, owner))
    }

    async fn run(&self, _: Reservation, _: Duration, work: Work) -> Result<ComputeSlot, ComputeFault> {
        self.jobs.fetch_add(1, Ordering::Relaxed);
        let interruption = self.interruptions.lock().unwrap().pop_front();
        if let Some(action) = interruption {
            action.await;
        }
        work(&Cancellation::default());
        Ok(ComputeSlot::unbounded())
    }
}
