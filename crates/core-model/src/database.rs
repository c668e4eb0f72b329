//! Databases: collections of records with typed properties.

use crate::{
    id::{DatabaseId, UserId, WorkspaceId},
    name::named,
    text::DatabaseDescription,
    time::Timestamp,
};

/// A database, without what its node in the tree says: title, icon, place and access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Database {
    /// The id of the database.
    pub id: DatabaseId,
    /// Its workspace.
    pub workspace: WorkspaceId,
    /// What it is for.
    pub description: Option<DatabaseDescription>,
    /// The state of its properties.
    pub schema: SchemaState,
    /// When it was archived; `None` while it is in use.
    pub archived_at: Option<Timestamp>,
    /// Who created it; `None` if the user is unknown.
    pub created_by: Option<UserId>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its title, its icon, its description, its properties or its views last changed.
    pub updated_at: Timestamp,
}

/// The state of the properties of a database. What is derived from them can be kept as long as the state is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchemaState {
    /// Raised by each change of properties.
    pub version: i64,
    /// When it was raised last.
    pub changed_at: Timestamp,
    /// The slot of the next property.
    pub next_slot: u32,
    /// Raised when many records change without an event for each of them.
    pub epoch: i64,
}

named! {
    /// An order of databases.
    DatabaseOrder {
        /// By title, without regard to case.
        Title = "title",
        /// Last changed first.
        NewestChange = "-updatedAt",
    }
}

named! {
    /// The format of exported records.
    RecordsFormat {
        /// A table with a row for each record.
        Csv = "csv",
        /// A list of records.
        Json = "json",
        /// A record on each line.
        Ndjson = "ndjson",
    }
}

named! {
    /// What is exported of the page of a record.
    PageContent {
        /// Nothing.
        None = "none",
        /// Its blocks, as Markdown.
        Markdown = "markdown",
    }
}
