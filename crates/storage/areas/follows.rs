//! What users follow in a workspace.

use super::{Scope, dialect::one_of};
use crate::{prepared::Prepare, rows::notifications::FollowRow, schema::follows, stored::Stored};
use diesel::{
    dsl::{exists, select},
    prelude::*,
};
use octavo_core_model::{
    follow::{Follow, FollowMode, FollowPlace, FollowTarget},
    id::{UserId, WorkspaceId},
};
use octavo_ports::{
    follows::{FollowReads, Follows},
    store::StoreResult,
};
use octavo_storage_macros::area;

#[area]
impl FollowReads for Scope {
    async fn find(
        &mut self,
        workspace: WorkspaceId,
        user: UserId,
        target: FollowTarget,
    ) -> StoreResult<Option<Follow>> {
        let row = follows::table.find((Stored(workspace), Stored(user), Stored(target)));
        Ok(self.optional(row.select(FollowRow::as_select())).await?.map(Follow::from))
    }

    async fn list(
        &mut self,
        workspace: WorkspaceId,
        user: UserId,
        mode: Option<FollowMode>,
        before: Option<FollowPlace>,
        limit: u32,
    ) -> StoreResult<Vec<Follow>> {
        let mut page = follows::table
            .filter(follows::workspace_id.eq(Stored(workspace)))
            .filter(follows::user_id.eq(Stored(user)))
            .order((follows::created_at.desc(), follows::target_id.desc()))
            .limit(limit.into())
            .select(FollowRow::as_select())
            .into_boxed();
        if let Some(mode) = mode {
            page = page.filter(follows::mode.eq(Stored(mode)));
        }
        if let Some(FollowPlace { created_at, target }) = before {
            let at = created_at.millis();
            let same_time = follows::created_at.eq(at).and(follows::target_id.lt(Stored(target)));
            page = page.filter(follows::created_at.lt(at).or(same_time));
        }
        Ok(self.all(page).await?.into_iter().map(Follow::from).collect())
    }

    async fn has_any(&mut self, workspace: WorkspaceId, mode: FollowMode) -> StoreResult<bool> {
        let followed = follows::table
            .filter(follows::workspace_id.eq(Stored(workspace)))
            .filter(follows::mode.eq(Stored(mode)))
            .select(follows::target_id);
        self.one(select(exists(followed))).await
    }

    async fn list_users(
        &mut self,
        workspace: WorkspaceId,
        targets: &[FollowTarget],
        after: Option<UserId>,
        limit: u32,
    ) -> StoreResult<Vec<UserId>> {
        let users = follows::table
            .filter(follows::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(follows::target_id, targets.iter().copied().map(Stored)))
            .filter(follows::user_id.gt(after.map_or_else(String::new, |id| id.to_string())))
            .order(follows::user_id)
            .select(follows::user_id)
            .distinct()
            .limit(limit.into());
        Ok(self.all::<Stored<UserId>, _>(users).await?.into_iter().map(|id| id.0).collect())
    }

    async fn list_of(
        &mut self,
        workspace: WorkspaceId,
        targets: &[FollowTarget],
        users: &[UserId],
    ) -> StoreResult<Vec<Follow>> {
        let found = follows::table
            .filter(follows::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(follows::target_id, targets.iter().copied().map(Stored)))
            .filter(one_of!(follows::user_id, users.iter().copied().map(Stored)))
            .select(FollowRow::as_select());
        Ok(self.all(found).await?.into_iter().map(Follow::from).collect())
    }
}

#[area]
impl Follows for Scope {
    async fn put(&mut self, follow: &Follow) -> StoreResult<()> {
        let row = FollowRow::from(follow);
        let insert = diesel::insert_into(follows::table)
            .values(&row)
            .on_conflict((follows::workspace_id, follows::user_id, follows::target_id))
            .do_update()
            .set(follows::mode.eq(Stored(follow.mode)))
            .prepared();
        self.execute(insert).await.map(drop)
    }

    async fn remove(&mut self, workspace: WorkspaceId, user: UserId, target: FollowTarget) -> StoreResult<()> {
        let row = follows::table.find((Stored(workspace), Stored(user), Stored(target)));
        self.execute(diesel::delete(row)).await.map(drop)
    }
}
