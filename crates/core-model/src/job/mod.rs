//! Work that people wait for: started by a call, done in the background, and visible until it is forgotten.

use crate::{
    audit::AuditSearch,
    id::{ApiKeyId, JobId, UserId, WorkspaceId},
    name::named,
    time::{Timestamp, days},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{fmt, str::FromStr, time::Duration};

/// How often a job that broke off is taken up again.
pub const MAX_INTERRUPTIONS: u32 = 3;

/// How long the bytes that a job made can be fetched.
pub const RESULT_LIFE: Duration = days(7);

/// How long an address that leads to them works.
pub const ADDRESS_LIFE: Duration = Duration::from_mins(15);

/// How long a job is kept after its end.
pub const REMEMBERED: Duration = days(30);

/// How many warnings a job keeps; it counts the others.
pub const MAX_WARNINGS: usize = 100;

named! {
    /// What a job does.
    JobKind {
        WorkspaceExport = "workspace_export",
        WorkspaceImport = "workspace_import",
        WebhookReplay = "webhook_replay",
        UserExport = "user_export",
        AuditExport = "audit_export",
    }
}

named! {
    /// How a job stands, in one word.
    JobStatus {
        Queued = "QUEUED",
        Running = "RUNNING",
        Succeeded = "SUCCEEDED",
        Failed = "FAILED",
        Cancelled = "CANCELLED",
    }
}

named! {
    /// How an export is written.
    ExportFormat {
        Ndjson = "ndjson",
        Csv = "csv",
    }
}

/// Whom a job belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum JobOwner {
    /// Those who run this workspace.
    Workspace(WorkspaceId),
    /// Nobody but this user sees it.
    User(UserId),
}

/// The text names no owner of jobs.
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

/// What is to be done.
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
}

/// Which entries of an audit trail to write, and how.
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
    /// The API key that asked for it, where one did.
    pub by_key: Option<ApiKeyId>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When a worker first took it; `None` while it waits.
    pub started_at: Option<Timestamp>,
    /// Whether it waits, runs or has ended.
    pub state: JobState,
    /// How far it has come.
    pub course: JobProgress,
    /// Until when bytes that it made are kept; `None` where there are none.
    pub bytes_until: Option<Timestamp>,
}

/// Where a job stands.
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

/// What came of a job.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Product {
    /// The result as its readers see it: a JSON object.
    pub facts: Value,
    /// The bytes that it made, if it made any.
    pub content: Option<StoredBytes>,
}

/// Bytes that can be downloaded. The blob store holds them as consecutive pieces.
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

/// The sizes of pieces, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pieces(pub Vec<u64>);

impl Pieces {
    /// How many bytes there are.
    pub fn size(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Which piece holds the byte at this place, and where in it.
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

/// How far a job has come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JobProgress {
    /// What it is at.
    pub stage: Option<String>,
    /// How many steps are done.
    pub done: u64,
    /// How many steps there are, once that is known.
    pub total: Option<u64>,
    /// The first warnings.
    pub warnings: Vec<Warning>,
    /// How many warnings there were in all.
    pub warning_count: u64,
    /// How often it was started: a worker with a lower number has lost the job to another one.
    pub runs: u32,
    /// How often it broke off.
    pub interruptions: u32,
    /// Where the next run continues.
    pub checkpoint: Option<Checkpoint>,
}

/// Something that went wrong and did not stop the job.
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
        /// The number up to which the trail was looked through, and up to which it is to be.
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

/// What became of a job that somebody took up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TakenUp {
    /// It runs from now on, under this number.
    Run(u32),
    /// It broke off too often and is over.
    GivenUp,
    /// It was over before.
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

    /// The states that a waiting caller waits for.
    pub fn mark(&self) -> (JobStatus, u64, Option<u64>, Option<String>) {
        (self.status(), self.course.done, self.course.total, self.course.stage.clone())
    }

    /// A worker starts it. A job that is found running was interrupted: its worker died.
    pub fn take_up(&mut self, now: Timestamp) -> TakenUp {
        match self.state {
            JobState::Ended { .. } => return TakenUp::Over,
            JobState::Running => self.course.interruptions += 1,
            JobState::Queued => {}
        }
        if self.course.interruptions > MAX_INTERRUPTIONS {
            self.end(Ending::Failed(Failure::interrupted()), now);
            return TakenUp::GivenUp;
        }
        self.course.runs += 1;
        self.started_at.get_or_insert(now);
        self.state = JobState::Running;
        TakenUp::Run(self.course.runs)
    }

    /// Whether the worker that took it up under this number still has it.
    pub fn is_run(&self, run: u32) -> bool {
        matches!(self.state, JobState::Running) && self.course.runs == run
    }

    /// The worker has to go and leaves it to another one; that is no interruption.
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
            // The last address that was handed out works to its end.
            Ending::Succeeded(Product { content: Some(_), .. }) => Some(RESULT_LIFE + ADDRESS_LIFE),
            // Whoever works at it may just be writing.
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

    /// The bytes it made, while they can be fetched.
    pub fn content(&self, now: Timestamp) -> Option<&StoredBytes> {
        match &self.state {
            JobState::Ended { at, ending: Ending::Succeeded(product) } if now < at.plus(RESULT_LIFE) => {
                product.content.as_ref()
            }
            _ => None,
        }
    }

    /// The bytes it made, while they are kept.
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
