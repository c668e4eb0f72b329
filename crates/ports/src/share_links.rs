//! Share links.

use crate::store_result::StoreResult;
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
    /// The workspace of the link with this token. The link itself decides whether it is still valid.
    async fn find_workspace(&mut self, token: &TokenHash) -> StoreResult<Option<WorkspaceId>>;

    /// The link with this token and its page, even if that is in the trash; `None` if the workspace is being deleted.
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

    /// Which of these pages have a valid link of their own, and whether one of those links includes their
    /// children.
    async fn list_linked_pages(
        &mut self,
        workspace: WorkspaceId,
        pages: &[PageId],
        now: Timestamp,
    ) -> StoreResult<Vec<(PageId, bool)>>;

    /// Which of these pages a link shows now, and how. One statement for any number of pages at any depth.
    async fn list_public_access(
        &mut self,
        workspace: WorkspaceId,
        pages: &[PageId],
        now: Timestamp,
    ) -> StoreResult<Vec<(PageId, PublicAccess)>>;

    /// Which of these pages a valid link shows now, without those in the trash. One statement for any number of
    /// pages at any depth.
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
    /// Inserts a link and its directory entry.
    async fn insert(&mut self, link: &ShareLink) -> StoreResult<()>;

    /// Saves everything that may change except the number of views, which is counted separately. A new token replaces
    /// the present one.
    async fn save(&mut self, link: &ShareLink) -> StoreResult<()>;

    /// How many links of a page are not revoked.
    async fn count(&mut self, workspace: WorkspaceId, page: PageId) -> StoreResult<u32>;

    /// Counts openings of links.
    async fn count_views(&mut self, viewed: &[Viewed]) -> StoreResult<()>;
}
