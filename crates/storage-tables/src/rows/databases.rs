//! Rows of databases and their properties.

use crate::{
    schema::{databases, properties},
    stored::{Stored, StoredText},
};
use diesel::prelude::{AsChangeset, Insertable, Queryable, Selectable};
use octavo_core_model::{
    Timestamp,
    database::{Database, SchemaState},
    id::{DatabaseId, PropertyId, UserId, WorkspaceId},
    position::Position,
    text::{DatabaseDescription, PropertyName},
};
use octavo_databases::{
    Property, PropertyConfig,
    stored::{decode_one, encode_one},
    text::folded_line,
};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The type and its configuration in one text, because they are always written and read together.
impl StoredText for PropertyConfig {
    fn text(&self) -> Cow<'_, str> {
        // Maps with text keys can always be serialized.
        serde_json::to_string(&(self.kind().name(), self.to_json())).unwrap_or_default().into()
    }

    fn read(text: &str) -> Option<Self> {
        let (kind, config): (Cow<'_, str>, Map<String, Value>) = serde_json::from_str(text).ok()?;
        Self::from_stored(kind.parse().ok()?, config)
    }
}

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = databases, treat_none_as_null = true, treat_none_as_default_value = false)]
#[diesel(primary_key(workspace_id, id, created_by, created_at))] // what saving leaves alone
pub struct DatabaseRow {
    workspace_id: Stored<WorkspaceId>,
    id: Stored<DatabaseId>,
    created_by: Option<Stored<UserId>>,
    created_at: i64,
    description: Option<Stored<DatabaseDescription>>,
    schema_version: i64,
    schema_changed_at: i64,
    next_slot: i64,
    epoch: i64,
    archived_at: Option<i64>,
    updated_at: i64,
}

impl From<&Database> for DatabaseRow {
    fn from(database: &Database) -> Self {
        Self {
            workspace_id: Stored(database.workspace),
            id: Stored(database.id),
            created_by: database.created_by.map(Stored),
            created_at: database.created_at.millis(),
            description: database.description.clone().map(Stored),
            schema_version: database.schema.version,
            schema_changed_at: database.schema.changed_at.millis(),
            next_slot: database.schema.next_slot.into(),
            epoch: database.schema.epoch,
            archived_at: database.archived_at.map(Timestamp::millis),
            updated_at: database.updated_at.millis(),
        }
    }
}

impl From<DatabaseRow> for Database {
    fn from(row: DatabaseRow) -> Self {
        Self {
            id: row.id.0,
            workspace: row.workspace_id.0,
            description: row.description.map(|description| description.0),
            schema: SchemaState {
                version: row.schema_version,
                changed_at: Timestamp::from_millis(row.schema_changed_at),
                next_slot: slot(row.next_slot),
                epoch: row.epoch,
            },
            archived_at: row.archived_at.map(Timestamp::from_millis),
            created_by: row.created_by.map(|user| user.0),
            created_at: Timestamp::from_millis(row.created_at),
            updated_at: Timestamp::from_millis(row.updated_at),
        }
    }
}

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = properties, treat_none_as_null = true, treat_none_as_default_value = false)]
#[diesel(primary_key(workspace_id, database_id, id, slot, created_at))] // what saving leaves alone
pub struct PropertyRow {
    workspace_id: Stored<WorkspaceId>,
    database_id: Stored<DatabaseId>,
    id: Stored<PropertyId>,
    slot: i64,
    created_at: i64,
    name: Stored<PropertyName>,
    name_key: String,
    position: Stored<Position>,
    is_visible: bool,
    required: bool,
    config: Stored<PropertyConfig>,
    default_value: Option<String>,
    target_id: Option<Stored<DatabaseId>>,
}

impl PropertyRow {
    pub fn new(workspace: WorkspaceId, property: &Property) -> Self {
        Self {
            workspace_id: Stored(workspace),
            database_id: Stored(property.database),
            id: Stored(property.id),
            slot: property.slot.into(),
            created_at: property.created_at.millis(),
            name: Stored(property.name.clone()),
            name_key: folded_line(property.name.as_str()),
            position: Stored(property.position.clone()),
            is_visible: property.is_visible,
            required: property.required,
            config: Stored(property.config.clone()),
            default_value: property.default.as_ref().map(encode_one),
            target_id: property.config.relation().map(|relation| Stored(relation.target)),
        }
    }
}

impl From<PropertyRow> for Property {
    fn from(row: PropertyRow) -> Self {
        Self {
            id: row.id.0,
            database: row.database_id.0,
            slot: slot(row.slot),
            name: row.name.0,
            position: row.position.0,
            is_visible: row.is_visible,
            required: row.required,
            default: row.default_value.and_then(|stored| decode_one(&stored, &row.config.0)),
            config: row.config.0,
            created_at: Timestamp::from_millis(row.created_at),
        }
    }
}

/// Slots are counted from below, so they fit.
fn slot(stored: i64) -> u32 {
    u32::try_from(stored).unwrap_or(u32::MAX)
}
