//! The durable queues of chores: leasing, renewing, putting off, finishing. What a chore does is decided in `chores`.

use crate::{call::Call, engine::Engine, outcome::AppResult, scope::Unit};
use octavo_core_model::{
    Timestamp,
    chore::{Chore, LEASE, Queue, Work, retry_after},
    id::JobId,
    job::{Job, JobOwner},
};
use std::time::Duration;

/// How many chores a worker leases at a time. It runs them concurrently, so that even the slowest ends within the
/// lease.
const BATCH: u32 = 8;

/// The outcome of one run of a chore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChoreOutcome {
    Done,
    /// It failed and will be tried again. The text is for the log.
    Later(String),
    /// It failed permanently. The text is for the log.
    GivenUp(String),
}

/// Chores that only this worker may run.
#[derive(Clone, Debug)]
pub struct LeasedChores {
    pub chores: Vec<Chore>,
    /// When the lease ends unless it is renewed.
    pub until: Timestamp,
}

/// Leases the due chores of a queue that have waited longest.
pub async fn lease_due(engine: &Engine, queue: Queue, now: Timestamp) -> AppResult<LeasedChores> {
    // Each removal is a unit as long as others should wait for, so units of others must get in between.
    let limit = if queue == Queue::Removals { 1 } else { BATCH };
    lease(engine, queue, limit, now).await
}

pub(crate) async fn lease(engine: &Engine, queue: Queue, limit: u32, now: Timestamp) -> AppResult<LeasedChores> {
    let until = now.plus(LEASE);
    let chores = engine
        .chore(now, move |unit| Box::pin(async move { Ok(unit.tx.chores().lease(queue, now, until, limit).await?) }))
        .await?;
    Ok(LeasedChores { chores, until })
}

/// Extends a lease. Returns its new end, or `None` if this worker no longer holds any of its chores.
pub async fn renew(
    engine: &Engine,
    queue: Queue,
    chores: Vec<JobId>,
    held_until: Timestamp,
    now: Timestamp,
) -> AppResult<Option<Timestamp>> {
    // The new end must differ from the old one: otherwise it would look like the lease of another worker that took
    // over meanwhile.
    let until = now.plus(LEASE).max(held_until.plus(Duration::from_millis(1)));
    let renewed = engine
        .chore(now, move |unit| {
            Box::pin(async move { Ok(unit.tx.chores().extend_leases(queue, &chores, held_until, until).await?) })
        })
        .await?;
    Ok((renewed > 0).then_some(until))
}

/// Frees the leases that an earlier run of this server held when it died, and returns their number. Only call it when
/// no other server can be running.
pub async fn void_leases(engine: &Engine, now: Timestamp) -> AppResult<u64> {
    engine.chore(now, move |unit| Box::pin(async move { Ok(unit.tx.chores().void_leases(now).await?) })).await
}

/// Whether a queue has a due chore.
pub async fn is_due(engine: &Engine, queue: Queue, now: Timestamp) -> AppResult<bool> {
    engine
        .read(Call::system(now), move |view| Box::pin(async move { Ok(view.tx.chores().is_due(queue, now).await?) }))
        .await
}

/// The work of a chore; `None` if the present secrets cannot open it.
pub(crate) fn open(engine: &Engine, chore: &Chore) -> Option<Work> {
    let plain = engine.keyring().open(chore.id.to_string().as_bytes(), &chore.payload);
    plain.ok().and_then(|plain| serde_json::from_slice(&plain).ok())
}

/// Retries instead of giving up: an operator may have started the server with the wrong secret.
pub(crate) async fn put_off_unopened(engine: &Engine, chore: &Chore, now: Timestamp) -> AppResult<ChoreOutcome> {
    let reason = "its payload cannot be opened with the present secret key".to_owned();
    put_off(engine, chore, reason, retry_after(chore.attempts + 1), now).await
}

/// Queues a job; it runs after the commit.
pub(crate) async fn add_job(unit: &mut Unit, job: &Job) -> AppResult<()> {
    unit.enqueue_as(job.id, &Work::Run { owner: job.owner }).await
}

/// Queues what is left of a job that may never be started: after this time a worker removes the bytes that were stored
/// for it.
pub(crate) async fn add_leftover(unit: &mut Unit, owner: JobOwner, id: JobId, until: Timestamp) -> AppResult<()> {
    unit.enqueue_later(id, &Work::Run { owner }, until).await
}

/// Removes a job from the queue.
pub(crate) async fn remove_job(unit: &mut Unit, id: JobId) -> AppResult<()> {
    Ok(unit.tx.chores().remove(Queue::Jobs, id).await?)
}

/// Changes when a job in the queue is due.
pub(crate) async fn put_off_job(unit: &mut Unit, id: JobId, until: Timestamp) -> AppResult<()> {
    Ok(unit.tx.chores().retry(Queue::Jobs, id, 0, until).await?)
}

/// Returns a failed chore to the queue until its next attempt, or gives up if there is none.
pub(crate) async fn put_off(
    engine: &Engine,
    chore: &Chore,
    reason: String,
    wait: Option<Duration>,
    now: Timestamp,
) -> AppResult<ChoreOutcome> {
    let Some(wait) = wait else {
        finish(engine, chore, now).await?;
        return Ok(ChoreOutcome::GivenUp(reason));
    };
    let (queue, id, attempts) = (chore.queue, chore.id, chore.attempts + 1);
    engine
        .chore(now, move |unit| {
            Box::pin(async move { Ok(unit.tx.chores().retry(queue, id, attempts, now.plus(wait)).await?) })
        })
        .await?;
    Ok(ChoreOutcome::Later(reason))
}

/// Removes a chore from its queue.
pub(crate) async fn finish(engine: &Engine, chore: &Chore, now: Timestamp) -> AppResult<()> {
    let (queue, id) = (chore.queue, chore.id);
    engine.chore(now, move |unit| Box::pin(async move { Ok(unit.tx.chores().remove(queue, id).await?) })).await
}
