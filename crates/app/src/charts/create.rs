//! Creating a chart.

use super::{
    access::{kinds_in, lock_database},
    faults::of_chart,
};
use crate::{
    access::RouteAccess,
    databases::require_in_use,
    loaded_schemas::schema_of,
    outcome::{AppResult, Draft},
    page_access,
    scope::Unit,
};
use octavo_charts::ChartSettings;
use octavo_core_model::{
    chart::Chart,
    event::{EventPayload, charts::OfChart},
    fault::Conflict,
    id::{ChartId, DatabaseId},
    text::ChartName,
};
use serde_json::{Map, Value};

/// A chart to be created.
#[derive(Clone, Debug)]
pub struct NewChart {
    pub name: ChartName,
    /// The settings as they were sent.
    pub settings: Map<String, Value>,
}

/// Creates a chart of a database that the caller may edit.
pub async fn create(unit: &mut Unit, database: Draft<DatabaseId>, draft: Draft<NewChart>) -> AppResult<Chart> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::DATABASES_CHANGE).await?;
    let id = match (database, &draft) {
        (Ok(id), _) => Ok(id),
        (Err(fault), reported) => {
            unit.claim().await?;
            // The draft reports the flaw of the id among others.
            return Err(reported.as_ref().err().cloned().unwrap_or(fault).into());
        }
    };
    let locked = lock_database(unit, &caller, &authority, &id).await;
    let locked = locked.map_err(|interrupt| interrupt.naming("databaseId"))?;
    let Some(seen) = locked else { return Err(unit.absent().await.naming("databaseId")) };
    unit.claim().await?;
    let NewChart { name, settings } = draft?;
    require_in_use(&seen)?;
    let settings = ChartSettings::read(settings).map_err(of_chart)?;
    let schema = schema_of(unit, &seen.database).await?;
    let kinds = kinds_in(unit, caller.workspace, &authority, &schema, &settings).await?;
    let settings = settings.fitted(&schema, &kinds).map_err(of_chart)?;
    let others = unit.tx.charts().list_of(caller.workspace, &[seen.database.id]).await?;
    if others.len() >= Chart::MOST_PER_DATABASE as usize {
        return Err(Conflict::LimitReached(Chart::MOST_PER_DATABASE).into());
    }
    let (now, author) = (unit.call.now, Some(caller.author()));
    let chart = Chart {
        id: unit.id(ChartId::new),
        workspace: caller.workspace,
        database: seen.database.id,
        name,
        settings: settings.to_json(),
        version: 1,
        created_by: author,
        updated_by: author,
        created_at: now,
        updated_at: now,
    };
    unit.tx.charts().insert(&chart).await?;
    unit.emit(caller.workspace, EventPayload::ChartCreated(OfChart::new(&chart, seen.node.page.team)));
    Ok(chart)
}
