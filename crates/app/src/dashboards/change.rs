//! Changing a dashboard.

use super::{
    access::{lock, require_in_use},
    check::{Contents, read_filters, read_widgets, require_known},
};
use crate::{
    access::RouteAccess,
    outcome::{AppResult, Draft},
    page_access,
    scope::Unit,
};
use octavo_charts::dashboards::{DashboardFilter, Widgets};
use octavo_core_model::{
    dashboard::Dashboard,
    event::{EventPayload, FieldChanges, dashboards::DashboardUpdated},
    id::DashboardId,
    text::DashboardName,
    version::Expected,
};
use serde_json::{Value, json};

/// A change of a dashboard, and the version that it is based on. Fields that are `None` stay as they are.
#[derive(Clone, Debug)]
pub struct DashboardUpdate {
    pub name: Option<DashboardName>,
    /// All widgets as they were sent.
    pub widgets: Option<Value>,
    /// All filters as they were sent.
    pub filters: Option<Value>,
    pub expected: Option<Expected>,
}

/// Changes a dashboard. Widgets are replaced as a whole.
pub async fn change(unit: &mut Unit, id: Draft<DashboardId>, draft: Draft<DashboardUpdate>) -> AppResult<Dashboard> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::DATABASES_CHANGE).await?;
    let locked = lock(unit, &caller, &authority, &id).await?;
    let Some((before, node)) = locked else { return Err(unit.absent().await) };
    unit.claim().await?;
    let wanted = draft?;
    let known = contents_of(&before);
    let mut contents = contents_of(&before);
    if let Some(filters) = &wanted.filters {
        contents.filters = read_filters(filters)?;
    }
    let mut layout = Ok(());
    if let Some(widgets) = &wanted.widgets {
        match read_widgets(unit, widgets, &known.widgets) {
            Ok(widgets) => contents.widgets = widgets,
            // Flaws come before a stale version, and that before widgets that overlap.
            Err(crate::outcome::Interrupt::Fault(fault @ octavo_core_model::Fault::Data(_))) => layout = Err(fault),
            Err(other) => return Err(other),
        }
    }
    wanted.expected.unwrap_or(Expected::Any).check(before.version)?;
    require_in_use(unit, &node).await?;
    layout?;
    require_known(unit, &caller, &authority, &known, &mut contents).await?;
    let mut dashboard = Dashboard {
        name: wanted.name.unwrap_or_else(|| before.name.clone()),
        widgets: contents.widgets.to_json(),
        filters: DashboardFilter::to_json(&contents.filters),
        ..before.clone()
    };
    let changes = changes(&before, &dashboard);
    if changes.changed_fields.is_empty() {
        return Ok(before);
    }
    dashboard.version += 1;
    dashboard.updated_by = Some(caller.author());
    dashboard.updated_at = unit.call.now;
    unit.tx.dashboards().save(&dashboard).await?;
    let event = DashboardUpdated::new(&dashboard, &node.page, changes);
    unit.emit(caller.workspace, EventPayload::DashboardUpdated(event));
    Ok(dashboard)
}

pub(super) fn contents_of(dashboard: &Dashboard) -> Contents {
    let filters = DashboardFilter::from_stored(&dashboard.filters);
    Contents { widgets: Widgets::from_stored(&dashboard.widgets), filters }
}

/// Of widgets and filters an event only says that they changed: they can name what its readers may not see.
fn changes(before: &Dashboard, after: &Dashboard) -> FieldChanges {
    let mut changes = FieldChanges::default();
    if before.name != after.name {
        changes = FieldChanges::of_one("name", json!(before.name), json!(after.name));
    }
    if before.widgets != after.widgets {
        changes.changed_fields.push("widgets");
    }
    if before.filters != after.filters {
        changes.changed_fields.push("filters");
    }
    changes
}
