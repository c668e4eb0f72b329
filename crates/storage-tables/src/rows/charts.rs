//! Rows of charts.

use crate::{schema::charts, stored::Stored};
use diesel::prelude::{AsChangeset, Insertable, Queryable, Selectable};
use octavo_core_model::{
    Timestamp,
    chart::Chart,
    id::{ChartId, DatabaseId, UserId, WorkspaceId},
    text::ChartName,
};
use serde_json::Value;

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = charts, treat_none_as_null = true, treat_none_as_default_value = false)]
#[diesel(primary_key(workspace_id, id, database_id, created_by, created_at))] // what saving leaves alone
pub struct ChartRow {
    workspace_id: Stored<WorkspaceId>,
    id: Stored<ChartId>,
    database_id: Stored<DatabaseId>,
    created_by: Option<Stored<UserId>>,
    created_at: i64,
    name: Stored<ChartName>,
    settings: Stored<Value>,
    version: i64,
    updated_by: Option<Stored<UserId>>,
    updated_at: i64,
}

impl From<&Chart> for ChartRow {
    fn from(chart: &Chart) -> Self {
        Self {
            workspace_id: Stored(chart.workspace),
            id: Stored(chart.id),
            database_id: Stored(chart.database),
            created_by: chart.created_by.map(Stored),
            created_at: chart.created_at.millis(),
            name: Stored(chart.name.clone()),
            settings: Stored(chart.settings.clone()),
            version: chart.version,
            updated_by: chart.updated_by.map(Stored),
            updated_at: chart.updated_at.millis(),
        }
    }
}

impl From<ChartRow> for Chart {
    fn from(row: ChartRow) -> Self {
        Self {
            id: row.id.0,
            workspace: row.workspace_id.0,
            database: row.database_id.0,
            name: row.name.0,
            settings: row.settings.0,
            version: row.version,
            created_by: row.created_by.map(|user| user.0),
            updated_by: row.updated_by.map(|user| user.0),
            created_at: Timestamp::from_millis(row.created_at),
            updated_at: Timestamp::from_millis(row.updated_at),
        }
    }
}
