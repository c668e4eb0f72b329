//! Pages that people keep at hand.

use crate::store::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    id::{PageId, UserId, WorkspaceId},
    page::{Favorite, Page},
    position::Position,
};

#[async_trait]
pub trait FavoriteReads: Send {
    async fn find(&mut self, workspace: WorkspaceId, user: UserId, page: PageId) -> StoreResult<Option<Favorite>>;

    /// Which of these pages are favorites of somebody.
    async fn find_many(&mut self, workspace: WorkspaceId, user: UserId, pages: &[PageId]) -> StoreResult<Vec<PageId>>;

    /// The favorites of somebody that are active pages, in their order.
    async fn list(&mut self, workspace: WorkspaceId, user: UserId) -> StoreResult<Vec<(Favorite, Page)>>;
}

#[async_trait]
pub trait Favorites: FavoriteReads {
    /// Writes a favorite, or its new place.
    async fn put(&mut self, favorite: &Favorite) -> StoreResult<()>;

    async fn remove(&mut self, workspace: WorkspaceId, user: UserId, page: PageId) -> StoreResult<()>;

    /// The places of somebody's favorites but one, in their order.
    async fn list_places(
        &mut self,
        workspace: WorkspaceId,
        user: UserId,
        but: PageId,
    ) -> StoreResult<Vec<(PageId, Position)>>;
}
