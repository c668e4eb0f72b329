//! The dashboards on copied pages and in copied databases.

use super::plan::Copies;
use crate::{access::WorkspaceCaller, outcome::AppResult, scope::Unit};
use octavo_charts::dashboards::{Content, DashboardFilter, Widgets};
use octavo_core_model::{
    dashboard::Dashboard,
    id::{DashboardId, PageId, WidgetId, WorkspaceId},
    page::ResourceId,
};
use octavo_databases::copy::CopiedNames;
use serde_json::Value;

/// How many pages one statement names.
const PAGES_AT_ONCE: usize = 500;

/// The dashboards on what is copied.
pub(super) struct CopiedDashboards(Vec<Dashboard>);

impl CopiedDashboards {
    /// Finds them. One statement for each 500 pages.
    pub(super) async fn read(unit: &mut Unit, from: WorkspaceId, copies: &Copies) -> AppResult<Self> {
        let hosts: Vec<PageId> = copies.nodes.keys().copied().collect();
        let mut found = Vec::new();
        for hosts in hosts.chunks(PAGES_AT_ONCE) {
            found.extend(unit.tx.dashboards().list_of(from, hosts).await?);
        }
        // New ids are drawn in the order of the old ones, which lists follow.
        found.sort_unstable_by_key(|dashboard| dashboard.id);
        Ok(Self(found))
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Draws the ids of the copies.
    pub(super) fn name(&self, unit: &mut Unit, names: &mut CopiedNames) {
        for dashboard in &self.0 {
            names.add(dashboard.id, unit.id(DashboardId::new));
            for widget in Widgets::from_stored(&dashboard.widgets).as_slice() {
                names.add(widget.id, unit.id(WidgetId::new));
            }
        }
    }

    /// Writes the copies. In another workspace they do not show what is not copied along.
    pub(super) async fn write(
        &self,
        unit: &mut Unit,
        caller: &WorkspaceCaller,
        copies: &Copies,
        names: &CopiedNames,
        stays: bool,
    ) -> AppResult<()> {
        let (now, author) = (unit.call.now, Some(caller.author()));
        for original in &self.0 {
            let (Some(node), Some(id)) = (copies.nodes.get(&original.host.node()), names.of(original.id)) else {
                continue;
            };
            let host = match original.host {
                ResourceId::Page(_) => ResourceId::Page(*node),
                ResourceId::Database(_) => ResourceId::Database(node.as_database()),
            };
            let (widgets, filters) = contents(original, names, stays);
            let copy = Dashboard {
                id,
                workspace: caller.workspace,
                host,
                name: original.name.clone(),
                widgets: names.renamed(widgets),
                filters: names.renamed(filters),
                version: 1,
                created_by: author,
                updated_by: author,
                created_at: now,
                updated_at: now,
            };
            unit.tx.dashboards().insert(&copy).await?;
        }
        Ok(())
    }
}

/// The widgets and filters that the copy has.
fn contents(original: &Dashboard, names: &CopiedNames, stays: bool) -> (Value, Value) {
    if stays {
        return (original.widgets.clone(), original.filters.clone());
    }
    let widgets = Widgets::from_stored(&original.widgets).only(|widget| match widget.content {
        Content::Chart(id) => names.of(id).is_some(),
        Content::View(id) => names.of(id).is_some(),
        Content::Text(_) => true,
    });
    let mut filters = DashboardFilter::from_stored(&original.filters);
    filters.retain(|filter| names.of(filter.database).is_some());
    (widgets.to_json(), DashboardFilter::to_json(&filters))
}
