//! Charts of databases.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    chart::Chart,
    id::{ChartId, DatabaseId, WorkspaceId},
};

#[async_trait]
pub trait ChartReads: Send {
    async fn find(&mut self, workspace: WorkspaceId, id: ChartId) -> StoreResult<Option<Chart>>;

    /// The charts with these ids that exist, in no particular order.
    async fn list_by_id(&mut self, workspace: WorkspaceId, ids: &[ChartId]) -> StoreResult<Vec<Chart>>;

    /// The charts of these databases, in no particular order. A database has at most 100.
    async fn list_of(&mut self, workspace: WorkspaceId, databases: &[DatabaseId]) -> StoreResult<Vec<Chart>>;
}

/// The charts of a database are changed under its lock.
#[async_trait]
pub trait Charts: ChartReads {
    async fn insert(&mut self, chart: &Chart) -> StoreResult<()>;

    /// Saves everything of a chart that may change.
    async fn save(&mut self, chart: &Chart) -> StoreResult<()>;

    async fn remove(&mut self, workspace: WorkspaceId, id: ChartId) -> StoreResult<()>;
}
