//! The work of the job: surveying the file, then writing its rows portion by portion.

use super::{
    super::{
        portion,
        sheet::SheetRow,
        step::{Opened, Plan, Step as UnitStep, Target, Written},
    },
    file,
    gathering::{Gathering, Portion},
    survey::{Progress, Survey, Surveyed},
};
use crate::{
    call::{Call, JobStarter},
    engine::Engine,
    jobs::work::{JobRunner, RunLease, Step},
    outcome::{AppResult, Interrupt},
};
use async_trait::async_trait;
use octavo_core_model::{
    Fault, Timestamp,
    cancellation::Cancellation,
    fault::{ComputeFault, ImportFault, RejectedRow},
    id::DatabaseId,
    job::{Checkpoint, DatabaseImport, ImportCheckpoint, ImportedColumn, Job, JobOwner, Product, RefusedRow},
};
use octavo_databases::{
    csv::{Delimiter, Dialect, Place},
    import::{BoundColumn, Mapping},
};
use octavo_ports::{blobs::Blobs, compute::WorkKind};
use serde_json::json;
use std::{fmt, sync::Arc, time::Duration};

/// The stage in which the file is surveyed.
const READING: &str = "reading";

/// How many bytes a step surveys.
const SURVEYED: u64 = 4 << 20;

/// How many bytes are read at once to gather rows.
const PART: u64 = 512 << 10;

/// How often in a row a step that finds the service busy is tried again before the job waits in the queue.
const TRIES: u32 = 3;

/// How long it waits then.
const BUSY: Duration = Duration::from_secs(10);

/// How long the job waits at least if its starter has written too much: the file is surveyed again afterwards.
const SHORTEST_WAIT: Duration = Duration::from_mins(1);

/// An import that is running.
pub(crate) struct Import {
    starter: Option<JobStarter>,
    wanted: DatabaseImport,
    /// What earlier runs have done.
    earlier: Option<(u64, ImportCheckpoint)>,
    stage: Stage,
    /// How often in a row the service was busy.
    busy: u32,
}

enum Stage {
    Surveying(Survey),
    Writing(Box<Writing>),
}

struct Writing {
    plan: Arc<Plan>,
    dialect: Dialect,
    /// How many rows there are, and how many were written or rejected.
    rows: u64,
    done: u64,
    /// Where the next row begins.
    next: Place,
    opened: Option<Arc<Opened>>,
    checkpoint: Arc<ImportCheckpoint>,
    /// `None` to begin at the next row.
    gathering: Option<Gathering>,
    /// Rows that were read and not written yet.
    pending: Option<Arc<Pending>>,
}

/// What the next unit writes.
struct Pending {
    step: UnitStep,
    unreadable: Vec<RefusedRow>,
    rows: u64,
    first_row: u64,
    next: Place,
}

impl fmt::Debug for Import {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Import").field("database", &self.wanted.database).finish_non_exhaustive()
    }
}

impl Import {
    /// Starts an import, or resumes it from the checkpoint of an earlier run.
    pub(crate) fn resume(job: &Job, wanted: &DatabaseImport) -> Self {
        let starter = match job.owner {
            JobOwner::Workspace(workspace) => Some(JobStarter { workspace, user: job.created_by, key: job.by_key }),
            JobOwner::User(_) => None,
        };
        let earlier = match &job.progress.checkpoint {
            Some(Checkpoint::DatabaseImport(checkpoint)) => Some((job.progress.done, checkpoint.clone())),
            Some(Checkpoint::AuditExport { .. }) | None => None,
        };
        Self { starter, wanted: wanted.clone(), earlier, stage: Stage::Surveying(survey_of(wanted)), busy: 0 }
    }
}

fn survey_of(wanted: &DatabaseImport) -> Survey {
    Survey::new(wanted.delimiter.as_deref().and_then(|text| Delimiter::parse(text).ok()))
}

#[async_trait]
impl JobRunner for Import {
    fn first_stage(&self) -> &'static str {
        READING
    }

    /// A survey that is interrupted while it computes begins again.
    async fn step(&mut self, engine: &Engine, blobs: &dyn Blobs, lease: RunLease, now: Timestamp) -> AppResult<Step> {
        let starter = self.starter.ok_or(Fault::Internal("an import belongs to a workspace"))?;
        let run = Running { engine, blobs, lease, starter, now };
        let done = match &mut self.stage {
            Stage::Surveying(_) => self.survey(&run).await,
            Stage::Writing(writing) => writing.step(&run, &self.wanted).await,
        };
        match done {
            Err(Interrupt::Fault(fault)) => self.step_after(fault),
            done => {
                self.busy = 0;
                done
            }
        }
    }
}

/// What a step is given.
struct Running<'a> {
    engine: &'a Engine,
    blobs: &'a dyn Blobs,
    lease: RunLease,
    starter: JobStarter,
    now: Timestamp,
}

impl Running<'_> {
    fn call(&self) -> Call {
        Call::of_job(self.starter, self.now)
    }
}

