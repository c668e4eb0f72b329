//! Deleting a dashboard.

use super::access::{lock, require_in_use};
use crate::{
    access::RouteAccess,
    outcome::{AppResult, Draft},
    page_access,
    scope::Unit,
};
use octavo_core_model::{
    event::{EventPayload, dashboards::OfDashboard},
    id::DashboardId,
    version::Expected,
};

/// Deletes a dashboard. What it shows stays.
pub async fn delete(unit: &mut Unit, id: Draft<DashboardId>, expected: Draft<Option<Expected>>) -> AppResult<()> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::DATABASES_CHANGE).await?;
    let locked = lock(unit, &caller, &authority, &id).await?;
    let Some((dashboard, node)) = locked else { return Err(unit.absent().await) };
    unit.claim().await?;
    expected?.unwrap_or(Expected::Any).check(dashboard.version)?;
    require_in_use(unit, &node).await?;
    unit.tx.dashboards().remove(caller.workspace, dashboard.id).await?;
    unit.emit(caller.workspace, EventPayload::DashboardDeleted(OfDashboard::new(&dashboard, &node.page)));
    Ok(())
}
