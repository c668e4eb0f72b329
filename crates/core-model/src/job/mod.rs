//! Work that users wait for: started by a call, done in the background, and visible for some time after its end.

use crate::{
    audit::AuditSearch,
    id::{ApiKeyId, JobId, UserId, WorkspaceId},
    name::named,
    time::{Timestamp, days},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{fmt, str::FromStr, time::Duration};

/// How often an interrupted job is restarted.
pub const MAX_INTERRUPTIONS: u32 = 3;

/// How long the result of a job can be downloaded.
pub const RESULT_LIFE: Duration = days(7);

/// How long a download address works.
pub const ADDRESS_LIFE: Duration = Duration::from_mins(15);

/// How long a job is kept after its end.
pub const REMEMBERED: Duration = days(30);

/// How many warnings a job stores; the others are only counted.
pub const MAX_WARNINGS: usize = 100;

named! {
    /// The types of jobs.
    JobKind {
        WorkspaceExport = "workspace_export",
        WorkspaceImport = "workspace_import",
        WebhookReplay = "webhook_replay",
        UserExport = "user_export",
        AuditExport = "audit_export",
    }
}

named! {
    /// The state of a job.
    JobStatus {
        Queued = "QUEUED",
        Running = "RUNNING",
        Succeeded = "SUCCEEDED",
        Failed = "FAILED",
        Cancelled = "CANCELLED",
    }
}

named! {
    /// The format of an export.
    ExportFormat {
        Ndjson = "ndjson",
        Csv = "csv",
    }
}

/// The owner of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum JobOwner {
    /// Those who run this workspace.
    Workspace(WorkspaceId),
    /// Only this user sees the job.
    User(UserId),
}

/// The text is not the owner of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownOwner;

impl JobOwner {
    /// The workspace, unless it belongs to a person.
    pub const fn workspace(self) -> Option<WorkspaceId> {
        match self {
            Self::Workspace(id) => Some(id),
            Self::User(_) => None,
        }
    }
}

impl fmt::Display for JobOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Workspace(id) => id.fmt(f),
            Self::User(id) => id.fmt(f),
        }
    }
}

impl FromStr for JobOwner {
    type Err = UnknownOwner;

    fn from_str(text: &str) -> Result<Self, UnknownOwner> {
        let workspace = text.parse().map(Self::Workspace).ok();
        workspace.or_else(|| text.parse().map(Self::User).ok()).ok_or(UnknownOwner)
    }
}

/// The task of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Task {
    /// Write an audit trail into a file.
    AuditExport(AuditExport),
}

impl Task {
    /// What kind of job this is.
    pub const fn kind(&self) -> JobKind {
        match self {
            Self::AuditExport(_) => JobKind::AuditExport,
        }
    }

    /// Who may download the result.
    pub const fn result_audience(&self) -> ResultAudience {
        match self {
            // The starter may have lost the right to read the trail since.
            Self::AuditExport(_) => ResultAudience::InCharge,
        }
    }
}

/// Who may download the result of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultAudience {
    /// Owners and admins of the workspace, and API keys with the scope `admin`.
    InCharge,
}

/// Which entries of an audit trail to export, and the format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditExport {
    /// How to write them.
    pub format: ExportFormat,
    /// Which entries.
    pub search: AuditSearch,
}

/// A job as the store keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// The id of the job.
    pub id: JobId,
    /// Whom it belongs to.
    pub owner: JobOwner,
    /// What it does.
    pub task: Task,
    /// Who asked for it.
    pub created_by: UserId,
    /// The API key that requested it, if one did.
    pub by_key: Option<ApiKeyId>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When a worker first took it; `None` while it waits.
    pub started_at: Option<Timestamp>,
    /// Whether it waits, runs or has ended.
    pub state: JobState,
    /// How far it has come.
    pub course: JobProgress,
    /// How long its bytes are kept; `None` if there are none.
    pub bytes_until: Option<Timestamp>,
}