impl Import {
    /// Decides whether a job that was refused tries again, waits or ends.
    fn step_after(&mut self, fault: Fault) -> AppResult<Step> {
        match fault {
            Fault::TooMuchWritten { retry_after, .. } => {
                Ok(Step::Waits(SHORTEST_WAIT.max(Duration::from_secs(retry_after))))
            }
            // An outage is no reason to end a job.
            Fault::Store(_)
            | Fault::Compute(ComputeFault::Busy | ComputeFault::MemoryFull | ComputeFault::TablesFull)
                if self.busy >= TRIES =>
            {
                Ok(Step::Waits(BUSY))
            }
            Fault::Store(_) | Fault::Compute(_) | Fault::Internal(_) => {
                self.busy += 1;
                Err(fault.into())
            }
            fault => Ok(Step::Refused(self.stopped(fault))),
        }
    }

    /// Adds what was written before to a refusal.
    fn stopped(&self, cause: Fault) -> Fault {
        let Stage::Writing(writing) = &self.stage else { return cause };
        let row = writing.pending.as_ref().map_or(writing.next.row, |pending| pending.first_row);
        let (database, imported) = (self.wanted.database, writing.checkpoint.imported);
        Fault::Import(ImportFault::Stopped { database, imported, row, cause: Box::new(cause) })
    }

    async fn survey(&mut self, run: &Running<'_>) -> AppResult<Step> {
        let Stage::Surveying(survey) = &self.stage else { return Ok(Step::Goes) };
        let read = file::read(run.blobs, run.lease, &self.wanted.pieces, survey.at(), SURVEYED).await?;
        let part = match read {
            Ok(part) => part,
            Err(failure) => return Ok(Step::Ends(Err(failure))),
        };
        // A pool that is full refuses the reservation, and the survey is still there.
        let place = run.engine.reserve(WorkKind::of_bytes(part.bytes.len()), run.call().work_owner())?;
        let fresh = Stage::Surveying(survey_of(&self.wanted));
        let Stage::Surveying(survey) = std::mem::replace(&mut self.stage, fresh) else { return Ok(Step::Goes) };
        let (progress, _) = run.engine.compute_reserved(place, move |_| survey.feed(&part.bytes, part.is_last)).await?;
        self.stage = match progress? {
            Progress::Goes(survey) => Stage::Surveying(survey),
            Progress::Done(surveyed) => {
                if !run.note_writing(surveyed.rows).await? {
                    return Ok(Step::Lost);
                }
                Stage::Writing(Box::new(self.begin(surveyed)?))
            }
        };
        Ok(Step::Goes)
    }

    /// Begins to write, or goes on where an earlier run has ended.
    fn begin(&mut self, surveyed: Surveyed) -> AppResult<Writing> {
        let Surveyed { dialect, columns, first_row, rows, warnings } = surveyed;
        let mapping = Mapping::read(self.wanted.mapping.clone()).map_err(Fault::Invalid)?;
        let plan = Plan { title: None, mapping, columns, kinds: Vec::new(), fatal: None };
        let (done, next, opened, checkpoint) = match self.earlier.take() {
            Some((done, checkpoint)) => {
                let next = serde_json::from_value(checkpoint.next.clone());
                let next = next.map_err(|_| Fault::Internal("a checkpoint names no place"))?;
                (done, next, Some(Arc::new(opened(self.wanted.database, &checkpoint))), checkpoint)
            }
            None => (0, first_row, None, ImportCheckpoint { warnings, ..ImportCheckpoint::default() }),
        };
        Ok(Writing {
            plan: Arc::new(plan),
            dialect,
            rows,
            done,
            next,
            opened,
            checkpoint: Arc::new(checkpoint),
            gathering: None,
            pending: None,
        })
    }
}

fn opened(database: DatabaseId, checkpoint: &ImportCheckpoint) -> Opened {
    let bound = |column: &ImportedColumn| BoundColumn {
        index: column.index,
        name: column.name.clone(),
        property: column.property,
    };
    Opened { database, page: None, columns: checkpoint.columns.iter().map(bound).collect() }
}

/// The checkpoint of a job that has these rows already: the unit was committed, and the answer to the commit was lost.
fn committed(job: &Job, pending: &Pending) -> Option<ImportCheckpoint> {
    match &job.progress.checkpoint {
        Some(Checkpoint::DatabaseImport(checkpoint)) if checkpoint.next == json!(pending.next) => {
            Some(checkpoint.clone())
        }
        _ => None,
    }
}

impl Running<'_> {
    /// Records that these rows are being written. Returns false if the job no longer belongs to this run.
    async fn note_writing(&self, rows: u64) -> AppResult<bool> {
        let change = move |job: &mut Job| {
            job.progress.stage = Some("writing".to_owned());
            job.progress.total = Some(rows);
        };
        self.lease.note(self.engine, self.now, change).await
    }
}

impl Writing {
    async fn step(&mut self, run: &Running<'_>, wanted: &DatabaseImport) -> AppResult<Step> {
        if self.opened.is_some() && self.done >= self.rows {
            // An earlier run ended between its last portion and the end of the job.
            return Ok(Step::Ends(Ok(self.product(wanted))));
        }
        match self.pending.clone() {
            Some(pending) => self.write(run, wanted, pending).await,
            None => self.gather(run, wanted).await,
        }
    }

