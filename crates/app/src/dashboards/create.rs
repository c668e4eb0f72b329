//! Creating a dashboard.

use super::{
    access::{lock_host, require_in_use},
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
    event::{EventPayload, dashboards::OfDashboard},
    fault::Conflict,
    id::DashboardId,
    page::ResourceId,
    text::DashboardName,
};
use serde_json::Value;

/// A dashboard to be created.
#[derive(Clone, Debug)]
pub struct NewDashboard {
    pub name: DashboardName,
    /// The widgets as they were sent.
    pub widgets: Value,
    /// The filters as they were sent.
    pub filters: Value,
}

/// Creates a dashboard on a page or in a database that the caller may edit.
pub async fn create(unit: &mut Unit, host: Draft<ResourceId>, draft: Draft<NewDashboard>) -> AppResult<Dashboard> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::DATABASES_CHANGE).await?;
    let host = match (host, &draft) {
        (Ok(host), _) => host,
        (Err(fault), reported) => {
            unit.claim().await?;
            // The draft reports the flaw of the id among others.
            return Err(reported.as_ref().err().cloned().unwrap_or(fault).into());
        }
    };
    let field = if matches!(host, ResourceId::Page(_)) { "pageId" } else { "databaseId" };
    let locked = lock_host(unit, &caller, &authority, &Ok(host)).await.map_err(|interrupt| interrupt.naming(field))?;
    let Some(node) = locked else { return Err(unit.absent().await.naming(field)) };
    unit.claim().await?;
    let NewDashboard { name, widgets, filters } = draft?;
    let filters = read_filters(&filters)?;
    let widgets = read_widgets(unit, &widgets, &Widgets::default())?;
    require_in_use(unit, &node).await?;
    let mut contents = Contents { widgets, filters };
    require_known(unit, &caller, &authority, &Contents::default(), &mut contents).await?;
    let others = unit.tx.dashboards().list_of(caller.workspace, &[host.node()]).await?;
    if others.len() >= Dashboard::MOST_PER_HOST as usize {
        return Err(Conflict::LimitReached(Dashboard::MOST_PER_HOST).into());
    }
    let (now, author) = (unit.call.now, Some(caller.author()));
    let dashboard = Dashboard {
        id: unit.id(DashboardId::new),
        workspace: caller.workspace,
        host,
        name,
        widgets: contents.widgets.to_json(),
        filters: DashboardFilter::to_json(&contents.filters),
        version: 1,
        created_by: author,
        updated_by: author,
        created_at: now,
        updated_at: now,
    };
    unit.tx.dashboards().insert(&dashboard).await?;
    unit.emit(caller.workspace, EventPayload::DashboardCreated(OfDashboard::new(&dashboard, &node.page)));
    Ok(dashboard)
}
