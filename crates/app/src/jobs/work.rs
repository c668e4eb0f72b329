//! Running jobs: picking one up, going step by step, and ending it.
//!
//! Any number of processes may ask for work. The lease of a chore ensures that one of them gets a job; its worker
//! renews the lease for as long as it works. If a worker that was believed dead continues anyway, the number of its
//! run is outdated, and whatever it tries to record is refused.

use super::starter;
use crate::{
    engine::Engine,
    outcome::AppResult,
    queue::{self, ChoreOutcome},
    scope::Unit,
};
use async_trait::async_trait;
use octavo_core_model::{
    Fault, StoreError, Timestamp,
    chore::{Queue, Work},
    event::{EventPayload, jobs::JobEnded},
    id::JobId,
    job::{Ending, Failure, Job, JobOwner, JobState, Product, StartOutcome},
};
use octavo_ports::blobs::{BlobFolder, Blobs};
use serde_json::json;
use std::{fmt, time::Duration};

/// The work of one job. Each kind of job has its own type in the area it belongs to; `crate::job_kinds` lists them.
#[async_trait]
pub trait JobRunner: fmt::Debug + Send + Sync {
    /// The stage that the job is in when a run begins.
    fn first_stage(&self) -> &'static str;

    /// Does the next step, in less than a second. If a step fails, the runner stays as it was.
    async fn step(&mut self, engine: &Engine, blobs: &dyn Blobs, lease: RunLease, now: Timestamp) -> AppResult<Step>;
}

/// Makes the runner of a job. It continues at the job's checkpoint if there is one.
pub type MakeRunner = fn(&Job) -> Box<dyn JobRunner>;

/// Describes a refusal as the readers of a job see it.
pub type Explain = fn(Fault) -> Failure;

/// The answer to a worker that asks for work.
#[derive(Debug)]
pub enum Assignment {
    Nothing,
    Run(Box<Run>),
    /// The job has already ended; there is nothing left to do.
    Settled(Outcome),
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Succeeded,
    /// The text is for the log.
    Failed(String),
    /// It has to wait and is in the queue again.
    PutOff,
    /// The job was cancelled, or another worker has it.
    Lost,
}

/// The job that a worker runs, and the number of this run.
#[derive(Clone, Copy, Debug)]
pub struct RunLease {
    pub(crate) owner: JobOwner,
    pub(crate) id: JobId,
    number: u32,
}

/// A job that is running.
#[derive(Debug)]
pub struct Run {
    lease: RunLease,
    leased_until: Timestamp,
    runner: Box<dyn JobRunner>,
}

/// What keeps a job with its worker. It is apart from the [`Run`], so that it can be renewed during a step.
#[derive(Debug)]
pub struct HeldLease {
    id: JobId,
    until: Timestamp,
}

/// The result of a step.
#[derive(Debug)]
pub enum Step {
    Goes,
    /// It cannot go on before this time has passed. Meanwhile the worker does something else.
    Waits(Duration),
    Lost,
    Ends(Result<Product, Failure>),
    /// It ends because it was refused.
    Refused(Fault),
}

/// What became of a job that a worker was about to begin.
enum Begun {
    Assigned(Assignment),
    /// There is no such job.
    Missing,
}

/// Picks up the job that has waited longest.
pub async fn next_assignment(
    engine: &Engine,
    blobs: &dyn Blobs,
    make_runner: MakeRunner,
    now: Timestamp,
) -> AppResult<Assignment> {
    let leased = queue::lease(engine, Queue::Jobs, 1, now).await?;
    let Some(chore) = leased.chores.first() else { return Ok(Assignment::Nothing) };
    let Some(Work::Run { owner }) = queue::open(engine, chore) else {
        let outcome = queue::put_off_unopened(engine, chore, now).await?;
        let (ChoreOutcome::Later(reason) | ChoreOutcome::GivenUp(reason)) = outcome else {
            return Ok(Assignment::Nothing);
        };
        return Ok(Assignment::Settled(Outcome::Failed(reason)));
    };
    let (id, until) = (chore.id, leased.until);
    // In a unit of its own, after the lease: cancelling locks the job before the chore.
    match engine.chore(now, move |unit| Box::pin(begin(unit, owner, id, until, make_runner))).await? {
        Begun::Assigned(assignment) => Ok(assignment),
        Begun::Missing => {
            // Bytes were stored for it, but nobody started it. Without the chore nothing would lead to them.
            blobs.remove(BlobFolder::Job(owner, id)).await.map_err(|_| Fault::Store(StoreError::Unavailable))?;
            queue::finish(engine, chore, now).await?;
            Ok(Assignment::Settled(Outcome::Lost))
        }
    }
}

async fn begin(
    unit: &mut Unit,
    owner: JobOwner,
    id: JobId,
    leased_until: Timestamp,
    make_runner: MakeRunner,
) -> AppResult<Begun> {
    let Some(mut job) = unit.tx.jobs().lock(owner, id).await? else { return Ok(Begun::Missing) };
    let assignment = match job.start_run(unit.call.now) {
        StartOutcome::Run(number) => {
            let runner = make_runner(&job);
            job.progress.stage = Some(runner.first_stage().to_owned());
            unit.tx.jobs().save(&job).await?;
            unit.job_changed(id);
            Assignment::Run(Box::new(Run { lease: RunLease { owner, id, number }, leased_until, runner }))
        }
        StartOutcome::GivenUp => {
            end_job(unit, &job).await?;
            Assignment::Settled(Outcome::Failed("it broke off too often".to_owned()))
        }
        StartOutcome::Over => {
            unit.tx.chores().remove(Queue::Jobs, id).await?;
            Assignment::Settled(Outcome::Lost)
        }
    };
    Ok(Begun::Assigned(assignment))
}

