//! Databases, their properties and their views.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    database::Database,
    id::{DatabaseId, PropertyId, RecordId, ViewId, WorkspaceId},
};
use octavo_databases::{Property, views::StoredView};

#[async_trait]
pub trait DatabaseReads: Send {
    async fn find(&mut self, workspace: WorkspaceId, id: DatabaseId) -> StoreResult<Option<Database>>;

    /// The databases with these ids that exist, in no particular order.
    async fn list_by_id(&mut self, workspace: WorkspaceId, ids: &[DatabaseId]) -> StoreResult<Vec<Database>>;

    /// How many databases the workspace has, including archived ones.
    async fn count(&mut self, workspace: WorkspaceId) -> StoreResult<u64>;

    /// The properties of these databases, in no particular order.
    async fn list_properties(&mut self, workspace: WorkspaceId, ids: &[DatabaseId]) -> StoreResult<Vec<Property>>;

    /// The databases with relations that lead to this one.
    async fn list_related(&mut self, workspace: WorkspaceId, id: DatabaseId) -> StoreResult<Vec<DatabaseId>>;

    /// The databases of those of these views that exist. Looks through the views of the workspace.
    async fn locate_views(&mut self, workspace: WorkspaceId, ids: &[ViewId]) -> StoreResult<Vec<(ViewId, DatabaseId)>>;

    /// The views of these databases, in no particular order.
    async fn list_views(
        &mut self,
        workspace: WorkspaceId,
        ids: &[DatabaseId],
    ) -> StoreResult<Vec<(DatabaseId, StoredView)>>;

    /// How many active records each of these databases has; those without records may be missing.
    async fn count_records(
        &mut self,
        workspace: WorkspaceId,
        ids: &[DatabaseId],
    ) -> StoreResult<Vec<(DatabaseId, u64)>>;
}

/// The schema and the views of a database are changed under its lock; records are written under its shared lock, so that the schema
/// does not change meanwhile. Units that lock several databases do so in the order of their ids.
#[async_trait]
pub trait Databases: DatabaseReads {
    async fn insert(&mut self, database: &Database) -> StoreResult<()>;

    /// Finds a database and locks it until the unit ends.
    async fn lock(&mut self, workspace: WorkspaceId, id: DatabaseId) -> StoreResult<Option<Database>>;

    /// Finds a database and keeps others from changing it until the unit ends.
    async fn lock_shared(&mut self, workspace: WorkspaceId, id: DatabaseId) -> StoreResult<Option<Database>>;

    /// Saves everything of a database that may change.
    async fn save(&mut self, database: &Database) -> StoreResult<()>;

    async fn insert_properties(&mut self, workspace: WorkspaceId, properties: &[Property]) -> StoreResult<()>;

    async fn save_property(&mut self, workspace: WorkspaceId, property: &Property) -> StoreResult<()>;

    async fn remove_property(
        &mut self,
        workspace: WorkspaceId,
        database: DatabaseId,
        id: PropertyId,
    ) -> StoreResult<()>;

    async fn insert_views(
        &mut self,
        workspace: WorkspaceId,
        database: DatabaseId,
        views: &[StoredView],
    ) -> StoreResult<()>;

    /// Saves everything of a view that may change.
    async fn save_view(&mut self, workspace: WorkspaceId, database: DatabaseId, view: &StoredView) -> StoreResult<()>;

    async fn remove_view(&mut self, workspace: WorkspaceId, database: DatabaseId, id: ViewId) -> StoreResult<()>;

    /// Changes the number of active records. Records with different ids are usually counted in different rows, so that
    /// units that create records do not wait for each other.
    async fn change_record_count(
        &mut self,
        workspace: WorkspaceId,
        database: DatabaseId,
        record: RecordId,
        by: i64,
    ) -> StoreResult<()>;

    /// Reserves this many numbers for records, and returns the first of them. Others wait until the unit ends, and a
    /// unit that does not commit uses none.
    async fn take_numbers(&mut self, workspace: WorkspaceId, database: DatabaseId, count: u32) -> StoreResult<i64>;

    /// Gives numbers to the records that have none, in the order of their creation, behind all numbers that were used.
    async fn number_records(&mut self, workspace: WorkspaceId, database: DatabaseId) -> StoreResult<()>;
}