/// Whether a job waits, runs or has ended.
#[derive(Clone, Debug, PartialEq)]
pub enum JobState {
    /// It waits for a worker.
    Queued,
    /// A worker has it.
    Running,
    /// It is over.
    Ended {
        /// When it ended.
        at: Timestamp,
        /// How it ended.
        ending: Ending,
    },
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// It did what it was asked to do.
    Succeeded(Product),
    /// It could not.
    Failed(Failure),
    /// Somebody cancelled it.
    Cancelled,
}

/// The result of a job.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Product {
    /// The result as its readers see it: a JSON object.
    pub facts: Value,
    /// The bytes that it made, if it made any.
    pub content: Option<StoredBytes>,
}

/// Bytes that can be downloaded. The blob store keeps them as consecutive pieces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredBytes {
    /// The sizes of the pieces.
    pub pieces: Pieces,
    /// The SHA-256 of all bytes, as hex.
    pub sha256: String,
    /// The name of the file.
    pub name: String,
    /// The media type.
    pub media: String,
}

/// The sizes of the pieces, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pieces(pub Vec<u64>);

impl Pieces {
    /// How many bytes there are.
    pub fn size(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The piece that contains the byte at this position, and the position within the piece.
    pub fn locate(&self, place: u64) -> Option<(usize, u64)> {
        let mut begins = 0;
        for (number, size) in self.0.iter().enumerate() {
            if place < begins + size {
                return Some((number, place - begins));
            }
            begins += size;
        }
        None
    }
}

/// Why a job failed, as its readers see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// What went wrong, as a code for programs.
    pub code: String,
    /// What went wrong, as a sentence for people.
    pub message: String,
    /// More about it, as the errors of the API give it.
    pub details: Vec<Value>,
}

/// The progress of a job.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JobProgress {
    /// The present step.
    pub stage: Option<String>,
    /// How many steps are done.
    pub done: u64,
    /// How many steps there are, once that is known.
    pub total: Option<u64>,
    /// The first warnings.
    pub warnings: Vec<Warning>,
    /// How many warnings there were in all.
    pub warning_count: u64,
    /// The number of runs. A worker with a lower number has lost the job to another one.
    pub runs: u32,
    /// How often it was interrupted.
    pub interruptions: u32,
    /// Where the next run continues.
    pub checkpoint: Option<Checkpoint>,
}

/// A problem that did not stop the job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// Where it went wrong.
    pub path: String,
    /// What went wrong there.
    pub issue: String,
}

/// How far a job had come when it was last written down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Checkpoint {
    /// Writing an audit trail.
    AuditExport {
        /// The number up to which the trail was read, and the number at which the export ends.
        through: i64,
        /// The number of the newest entry to write.
        last: i64,
        /// How many entries were written.
        rows: u64,
        /// The pieces that were stored.
        pieces: Pieces,
    },
}

/// The job has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished;

/// The result of starting a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartOutcome {
    /// It is running now, with this number.
    Run(u32),
    /// It was interrupted too often and has ended.
    GivenUp,
    /// It had already ended.
    Over,
}

impl Job {
    /// A job that waits for a worker.
    pub const fn new(id: JobId, owner: JobOwner, task: Task, created_by: UserId, now: Timestamp) -> Self {
        let course = JobProgress {
            stage: None,
            done: 0,
            total: None,
            warnings: Vec::new(),
            warning_count: 0,
            runs: 0,
            interruptions: 0,
            checkpoint: None,
        };
        let (by_key, started_at, bytes_until) = (None, None, None);
        Self {
            id,
            owner,
            task,
            created_by,
            by_key,
            created_at: now,
            started_at,
            state: JobState::Queued,
            course,
            bytes_until,
        }
    }

    /// What kind of job this is.
    pub const fn kind(&self) -> JobKind {
        self.task.kind()
    }

