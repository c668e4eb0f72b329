//! Reading the event log. Events are written by the commit of a unit and never changed.

use crate::store::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    event::{EventMark, LoggedEvent},
    id::{DatabaseId, EventId, PageId, WorkspaceId},
};

/// Where a log begins and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogEnds {
    /// The oldest event that is kept.
    pub oldest: Option<EventMark>,
    /// The last number that was given.
    pub last_sequence: i64,
}

/// Which events of a log are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogPart {
    Whole,
    /// Those that lie on this page.
    OfPage(PageId),
    /// Those that lie in this database.
    OfDatabase(DatabaseId),
}

#[async_trait]
pub trait EventReads: Send {
    async fn find_log_ends(&mut self, workspace: WorkspaceId) -> StoreResult<LogEnds>;

    /// Where an event stands.
    async fn find_sequence(&mut self, workspace: WorkspaceId, id: EventId) -> StoreResult<Option<i64>>;

    /// The newest event up to there.
    async fn find_up_to(&mut self, workspace: WorkspaceId, sequence: i64) -> StoreResult<Option<EventMark>>;

    /// Events in the order of their numbers, after the given one.
    async fn list(
        &mut self,
        workspace: WorkspaceId,
        part: LogPart,
        after: i64,
        limit: u32,
    ) -> StoreResult<Vec<LoggedEvent>>;
}
