//! What happened to the caller's account.

use crate::{
    access,
    engine::{AppResult, Draft},
    scope::View,
};
use octavo_core_model::{
    event::{AuditRecord, Chain},
    id::AuditId,
};

/// Which entries to list.
#[derive(Clone, Copy, Debug)]
pub struct AuditPage {
    pub before: Option<AuditId>,
    pub limit: u32,
}

/// Lists the caller's own audit chain, newest first.
pub async fn list(view: &mut View, page: Draft<AuditPage>) -> AppResult<Vec<AuditRecord>> {
    let user = access::user(view).await?;
    let page = page?;
    Ok(view.tx.list_audit_entries(Chain::User(user.id), page.before, page.limit).await?)
}
