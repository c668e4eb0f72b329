//! Work that users wait for: started by a call, done in the background, and visible for some time after its end.

mod ending;
mod import;
mod owner;
mod progress;
mod stored_bytes;
mod task;

pub use ending::{Ending, Failure, Product};
pub use import::{DatabaseImport, ImportCheckpoint, ImportedColumn, MAX_REJECTED_ROWS, RefusedRow};
pub use owner::{JobOwner, UnknownOwner};
pub use progress::{JobProgress, MAX_WARNINGS, Warning};
pub use stored_bytes::{Pieces, StoredBytes};
pub use task::{AuditExport, Checkpoint, ExportFormat, ResultAudience, Task};

use crate::{
    id::{ApiKeyId, JobId, UserId},
    name::named,
    time::{Timestamp, days},
};
use std::time::Duration;

/// How often an interrupted job is restarted.
pub const MAX_INTERRUPTIONS: u32 = 3;

/// How long the result of a job can be downloaded.
pub const RESULT_LIFE: Duration = days(7);

/// How long a download address works.
pub const ADDRESS_LIFE: Duration = Duration::from_mins(15);

/// How long a job is kept after its end.
pub const REMEMBERED: Duration = days(30);

named! {
    /// The types of jobs.
    JobKind {
        WorkspaceExport = "workspace_export",
        WorkspaceImport = "workspace_import",
        WebhookReplay = "webhook_replay",
        UserExport = "user_export",
        AuditExport = "audit_export",
        DatabaseImport = "database_import",
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
    pub progress: JobProgress,
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
        let progress = JobProgress {
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
            progress,
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
        (self.status(), self.progress.done, self.progress.total, self.progress.stage.clone())
    }

    /// Starts a run. A job that is already running was interrupted: its worker died.
    pub fn start_run(&mut self, now: Timestamp) -> StartOutcome {
        match self.state {
            JobState::Ended { .. } => return StartOutcome::Over,
            JobState::Running => self.progress.interruptions += 1,
            JobState::Queued => {}
        }
        if self.progress.interruptions > MAX_INTERRUPTIONS {
            self.end(Ending::Failed(Failure::interrupted()), now);
            return StartOutcome::GivenUp;
        }
        self.progress.runs += 1;
        self.started_at.get_or_insert(now);
        self.state = JobState::Running;
        StartOutcome::Run(self.progress.runs)
    }

    /// Whether the worker of this run still has the job.
    pub fn is_run(&self, run: u32) -> bool {
        matches!(self.state, JobState::Running) && self.progress.runs == run
    }

    /// A worker that stops returns the job for another one; that does not count as an interruption.
    pub fn hand_back(&mut self) {
        self.progress.stage = None;
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
            // They may be removed at once.
            _ if self.task.reads_bytes() => Some(Duration::ZERO),
            // The worker may just be writing.
            Ending::Failed(_) | Ending::Cancelled => self.started_at.map(|_| ADDRESS_LIFE),
            Ending::Succeeded(_) => None,
        };
        self.bytes_until = kept_for.map(|life| now.plus(life));
        self.progress.stage = None;
        self.progress.checkpoint = None;
        self.state = JobState::Ended { at: now, ending };
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

#[cfg(test)]
mod tests;
