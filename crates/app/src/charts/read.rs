//! Reading charts.

use super::access::find;
use crate::{
    access::RouteAccess,
    databases::find_database,
    outcome::{AppResult, Draft},
    page_access,
    scope::View,
};
use octavo_core_model::{
    Fault,
    chart::Chart,
    id::{ChartId, DatabaseId},
};
use octavo_databases::text::folded_line;

/// Finds a chart.
pub async fn get(view: &mut View, id: Draft<ChartId>) -> AppResult<Chart> {
    let (caller, authority) = page_access::enter(view, RouteAccess::DATABASES).await?;
    let (chart, _) = find(view, &caller, &authority, &id).await?.ok_or(Fault::NotFound)?;
    Ok(chart)
}

/// Lists the charts of a database by name.
pub async fn list(view: &mut View, id: Draft<DatabaseId>) -> AppResult<Vec<Chart>> {
    let (caller, authority) = page_access::enter(view, RouteAccess::DATABASES).await?;
    let seen = find_database(view, &caller, &authority, &id).await?.ok_or(Fault::NotFound)?;
    let mut charts = view.tx.charts().list_of(caller.workspace, &[seen.database.id]).await?;
    charts.sort_by_cached_key(|chart| (folded_line(chart.name.as_str()), chart.id));
    Ok(charts)
}
