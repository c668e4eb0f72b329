//! Listing share links.

use super::{ShareLinkDetails, with_token};
use crate::{
    access::{self, RouteAccess},
    outcome::{AppResult, Draft},
    page_access::{
        NodeId,
        lineage::{find, need},
    },
    scope::View,
};
use octavo_core_model::{
    Fault, Level,
    id::{ShareLinkId, UserId},
    page::ResourceId,
    share_link::ShareStatus,
};
use octavo_ports::share_links::ShareLinkFilter;
use std::collections::{BTreeMap, BTreeSet};

/// Lists the links of a page or database, newest first.
pub async fn list_of(view: &mut View, id: Draft<impl NodeId>) -> AppResult<Vec<ShareLinkDetails>> {
    let caller = access::enter(view, RouteAccess::MEMBERS).await?;
    let authority = access::authority_in_teams(view, &caller).await?;
    let seen = find(view, &caller, &authority, &id).await?.ok_or(Fault::NotFound)?;
    need(&authority, seen.lineage.level(), Level::FullAccess)?;
    let found = view.tx.share_links().list_of(caller.workspace, seen.page.id).await?;
    found.into_iter().map(|link| with_token(view, link, seen.page.kind)).collect()
}

/// Which links to list.
#[derive(Clone, Copy, Debug)]
pub struct ShareLinkList {
    pub status: Option<ShareStatus>,
    /// Only links to this page or database.
    pub resource: Option<ResourceId>,
    pub created_by: Option<UserId>,
    pub before: Option<ShareLinkId>,
    pub limit: u32,
}

/// Lists the links of the workspace, newest first, for those who run it.
pub async fn list(view: &mut View, asked: Draft<ShareLinkList>) -> AppResult<Vec<ShareLinkDetails>> {
    let caller = access::enter(view, RouteAccess::ADMINS).await?;
    let ShareLinkList { status, resource, created_by, before, limit } = asked?;
    let now = view.call.now;
    let filter = ShareLinkFilter { status, page: resource.map(ResourceId::node), created_by };
    let found = view.tx.share_links().list(caller.workspace, filter, now, before, limit).await?;
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let ids: BTreeSet<_> = found.iter().map(|link| link.page).collect();
    let pages = view.tx.pages().list_by_id(caller.workspace, &Vec::from_iter(ids)).await?;
    let kinds: BTreeMap<_, _> = pages.into_iter().map(|page| (page.id, page.kind)).collect();
    let shown = found.into_iter().filter_map(|link| {
        let kind = *kinds.get(&link.page)?;
        resource.is_none_or(|id| id.is_a(kind)).then(|| with_token(view, link, kind))
    });
    shown.collect()
}