    /// Reads the next rows.
    async fn gather(&mut self, run: &Running<'_>, wanted: &DatabaseImport) -> AppResult<Step> {
        let mut gathering = self.gathering.take().unwrap_or_else(|| Gathering::new(self.dialect, self.next));
        let mut part = None;
        if gathering.needs_part() {
            match file::read(run.blobs, run.lease, &wanted.pieces, gathering.at(), PART).await? {
                Ok(read) => part = Some(read),
                Err(failure) => return Ok(Step::Ends(Err(failure))),
            }
        }
        let (plan, owner) = (Arc::clone(&self.plan), run.call().work_owner());
        let work = move |_: &Cancellation| {
            if let Some(part) = part {
                gathering.feed(&part.bytes, part.is_last);
            }
            let portion = gathering.gather(&plan.columns);
            (gathering, portion)
        };
        let ((gathering, portion), _) = run.engine.compute(WorkKind::Short, owner, work).await?;
        self.gathering = Some(gathering);
        self.pending = portion.map(|portion| Arc::new(self.pending_of(wanted, portion)));
        Ok(Step::Goes)
    }

    fn pending_of(&self, wanted: &DatabaseImport, portion: Portion) -> Pending {
        let (rows, bytes) = (portion.len(), portion.bytes());
        let Portion { place, next, rows: readable, unreadable, is_last } = portion;
        let first_row = readable.first().map_or(place.row, |row: &SheetRow| row.number);
        let step = UnitStep {
            target: Target::Existing(wanted.database),
            plan: Arc::clone(&self.plan),
            opened: self.opened.clone(),
            is_last: is_last || self.done + rows >= self.rows,
            bytes,
            rows: vec![readable],
        };
        Pending { step, unreadable, rows, first_row, next }
    }

    /// Writes rows, and how far the job has come, in one unit.
    async fn write(&mut self, run: &Running<'_>, wanted: &DatabaseImport, pending: Arc<Pending>) -> AppResult<Step> {
        let (lease, checkpoint, before) = (run.lease, Arc::clone(&self.checkpoint), self.done);
        let database = wanted.database;
        let (done, next, is_last) = (self.done + pending.rows, pending.next, pending.step.is_last);
        let written = run
            .engine
            .change_repeatably(run.call(), move |unit| {
                let (pending, checkpoint) = (Arc::clone(&pending), Arc::clone(&checkpoint));
                Box::pin(async move {
                    let Some(mut job) = lease.lock(unit).await? else { return Ok(None) };
                    if let Some(committed) = committed(&job, &pending) {
                        return Ok(Some((opened(database, &committed), committed)));
                    }
                    if job.progress.done != before {
                        return Err(Fault::Internal("another run has written rows of this import").into());
                    }
                    let written = portion::write(unit, &pending.step).await?;
                    let opened = written.opened.clone();
                    let checkpoint = after(&checkpoint, &pending, written);
                    job.progress.done = done;
                    job.progress.checkpoint = Some(Checkpoint::DatabaseImport(checkpoint.clone()));
                    unit.tx.jobs().save(&job).await?;
                    unit.job_changed(lease.id);
                    Ok(Some((opened, checkpoint)))
                })
            })
            .await?;
        let Some((opened, checkpoint)) = written else { return Ok(Step::Lost) };
        (self.done, self.next) = (done, next);
        (self.opened, self.checkpoint) = (Some(Arc::new(opened)), Arc::new(checkpoint));
        self.pending = None;
        Ok(if is_last { Step::Ends(Ok(self.product(wanted))) } else { Step::Goes })
    }

    fn product(&self, wanted: &DatabaseImport) -> Product {
        let ImportCheckpoint { imported, rejected, rejected_count, warnings, .. } = &*self.checkpoint;
        let facts = json!({
            "databaseId": wanted.database,
            "importedRecords": imported,
            "rejectedRowCount": rejected_count,
            "rejectedRows": rejected,
            "warnings": warnings,
        });
        Product { facts, content: None }
    }
}

/// The state of the import after a unit.
fn after(earlier: &ImportCheckpoint, pending: &Pending, written: Written) -> ImportCheckpoint {
    let mut checkpoint = earlier.clone();
    checkpoint.next = json!(pending.next);
    let column =
        |column: BoundColumn| ImportedColumn { index: column.index, name: column.name, property: column.property };
    checkpoint.columns = written.opened.columns.into_iter().map(column).collect();
    checkpoint.imported += written.imported;
    let refused =
        |row: RejectedRow| RefusedRow { row: row.row, column: row.column.map(Into::into), issue: row.issue.to_owned() };
    let mut rejected: Vec<_> =
        pending.unreadable.iter().cloned().chain(written.rejected.into_iter().map(refused)).collect();
    rejected.sort_by_key(|row| row.row);
    checkpoint.reject(rejected);
    checkpoint.warnings.extend(written.warnings);
    checkpoint
}
