//! The durable queue.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Timestamp,
    chore::{Chore, Queue},
    id::JobId,
};

#[async_trait]
pub trait ChoreReads: Send {
    /// Whether a queue has a due chore.
    async fn is_due(&mut self, queue: Queue, now: Timestamp) -> StoreResult<bool>;
}

#[async_trait]
pub trait Chores: ChoreReads {
    async fn insert(&mut self, chore: &Chore) -> StoreResult<()>;

    /// Inserts chores of one queue.
    async fn insert_all(&mut self, chores: &[Chore]) -> StoreResult<()>;

    /// Leases due chores of a queue until `leased_until`, oldest first. Two callers never get the same chore.
    async fn lease(
        &mut self,
        queue: Queue,
        now: Timestamp,
        leased_until: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<Chore>>;

    /// Extends leases that end at `held_until` and returns their number. A lease with another end belongs to another
    /// worker.
    async fn extend_leases(
        &mut self,
        queue: Queue,
        chores: &[JobId],
        held_until: Timestamp,
        until: Timestamp,
    ) -> StoreResult<u64>;

    /// Removes a chore that is done or was given up.
    async fn remove(&mut self, queue: Queue, id: JobId) -> StoreResult<()>;

    /// Returns a failed chore to the queue for another attempt.
    async fn retry(&mut self, queue: Queue, id: JobId, attempts: u32, run_at: Timestamp) -> StoreResult<()>;

    /// Frees all leases and returns their number. Only call it when no other process can be running.
    async fn void_leases(&mut self, now: Timestamp) -> StoreResult<u64>;
}
