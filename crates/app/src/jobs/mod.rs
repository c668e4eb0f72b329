//! Jobs: showing people their state, and running them.

mod sweep;
pub(crate) mod work;

pub use sweep::remove_due_bytes;
pub use work::{Assignment, Explain, HeldLease, JobRunner, MakeRunner, Outcome, Run, RunLease, Step, next_assignment};

use crate::{
    access::{self, AppRequirement, CallerKind, RouteAccess, WorkspaceCaller},
    call::Caller,
    files::{Disposition, SignedAddress, Target},
    outcome::{AppResult, Draft},
    queue,
    scope::{Scope, Unit, View},
};
use octavo_core_model::{
    Fault, KeyScope, Role,
    event::Actor,
    fault::Conflict,
    id::JobId,
    job::{ADDRESS_LIFE, Job, JobKind, JobOwner, JobStatus, ResultAudience, Task},
};
use octavo_ports::{
    jobs::{JobSearch, StartedBy},
    store::Reads,
};

/// What reading jobs requires. No app scope opens it.
pub const READING: RouteAccess =
    RouteAccess { role: Role::Guest, key: Some(KeyScope::Read), app: AppRequirement::NoScope };
/// What cancelling a job requires.
pub const CANCELLING: RouteAccess = RouteAccess { key: Some(KeyScope::Write), ..READING };

/// Which jobs to list.
#[derive(Clone, Copy, Debug)]
pub struct JobPage {
    pub kind: Option<JobKind>,
    pub status: Option<JobStatus>,
    pub before: Option<JobId>,
    pub limit: u32,
}

/// A job as its reader sees it.
#[derive(Clone, Debug)]
pub struct JobDetails {
    pub job: Job,
    /// The token of a download address for the result, if there is one and the caller may have it.
    pub download: Option<String>,
}

/// Lists the jobs that the caller may see, newest first: all jobs of the workspace for its admins, otherwise the
/// caller's own, plus those of the caller's account.
pub async fn list(view: &mut View, page: Draft<JobPage>) -> AppResult<Vec<JobDetails>> {
    let caller = access::enter(view, READING).await?;
    let JobPage { kind, status, before, limit } = page?;
    let search = JobSearch { started_by: own(&caller), kind, status, before, limit };
    let mut jobs = view.tx.jobs().list(JobOwner::Workspace(caller.workspace), search).await?;
    if let Some(account) = account(view, &caller) {
        let search = JobSearch { started_by: StartedBy::Anybody, ..search };
        jobs.append(&mut view.tx.jobs().list(account, search).await?);
        jobs.sort_by_key(|job| std::cmp::Reverse(job.id));
        jobs.truncate(limit as usize);
    }
    Ok(jobs.into_iter().map(|job| show(view, &caller, job)).collect())
}

/// Shows one job.
pub async fn get(view: &mut View, id: Draft<JobId>) -> AppResult<JobDetails> {
    let caller = access::enter(view, READING).await?;
    let job = match id {
        Ok(id) => find(view, &caller, id).await?,
        Err(_) => None,
    };
    Ok(show(view, &caller, job.ok_or(Fault::NotFound)?))
}

/// Cancels a job that has not ended. Everybody who may see a job may cancel it.
pub async fn cancel(unit: &mut Unit, id: Draft<JobId>) -> AppResult<JobDetails> {
    let caller = access::enter(unit, CANCELLING).await?;
    let found = match id {
        Ok(id) => find(unit, &caller, id).await?,
        Err(_) => None,
    };
    let Some(found) = found else { return Err(unit.absent().await) };
    unit.claim().await?;
    // Lock first, then read the state that the lock protects.
    let mut job = unit.tx.jobs().lock(found.owner, found.id).await?.ok_or(Fault::NotFound)?;
    job.cancel(unit.call.now).map_err(|_| Fault::Conflict(Conflict::JobFinished))?;
    unit.tx.jobs().save(&job).await?;
    unit.job_changed(job.id);
    Ok(show(unit, &caller, job))
}

/// Queues a task as a job of the caller's workspace.
pub(crate) async fn start(unit: &mut Unit, caller: &WorkspaceCaller, task: Task) -> AppResult<Job> {
    let id = unit.id(JobId::new);
    start_as(unit, caller, id, task).await
}

/// Queues a task under an id that was drawn before, because bytes for it were stored under that id.
pub(crate) async fn start_as(unit: &mut Unit, caller: &WorkspaceCaller, id: JobId, task: Task) -> AppResult<Job> {
    let now = unit.call.now;
    let by_key = match &caller.kind {
        CallerKind::Key(key) => Some(key.id),
        CallerKind::Member { .. } | CallerKind::App { .. } => None,
    };
    let owner = JobOwner::Workspace(caller.workspace);
    let job = Job { by_key, ..Job::new(id, owner, task, caller.author(), now) };
    unit.tx.jobs().insert(&job).await?;
    queue::add_job(unit, &job).await?;
    Ok(job)
}

/// The actor who started a job.
const fn starter(job: &Job) -> Actor {
    match job.by_key {
        Some(key) => Actor::ApiKey(key),
        None => Actor::User(job.created_by),
    }
}

/// The account whose jobs the caller sees in addition to those of the workspace. `None` for a session that reaches
/// one workspace only.
fn account<T: ?Sized>(scope: &Scope<T>, caller: &WorkspaceCaller) -> Option<JobOwner> {
    let is_bound = matches!(&scope.call.caller, Caller::User(claims) if claims.is_bound());
    caller.user().filter(|_| !is_bound).map(|user| JobOwner::User(user.id))
}

fn own(caller: &WorkspaceCaller) -> StartedBy {
    match &caller.kind {
        _ if caller.is_in_charge() => StartedBy::Anybody,
        CallerKind::Member { user, .. } | CallerKind::App { user, .. } => StartedBy::User(user.id),
        CallerKind::Key(key) => StartedBy::Key(key.id),
    }
}

/// Finds a job. If the caller may not see it, refuses at once instead of returning `None`: a caller that has lost
/// access must not get an earlier answer replayed.
async fn find<T: Reads + ?Sized>(scope: &mut Scope<T>, caller: &WorkspaceCaller, id: JobId) -> AppResult<Option<Job>> {
    if let Some(job) = scope.tx.jobs().find(JobOwner::Workspace(caller.workspace), id).await? {
        let is_seen = match own(caller) {
            StartedBy::Anybody => true,
            StartedBy::User(user) => job.created_by == user,
            StartedBy::Key(key) => job.by_key == Some(key),
        };
        return if is_seen { Ok(Some(job)) } else { Err(Fault::NotFound.into()) };
    }
    match account(scope, caller) {
        Some(account) => Ok(scope.tx.jobs().find(account, id).await?),
        None => Ok(None),
    }
}

fn show<T: ?Sized>(scope: &mut Scope<T>, caller: &WorkspaceCaller, job: Job) -> JobDetails {
    let now = scope.call.now;
    let may_fetch = match job.task.result_audience() {
        ResultAudience::InCharge => caller.is_in_charge(),
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
    JobDetails { job, download }
}
