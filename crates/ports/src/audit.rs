//! The audit trail. Entries are written by the commit of a unit and never changed; a background task seals them afterwards.

use crate::store::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Timestamp,
    audit::{AuditHead, AuditRecord, AuditSearch},
    event::Chain,
};
use std::time::Duration;

#[async_trait]
pub trait AuditReads: Send {
    /// Entries of one chain. Those that are not sealed yet count as newer than those that are.
    async fn list_entries(&mut self, chain: Chain, search: &AuditSearch) -> StoreResult<Vec<AuditRecord>>;

    /// How far a chain is sealed; `None` before its first entry is.
    async fn find_head(&mut self, chain: Chain) -> StoreResult<Option<AuditHead>>;

    /// Sealed entries of one chain in the order of their numbers, from the given one on.
    async fn list_sealed_entries(&mut self, chain: Chain, from_seq: i64, limit: u32) -> StoreResult<Vec<AuditRecord>>;
}

#[async_trait]
pub trait Audits: AuditReads {
    /// Chains whose oldest entries may be too old by now.
    async fn list_due_prunings(&mut self, now: Timestamp, limit: u32) -> StoreResult<Vec<Chain>>;

    /// Counts sealed entries that are older than this.
    async fn count_old_entries(&mut self, chain: Chain, before: Timestamp) -> StoreResult<u64>;

    /// Removes entries that were sealed and are older than they are kept, a bounded number from the oldest end on, and says how many. Notes the
    /// last of them, and when to look again.
    async fn prune_entries(&mut self, chain: Chain, now: Timestamp, kept_for: Duration, limit: u32)
    -> StoreResult<u64>;

    /// Looks at a chain again at this time and not before.
    async fn put_off_pruning(&mut self, chain: Chain, until: Timestamp) -> StoreResult<()>;
}
