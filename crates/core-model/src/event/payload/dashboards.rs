//! Events of dashboards.

use super::{FieldChanges, Location, NodeFields, Payload};
use crate::{dashboard::Dashboard, event::Resource, id::DashboardId, page::Page, text::DashboardName};
use serde::Serialize;

/// A dashboard was created or deleted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OfDashboard {
    dashboard_id: DashboardId,
    #[serde(flatten)]
    node: NodeFields,
    name: DashboardName,
    version: i64,
}

impl OfDashboard {
    /// The event of this dashboard on this page or database.
    pub fn new(dashboard: &Dashboard, node: &Page) -> Self {
        Self {
            dashboard_id: dashboard.id,
            node: NodeFields::of(node),
            name: dashboard.name.clone(),
            version: dashboard.version,
        }
    }
}

impl Payload for OfDashboard {
    fn resource(&self) -> Resource {
        Resource::Dashboard(self.dashboard_id)
    }

    fn location(&self) -> Location {
        self.node.location()
    }

    fn version(&self) -> Option<i64> {
        Some(self.version)
    }

    fn example() -> Self {
        Self {
            dashboard_id: DashboardId::EXAMPLE,
            node: NodeFields::example(),
            name: DashboardName::from_stored("Sales".to_owned()),
            version: 1,
        }
    }

    fn more_examples() -> Vec<Self> {
        NodeFields::more_examples().map(|node| Self { node, ..Self::example() }).into_iter().collect()
    }
}

/// A dashboard was changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DashboardUpdated {
    #[serde(flatten)]
    dashboard: OfDashboard,
    #[serde(flatten)]
    changes: FieldChanges,
}

impl DashboardUpdated {
    /// The event of this dashboard after these changes.
    pub fn new(dashboard: &Dashboard, node: &Page, changes: FieldChanges) -> Self {
        Self { dashboard: OfDashboard::new(dashboard, node), changes }
    }
}

impl Payload for DashboardUpdated {
    fn resource(&self) -> Resource {
        self.dashboard.resource()
    }

    fn location(&self) -> Location {
        self.dashboard.location()
    }

    fn version(&self) -> Option<i64> {
        self.dashboard.version()
    }

    fn example() -> Self {
        let dashboard = OfDashboard { version: 2, ..OfDashboard::example() };
        Self { dashboard, changes: FieldChanges::example("name", "Deals", "Sales") }
    }

    fn more_examples() -> Vec<Self> {
        let more = OfDashboard::more_examples().into_iter();
        more.map(|dashboard| Self { dashboard, ..Self::example() }).collect()
    }
}
