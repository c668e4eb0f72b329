//! Rows of jobs.

use crate::{schema::jobs, stored::Stored};
use diesel::prelude::{AsChangeset, Insertable, Queryable, Selectable};
use octavo_core_model::{
    Timestamp,
    id::{ApiKeyId, JobId, UserId},
    job::{Ending, Job, JobKind, JobOwner, JobProgress, JobState, JobStatus, Task},
};

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = jobs, treat_none_as_null = true, treat_none_as_default_value = false)]
#[diesel(primary_key(owner, id, kind, task, created_by, by_key, created_at))] // what saving leaves alone
pub struct JobRow {
    owner: Stored<JobOwner>,
    id: Stored<JobId>,
    kind: Stored<JobKind>,
    task: Stored<Task>,
    created_by: Stored<UserId>,
    by_key: Option<Stored<ApiKeyId>>,
    created_at: i64,
    status: Stored<JobStatus>,
    course: Stored<JobProgress>,
    ending: Option<Stored<Ending>>,
    started_at: Option<i64>,
    finished_at: Option<i64>,
    bytes_until: Option<i64>,
}

impl From<&Job> for JobRow {
    fn from(job: &Job) -> Self {
        let ending = match &job.state {
            JobState::Ended { ending, .. } => Some(Stored(ending.clone())),
            JobState::Queued | JobState::Running => None,
        };
        Self {
            owner: Stored(job.owner),
            id: Stored(job.id),
            kind: Stored(job.kind()),
            task: Stored(job.task.clone()),
            created_by: Stored(job.created_by),
            by_key: job.by_key.map(Stored),
            created_at: job.created_at.millis(),
            status: Stored(job.status()),
            course: Stored(job.progress.clone()),
            ending,
            started_at: job.started_at.map(Timestamp::millis),
            finished_at: job.finished_at().map(Timestamp::millis),
            bytes_until: job.bytes_until.map(Timestamp::millis),
        }
    }
}

impl From<JobRow> for Job {
    fn from(row: JobRow) -> Self {
        let state = match (row.ending, row.finished_at) {
            (Some(ending), Some(at)) => JobState::Ended { at: Timestamp::from_millis(at), ending: ending.0 },
            _ if row.status.0 == JobStatus::Running => JobState::Running,
            _ => JobState::Queued,
        };
        Self {
            id: row.id.0,
            owner: row.owner.0,
            task: row.task.0,
            created_by: row.created_by.0,
            by_key: row.by_key.map(|key| key.0),
            created_at: Timestamp::from_millis(row.created_at),
            started_at: row.started_at.map(Timestamp::from_millis),
            state,
            progress: row.course.0,
            bytes_until: row.bytes_until.map(Timestamp::from_millis),
        }
    }
}
