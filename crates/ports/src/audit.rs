//! The audit trail. Entries are written by the commit of a unit and never changed; a background task seals them
//! afterwards.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Timestamp,
    audit::{AuditHead, AuditRecord, AuditSearch},
    event::Chain,
};
use std::time::Duration;

#[async_trait]
pub trait AuditReads: Send {
    /// Entries of one chain. Entries that are not sealed yet count as the newest.
    async fn list_entries(&mut self, chain: Chain, search: &AuditSearch) -> StoreResult<Vec<AuditRecord>>;

    /// How far a chain is sealed; `None` before its first entry is sealed.
    async fn find_head(&mut self, chain: Chain) -> StoreResult<Option<AuditHead>>;

    /// Sealed entries of one chain in the order of their numbers, starting with the given one.
    async fn list_sealed_entries(&mut self, chain: Chain, from_seq: i64, limit: u32) -> StoreResult<Vec<AuditRecord>>;
}

#[async_trait]
pub trait Audits: AuditReads {
    /// Chains whose oldest entries may have exceeded their retention.
    async fn list_due_prunings(&mut self, now: Timestamp, limit: u32) -> StoreResult<Vec<Chain>>;

    /// Counts sealed entries that are older than this.
    async fn count_old_entries(&mut self, chain: Chain, before: Timestamp) -> StoreResult<u64>;

    /// Removes sealed entries that are older than `kept_for`, oldest first and at most `limit`, and returns their
    /// number. Also records the last removed one and when to check the chain again.
    async fn prune_entries(&mut self, chain: Chain, now: Timestamp, kept_for: Duration, limit: u32)
    -> StoreResult<u64>;

    /// Checks a chain again at this time and not before.
    async fn put_off_pruning(&mut self, chain: Chain, until: Timestamp) -> StoreResult<()>;
}
