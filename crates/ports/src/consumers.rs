//! How far consumers of the event log have come.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Timestamp,
    consumer::{ConsumerName, Cursor, SetAside},
    id::WorkspaceId,
};

#[async_trait]
pub trait ConsumerReads: Send {
    /// Workspaces, after the given one, with events that a consumer has not handled and may try now.
    async fn list_behind(
        &mut self,
        consumer: ConsumerName,
        after: Option<WorkspaceId>,
        now: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<WorkspaceId>>;

    /// Workspaces with an event at which a consumer failed and which it may try again now. Unlike [`Self::list_behind`], it
    /// costs nothing for other workspaces.
    async fn list_failed(
        &mut self,
        consumer: ConsumerName,
        now: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<WorkspaceId>>;

    /// The events of a workspace that a consumer could not handle, from the oldest on.
    async fn list_set_aside(
        &mut self,
        workspace: WorkspaceId,
        consumer: ConsumerName,
        limit: u32,
    ) -> StoreResult<Vec<SetAside>>;
}

#[async_trait]
pub trait Consumers: ConsumerReads {
    /// Locks the cursor of a consumer in a workspace until the unit ends; before its first event it is created. `None` if
    /// another unit holds it.
    async fn lock(&mut self, workspace: WorkspaceId, consumer: ConsumerName) -> StoreResult<Option<Cursor>>;

    async fn save(&mut self, cursor: &Cursor) -> StoreResult<()>;

    /// Records an event that could not be handled.
    async fn set_aside(&mut self, event: &SetAside) -> StoreResult<()>;

    /// Lets a consumer begin again in all workspaces, including what it has set aside. Returns the number of workspaces.
    async fn rewind(&mut self, consumer: ConsumerName) -> StoreResult<u64>;
}
