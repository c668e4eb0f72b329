//! Starting an import as a job.

use super::STARTING;
use crate::{
    access::{self, WorkspaceCaller, enter_locked},
    engine::Engine,
    jobs,
    outcome::{AppResult, Draft},
    page_access::{self, lineage::need},
    queue,
    records::{HeldDatabase, Hold},
    scope::Unit,
    write_budget::WrittenSize,
};
use octavo_core_model::{
    Fault, Level, Timestamp,
    fault::{Conflict, Hint, Issue, Violation},
    id::{DatabaseId, JobId, WorkspaceId},
    job::{DatabaseImport, Job, JobKind, JobOwner, JobStatus, Pieces, Task},
    time::days,
};
use octavo_databases::csv::Delimiter;
use octavo_permissions::Authority;
use octavo_ports::{
    blobs::BlobFolder,
    jobs::{JobSearch, StartedBy},
};
use serde_json::{Map, Value};
use std::time::Duration;

/// How many imports of one workspace may wait or run. Each of them keeps a file.
const MAX_OPEN: u32 = 10;

/// How long a file may take to arrive.
pub const LONGEST_ARRIVAL: Duration = Duration::from_mins(30);

/// When the bytes of a file are removed of which no job came. No file takes that long to arrive.
const ABANDONED_AFTER: Duration = days(1);

/// How long a unit may still run whose caller has gone. No unit takes that long.
const SETTLED_AFTER: Duration = Duration::from_mins(2);

/// How a table is to be imported.
#[derive(Clone, Debug, Default)]
pub struct WantedImport {
    /// Detected if it is `None`.
    pub delimiter: Option<Delimiter>,
    /// What is wanted with columns, by their headers. It was checked like a [`Mapping`](octavo_databases::import::Mapping).
    pub mapping: Map<String, Value>,
}

/// A file that is about to arrive, for a job that does not exist yet.
#[derive(Clone, Copy, Debug)]
pub struct Intake {
    owner: JobOwner,
    id: JobId,
    begun_at: Timestamp,
}

impl Intake {
    /// Where its bytes go.
    pub const fn folder(self) -> BlobFolder {
        BlobFolder::Job(self.owner, self.id)
    }
}

/// Checks whether the caller may import a table, before its file is received.
pub async fn admit(unit: &mut Unit, database: Draft<DatabaseId>, wanted: Draft<WantedImport>) -> AppResult<Intake> {
    let (caller, authority) = page_access::enter(unit, STARTING).await?;
    require_edit(unit, &caller, &authority, &database).await?;
    // The job outlives the access token.
    access::require_live_session(unit).await?;
    unit.claim().await?;
    wanted?;
    hold(unit, caller.workspace, database?).await?;
    unit.count_written(WrittenSize::of_bytes(0))?;
    let owner = JobOwner::Workspace(caller.workspace);
    let (id, begun_at) = (unit.id(JobId::new), unit.call.now);
    // Nothing else would lead to the bytes if this process died before the job is started.
    queue::add_leftover(unit, owner, id, begun_at.plus(ABANDONED_AFTER)).await?;
    Ok(Intake { owner, id, begun_at })
}

/// Starts the job once its file was received.
pub async fn start(
    unit: &mut Unit,
    intake: Intake,
    database: Draft<DatabaseId>,
    wanted: Draft<WantedImport>,
    pieces: Pieces,
) -> AppResult<Job> {
    let (caller, _) = enter_locked(unit, STARTING).await?;
    let authority = access::authority_in_teams(unit, &caller).await?;
    require_edit(unit, &caller, &authority, &database).await?;
    access::require_live_session(unit).await?;
    unit.claim().await?;
    let WantedImport { delimiter, mapping } = wanted?;
    let database = database?;
    if intake.owner != JobOwner::Workspace(caller.workspace) {
        return Err(Fault::Internal("a file arrived for another workspace").into());
    }
    if unit.call.now.since(intake.begun_at) > LONGEST_ARRIVAL {
        let rule = "a file that arrives within 30 minutes";
        return Err(Violation::new(FILE, Issue::InvalidValue).hinting(Hint::ruled_by(&[rule])).into());
    }
    if pieces.size() == 0 {
        return Err(Violation::new(FILE, Issue::Required).into());
    }
    hold(unit, caller.workspace, database).await?;
    unit.count_written(WrittenSize::of_bytes(pieces.size()))?;
    queue::remove_job(unit, intake.id).await?;
    let task = DatabaseImport { database, delimiter: delimiter.map(String::from), mapping, pieces };
    jobs::start_as(unit, &caller, intake.id, Task::DatabaseImport(task)).await
}

const FILE: &str = "body";

/// Lets a worker remove the bytes of a file soon if no job came of it. The unit that starts the job may still be running, so
/// whether there is a job is looked up again by then.
pub async fn discard(engine: &Engine, intake: Intake, now: Timestamp) -> AppResult<()> {
    let due = now.plus(SETTLED_AFTER);
    engine
        .chore(now, move |unit| {
            Box::pin(async move {
                match unit.tx.jobs().lock(intake.owner, intake.id).await? {
                    Some(_) => Ok(()),
                    None => queue::put_off_job(unit, intake.id, due).await,
                }
            })
        })
        .await
}

async fn require_edit(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    authority: &Authority,
    id: &Draft<DatabaseId>,
) -> AppResult<()> {
    match page_access::look_up(unit, caller.workspace, authority, id).await? {
        Some(node) => Ok(need(authority, node.lineage.level(), Level::Edit)?),
        None => Err(unit.absent().await),
    }
}

/// Checks that records can be added to the database, and that no other import would do that at the same time.
async fn hold(unit: &mut Unit, workspace: WorkspaceId, id: DatabaseId) -> AppResult<()> {
    let node = unit.tx.pages().find(workspace, id.node()).await?.ok_or(Fault::NotFound)?;
    HeldDatabase::lock(unit, &node, id, Hold::Shared).await?;
    let mut open = 0;
    for status in [JobStatus::Queued, JobStatus::Running] {
        let search = JobSearch {
            started_by: StartedBy::Anybody,
            kind: Some(JobKind::DatabaseImport),
            status: Some(status),
            before: None,
            limit: MAX_OPEN,
        };
        for job in unit.tx.jobs().list(JobOwner::Workspace(workspace), search).await? {
            open += 1;
            let is_here = matches!(&job.task, Task::DatabaseImport(import) if import.database == id);
            if is_here || open >= MAX_OPEN {
                return Err(Conflict::JobRunning.into());
            }
        }
    }
    Ok(())
}
