//! Pages that people keep as favorites.

use super::{Scope, dialect::one_of};
use crate::{
    prepared::Prepare,
    rows::pages::{FavoriteRow, PageRow},
    schema::{favorites, pages},
    stored::Stored,
};
use diesel::prelude::*;
use octavo_core_model::{
    id::{PageId, UserId, WorkspaceId},
    page::{Favorite, Page},
    position::Position,
};
use octavo_ports::{
    favorites::{FavoriteReads, Favorites},
    store::StoreResult,
};
use octavo_storage_macros::area;

#[area]
impl FavoriteReads for Scope {
    async fn find(&mut self, workspace: WorkspaceId, user: UserId, page: PageId) -> StoreResult<Option<Favorite>> {
        let favorite =
            favorites::table.find((Stored(workspace), Stored(user), Stored(page))).select(FavoriteRow::as_select());
        Ok(self.optional(favorite).await?.map(Favorite::from))
    }

    async fn find_many(&mut self, workspace: WorkspaceId, user: UserId, ids: &[PageId]) -> StoreResult<Vec<PageId>> {
        let found = favorites::table
            .filter(favorites::workspace_id.eq(Stored(workspace)))
            .filter(favorites::user_id.eq(Stored(user)))
            .filter(one_of!(favorites::resource_id, ids.iter().copied().map(Stored)))
            .select(favorites::resource_id);
        Ok(self.all::<Stored<PageId>, _>(found).await?.into_iter().map(|id| id.0).collect())
    }

    async fn list(&mut self, workspace: WorkspaceId, user: UserId) -> StoreResult<Vec<(Favorite, Page)>> {
        let same = pages::workspace_id.eq(favorites::workspace_id).and(pages::id.eq(favorites::resource_id));
        let list = favorites::table
            .inner_join(pages::table.on(same))
            .filter(favorites::workspace_id.eq(Stored(workspace)))
            .filter(favorites::user_id.eq(Stored(user)))
            .filter(pages::trashed_at.is_null())
            .order((favorites::position, favorites::resource_id))
            .select((FavoriteRow::as_select(), PageRow::as_select()));
        Ok(self
            .all::<(FavoriteRow, PageRow), _>(list)
            .await?
            .into_iter()
            .map(|(favorite, page)| (favorite.into(), page.into()))
            .collect())
    }
}

#[area]
impl Favorites for Scope {
    async fn put(&mut self, favorite: &Favorite) -> StoreResult<()> {
        let row = FavoriteRow::from(favorite);
        let insert = diesel::insert_into(favorites::table)
            .values(&row)
            .on_conflict((favorites::workspace_id, favorites::user_id, favorites::resource_id))
            .do_update()
            .set(favorites::position.eq(&row.position))
            .prepared();
        self.execute(insert).await.map(drop)
    }

    async fn remove(&mut self, workspace: WorkspaceId, user: UserId, page: PageId) -> StoreResult<()> {
        let row = favorites::table.find((Stored(workspace), Stored(user), Stored(page)));
        self.execute(diesel::delete(row)).await.map(drop)
    }

    async fn list_places(
        &mut self,
        workspace: WorkspaceId,
        user: UserId,
        but: PageId,
    ) -> StoreResult<Vec<(PageId, Position)>> {
        let list = favorites::table
            .filter(favorites::workspace_id.eq(Stored(workspace)))
            .filter(favorites::user_id.eq(Stored(user)))
            .filter(favorites::resource_id.ne(Stored(but)))
            .order((favorites::position, favorites::resource_id))
            .select((favorites::resource_id, favorites::position));
        Ok(self
            .all::<(Stored<PageId>, Stored<Position>), _>(list)
            .await?
            .into_iter()
            .map(|(id, position)| (id.0, position.0))
            .collect())
    }
}
