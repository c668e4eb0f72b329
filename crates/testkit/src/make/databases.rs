//! Databases, their properties and their records.

use super::{NOW, id, page, user_id};
use octavo_core_model::{
    database::{Database, SchemaState},
    id::{DatabaseId, PropertyId, RecordId, ViewId, WorkspaceId},
    page::{Node, Page, PageKind},
    position::Position,
    record::{Record, RecordLink, RecordPage},
    text::PropertyName,
};
use octavo_databases::{Property, PropertyConfig};

pub fn database_id(number: u64) -> DatabaseId {
    id(number, DatabaseId::new)
}

pub fn view_id(number: u64) -> ViewId {
    id(number, ViewId::new)
}

/// The node of the database with this number.
pub fn database_node(number: u64, workspace: WorkspaceId, container: Node, access: Node) -> Page {
    Page { kind: PageKind::Database, ..page(number, workspace, container, access) }
}

pub fn database(number: u64, workspace: WorkspaceId) -> Database {
    Database {
        id: database_id(number),
        workspace,
        description: None,
        schema: SchemaState { version: 1, changed_at: NOW, next_slot: 1, epoch: 0 },
        archived_at: None,
        created_by: Some(user_id(1)),
        created_at: NOW,
        updated_at: NOW,
    }
}

pub fn property_id(number: u64) -> PropertyId {
    id(number, PropertyId::new)
}

/// A property whose slot is its number.
pub fn property(number: u32, database: DatabaseId, config: PropertyConfig) -> Property {
    Property {
        id: property_id(number.into()),
        database,
        slot: number,
        name: PropertyName::parse(&format!("Property {number}")).expect("a name"),
        position: Position::from_stored(format!("a{number}")),
        is_visible: true,
        required: false,
        config,
        default: None,
        created_at: NOW,
    }
}

pub fn record_id(number: u64) -> RecordId {
    id(number, RecordId::new)
}

/// A record without parent and values.
pub fn record(number: u64, database: &Database) -> Record {
    Record {
        id: record_id(number),
        workspace: database.workspace,
        database: database.id,
        parent: None,
        position: Position::from_stored(format!("a{number:06}")),
        bag: "{}".to_owned(),
        icon: None,
        cover_url: None,
        number: None,
        archived_at: None,
        page: RecordPage::Implied,
        version: 1,
        created_by: Some(user_id(1)),
        created_at: NOW,
        updated_by: Some(user_id(1)),
        updated_at: NOW,
    }
}

/// A link between the records with these numbers, the first one on both sides.
pub fn record_link(source: u64, target: u64) -> RecordLink {
    RecordLink { source: record_id(source), target: record_id(target), source_order: 0, target_order: 0 }
}
