//! Access to pages: who the caller is, which pages they see, and with which level.

pub(crate) mod lineage;
pub(crate) mod link_reach;
pub(crate) mod listing;
pub(crate) mod readers;
pub(crate) mod visibility;

use crate::{
    access::{self, RouteAccess, WorkspaceCaller},
    outcome::{AppResult, Draft},
    record_pages::{find_implied, store},
    scope::{Scope, Unit},
};
use lineage::{Visible, visible};
use octavo_core_model::{
    Fault,
    fault::{Conflict, Unprocessable},
    id::{DatabaseId, PageId, WorkspaceId},
    page::{Page, PageKind, ResourceId},
    scope::ScopeArea,
    version::Expected,
};
use octavo_permissions::Authority;
use octavo_ports::store::Reads;

/// Admits the caller of a page route and returns their authority.
pub(crate) async fn enter<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    access: RouteAccess,
) -> AppResult<(WorkspaceCaller, Authority)> {
    let caller = access::enter(scope, access).await?;
    let authority = access::authority_in_teams(scope, &caller).await?;
    Ok((caller, authority))
}

/// Locks the page that a call changes. `None` if it does not exist. If the caller may not see it, refuses at once: a
/// caller that has lost access must not get an earlier answer replayed.
pub(crate) async fn lock<'a>(
    unit: &mut Unit,
    workspace: WorkspaceId,
    authority: &'a Authority,
    id: &Draft<impl Into<ResourceId> + Copy>,
) -> AppResult<Option<Visible<'a>>> {
    let Ok(id) = id else { return Ok(None) };
    let id = (*id).into();
    let page = match (unit.tx.pages().lock(workspace, id.node()).await?, id) {
        (None, ResourceId::Page(page)) => stored(unit, workspace, authority, page).await?,
        (found, _) => found.filter(|page| id.is_a(page.kind)),
    };
    known(unit, authority, page).await
}

/// Locks the page or database that something belongs to which a call names. Otherwise like [`lock`].
pub(crate) async fn lock_node<'a>(
    unit: &mut Unit,
    workspace: WorkspaceId,
    authority: &'a Authority,
    id: PageId,
) -> AppResult<Option<Visible<'a>>> {
    let page = match unit.tx.pages().lock(workspace, id).await? {
        None => stored(unit, workspace, authority, id).await?,
        found => found,
    };
    known(unit, authority, page).await
}

/// Finds a page that a call uses without changing it. Otherwise like [`lock`].
pub(crate) async fn look_up<'a>(
    unit: &mut Unit,
    workspace: WorkspaceId,
    authority: &'a Authority,
    id: &Draft<impl Into<ResourceId> + Copy>,
) -> AppResult<Option<Visible<'a>>> {
    let Ok(id) = id else { return Ok(None) };
    let id = (*id).into();
    let page = match (unit.tx.pages().find(workspace, id.node()).await?, id) {
        (None, ResourceId::Page(page)) => stored(unit, workspace, authority, page).await?,
        (found, _) => found.filter(|page| id.is_a(page.kind)),
    };
    known(unit, authority, page).await
}

/// Finds the page or database that something belongs to which a call names. Otherwise like [`look_up`].
pub(crate) async fn look_up_node<'a>(
    unit: &mut Unit,
    workspace: WorkspaceId,
    authority: &'a Authority,
    id: PageId,
) -> AppResult<Option<Visible<'a>>> {
    let page = match unit.tx.pages().find(workspace, id).await? {
        None => stored(unit, workspace, authority, id).await?,
        found => found,
    };
    known(unit, authority, page).await
}

/// Gives the page of a record its row, if there is such a record and the caller may see it. One statement if there is
/// none.
async fn stored(unit: &mut Unit, workspace: WorkspaceId, authority: &Authority, id: PageId) -> AppResult<Option<Page>> {
    let Some(implied) = find_implied(unit, workspace, id).await? else { return Ok(None) };
    visible(unit, authority, Some(implied)).await?.ok_or(Fault::NotFound)?;
    store(unit, workspace, id).await
}

/// Refuses a caller that may not see the page.
async fn known<'a>(unit: &mut Unit, authority: &'a Authority, page: Option<Page>) -> AppResult<Option<Visible<'a>>> {
    let Some(page) = page else { return Ok(None) };
    let seen = visible(unit, authority, Some(page)).await?.ok_or(Fault::NotFound)?;
    Ok(Some(seen))
}

/// The id by which a route names a page or a database, and what such routes require of every caller.
pub trait NodeId: Into<ResourceId> + Copy + Send + Sync + 'static {
    /// Of routes that read.
    const READS: RouteAccess;
    /// Of routes that read the access of others.
    const READS_GRANTS: RouteAccess;
}

impl NodeId for PageId {
    const READS: RouteAccess = RouteAccess::PAGES;
    const READS_GRANTS: RouteAccess = RouteAccess::GRANTS;
}

impl NodeId for DatabaseId {
    const READS: RouteAccess = RouteAccess::DATABASES;
    const READS_GRANTS: RouteAccess = RouteAccess::DATABASE_GRANTS;
}

/// The area of which apps need a scope to see a node.
pub(crate) const fn area_of(kind: PageKind) -> ScopeArea {
    match kind {
        PageKind::Page | PageKind::Record => ScopeArea::Pages,
        PageKind::Database => ScopeArea::Databases,
    }
}

/// The page of a record moves and goes with its record only.
pub(crate) fn require_no_record(page: &Page) -> AppResult<()> {
    if page.kind == PageKind::Record { Err(Unprocessable::RecordPage.into()) } else { Ok(()) }
}

pub(crate) fn require_current(page: &Page, expected: Option<Expected>) -> AppResult<()> {
    Ok(expected.unwrap_or(Expected::Any).check(page.version)?)
}

pub(crate) fn require_writable(page: &Page) -> AppResult<()> {
    if page.trash.is_some() { Err(Conflict::PageTrashed.into()) } else { Ok(()) }
}

/// A locked page cannot be moved.
pub(crate) fn require_unlocked(page: &Page) -> AppResult<()> {
    match page.lock {
        Some(lock) => Err(Conflict::PageLocked { by: lock.by }.into()),
        None => Ok(()),
    }
}
