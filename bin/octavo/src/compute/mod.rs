//! The compute pool: processor-heavy work, on threads separate from those for requests and the store.
//!
//! Each kind of job has a queue and threads of its own. Long jobs run on few threads, so that they leave the
//! processor to others; short ones never wait behind them; and hashing keeps its memory limit whatever the documents
//! need.
//!
//! One owner, such as a person, has at most a third of the places in a queue, and owners that wait are served in
//! rotation. Only the server itself, on behalf of its operator, has no such limit.
//!
//! The result of a long job may be large and stays in memory while its call waits for the store. Until it is gone, it
//! delays further long jobs of its owner, but nobody else's: it takes no thread. Results of short jobs are small, and
//! the store limits how many calls of one owner wait for it.

mod slots;

use self::slots::{Permit, Slots};
use async_trait::async_trait;
use octavo_app::{Quota, QuotaShare};
use octavo_core_model::{cancellation::Cancellation, fault::ComputeFault};
use octavo_ports::compute::{ComputePool, ComputeSlot, Reservation, Work, WorkKind, WorkOwner};
use octavo_server::{ComputeMetrics, Metrics};
use std::{
    num::NonZeroUsize,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{task::spawn_blocking, time::timeout};

/// The size of the pool.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoolSize {
    /// How many long jobs run at the same time; the same for short ones.
    pub(crate) threads: NonZeroUsize,
    /// How many passwords are hashed at the same time.
    pub(crate) hashing_threads: NonZeroUsize,
    /// How many jobs of each kind may wait.
    pub(crate) queue: usize,
}

#[derive(Debug)]
pub(crate) struct Pool {
    short: Jobs,
    long: Jobs,
    hashing: Jobs,
}

impl Pool {
    pub(crate) fn new(size: PoolSize, metrics: &Metrics) -> Self {
        let jobs = |kind, threads| Jobs::new(threads, size.queue, metrics.compute(kind));
        Self {
            short: jobs(WorkKind::Short, size.threads),
            long: jobs(WorkKind::Long, size.threads),
            hashing: jobs(WorkKind::Hashing, size.hashing_threads),
        }
    }

    const fn jobs(&self, kind: WorkKind) -> &Jobs {
        match kind {
            WorkKind::Short => &self.short,
            WorkKind::Long => &self.long,
            WorkKind::Hashing => &self.hashing,
        }
    }
}

#[async_trait]
impl ComputePool for Pool {
    fn reserve(&self, kind: WorkKind, owner: WorkOwner) -> Result<Reservation, ComputeFault> {
        let place = self.jobs(kind).take_place(owner)?;
        Ok(Reservation::new(kind, owner, place))
    }

    async fn run(&self, reservation: Reservation, within: Duration, work: Work) -> Result<ComputeSlot, ComputeFault> {
        self.jobs(reservation.kind()).run(reservation, within, work).await
    }
}

/// The jobs of one kind.
#[derive(Debug)]
struct Jobs {
    /// For jobs that wait or run.
    places: Arc<Quota>,
    /// For jobs that run, and for the results of long ones.
    slots: Arc<Slots>,
    metrics: ComputeMetrics,
}

impl Jobs {
    fn new(threads: NonZeroUsize, queue: usize, metrics: ComputeMetrics) -> Self {
        Self { places: Quota::new((threads.get() + queue) as u64), slots: Slots::new(threads), metrics }
    }

    fn take_place(&self, owner: WorkOwner) -> Result<QuotaShare, ComputeFault> {
        self.places.take(owner, 1).ok_or_else(|| {
            self.metrics.was_refused();
            ComputeFault::Busy
        })
    }

    async fn run(&self, reservation: Reservation, within: Duration, work: Work) -> Result<ComputeSlot, ComputeFault> {
        let caller = Caller { cancellation: Cancellation::default(), metrics: &self.metrics, is_answered: false };
        match timeout(within, self.run_in_slot(reservation, caller, work)).await {
            Ok(done) => done,
            // The caller was dropped together with the future, which cancelled the job.
            Err(_) => Err(ComputeFault::Timeout),
        }
    }

    /// The reservation and the permit are moved into the job, so that they become free whenever the job ends, even if
    /// nobody waits for it any more. Those of a long job are returned with its result.
    async fn run_in_slot(
        &self,
        reservation: Reservation,
        mut caller: Caller<'_>,
        work: Work,
    ) -> Result<ComputeSlot, ComputeFault> {
        let (kind, owner) = (reservation.kind(), reservation.owner());
        let mut permit = self.wait_for_slot(owner).await?;
        let (cancellation, running) = (caller.cancellation.clone(), self.metrics.runs());
        let job = spawn_blocking(move || {
            if !cancellation.is_cancelled() {
                work(&cancellation);
            }
            drop(running);
            match kind {
                WorkKind::Long => {
                    permit.return_thread();
                    ComputeSlot::new((permit, reservation))
                }
                WorkKind::Short | WorkKind::Hashing => {
                    drop((permit, reservation));
                    ComputeSlot::unbounded()
                }
            }
        });
        let done = job.await;
        caller.is_answered = true;
        done.map_err(|_| ComputeFault::Failed)
    }

    async fn wait_for_slot(&self, owner: WorkOwner) -> Result<Permit, ComputeFault> {
        let (waiting, begun) = (self.metrics.waits(), Instant::now());
        let permit = self.slots.wait(owner).await.ok_or(ComputeFault::Failed)?;
        drop(waiting);
        self.metrics.waited(begun.elapsed());
        Ok(permit)
    }
}

/// The caller that waits for a job. If it is dropped before the job is done, the job is cancelled.
struct Caller<'a> {
    cancellation: Cancellation,
    metrics: &'a ComputeMetrics,
    is_answered: bool,
}

impl Drop for Caller<'_> {
    fn drop(&mut self) {
        if !self.is_answered {
            self.cancellation.cancel();
            self.metrics.was_cancelled();
        }
    }
}

#[cfg(test)]
mod tests;
