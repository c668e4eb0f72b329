//! Access requests of members for pages.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Timestamp,
    access_request::{AccessRequest, RequestStatus},
    id::{AccessRequestId, PageId, UserId, WorkspaceId},
    page::Node,
};

/// Requests of a workspace to list.
#[derive(Clone, Debug)]
pub struct AccessRequestFilter {
    pub status: RequestStatus,
    pub page: Option<PageId>,
    /// Only requests for pages with one of these access nodes; `None` for all.
    pub within: Option<Vec<Node>>,
}

#[async_trait]
pub trait AccessRequestReads: Send {
    async fn find(&mut self, workspace: WorkspaceId, id: AccessRequestId) -> StoreResult<Option<AccessRequest>>;

    /// The requests for active pages, newest first, after the given one.
    async fn list(
        &mut self,
        workspace: WorkspaceId,
        filter: &AccessRequestFilter,
        now: Timestamp,
        before: Option<AccessRequestId>,
        limit: u32,
    ) -> StoreResult<Vec<AccessRequest>>;
}

/// Changes are made under the lock of the workspace. A request is removed with the requester's membership and with its
/// page.
#[async_trait]
pub trait AccessRequests: AccessRequestReads {
    /// A member's open request for a page.
    async fn find_open(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        user: UserId,
        now: Timestamp,
    ) -> StoreResult<Option<AccessRequest>>;

    async fn insert(&mut self, request: &AccessRequest) -> StoreResult<()>;

    /// Removes a request, if it exists.
    async fn remove(&mut self, workspace: WorkspaceId, id: AccessRequestId) -> StoreResult<()>;

    /// Saves everything that may change: the requested level and the decision.
    async fn save(&mut self, request: &AccessRequest) -> StoreResult<()>;
}
