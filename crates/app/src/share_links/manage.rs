//! Who may manage the links of a page or database.

use crate::{
    access::{self, RouteAccess, WorkspaceCaller, enter_locked},
    outcome::{AppResult, Draft},
    page_access::{
        NodeId,
        lineage::{Visible, need},
        look_up, look_up_node,
    },
    scope::Unit,
};
use octavo_core_model::{
    Fault, Level,
    fault::{Conflict, Denial},
    id::ShareLinkId,
    page::Page,
    share_link::ShareLink,
    workspace::Workspace,
};
use octavo_permissions::Authority;

/// A caller with full access to a page or database whose workspace is locked.
pub(super) struct Manager {
    pub(super) caller: WorkspaceCaller,
    pub(super) workspace: Workspace,
    pub(super) page: Page,
}

impl Manager {
    /// Refuses members if only those who run the workspace may make pages public.
    pub(super) fn may_share(&self) -> Result<(), Fault> {
        if self.workspace.settings.are_share_links_allowed() || self.caller.is_in_charge() {
            Ok(())
        } else {
            Err(Fault::Forbidden(Denial::ShareLinksDisabled))
        }
    }

    pub(super) fn require_active(&self) -> AppResult<()> {
        if self.page.trash.is_some() { Err(Conflict::PageTrashed.into()) } else { Ok(()) }
    }
}

/// Admits a caller that may manage the links of a page or database; `None` if that does not exist.
pub(super) async fn of_node(unit: &mut Unit, id: &Draft<impl NodeId>) -> AppResult<Option<Manager>> {
    let (caller, workspace) = enter_locked(unit, RouteAccess::MEMBERS).await?;
    let authority = access::authority_in_teams(unit, &caller).await?;
    let seen = look_up(unit, workspace.id, &authority, id).await?;
    manager(caller, workspace, &authority, seen)
}

/// Admits a caller that may manage a link; `None` if the link does not exist.
pub(super) async fn of_link(unit: &mut Unit, id: &Draft<ShareLinkId>) -> AppResult<Option<(Manager, ShareLink)>> {
    let (caller, workspace) = enter_locked(unit, RouteAccess::MEMBERS).await?;
    let link = match id {
        Ok(id) => unit.tx.share_links().find(workspace.id, *id).await?,
        Err(_) => None,
    };
    let Some(link) = link else { return Ok(None) };
    let authority = access::authority_in_teams(unit, &caller).await?;
    let seen = look_up_node(unit, workspace.id, &authority, link.page).await?;
    Ok(manager(caller, workspace, &authority, seen)?.map(|manager| (manager, link)))
}

fn manager(
    caller: WorkspaceCaller,
    workspace: Workspace,
    authority: &Authority,
    seen: Option<Visible<'_>>,
) -> AppResult<Option<Manager>> {
    let Some(seen) = seen else { return Ok(None) };
    need(authority, seen.lineage.level(), Level::FullAccess)?;
    let page = seen.page;
    Ok(Some(Manager { caller, workspace, page }))
}
