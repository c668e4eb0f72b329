//! Listing share links.

use super::{ShareLinkDetails, with_token};
use crate::{
    access::{self, RouteAccess},
    outcome::{AppResult, Draft},
    page_access::lineage::{find, need},
    scope::View,
};
use octavo_core_model::{
    Fault, Level,
    id::{PageId, ShareLinkId},
};
use octavo_ports::share_links::ShareLinkFilter;

/// Lists the links of a page, newest first.
pub async fn list_of(view: &mut View, page: Draft<PageId>) -> AppResult<Vec<ShareLinkDetails>> {
    let caller = access::enter(view, RouteAccess::MEMBERS).await?;
    let authority = access::authority_in_teams(view, &caller).await?;
    let seen = find(view, &caller, &authority, &page).await?.ok_or(Fault::NotFound)?;
    need(&authority, seen.lineage.level(), Level::FullAccess)?;
    let found = view.tx.share_links().list_of(caller.workspace, seen.page.id).await?;
    found.into_iter().map(|link| with_token(view, link)).collect()
}

/// Which links to list.
#[derive(Clone, Copy, Debug)]
pub struct ShareLinkList {
    pub filter: ShareLinkFilter,
    pub before: Option<ShareLinkId>,
    pub limit: u32,
}

/// Lists the links of the workspace, newest first, for those who run it.
pub async fn list(view: &mut View, asked: Draft<ShareLinkList>) -> AppResult<Vec<ShareLinkDetails>> {
    let caller = access::enter(view, RouteAccess::ADMINS).await?;
    let ShareLinkList { filter, before, limit } = asked?;
    let now = view.call.now;
    let found = view.tx.share_links().list(caller.workspace, filter, now, before, limit).await?;
    found.into_iter().map(|link| with_token(view, link)).collect()
}
