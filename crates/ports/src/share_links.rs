//! Share links.

use crate::store::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Timestamp, TokenHash,
    id::{PageId, ShareLinkId, UserId, WorkspaceId},
    page::{Page, PublicAccess},
    share_link::{ShareLink, ShareStatus, Viewed},
};

/// Links of a workspace to list.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShareLinkFilter {
    pub status: Option<ShareStatus>,
    pub page: Option<PageId>,
    pub created_by: Option<UserId>,
}

#[async_trait]
pub trait ShareLinkReads: Send {
    /// Whose link has this token. The link itself decides whether that still counts.
    async fn find_workspace(&mut self, token: &TokenHash) -> StoreResult<Option<WorkspaceId>>;

    /// The link with this token and the page it leads to, in the trash or not; `None` in a workspace that is being deleted.
    async fn find_opened(
        &mut self,
        workspace: WorkspaceId,
        token: &TokenHash,
    ) -> StoreResult<Option<(ShareLink, Page)>>;

    async fn find(&mut self, workspace: WorkspaceId, id: ShareLinkId) -> StoreResult<Option<ShareLink>>;

    /// The links of a page, newest first.
    async fn list_of(&mut self, workspace: WorkspaceId, page: PageId) -> StoreResult<Vec<ShareLink>>;

    /// The links of a workspace, newest first, after the given one.
    async fn list(
        &mut self,
        workspace: WorkspaceId,
        filter: ShareLinkFilter,
        now: Timestamp,
        before: Option<ShareLinkId>,
        limit: u32,
    ) -> StoreResult<Vec<ShareLink>>;

    /// Those of these pages that have a link of their own which counts now, and whether one of these shows what is below too.
    async fn list_linked_pages(
        &mut self,
        workspace: WorkspaceId,
        pages: &[PageId],
        now: Timestamp,
    ) -> StoreResult<Vec<(PageId, bool)>>;

    /// Those of these pages that a link shows now, and by which way. One statement, however many they are and however deep they lie.
    async fn list_public_access(
        &mut self,
        workspace: WorkspaceId,
        pages: &[PageId],
        now: Timestamp,
    ) -> StoreResult<Vec<(PageId, PublicAccess)>>;

    /// Those of these pages that a link shows now, as long as it counts, but for those in the trash. One statement, however many they are and however
    /// deep they lie.
    async fn list_pages_of_link(
        &mut self,
        link: &ShareLink,
        pages: &[PageId],
        now: Timestamp,
    ) -> StoreResult<Vec<PageId>>;
}

/// Changes are made under the lock of the workspace.
#[async_trait]
pub trait ShareLinks: ShareLinkReads {
    /// Writes a new link and what leads to it.
    async fn insert(&mut self, link: &ShareLink) -> StoreResult<()>;

    /// Saves everything that may change except the views, which are counted separately. A new token replaces the previous one.
    async fn save(&mut self, link: &ShareLink) -> StoreResult<()>;

    /// How many links of a page were not revoked.
    async fn count(&mut self, workspace: WorkspaceId, page: PageId) -> StoreResult<u32>;

    /// Counts that links were opened.
    async fn count_views(&mut self, viewed: &[Viewed]) -> StoreResult<()>;
}
