//! Dashboards on pages and in databases.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    dashboard::Dashboard,
    id::{DashboardId, PageId, WorkspaceId},
};

#[async_trait]
pub trait DashboardReads: Send {
    async fn find(&mut self, workspace: WorkspaceId, id: DashboardId) -> StoreResult<Option<Dashboard>>;

    /// The dashboards on these nodes, in no particular order. A node has at most 50.
    async fn list_of(&mut self, workspace: WorkspaceId, hosts: &[PageId]) -> StoreResult<Vec<Dashboard>>;

    /// The dashboards of a workspace, newest first, before an id.
    async fn list(
        &mut self,
        workspace: WorkspaceId,
        before: Option<DashboardId>,
        limit: u32,
    ) -> StoreResult<Vec<Dashboard>>;
}

/// The dashboards on a page or in a database are changed under the lock of its node, with which they are removed.
#[async_trait]
pub trait Dashboards: DashboardReads {
    async fn insert(&mut self, dashboard: &Dashboard) -> StoreResult<()>;

    /// Saves everything of a dashboard that may change.
    async fn save(&mut self, dashboard: &Dashboard) -> StoreResult<()>;

    async fn remove(&mut self, workspace: WorkspaceId, id: DashboardId) -> StoreResult<()>;
}
