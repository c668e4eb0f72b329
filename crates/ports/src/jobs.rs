//! Jobs: work that users wait for.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Timestamp,
    id::{ApiKeyId, JobId, UserId},
    job::{Job, JobKind, JobOwner, JobStatus},
};

/// Whose jobs to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartedBy {
    Anybody,
    User(UserId),
    Key(ApiKeyId),
}

/// Which jobs of an owner to list.
#[derive(Clone, Copy, Debug)]
pub struct JobSearch {
    pub started_by: StartedBy,
    pub kind: Option<JobKind>,
    pub status: Option<JobStatus>,
    pub before: Option<JobId>,
    pub limit: u32,
}

#[async_trait]
pub trait JobReads: Send {
    async fn find(&mut self, owner: JobOwner, id: JobId) -> StoreResult<Option<Job>>;

    /// Jobs of an owner, newest first.
    async fn list(&mut self, owner: JobOwner, search: JobSearch) -> StoreResult<Vec<Job>>;
}

#[async_trait]
pub trait Jobs: JobReads {
    async fn insert(&mut self, job: &Job) -> StoreResult<()>;

    /// Finds a job and locks it until the unit ends.
    async fn lock(&mut self, owner: JobOwner, id: JobId) -> StoreResult<Option<Job>>;

    async fn save(&mut self, job: &Job) -> StoreResult<()>;

    /// Jobs whose bytes have expired, oldest first.
    async fn list_due_bytes(&mut self, now: Timestamp, limit: u32) -> StoreResult<Vec<(JobOwner, JobId)>>;
}
