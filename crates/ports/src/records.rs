//! Records of databases.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    id::{DatabaseId, PageId, RecordId, WorkspaceId},
    position::Position,
    record::{Record, RecordPage, RecordPlace},
};

/// Which records of a database to list.
#[derive(Clone, Debug, Default)]
pub struct RecordFilter {
    /// Whether to include archived records.
    pub with_archived: bool,
    /// Only parts of this record.
    pub parent: Option<RecordId>,
    /// Without records whose pages have entries of their own, except these; by default all.
    pub within: Option<Vec<RecordId>>,
}

#[async_trait]
pub trait RecordReads: Send {
    async fn find(&mut self, workspace: WorkspaceId, id: RecordId) -> StoreResult<Option<Record>>;

    /// The records with these ids that exist, in no particular order.
    async fn list_by_id(&mut self, workspace: WorkspaceId, ids: &[RecordId]) -> StoreResult<Vec<Record>>;

    /// Records of a database in their order, after a place.
    async fn list(
        &mut self,
        workspace: WorkspaceId,
        database: DatabaseId,
        filter: &RecordFilter,
        after: Option<&RecordPlace>,
        limit: u32,
    ) -> StoreResult<Vec<Record>>;

    /// Records of a database in the order of their ids, after an id.
    async fn list_by_age(
        &mut self,
        workspace: WorkspaceId,
        database: DatabaseId,
        after: Option<RecordId>,
        limit: u32,
    ) -> StoreResult<Vec<Record>>;

    /// Id and values of records of a database in the order of their ids, after an id. For going through all of them.
    async fn list_bags(
        &mut self,
        workspace: WorkspaceId,
        database: DatabaseId,
        after: Option<RecordId>,
        limit: u32,
    ) -> StoreResult<Vec<(RecordId, String)>>;

    /// The records of a database whose pages have entries of their own.
    async fn list_with_entries(&mut self, workspace: WorkspaceId, database: DatabaseId) -> StoreResult<Vec<RecordId>>;

    /// How many parts each of these records has, archived ones included; records without parts are skipped.
    async fn count_parts(&mut self, workspace: WorkspaceId, ids: &[RecordId]) -> StoreResult<Vec<(RecordId, u64)>>;

    /// The records above this one, from its parent up. One statement.
    async fn list_above(&mut self, workspace: WorkspaceId, id: RecordId) -> StoreResult<Vec<RecordId>>;

    /// How many levels of records there are below this one.
    async fn measure_below(&mut self, workspace: WorkspaceId, id: RecordId) -> StoreResult<u32>;

    /// The position of the last record of a database.
    async fn find_last_position(
        &mut self,
        workspace: WorkspaceId,
        database: DatabaseId,
    ) -> StoreResult<Option<Position>>;
}

#[async_trait]
pub trait Records: RecordReads {
    /// Inserts records, whose ids must be newly generated.
    async fn insert_many(&mut self, records: Vec<Record>) -> StoreResult<()>;

    /// Finds a record and locks it until the unit ends.
    async fn lock(&mut self, workspace: WorkspaceId, id: RecordId) -> StoreResult<Option<Record>>;

    /// Finds records and locks them until the unit ends, in the order of their ids.
    async fn lock_many(&mut self, workspace: WorkspaceId, ids: &[RecordId]) -> StoreResult<Vec<Record>>;

    /// Saves everything of these records that may change.
    async fn save_many(&mut self, records: Vec<Record>) -> StoreResult<()>;

    /// Notes how the page of a record is stored.
    async fn note_page(&mut self, workspace: WorkspaceId, page: PageId, state: RecordPage) -> StoreResult<()>;

    /// Removes records. Their parts become records without parent.
    async fn remove_many(&mut self, workspace: WorkspaceId, ids: &[RecordId]) -> StoreResult<()>;
}
