//! Reading the audit trail.

use super::{Db, Scope};
use crate::{
    rows::log::{AuditHeadRow, AuditRecordRow},
    schema::{audit_entries as entries, audit_heads as heads},
    stored::Stored,
};
use diesel::prelude::*;
use octavo_core_model::{
    audit::{ActionPattern, AuditHead, AuditPosition, AuditRecord, AuditSearch, Order},
    event::Chain,
};
use octavo_ports::{audit::AuditReads, store::StoreResult};
use octavo_storage_macros::area;

#[area]
impl AuditReads for Scope {
    async fn list_entries(&mut self, chain: Chain, search: &AuditSearch) -> StoreResult<Vec<AuditRecord>> {
        let page = matching(chain, search).limit(search.limit.into());
        let page = match search.order {
            Order::Newest => page.order((entries::seq.desc(), entries::id.desc())),
            Order::Oldest => page.order((entries::seq, entries::id)),
        };
        Ok(self.all(page.select(AuditRecordRow::as_select())).await?.into_iter().map(AuditRecord::from).collect())
    }

    async fn find_head(&mut self, chain: Chain) -> StoreResult<Option<AuditHead>> {
        let head = heads::table.find(chain.to_string()).select(AuditHeadRow::as_select());
        Ok(self.optional(head).await?.map(AuditHead::from))
    }

    async fn list_sealed_entries(&mut self, chain: Chain, from_seq: i64, limit: u32) -> StoreResult<Vec<AuditRecord>> {
        let sealed = entries::table
            .filter(entries::chain.eq(chain.to_string()))
            .filter(entries::seq.ge(from_seq))
            .filter(entries::seq.lt(UNSEALED))
            .order((entries::seq, entries::id))
            .limit(limit.into());
        Ok(self.all(sealed.select(AuditRecordRow::as_select())).await?.into_iter().map(AuditRecord::from).collect())
    }
}

impl Scope {
    /// Removes a whole chain, including its owner.
    pub(super) async fn remove_chain(&mut self, chain: Chain) -> StoreResult<()> {
        let chain = chain.to_string();
        // Deletes the head first: the sealing task holds its lock until the entries are sealed.
        self.execute(diesel::delete(heads::table.find(&chain))).await?;
        self.execute(diesel::delete(entries::table.filter(entries::chain.eq(chain)))).await.map(drop)
    }
}

/// The number of an entry that is not sealed yet. It sorts after all real numbers.
pub(super) const UNSEALED: i64 = i64::MAX;

fn matching(chain: Chain, search: &AuditSearch) -> entries::BoxedQuery<'_, Db> {
    let mut page = entries::table.filter(entries::chain.eq(chain.to_string())).into_boxed();
    match &search.action {
        None => {}
        Some(ActionPattern::Exact(action)) => page = page.filter(entries::action.eq(action)),
        Some(ActionPattern::Prefix(node)) => {
            // Sorts after all names with this prefix.
            let end = format!("{node}\u{10ffff}");
            page = page.filter(entries::action.ge(node)).filter(entries::action.lt(end));
        }
    }
    if let Some(kind) = search.actor_type {
        page = page.filter(entries::actor_type.eq(kind.name()));
    }
    if let Some(id) = &search.actor_id {
        page = page.filter(entries::actor_id.eq(id));
    }
    if let Some(kind) = &search.target_type {
        page = page.filter(entries::target_type.eq(kind));
    }
    if let Some(id) = &search.target_id {
        page = page.filter(entries::target_id.eq(id));
    }
    if let Some(outcome) = search.outcome {
        page = page.filter(entries::outcome.eq(outcome.name()));
    }
    if let Some(ip) = search.ip {
        page = page.filter(entries::ip.eq(ip.to_string()));
    }
    if let Some(from) = search.from {
        page = page.filter(entries::at.ge(from.millis()));
    }
    if let Some(to) = search.to {
        page = page.filter(entries::at.lt(to.millis()));
    }
    if let Some(seq) = search.after_seq {
        page = page.filter(entries::seq.gt(seq)).filter(entries::seq.lt(UNSEALED));
    }
    if let Some(seq) = search.up_to_seq {
        page = page.filter(entries::seq.le(seq)).filter(entries::seq.lt(UNSEALED));
    }
    match (search.behind, search.order) {
        (None, _) => page,
        (Some(AuditPosition::Sealed(seq)), Order::Newest) => page.filter(entries::seq.lt(seq)),
        (Some(AuditPosition::Sealed(seq)), Order::Oldest) => page.filter(entries::seq.gt(seq)),
        // Compares ids only: later entries may have been sealed since the previous page was read.
        (Some(AuditPosition::Unsealed(id)), Order::Newest) => page.filter(entries::id.lt(Stored(id))),
        (Some(AuditPosition::Unsealed(id)), Order::Oldest) => page.filter(entries::id.gt(Stored(id))),
    }
}
