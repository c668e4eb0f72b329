//! Reading the audit trail.

use super::Scope;
use crate::{rows::log::AuditRecordRow, schema::audit_entries, stored::AFTER_EVERY_ID};
use async_trait::async_trait;
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use octavo_core_model::{
    event::{AuditRecord, Chain},
    id::AuditId,
};
use octavo_ports::{audit::AuditReads, store::StoreResult};

#[async_trait]
impl AuditReads for Scope {
    async fn list_audit_entries(
        &mut self,
        chain: Chain,
        before: Option<AuditId>,
        limit: u32,
    ) -> StoreResult<Vec<AuditRecord>> {
        let before = before.map_or_else(|| AFTER_EVERY_ID.to_owned(), |id| id.to_string());
        let page = audit_entries::table
            .filter(audit_entries::chain.eq(chain.to_string()))
            .filter(audit_entries::id.lt(before))
            .order(audit_entries::id.desc())
            .limit(limit.into());
        let answer = page.select(AuditRecordRow::as_select()).load(self.conn()?).await;
        Ok(self.judge(answer)?.into_iter().map(AuditRecord::from).collect())
    }
}
