//! What the deployment does by itself: the queue, the sweep, the last activity of sessions and API keys.

use crate::{
    accounts::{deletion, email_change, email_verification},
    call::Call,
    engine::{AppResult, Engine, Stop},
    passwords, workspaces,
};
use futures_util::future::join_all;
use octavo_core_model::{
    Fault, Timestamp,
    id::{ApiKeyId, SessionId, UserId, WorkspaceId},
    job::{Job, LEASE, Lane, Work, retry_after},
    mail::Letter,
    one_time::REMEMBERED,
    session::ACTIVITY_STEP,
    time::days,
};
use octavo_ports::{
    mailer::{MailFailure, Mailer},
    sweeps::{Due, Horizons, Swept},
};
use std::time::Duration;

/// How many jobs a worker takes at a time. It runs them side by side, so that the slowest of them ends within the lease.
const BATCH: u32 = 8;
/// How many rows of a kind one unit removes.
const SWEEP_BATCH: u32 = 1000;

/// What became of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobOutcome {
    Done,
    /// Failed, and to be tried again. The text is for the log.
    Later(String),
    /// Failed for good. The text is for the log.
    GivenUp(String),
}

/// Runs due jobs of a lane; says what became of each. Empty when none was due.
pub async fn run_due(engine: &Engine, lane: Lane, mailer: &dyn Mailer, now: Timestamp) -> AppResult<Vec<JobOutcome>> {
    let jobs = engine
        .chore(now, move |unit| {
            Box::pin(async move { Ok(unit.tx.lease_jobs(lane, now, now.plus(LEASE), BATCH).await?) })
        })
        .await?;
    // All of them run to their end, also when one fails: a letter under way is not to be sent again for another one's fault.
    join_all(jobs.iter().map(|job| run(engine, job, mailer, now))).await.into_iter().collect()
}

async fn run(engine: &Engine, job: &Job, mailer: &dyn Mailer, now: Timestamp) -> AppResult<JobOutcome> {
    let plain = engine.keyring().open(job.id.to_string().as_bytes(), &job.payload);
    let work = plain.ok().and_then(|plain| serde_json::from_slice::<Work>(&plain).ok());
    match work {
        Some(Work::Deliver(letter)) => deliver(engine, job, &letter, mailer, now).await,
        Some(work) => prepare(engine, job, work, now).await,
        // Perhaps not for ever: an operator may have started with the wrong secret.
        None => {
            let reason = "its payload cannot be opened with the present secret key".to_owned();
            put_off(engine, job, reason, retry_after(job.attempts + 1), now).await
        }
    }
}

async fn deliver(
    engine: &Engine,
    job: &Job,
    letter: &Letter,
    mailer: &dyn Mailer,
    now: Timestamp,
) -> AppResult<JobOutcome> {
    match mailer.send(job.id, letter).await {
        Ok(()) => {
            finish(engine, job, now).await?;
            Ok(JobOutcome::Done)
        }
        Err(MailFailure::Later(reason)) => put_off(engine, job, reason, retry_after(job.attempts + 1), now).await,
        Err(MailFailure::Never(reason)) => put_off(engine, job, reason, None, now).await,
    }
}

/// Gives a failed job back until its next attempt, or gives it up where there is to be none.
async fn put_off(
    engine: &Engine,
    job: &Job,
    reason: String,
    wait: Option<Duration>,
    now: Timestamp,
) -> AppResult<JobOutcome> {
    let Some(wait) = wait else {
        finish(engine, job, now).await?;
        return Ok(JobOutcome::GivenUp(reason));
    };
    let (lane, id, attempts) = (job.lane, job.id, job.attempts + 1);
    engine
        .chore(now, move |unit| {
            Box::pin(async move { Ok(unit.tx.retry_job(lane, id, attempts, now.plus(wait)).await?) })
        })
        .await?;
    Ok(JobOutcome::Later(reason))
}

/// Does the work and removes the job in one unit: it happens exactly once.
async fn prepare(engine: &Engine, job: &Job, work: Work, now: Timestamp) -> AppResult<JobOutcome> {
    let (lane, id) = (job.lane, job.id);
    engine
        .chore(now, move |unit| {
            Box::pin(async move {
                match work {
                    Work::SendReset { email } => passwords::send_reset(unit, &email).await?,
                    Work::SendVerification { user, email } => email_verification::send(unit, user, &email).await?,
                    Work::SendEmailChange { user, email, token } => {
                        email_change::send(unit, user, &email, token).await?;
                    }
                    Work::Deliver(_) => return Err(Stop::Fault(Fault::Internal("a letter is no account chore"))),
                }
                Ok(unit.tx.remove_job(lane, id).await?)
            })
        })
        .await?;
    Ok(JobOutcome::Done)
}

async fn finish(engine: &Engine, job: &Job, now: Timestamp) -> AppResult<()> {
    let (lane, id) = (job.lane, job.id);
    engine.chore(now, move |unit| Box::pin(async move { Ok(unit.tx.remove_job(lane, id).await?) })).await
}

/// Whether a lane has something to run.
pub async fn is_due(engine: &Engine, lane: Lane, now: Timestamp) -> AppResult<bool> {
    engine.read(Call::system(now), move |view| Box::pin(async move { Ok(view.tx.is_job_due(lane, now).await?) })).await
}

/// Removes what nobody can ask for any more, one bounded batch; call it again until nothing went.
pub async fn sweep(engine: &Engine, now: Timestamp) -> AppResult<Swept> {
    let horizons = horizons(engine, now);
    engine.chore(now, move |unit| Box::pin(async move { Ok(unit.tx.sweep(horizons, SWEEP_BATCH).await?) })).await
}

fn horizons(engine: &Engine, now: Timestamp) -> Horizons {
    Horizons {
        replies: now,
        credentials: now.minus(REMEMBERED),
        origins: now.minus(days(90)),
        events: now.minus(engine.rules.event_retention),
    }
}

/// Counts all that is past its time, and removes it unless this is only a look.
pub async fn purge(engine: &Engine, now: Timestamp, only_look: bool) -> AppResult<Due> {
    if only_look {
        let horizons = horizons(engine, now);
        return engine
            .chore(now, move |unit| Box::pin(async move { Ok(unit.tx.count_due(horizons, now).await?) }))
            .await;
    }
    let mut gone = Due {
        accounts: deletion::purge_due(engine, now).await?.into(),
        workspaces: workspaces::deletion::purge_due(engine, now).await?.into(),
        rows: Swept::default(),
    };
    loop {
        let batch = sweep(engine, now).await?;
        if batch == Swept::default() {
            return Ok(gone);
        }
        gone.rows += batch;
    }
}

/// Which credentials made calls of late.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Used {
    pub sessions: Vec<(UserId, SessionId)>,
    pub keys: Vec<(WorkspaceId, ApiKeyId, Timestamp)>,
}

impl Used {
    pub const fn is_empty(&self) -> bool {
        self.sessions.is_empty() && self.keys.is_empty()
    }
}

/// Moves the last activity of sessions and the last use of API keys that made calls.
pub async fn touch(engine: &Engine, now: Timestamp, used: Used) -> AppResult<()> {
    engine
        .chore(now, move |unit| {
            Box::pin(async move {
                if !used.sessions.is_empty() {
                    unit.tx.touch_sessions(&used.sessions, now.minus(ACTIVITY_STEP), now).await?;
                }
                if !used.keys.is_empty() {
                    unit.tx.touch_api_keys(&used.keys).await?;
                }
                Ok(())
            })
        })
        .await
}
