//! Changing a chart.

use super::{
    access::{kinds_in, lock, settings_of},
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
use octavo_core_model::{
    chart::Chart,
    event::{EventPayload, FieldChanges, charts::ChartUpdated},
    id::ChartId,
    text::ChartName,
    version::Expected,
};
use serde_json::{Map, Value, json};

/// A change of a chart, and the version that it is based on.
#[derive(Clone, Debug)]
pub struct ChartUpdate {
    pub name: Option<ChartName>,
    /// The settings to change, as they were sent.
    pub settings: Map<String, Value>,
    pub expected: Option<Expected>,
}

/// The settings that events name.
const SETTINGS: [&str; 12] = [
    "chartType",
    "axes",
    "aggregation",
    "filter",
    "sort",
    "maxPoints",
    "includeEmpty",
    "includeArchived",
    "stacked",
    "cumulative",
    "color",
    "legend",
];

/// Changes a chart. Settings are checked with the schema of the database, unless they stay the same.
pub async fn change(unit: &mut Unit, id: Draft<ChartId>, draft: Draft<ChartUpdate>) -> AppResult<Chart> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::DATABASES_CHANGE).await?;
    let locked = lock(unit, &caller, &authority, &id).await?;
    let Some((before, seen)) = locked else { return Err(unit.absent().await) };
    unit.claim().await?;
    let ChartUpdate { name, settings, expected } = draft?;
    let changed = settings_of(&before)?.changed(settings);
    if let Err(octavo_charts::ChartFault::Invalid(violations)) = changed {
        return Err(octavo_core_model::Fault::Invalid(violations).into());
    }
    expected.unwrap_or(Expected::Any).check(before.version)?;
    require_in_use(&seen)?;
    let mut settings = changed.map_err(of_chart)?;
    if settings.to_json() != before.settings {
        let schema = schema_of(unit, &seen.database).await?;
        let kinds = kinds_in(unit, caller.workspace, &authority, &schema, &settings).await?;
        settings = settings.fitted(&schema, &kinds).map_err(of_chart)?;
    }
    let name = name.unwrap_or_else(|| before.name.clone());
    let mut chart = Chart { name, settings: settings.to_json(), ..before.clone() };
    let difference = changes(&before, &chart);
    if difference.changed_fields.is_empty() {
        return Ok(before);
    }
    chart.version += 1;
    chart.updated_by = Some(caller.author());
    chart.updated_at = unit.call.now;
    unit.tx.charts().save(&chart).await?;
    let event = ChartUpdated::new(&chart, seen.node.page.team, difference);
    unit.emit(caller.workspace, EventPayload::ChartUpdated(event));
    Ok(chart)
}

fn changes(before: &Chart, after: &Chart) -> FieldChanges {
    let mut changes = FieldChanges::default();
    let mut report = |field: &'static str, before: &Value, after: &Value| {
        if before != after {
            changes.changed_fields.push(field);
            changes.before.insert(field.to_owned(), before.clone());
            changes.after.insert(field.to_owned(), after.clone());
        }
    };
    report("name", &json!(before.name), &json!(after.name));
    for field in SETTINGS {
        report(field, &before.settings[field], &after.settings[field]);
    }
    changes
}
