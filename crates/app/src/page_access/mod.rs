//! Access to pages: who the caller is, which pages they see, and with which level.

pub(crate) mod lineage;
pub(crate) mod link_reach;
pub(crate) mod listing;
pub(crate) mod visibility;

use crate::{
    access::{self, WorkspaceCaller},
    outcome::{AppResult, Draft},
    scope::{Scope, Unit},
};
use lineage::{Visible, visible};
use octavo_core_model::{
    Fault,
    fault::Conflict,
    id::WorkspaceId,
    page::{Page, ResourceId},
    version::Expected,
};
use octavo_permissions::Authority;
use octavo_ports::store::Reads;

/// Admits the caller of a page route and returns their authority.
pub(crate) async fn enter<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    access: access::RouteAccess,
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
    let page = unit.tx.pages().lock(workspace, id.node()).await?.filter(|page| id.is_a(page.kind));
    let Some(page) = page else { return Ok(None) };
    let seen = visible(unit, authority, Some(page)).await?.ok_or(Fault::NotFound)?;
    Ok(Some(seen))
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
    let page = unit.tx.pages().find(workspace, id.node()).await?.filter(|page| id.is_a(page.kind));
    let Some(page) = page else { return Ok(None) };
    let seen = visible(unit, authority, Some(page)).await?.ok_or(Fault::NotFound)?;
    Ok(Some(seen))
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
