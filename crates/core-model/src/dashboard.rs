//! Dashboards: charts, views and texts on a grid, on a page or in a database.

use crate::{
    id::{DashboardId, UserId, WorkspaceId},
    page::ResourceId,
    text::DashboardName,
    time::Timestamp,
};
use serde_json::Value;

/// A dashboard as the store holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Dashboard {
    /// The id of the dashboard.
    pub id: DashboardId,
    /// Its workspace.
    pub workspace: WorkspaceId,
    /// The page or database whose access it has.
    pub host: ResourceId,
    /// What people see.
    pub name: DashboardName,
    /// What it shows, and where. `octavo-charts` reads it.
    pub widgets: Value,
    /// What narrows the records that widgets show. `octavo-charts` reads it.
    pub filters: Value,
    /// Raised by each change.
    pub version: i64,
    /// Who created it; `None` if the user is unknown.
    pub created_by: Option<UserId>,
    /// Who changed it last; `None` if the user is unknown.
    pub updated_by: Option<UserId>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

impl Dashboard {
    /// How many a page or database has at most.
    pub const MOST_PER_HOST: u32 = 50;
}
