//! Jobs: telling people how their work stands, and doing it.

mod sweep;
pub(crate) mod work;

pub use sweep::remove_due_bytes;
pub use work::{Outcome, Run, Taken, take};

use crate::{
    access::{self, Door, Entry, Visitor},
    chores,
    engine::{AppResult, Draft},
    files::{Disposition, SignedAddress, Target},
    scope::{Scope, Unit, View},
};
use octavo_core_model::{
    Fault,
    event::Actor,
    fault::Conflict,
    id::JobId,
    job::{ADDRESS_LIFE, Job, JobKind, JobOwner, JobStatus, Task},
};
use octavo_ports::{
    jobs::{JobSearch, StartedBy},
    store::Reads,
};

/// Which jobs to list.
#[derive(Clone, Copy, Debug)]
pub struct JobPage {
    pub kind: Option<JobKind>,
    pub status: Option<JobStatus>,
    pub before: Option<JobId>,
    pub limit: u32,
}

/// A job as somebody sees it.
#[derive(Clone, Debug)]
pub struct Shown {
    pub job: Job,
    /// The token of an address that leads to what it made, where there is something and the caller may have it.
    pub download: Option<String>,
}

/// Lists the jobs that the caller may see: all of the workspace for who runs it, else their own; and those of their account. Newest first.
pub async fn list(view: &mut View, page: Draft<JobPage>) -> AppResult<Vec<Shown>> {
    let entry = access::enter(view, Door::ANYBODY).await?;
    let JobPage { kind, status, before, limit } = page?;
    let search = JobSearch { started_by: own(&entry), kind, status, before, limit };
    let mut jobs = view.tx.list_jobs(JobOwner::Workspace(entry.workspace), search).await?;
    if let Some(user) = entry.user() {
        let search = JobSearch { started_by: StartedBy::Anybody, ..search };
        jobs.append(&mut view.tx.list_jobs(JobOwner::User(user.id), search).await?);
        jobs.sort_by_key(|job| std::cmp::Reverse(job.id));
        jobs.truncate(limit as usize);
    }
    Ok(jobs.into_iter().map(|job| show(view, &entry, job)).collect())
}

/// Shows one job.
pub async fn get(view: &mut View, id: Draft<JobId>) -> AppResult<Shown> {
    let entry = access::enter(view, Door::ANYBODY).await?;
    let job = match id {
        Ok(id) => find(view, &entry, id).await?,
        Err(_) => None,
    };
    Ok(show(view, &entry, job.ok_or(Fault::NotFound)?))
}

/// Cancels a job that has not ended. Open to who may see it.
pub async fn cancel(unit: &mut Unit, id: Draft<JobId>) -> AppResult<Shown> {
    let entry = access::enter(unit, Door::ANYBODY).await?;
    let found = match id {
        Ok(id) => find(unit, &entry, id).await?,
        Err(_) => None,
    };
    let Some(found) = found else { return Err(unit.absent().await) };
    unit.claim().await?;
    // The lock, and then what stands behind it.
    let mut job = unit.tx.lock_job(found.owner, found.id).await?.ok_or(Fault::NotFound)?;
    job.cancel(unit.call.now).map_err(|_| Fault::Conflict(Conflict::JobFinished))?;
    unit.tx.save_job(&job).await?;
    unit.job_changed(job.id);
    Ok(show(unit, &entry, job))
}

/// Puts a task into the queue, as a job of the workspace that the caller came into.
pub(crate) async fn start(unit: &mut Unit, entry: &Entry, task: Task) -> AppResult<Job> {
    let (id, now) = (unit.id(JobId::new), unit.call.now);
    let by_key = match &entry.visitor {
        Visitor::Key(key) => Some(key.id),
        Visitor::Member { .. } | Visitor::App { .. } => None,
    };
    let owner = JobOwner::Workspace(entry.workspace);
    let job = Job { by_key, ..Job::new(id, owner, task, entry.author(), now) };
    unit.tx.insert_job(&job).await?;
    chores::queue(unit, &job).await?;
    Ok(job)
}

/// Who asked for a job.
const fn starter(job: &Job) -> Actor {
    match job.by_key {
        Some(key) => Actor::ApiKey(key),
        None => Actor::User(job.created_by),
    }
}

fn own(entry: &Entry) -> StartedBy {
    match &entry.visitor {
        _ if entry.is_in_charge() => StartedBy::Anybody,
        Visitor::Member { user, .. } | Visitor::App { user, .. } => StartedBy::User(user.id),
        Visitor::Key(key) => StartedBy::Key(key.id),
    }
}

async fn find<T: Reads + ?Sized>(scope: &mut Scope<T>, entry: &Entry, id: JobId) -> AppResult<Option<Job>> {
    if let Some(job) = scope.tx.find_job(JobOwner::Workspace(entry.workspace), id).await? {
        let is_seen = match own(entry) {
            StartedBy::Anybody => true,
            StartedBy::User(user) => job.created_by == user,
            StartedBy::Key(key) => job.by_key == Some(key),
        };
        return Ok(Some(job).filter(|_| is_seen));
    }
    match entry.user() {
        Some(user) => Ok(scope.tx.find_job(JobOwner::User(user.id), id).await?),
        None => Ok(None),
    }
}

fn show<T: ?Sized>(scope: &mut Scope<T>, entry: &Entry, job: Job) -> Shown {
    let now = scope.call.now;
    let may_fetch = match job.task {
        // Whoever asked for it may have lost the right to read the trail.
        Task::AuditExport(_) => entry.is_in_charge(),
    };
    let download = (may_fetch && job.content(now).is_some()).then(|| {
        let address = SignedAddress {
            target: Target::Job(job.owner, job.id),
            disposition: Disposition::Attachment,
            expires_at: now.plus(ADDRESS_LIFE),
            nonce: scope.bytes(),
        };
        address.token(&scope.keyring())
    });
    Shown { job, download }
}
