//! Links between records: the values of relations.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Timestamp,
    id::{PropertyId, RecordId, WorkspaceId},
    record::RecordLink,
};

/// The links of one relation that leave or reach records. The property is that of the side that was created first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkSide {
    pub property: PropertyId,
    /// Whether the records are targets, because the property that shows the links is the reverse.
    pub is_reverse: bool,
}

/// A record with a link to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkingRecord {
    pub record: RecordId,
    /// When the newest of its links was placed.
    pub linked_at: Timestamp,
}

#[async_trait]
pub trait RecordLinkReads: Send {
    /// The links of these records on one side of a relation, record by record, in the order of that side.
    async fn list(
        &mut self,
        workspace: WorkspaceId,
        side: LinkSide,
        records: &[RecordId],
    ) -> StoreResult<Vec<RecordLink>>;

    /// Like [`Self::list`], but of each record only the first links, up to this number.
    async fn list_first(
        &mut self,
        workspace: WorkspaceId,
        side: LinkSide,
        records: &[RecordId],
        most: u32,
    ) -> StoreResult<Vec<RecordLink>>;

    /// Like [`Self::list`], for all records from the first of these ids to the second one.
    async fn list_between(
        &mut self,
        workspace: WorkspaceId,
        side: LinkSide,
        records: (RecordId, RecordId),
    ) -> StoreResult<Vec<RecordLink>>;

    /// The links of one record on one side, in their order, after this place.
    async fn list_page(
        &mut self,
        workspace: WorkspaceId,
        side: LinkSide,
        record: RecordId,
        after: Option<(i64, RecordId)>,
        limit: u32,
    ) -> StoreResult<Vec<RecordLink>>;

    /// How many links a relation has.
    async fn count(&mut self, workspace: WorkspaceId, property: PropertyId) -> StoreResult<u64>;

    /// How many records have links on one side of a relation.
    async fn count_linked(&mut self, workspace: WorkspaceId, side: LinkSide) -> StoreResult<u64>;

    /// How many links each of these records has on one side; records without links are skipped.
    async fn count_of(
        &mut self,
        workspace: WorkspaceId,
        side: LinkSide,
        records: &[RecordId],
    ) -> StoreResult<Vec<(RecordId, u64)>>;

    /// Records that have more than one link on a side, up to a limit.
    async fn list_linked_twice(
        &mut self,
        workspace: WorkspaceId,
        side: LinkSide,
        limit: u32,
    ) -> StoreResult<Vec<RecordId>>;

    /// The links to a record through any property, with the properties: newest property first, after this place.
    async fn list_linking(
        &mut self,
        workspace: WorkspaceId,
        record: RecordId,
        after: Option<(PropertyId, RecordId)>,
        limit: u32,
    ) -> StoreResult<Vec<(PropertyId, RecordLink)>>;

    /// The records that show a link to a record, each once: the sources of links to it through any property, and the
    /// targets of links from it through these properties. Newest link first, after the given record.
    async fn list_linking_records(
        &mut self,
        workspace: WorkspaceId,
        record: RecordId,
        visible_on_both: &[PropertyId],
        after: Option<LinkingRecord>,
        limit: u32,
    ) -> StoreResult<Vec<LinkingRecord>>;
}

#[async_trait]
pub trait RecordLinks: RecordLinkReads {
    /// Inserts links of a relation, except those that exist. Returns how many are new.
    async fn insert(&mut self, workspace: WorkspaceId, property: PropertyId, links: &[RecordLink]) -> StoreResult<u64>;

    /// Removes links from a source to these targets, and returns how many there were.
    async fn remove(
        &mut self,
        workspace: WorkspaceId,
        property: PropertyId,
        source: RecordId,
        targets: &[RecordId],
    ) -> StoreResult<u64>;

    /// Removes all links from and to these records.
    async fn remove_of_records(&mut self, workspace: WorkspaceId, records: &[RecordId]) -> StoreResult<()>;

    /// Removes links of a relation, up to a limit, and returns how many there were.
    async fn remove_of_property(
        &mut self,
        workspace: WorkspaceId,
        property: PropertyId,
        limit: u32,
    ) -> StoreResult<u64>;
}
