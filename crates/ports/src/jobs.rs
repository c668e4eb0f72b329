//! The durable queue.

use crate::store::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Timestamp,
    id::JobId,
    job::{Job, Lane},
};

#[async_trait]
pub trait JobReads: Send {
    /// Whether a lane has a job to run now.
    async fn is_job_due(&mut self, lane: Lane, now: Timestamp) -> StoreResult<bool>;
}

#[async_trait]
pub trait Jobs: JobReads {
    async fn insert_job(&mut self, job: &Job) -> StoreResult<()>;

    /// Leases due jobs of a lane to the caller until `leased_until`, oldest first. Two callers never get the same one.
    async fn lease_jobs(
        &mut self,
        lane: Lane,
        now: Timestamp,
        leased_until: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<Job>>;

    /// Removes a job that is done, or given up.
    async fn remove_job(&mut self, lane: Lane, id: JobId) -> StoreResult<()>;

    /// Gives a failed job back for another attempt.
    async fn retry_job(&mut self, lane: Lane, id: JobId, attempts: u32, run_at: Timestamp) -> StoreResult<()>;
}
