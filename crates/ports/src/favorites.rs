//! Pages that users keep as favorites.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    id::{PageId, UserId, WorkspaceId},
    page::{Favorite, Page},
    position::Position,
};

#[async_trait]
pub trait FavoriteReads: Send {
    async fn find(&mut self, workspace: WorkspaceId, user: UserId, page: PageId) -> StoreResult<Option<Favorite>>;

    /// Which of these pages are favorites of a user.
    async fn find_many(&mut self, workspace: WorkspaceId, user: UserId, pages: &[PageId]) -> StoreResult<Vec<PageId>>;

    /// A user's favorites that are active pages, in their order.
    async fn list(&mut self, workspace: WorkspaceId, user: UserId) -> StoreResult<Vec<(Favorite, Page)>>;
}

#[async_trait]
pub trait Favorites: FavoriteReads {
    /// Inserts a favorite, or saves its new position.
    async fn put(&mut self, favorite: &Favorite) -> StoreResult<()>;

    async fn remove(&mut self, workspace: WorkspaceId, user: UserId, page: PageId) -> StoreResult<()>;

    /// The positions of a user's favorites except one, in their order.
    async fn list_places(
        &mut self,
        workspace: WorkspaceId,
        user: UserId,
        but: PageId,
    ) -> StoreResult<Vec<(PageId, Position)>>;
}
