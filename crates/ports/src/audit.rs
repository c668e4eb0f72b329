//! Reading the audit trail. Entries are written by the commit of a unit and never changed.

use crate::store::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    event::{AuditRecord, Chain},
    id::AuditId,
};

#[async_trait]
pub trait AuditReads: Send {
    /// Entries of one chain, newest first, those before the given id.
    async fn list_audit_entries(
        &mut self,
        chain: Chain,
        before: Option<AuditId>,
        limit: u32,
    ) -> StoreResult<Vec<AuditRecord>>;
}
