//! Rows of the views of databases.

use crate::{
    schema::views,
    stored::{Stored, StoredText},
};
use diesel::prelude::{AsChangeset, Insertable, Queryable, Selectable};
use octavo_core_model::{
    Timestamp,
    id::{DatabaseId, ViewId, WorkspaceId},
    position::Position,
    text::ViewName,
};
use octavo_databases::views::{StoredView, ViewType};
use serde_json::Value;
use std::borrow::Cow;

impl StoredText for Value {
    fn text(&self) -> Cow<'_, str> {
        self.to_string().into()
    }

    fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = views, treat_none_as_null = true, treat_none_as_default_value = false)]
#[diesel(primary_key(workspace_id, database_id, id, kind, created_at))] // what saving leaves alone
pub struct ViewRow {
    workspace_id: Stored<WorkspaceId>,
    database_id: Stored<DatabaseId>,
    id: Stored<ViewId>,
    kind: Stored<ViewType>,
    created_at: i64,
    name: Stored<ViewName>,
    position: Stored<Position>,
    config: Stored<Value>,
    filter: Option<Stored<Value>>,
    sort: Stored<Value>,
    grouping: Stored<Value>,
    page_size: i64,
    is_locked: bool,
    updated_at: i64,
}

impl ViewRow {
    pub fn new(workspace: WorkspaceId, database: DatabaseId, view: &StoredView) -> Self {
        Self {
            workspace_id: Stored(workspace),
            database_id: Stored(database),
            id: Stored(view.id),
            kind: Stored(view.kind),
            created_at: view.created_at.millis(),
            name: Stored(view.name.clone()),
            position: Stored(view.position.clone()),
            config: Stored(view.config.clone()),
            filter: Some(&view.filter).filter(|filter| !filter.is_null()).cloned().map(Stored),
            sort: Stored(view.sort.clone()),
            grouping: Stored(view.group.clone()),
            page_size: view.page_size,
            is_locked: view.is_locked,
            updated_at: view.updated_at.millis(),
        }
    }
}

impl From<ViewRow> for (DatabaseId, StoredView) {
    fn from(row: ViewRow) -> Self {
        let view = StoredView {
            id: row.id.0,
            name: row.name.0,
            kind: row.kind.0,
            position: row.position.0,
            config: row.config.0,
            filter: row.filter.map_or(Value::Null, |filter| filter.0),
            sort: row.sort.0,
            group: row.grouping.0,
            page_size: row.page_size,
            is_locked: row.is_locked,
            created_at: Timestamp::from_millis(row.created_at),
            updated_at: Timestamp::from_millis(row.updated_at),
        };
        (row.database_id.0, view)
    }
}
