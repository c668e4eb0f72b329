//! Rows of records and of the links between them.

use crate::{
    schema::{record_links, records},
    stored::Stored,
};
use diesel::prelude::{AsChangeset, Insertable, Queryable, Selectable};
use octavo_core_model::{
    Timestamp,
    id::{DatabaseId, PropertyId, RecordId, UserId, WorkspaceId},
    position::Position,
    record::{Record, RecordLink, RecordPage},
    text::{PageIcon, WebAddress},
};

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = records, treat_none_as_null = true, treat_none_as_default_value = false)]
// What saving leaves alone.
#[diesel(primary_key(workspace_id, id, database_id, number, has_page, has_entries, created_by, created_at))]
pub struct RecordRow {
    workspace_id: Stored<WorkspaceId>,
    id: Stored<RecordId>,
    database_id: Stored<DatabaseId>,
    number: Option<i64>,
    has_page: bool,
    has_entries: bool,
    created_by: Option<Stored<UserId>>,
    created_at: i64,
    parent_id: Option<Stored<RecordId>>,
    position: Stored<Position>,
    bag: String,
    icon: Option<Stored<PageIcon>>,
    cover_url: Option<Stored<WebAddress>>,
    archived_at: Option<i64>,
    version: i64,
    updated_by: Option<Stored<UserId>>,
    updated_at: i64,
}

impl RecordRow {
    pub fn key(&self) -> (Stored<WorkspaceId>, Stored<RecordId>) {
        (self.workspace_id.clone(), self.id.clone())
    }
}

/// The two columns for the state of the page of a record.
pub const fn page_columns(page: RecordPage) -> (bool, bool) {
    match page {
        RecordPage::Implied => (false, false),
        RecordPage::Stored => (true, false),
        RecordPage::WithEntries => (true, true),
    }
}

impl From<Record> for RecordRow {
    fn from(record: Record) -> Self {
        let (has_page, has_entries) = page_columns(record.page);
        Self {
            workspace_id: Stored(record.workspace),
            id: Stored(record.id),
            database_id: Stored(record.database),
            number: record.number,
            has_page,
            has_entries,
            created_by: record.created_by.map(Stored),
            created_at: record.created_at.millis(),
            parent_id: record.parent.map(Stored),
            position: Stored(record.position),
            bag: record.bag,
            icon: record.icon.map(Stored),
            cover_url: record.cover_url.map(Stored),
            archived_at: record.archived_at.map(Timestamp::millis),
            version: record.version,
            updated_by: record.updated_by.map(Stored),
            updated_at: record.updated_at.millis(),
        }
    }
}

impl From<RecordRow> for Record {
    fn from(row: RecordRow) -> Self {
        let page = match (row.has_page, row.has_entries) {
            (false, _) => RecordPage::Implied,
            (true, false) => RecordPage::Stored,
            (true, true) => RecordPage::WithEntries,
        };
        Self {
            id: row.id.0,
            workspace: row.workspace_id.0,
            database: row.database_id.0,
            parent: row.parent_id.map(|parent| parent.0),
            position: row.position.0,
            bag: row.bag,
            icon: row.icon.map(|icon| icon.0),
            cover_url: row.cover_url.map(|address| address.0),
            number: row.number,
            archived_at: row.archived_at.map(Timestamp::from_millis),
            page,
            version: row.version,
            created_by: row.created_by.map(|user| user.0),
            created_at: Timestamp::from_millis(row.created_at),
            updated_by: row.updated_by.map(|user| user.0),
            updated_at: Timestamp::from_millis(row.updated_at),
        }
    }
}

#[derive(Debug, Queryable, Insertable)]
#[diesel(table_name = record_links)]
pub struct RecordLinkRow {
    workspace_id: Stored<WorkspaceId>,
    property_id: Stored<PropertyId>,
    source_id: Stored<RecordId>,
    target_id: Stored<RecordId>,
    source_order: i64,
    target_order: i64,
}

impl RecordLinkRow {
    pub fn new(workspace: WorkspaceId, property: PropertyId, link: RecordLink) -> Self {
        Self {
            workspace_id: Stored(workspace),
            property_id: Stored(property),
            source_id: Stored(link.source),
            target_id: Stored(link.target),
            source_order: link.source_order,
            target_order: link.target_order,
        }
    }

    pub const fn property(&self) -> PropertyId {
        self.property_id.0
    }
}

impl From<RecordLinkRow> for RecordLink {
    fn from(row: RecordLinkRow) -> Self {
        Self {
            source: row.source_id.0,
            target: row.target_id.0,
            source_order: row.source_order,
            target_order: row.target_order,
        }
    }
}
