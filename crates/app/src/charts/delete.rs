//! Deleting a chart.

use super::access::lock;
use crate::{
    access::RouteAccess,
    databases::require_in_use,
    outcome::{AppResult, Draft},
    page_access,
    scope::Unit,
};
use octavo_core_model::{
    event::{EventPayload, charts::OfChart},
    id::ChartId,
    version::Expected,
};

/// Deletes a chart. Blocks, views and widgets that show it stay.
pub async fn delete(unit: &mut Unit, id: Draft<ChartId>, expected: Draft<Option<Expected>>) -> AppResult<()> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::DATABASES_CHANGE).await?;
    let locked = lock(unit, &caller, &authority, &id).await?;
    let Some((chart, seen)) = locked else { return Err(unit.absent().await) };
    unit.claim().await?;
    expected?.unwrap_or(Expected::Any).check(chart.version)?;
    require_in_use(&seen)?;
    unit.tx.charts().remove(caller.workspace, chart.id).await?;
    unit.emit(caller.workspace, EventPayload::ChartDeleted(OfChart::new(&chart, seen.node.page.team)));
    Ok(())
}
