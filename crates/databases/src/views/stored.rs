//! Views as the store holds them.

use super::{
    Selection, View,
    fault::ViewFindings,
    kinds::{ViewConfig, ViewType},
};
use crate::{
    query::{Columns, PageSize},
    schema::Schema,
};
use octavo_core_model::{Timestamp, id::ViewId, position::Position, text::ViewName};
use serde_json::{Map, Value};

/// A view as the store holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredView {
    /// Its id.
    pub id: ViewId,
    /// What people see.
    pub name: ViewName,
    /// Its type.
    pub kind: ViewType,
    /// Its place among the views of the database.
    pub position: Position,
    /// Its configuration.
    pub config: Value,
    /// Its filter.
    pub filter: Value,
    /// Its sort.
    pub sort: Value,
    /// Its groups.
    pub group: Value,
    /// How many records one answer has.
    pub page_size: i64,
    /// Whether its configuration, filter, sort and group are protected.
    pub is_locked: bool,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

impl View {
    /// A view from the store. What no longer fits the schema is left out.
    pub fn from_stored(stored: StoredView, schema: &Schema) -> Self {
        let columns = Columns::stored(schema);
        // Nothing is reported for what the store wrote.
        let mut findings = ViewFindings::default();
        let parts = [("filter", stored.filter), ("sort", stored.sort), ("group", stored.group)];
        let mut parts: Map<_, _> = parts.map(|(name, part)| (name.to_owned(), part)).into_iter().collect();
        Self {
            id: stored.id,
            database: schema.database(),
            name: stored.name,
            position: stored.position,
            config: ViewConfig::empty(stored.kind).changed(&stored.config, "", columns, &mut findings),
            selection: Selection::default().changed(&mut parts, "", stored.kind, columns, &mut findings),
            page_size: PageSize::new(stored.page_size).unwrap_or_default(),
            is_locked: stored.is_locked,
            created_at: stored.created_at,
            updated_at: stored.updated_at,
        }
    }

    /// The view as the store holds it.
    pub fn to_stored(&self) -> StoredView {
        StoredView {
            id: self.id,
            name: self.name.clone(),
            kind: self.kind(),
            position: self.position.clone(),
            config: Value::Object(self.config.to_json()),
            filter: self.selection.filter.as_ref().map_or(Value::Null, crate::query::Filter::to_json),
            sort: self.selection.sort.to_json(),
            group: self.selection.group.to_json(),
            page_size: self.page_size.get().into(),
            is_locked: self.is_locked,
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }
}
