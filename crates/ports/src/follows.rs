//! What users follow in a workspace.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    follow::{Follow, FollowMode, FollowPlace, FollowTarget},
    id::{UserId, WorkspaceId},
};

#[async_trait]
pub trait FollowReads: Send {
    async fn find(&mut self, workspace: WorkspaceId, user: UserId, target: FollowTarget)
    -> StoreResult<Option<Follow>>;

    /// What a user follows, newest first, after the given place.
    async fn list(
        &mut self,
        workspace: WorkspaceId,
        user: UserId,
        mode: Option<FollowMode>,
        before: Option<FollowPlace>,
        limit: u32,
    ) -> StoreResult<Vec<Follow>>;

    /// Whether anybody follows anything in this mode.
    async fn has_any(&mut self, workspace: WorkspaceId, mode: FollowMode) -> StoreResult<bool>;

    /// Who has decided about one of these targets, in the order of their ids, after the given user.
    async fn list_users(
        &mut self,
        workspace: WorkspaceId,
        targets: &[FollowTarget],
        after: Option<UserId>,
        limit: u32,
    ) -> StoreResult<Vec<UserId>>;

    /// What these users have decided about these targets.
    async fn list_of(
        &mut self,
        workspace: WorkspaceId,
        targets: &[FollowTarget],
        users: &[UserId],
    ) -> StoreResult<Vec<Follow>>;
}

#[async_trait]
pub trait Follows: FollowReads {
    /// Saves what a user decided, in place of an earlier decision about the same target.
    async fn put(&mut self, follow: &Follow) -> StoreResult<()>;

    async fn remove(&mut self, workspace: WorkspaceId, user: UserId, target: FollowTarget) -> StoreResult<()>;
}