    /// Its state in one word.
    pub const fn status(&self) -> JobStatus {
        match &self.state {
            JobState::Queued => JobStatus::Queued,
            JobState::Running => JobStatus::Running,
            JobState::Ended { ending: Ending::Succeeded(_), .. } => JobStatus::Succeeded,
            JobState::Ended { ending: Ending::Failed(_), .. } => JobStatus::Failed,
            JobState::Ended { ending: Ending::Cancelled, .. } => JobStatus::Cancelled,
        }
    }

    /// When it ended; `None` while it has not.
    pub const fn finished_at(&self) -> Option<Timestamp> {
        match self.state {
            JobState::Ended { at, .. } => Some(at),
            JobState::Queued | JobState::Running => None,
        }
    }

    /// Everything whose change a waiting caller wants to notice.
    pub fn mark(&self) -> (JobStatus, u64, Option<u64>, Option<String>) {
        (self.status(), self.course.done, self.course.total, self.course.stage.clone())
    }

    /// Starts a run. A job that is already running was interrupted: its worker died.
    pub fn start_run(&mut self, now: Timestamp) -> StartOutcome {
        match self.state {
            JobState::Ended { .. } => return StartOutcome::Over,
            JobState::Running => self.course.interruptions += 1,
            JobState::Queued => {}
        }
        if self.course.interruptions > MAX_INTERRUPTIONS {
            self.end(Ending::Failed(Failure::interrupted()), now);
            return StartOutcome::GivenUp;
        }
        self.course.runs += 1;
        self.started_at.get_or_insert(now);
        self.state = JobState::Running;
        StartOutcome::Run(self.course.runs)
    }

    /// Whether the worker of this run still has the job.
    pub fn is_run(&self, run: u32) -> bool {
        matches!(self.state, JobState::Running) && self.course.runs == run
    }

    /// A worker that stops returns the job for another one; that does not count as an interruption.
    pub fn hand_back(&mut self) {
        self.state = JobState::Queued;
    }

    /// Cancels the job, unless it has ended.
    pub fn cancel(&mut self, now: Timestamp) -> Result<(), Finished> {
        match self.state {
            JobState::Ended { .. } => Err(Finished),
            JobState::Queued | JobState::Running => {
                self.end(Ending::Cancelled, now);
                Ok(())
            }
        }
    }

    /// Ends the job.
    pub fn end(&mut self, ending: Ending, now: Timestamp) {
        let kept_for = match &ending {
            // The last address that was issued must work until its end.
            Ending::Succeeded(Product { content: Some(_), .. }) => Some(RESULT_LIFE + ADDRESS_LIFE),
            // The worker may just be writing.
            Ending::Failed(_) | Ending::Cancelled => self.started_at.map(|_| ADDRESS_LIFE),
            Ending::Succeeded(_) => None,
        };
        self.bytes_until = kept_for.map(|life| now.plus(life));
        self.course.stage = None;
        self.course.checkpoint = None;
        self.state = JobState::Ended { at: now, ending };
    }

    /// Adds a warning, or only counts it once there are many.
    pub fn warn(&mut self, warning: Warning) {
        self.course.warning_count += 1;
        if self.course.warnings.len() < MAX_WARNINGS {
            self.course.warnings.push(warning);
        }
    }

    /// The bytes of the result, while they can be downloaded.
    pub fn content(&self, now: Timestamp) -> Option<&StoredBytes> {
        match &self.state {
            JobState::Ended { at, ending: Ending::Succeeded(product) } if now < at.plus(RESULT_LIFE) => {
                product.content.as_ref()
            }
            _ => None,
        }
    }

    /// The bytes of the result, while they are stored.
    pub fn kept_content(&self) -> Option<&StoredBytes> {
        match &self.state {
            JobState::Ended { ending: Ending::Succeeded(product), .. } if self.bytes_until.is_some() => {
                product.content.as_ref()
            }
            _ => None,
        }
    }
}

impl Failure {
    fn interrupted() -> Self {
        Self {
            code: "INTERNAL_ERROR".to_owned(),
            message: "The job broke off too often.".to_owned(),
            details: vec![serde_json::json!({ "reason": "interrupted" })],
        }
    }
}

#[cfg(test)]
mod tests;
