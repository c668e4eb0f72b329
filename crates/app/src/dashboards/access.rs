//! Dashboards that a caller may know about.

use crate::{
    access::WorkspaceCaller,
    outcome::{AppResult, Draft},
    page_access::{
        self,
        lineage::{self, Visible, need},
        require_writable,
    },
    scope::{Scope, Unit},
};
use octavo_core_model::{Fault, Level, dashboard::Dashboard, fault::Conflict, id::DashboardId, page::ResourceId};
use octavo_permissions::Authority;
use octavo_ports::store::Reads;

/// Finds the dashboard that a call names with the node that it is on, if the caller may see that.
pub(super) async fn find<'a, T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    caller: &WorkspaceCaller,
    authority: &'a Authority,
    id: &Draft<DashboardId>,
) -> AppResult<Option<(Dashboard, Visible<'a>)>> {
    let Ok(id) = id else { return Ok(None) };
    let Some(dashboard) = scope.tx.dashboards().find(caller.workspace, *id).await? else { return Ok(None) };
    let node = lineage::find(scope, caller, authority, &Ok::<ResourceId, Fault>(dashboard.host)).await?;
    Ok(node.map(|node| (dashboard, node)))
}

/// Locks the node of the dashboard that a call changes, for a caller that may edit it.
pub(super) async fn lock<'a>(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    authority: &'a Authority,
    id: &Draft<DashboardId>,
) -> AppResult<Option<(Dashboard, Visible<'a>)>> {
    let Ok(id) = id else { return Ok(None) };
    let Some(dashboard) = unit.tx.dashboards().find(caller.workspace, *id).await? else { return Ok(None) };
    let Some(node) = lock_host(unit, caller, authority, &Ok(dashboard.host)).await? else { return Ok(None) };
    // It may have been changed or deleted before the node was locked.
    let dashboard = unit.tx.dashboards().find(caller.workspace, *id).await?;
    Ok(dashboard.map(|dashboard| (dashboard, node)))
}

/// Locks a page or database for a change of its dashboards, for a caller that may edit it.
pub(super) async fn lock_host<'a>(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    authority: &'a Authority,
    host: &Draft<ResourceId>,
) -> AppResult<Option<Visible<'a>>> {
    let Some(node) = page_access::lock(unit, caller.workspace, authority, host).await? else { return Ok(None) };
    need(authority, node.lineage.level(), Level::Edit)?;
    Ok(Some(node))
}

/// Refuses to write to what is in the trash, or archived.
pub(super) async fn require_in_use(unit: &mut Unit, node: &Visible<'_>) -> AppResult<()> {
    require_writable(&node.page)?;
    if let ResourceId::Database(id) = node.page.resource() {
        let database = unit.tx.databases().find(node.page.workspace, id).await?.ok_or(Fault::NotFound)?;
        if database.archived_at.is_some() {
            return Err(Conflict::DatabaseArchived.into());
        }
    }
    Ok(())
}
