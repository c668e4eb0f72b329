//! Events about the caller's own account.

use crate::{
    access,
    outcome::{AppResult, Draft},
    scope::View,
};
use octavo_core_model::{
    audit::{AuditPosition, AuditRecord, AuditSearch},
    event::Chain,
};

/// Which entries to list.
#[derive(Clone, Copy, Debug)]
pub struct AuditPage {
    pub behind: Option<AuditPosition>,
    pub limit: u32,
}

/// Lists the caller's own audit chain, newest first.
pub async fn list(view: &mut View, page: Draft<AuditPage>) -> AppResult<Vec<AuditRecord>> {
    let user = access::user(view).await?;
    let page = page?;
    let search = AuditSearch { behind: page.behind, ..AuditSearch::all(page.limit) };
    Ok(view.tx.audits().list_entries(Chain::User(user.id), &search).await?)
}