/// Saves a job that has ended and emits its event.
async fn end_job(unit: &mut Unit, job: &Job) -> AppResult<()> {
    unit.tx.jobs().save(job).await?;
    unit.tx.chores().remove(Queue::Jobs, job.id).await?;
    unit.job_changed(job.id);
    let ended = JobEnded { job: job.id, kind: job.kind() };
    let payload = match job.state {
        JobState::Ended { ending: Ending::Succeeded(_), .. } => EventPayload::JobSucceeded(ended),
        _ => EventPayload::JobFailed(ended),
    };
    if let Some(workspace) = job.owner.workspace() {
        unit.act_for(starter(job), String::new());
        unit.emit(workspace, payload);
    }
    Ok(())
}

impl Run {
    pub const fn id(&self) -> JobId {
        self.lease.id
    }

    /// Runs one step. A step that fails leaves the run unchanged, so it can be tried again.
    pub async fn step(
        &mut self,
        engine: &Engine,
        blobs: &dyn Blobs,
        explain: Explain,
        now: Timestamp,
    ) -> AppResult<Option<Outcome>> {
        match self.runner.step(engine, blobs, self.lease, now).await? {
            Step::Goes => Ok(None),
            Step::Waits(wait) => {
                self.return_to_queue(engine, now.plus(wait), now).await?;
                Ok(Some(Outcome::PutOff))
            }
            Step::Lost => Ok(Some(Outcome::Lost)),
            Step::Ends(result) => self.finish(engine, blobs, result, now).await.map(Some),
            Step::Refused(fault) => self.finish(engine, blobs, Err(explain(fault)), now).await.map(Some),
        }
    }

    async fn finish(
        &self,
        engine: &Engine,
        blobs: &dyn Blobs,
        result: Result<Product, Failure>,
        now: Timestamp,
    ) -> AppResult<Outcome> {
        let lease = self.lease;
        let (ending, outcome) = match result {
            Ok(product) => (Ending::Succeeded(product), Outcome::Succeeded),
            Err(failure) => {
                let reason = failure.message.clone();
                (Ending::Failed(failure), Outcome::Failed(reason))
            }
        };
        let kept = engine
            .chore(now, move |unit| {
                Box::pin(async move {
                    let Some(mut job) = lease.lock(unit).await? else { return Ok(None) };
                    job.end(ending, unit.call.now);
                    end_job(unit, &job).await?;
                    Ok(Some(job.task.reads_bytes()))
                })
            })
            .await?;
        if kept == Some(true) {
            // If this fails, the sweep removes them.
            let _ = blobs.remove(BlobFolder::Job(lease.owner, lease.id)).await;
        }
        Ok(if kept.is_some() { outcome } else { Outcome::Lost })
    }

    /// The lease as it was when the job was picked up.
    pub const fn lease(&self) -> HeldLease {
        HeldLease { id: self.lease.id, until: self.leased_until }
    }

    /// Returns the job to the queue, behind the jobs that wait there; the next worker continues from the last checkpoint.
    pub async fn hand_back(&self, engine: &Engine, now: Timestamp) -> AppResult<()> {
        self.return_to_queue(engine, now, now).await
    }

    async fn return_to_queue(&self, engine: &Engine, until: Timestamp, now: Timestamp) -> AppResult<()> {
        let lease = self.lease;
        engine
            .chore(now, move |unit| {
                Box::pin(async move {
                    let Some(mut job) = lease.lock(unit).await? else { return Ok(()) };
                    job.hand_back();
                    unit.tx.jobs().save(&job).await?;
                    unit.tx.chores().retry(Queue::Jobs, lease.id, 0, until).await?;
                    unit.job_changed(lease.id);
                    Ok(())
                })
            })
            .await
    }
}

impl HeldLease {
    /// Extends the lease. Returns false if another worker has it.
    pub async fn renew(&mut self, engine: &Engine, now: Timestamp) -> AppResult<bool> {
        let renewed = queue::renew(engine, Queue::Jobs, vec![self.id], self.until, now).await?;
        self.until = renewed.unwrap_or(self.until);
        Ok(renewed.is_some())
    }
}

/// The bytes that a job needs are gone.
pub(crate) fn lost_bytes(message: &str) -> Failure {
    Failure {
        code: "SERVICE_UNAVAILABLE".to_owned(),
        message: message.to_owned(),
        details: vec![json!({ "service": "storage" })],
    }
}

impl RunLease {
    /// Locks the job. Returns `None` if it no longer belongs to this run.
    pub(crate) async fn lock(self, unit: &mut Unit) -> AppResult<Option<Job>> {
        let job = unit.tx.jobs().lock(self.owner, self.id).await?;
        Ok(job.filter(|job| job.is_run(self.number)))
    }

    /// Records the progress of the job. Returns false if it no longer belongs to this run.
    pub(crate) async fn note(
        self,
        engine: &Engine,
        now: Timestamp,
        change: impl FnOnce(&mut Job) + Send + 'static,
    ) -> AppResult<bool> {
        engine
            .chore(now, move |unit| {
                Box::pin(async move {
                    let Some(mut job) = self.lock(unit).await? else { return Ok(false) };
                    change(&mut job);
                    unit.tx.jobs().save(&job).await?;
                    unit.job_changed(self.id);
                    Ok(true)
                })
            })
            .await
    }
}
