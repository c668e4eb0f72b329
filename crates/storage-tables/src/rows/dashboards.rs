//! Rows of dashboards.

use crate::{schema::dashboards, stored::Stored};
use diesel::prelude::{AsChangeset, Insertable, Queryable, Selectable};
use octavo_core_model::{
    Timestamp,
    dashboard::Dashboard,
    id::{DashboardId, PageId, UserId, WorkspaceId},
    page::ResourceId,
    text::DashboardName,
};
use serde_json::Value;

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = dashboards, treat_none_as_null = true, treat_none_as_default_value = false)]
#[diesel(primary_key(workspace_id, id, host_id, in_database, created_by, created_at))] // what saving leaves alone
pub struct DashboardRow {
    workspace_id: Stored<WorkspaceId>,
    id: Stored<DashboardId>,
    host_id: Stored<PageId>,
    in_database: bool,
    created_by: Option<Stored<UserId>>,
    created_at: i64,
    name: Stored<DashboardName>,
    widgets: Stored<Value>,
    filters: Stored<Value>,
    version: i64,
    updated_by: Option<Stored<UserId>>,
    updated_at: i64,
}

impl From<&Dashboard> for DashboardRow {
    fn from(dashboard: &Dashboard) -> Self {
        Self {
            workspace_id: Stored(dashboard.workspace),
            id: Stored(dashboard.id),
            host_id: Stored(dashboard.host.node()),
            in_database: matches!(dashboard.host, ResourceId::Database(_)),
            created_by: dashboard.created_by.map(Stored),
            created_at: dashboard.created_at.millis(),
            name: Stored(dashboard.name.clone()),
            widgets: Stored(dashboard.widgets.clone()),
            filters: Stored(dashboard.filters.clone()),
            version: dashboard.version,
            updated_by: dashboard.updated_by.map(Stored),
            updated_at: dashboard.updated_at.millis(),
        }
    }
}

impl From<DashboardRow> for Dashboard {
    fn from(row: DashboardRow) -> Self {
        let node = row.host_id.0;
        Self {
            id: row.id.0,
            workspace: row.workspace_id.0,
            host: if row.in_database { ResourceId::Database(node.as_database()) } else { ResourceId::Page(node) },
            name: row.name.0,
            widgets: row.widgets.0,
            filters: row.filters.0,
            version: row.version,
            created_by: row.created_by.map(|user| user.0),
            updated_by: row.updated_by.map(|user| user.0),
            created_at: Timestamp::from_millis(row.created_at),
            updated_at: Timestamp::from_millis(row.updated_at),
        }
    }
}
