//! Reading the event log. Events are written by the commit of a unit and never changed.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    event::{EventMark, LoggedEvent},
    id::{DatabaseId, EventId, PageId, RecordId, WorkspaceId},
};
use serde_json::Value;

/// The two ends of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogEnds {
    /// The oldest event that still exists.
    pub oldest: Option<EventMark>,
    /// The last number that was assigned.
    pub last_sequence: i64,
}

/// Which events of a log to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogPart {
    Whole,
    /// Events on this page.
    OfPage(PageId),
    /// Events in this database.
    OfDatabase(DatabaseId),
    /// Events about the thing with this id.
    OfResource(String),
    /// Events that the actor with this id caused.
    OfActor(String),
}

/// Records that changed, according to the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedRecords {
    /// The records of the events that were read, each once.
    pub ids: Vec<RecordId>,
    /// The number of the last of these events, from which to continue. Events that have no number yet are read again.
    pub up_to: i64,
    /// Whether there may be more behind.
    pub is_cut: bool,
}

/// Nodes of the tree of pages that came, went or changed their place, according to the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedNodes {
    /// The nodes of the events that were read, each once.
    pub nodes: Vec<PageId>,
    /// Those among them that were created, perhaps with pages below them that no event names.
    pub created: Vec<PageId>,
    /// Whether more changed than the events name, because a team was deleted.
    pub are_incomplete: bool,
    /// The last number that was assigned in the log.
    pub last_sequence: i64,
    /// The number up to which the log was read, from which to continue. Events that have no number yet are read again.
    pub up_to: i64,
    /// Whether there may be more behind.
    pub is_cut: bool,
}

#[async_trait]
pub trait EventReads: Send {
    async fn find_log_ends(&mut self, workspace: WorkspaceId) -> StoreResult<LogEnds>;

    /// The workspaces that have events, in the order of their ids after the given one, each with the last number of its
    /// log.
    async fn list_log_ends(&mut self, after: Option<WorkspaceId>, limit: u32) -> StoreResult<Vec<(WorkspaceId, i64)>>;

    /// The number of an event.
    async fn find_sequence(&mut self, workspace: WorkspaceId, id: EventId) -> StoreResult<Option<i64>>;

    /// The newest event up to this number.
    async fn find_up_to(&mut self, workspace: WorkspaceId, sequence: i64) -> StoreResult<Option<EventMark>>;

    /// Events in the order of their numbers, after the given one, without their data.
    async fn list(
        &mut self,
        workspace: WorkspaceId,
        part: &LogPart,
        after: i64,
        limit: u32,
    ) -> StoreResult<Vec<LoggedEvent>>;

    /// Events from the newest to the oldest, before the one with this number, without their data.
    async fn list_newest(
        &mut self,
        workspace: WorkspaceId,
        part: &LogPart,
        before: i64,
        limit: u32,
    ) -> StoreResult<Vec<LoggedEvent>>;

    /// The number of the first event, in the order of ids, whose id is not less than this one. Ids grow with time.
    async fn find_sequence_from(&mut self, workspace: WorkspaceId, id: EventId) -> StoreResult<Option<i64>>;

    /// The records of a database that changed after the event with this number. Reads at most this many events, and all
    /// that have no number yet: a change is listed as soon as its unit has committed.
    async fn list_changed_records(
        &mut self,
        workspace: WorkspaceId,
        database: DatabaseId,
        after: i64,
        limit: u32,
    ) -> StoreResult<ChangedRecords>;

    /// The nodes that changed after the event with this number. Reads as [`Self::list_changed_records`] does.
    async fn list_changed_nodes(&mut self, workspace: WorkspaceId, after: i64, limit: u32)
    -> StoreResult<ChangedNodes>;

    /// How many bytes the data of each of these events has, in the order of their numbers. Events that no longer exist
    /// are skipped.
    async fn measure_data(&mut self, workspace: WorkspaceId, ids: &[EventId]) -> StoreResult<Vec<(EventId, u64)>>;

    /// The data of these events, in the order of their numbers. Its shape depends on the type of the event.
    async fn load_data(&mut self, workspace: WorkspaceId, ids: &[EventId]) -> StoreResult<Vec<(EventId, Value)>>;
}
