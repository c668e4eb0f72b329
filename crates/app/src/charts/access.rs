//! Charts that a caller may know about.

use super::faults::unreadable;
use crate::{
    access::WorkspaceCaller,
    computed,
    databases::{SeenDatabase, find_database},
    outcome::{AppResult, Draft},
    page_access::{self, lineage::need},
    relations::Reader,
    scope::{Scope, Unit},
};
use octavo_charts::{ChartSettings, ComputedKinds};
use octavo_core_model::{
    Level,
    chart::Chart,
    id::{ChartId, DatabaseId, WorkspaceId},
};
use octavo_databases::Schema;
use octavo_permissions::Authority;
use octavo_ports::store::Reads;
use std::sync::Arc;

/// Finds the chart that a call names with its database, if the caller may see that.
pub(super) async fn find<'a, T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    caller: &WorkspaceCaller,
    authority: &'a Authority,
    id: &Draft<ChartId>,
) -> AppResult<Option<(Chart, SeenDatabase<'a>)>> {
    let Ok(id) = id else { return Ok(None) };
    let Some(chart) = scope.tx.charts().find(caller.workspace, *id).await? else { return Ok(None) };
    let seen = find_database(scope, caller, authority, &Ok(chart.database)).await?;
    Ok(seen.map(|seen| (chart, seen)))
}

/// Locks the database of the chart that a call changes, for a caller that may edit it.
pub(super) async fn lock<'a>(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    authority: &'a Authority,
    id: &Draft<ChartId>,
) -> AppResult<Option<(Chart, SeenDatabase<'a>)>> {
    let Ok(id) = id else { return Ok(None) };
    let Some(chart) = unit.tx.charts().find(caller.workspace, *id).await? else { return Ok(None) };
    let Some(seen) = lock_database(unit, caller, authority, &Ok(chart.database)).await? else { return Ok(None) };
    // It may have been changed or deleted before the database was locked.
    let chart = unit.tx.charts().find(caller.workspace, *id).await?;
    Ok(chart.map(|chart| (chart, seen)))
}

/// Locks a database for a change of its charts, for a caller that may edit it.
pub(super) async fn lock_database<'a>(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    authority: &'a Authority,
    id: &Draft<DatabaseId>,
) -> AppResult<Option<SeenDatabase<'a>>> {
    let Some(node) = page_access::lock(unit, caller.workspace, authority, id).await? else { return Ok(None) };
    need(authority, node.lineage.level(), Level::Edit)?;
    let database = unit.tx.databases().lock(caller.workspace, node.page.id.as_database()).await?;
    Ok(database.map(|database| SeenDatabase { node, database }))
}

/// What those properties of a chart compute that are formulas or rollups. No statement, or those of a plan.
pub(super) async fn kinds_in<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    authority: &Authority,
    schema: &Arc<Schema>,
    settings: &ChartSettings,
) -> AppResult<ComputedKinds> {
    let properties = settings.typed_properties();
    let kinds = computed::kinds_of(scope, workspace, Reader::Caller(authority), schema, properties);
    Ok(ComputedKinds(kinds.await?))
}

pub(super) fn settings_of(chart: &Chart) -> AppResult<ChartSettings> {
    Ok(ChartSettings::from_stored(&chart.settings).ok_or_else(unreadable)?)
}
