//! Workspaces.

use crate::store::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Role, Timestamp,
    id::{UserId, WorkspaceId},
    text::Slug,
    workspace::{OwnWorkspace, Usage, Workspace},
};

#[async_trait]
pub trait WorkspaceReads: Send {
    async fn find(&mut self, id: WorkspaceId) -> StoreResult<Option<Workspace>>;

    /// Whether there is a workspace by this id, also one that is deleted and waits for its removal.
    async fn exists(&mut self, id: WorkspaceId) -> StoreResult<bool>;

    /// The workspaces a user belongs to, in the order of joining. What is deleted is not among them.
    async fn list_own(&mut self, user: UserId) -> StoreResult<Vec<OwnWorkspace>>;

    /// The same workspaces in full, newest first, after the given one; `within` narrows them to some.
    async fn list_of(
        &mut self,
        user: UserId,
        within: Option<&[WorkspaceId]>,
        before: Option<WorkspaceId>,
        limit: u32,
    ) -> StoreResult<Vec<(Workspace, Role)>>;

    /// Every workspace, in the order of ids, after the given one.
    async fn list(&mut self, after: Option<WorkspaceId>, limit: u32) -> StoreResult<Vec<Workspace>>;

    async fn measure_usage(&mut self, workspace: WorkspaceId) -> StoreResult<Usage>;
}

#[async_trait]
pub trait Workspaces: WorkspaceReads {
    /// Writes a new workspace and claims its slug; false, and nothing written, when the slug is taken.
    async fn insert(&mut self, workspace: &Workspace) -> StoreResult<bool>;

    /// Finds a workspace and locks it until the unit ends. Rules over several rows of a workspace are decided under this lock.
    async fn lock(&mut self, id: WorkspaceId) -> StoreResult<Option<Workspace>>;

    /// The same for many, one after the other in the order of their ids. What is not there is left out.
    async fn lock_many(&mut self, ids: &[WorkspaceId]) -> StoreResult<Vec<Workspace>>;

    /// Saves everything but the slug, and carries what members' own lists show of it to them.
    async fn save(&mut self, workspace: &Workspace) -> StoreResult<()>;

    /// Names another primary owner.
    async fn move_ownership(&mut self, id: WorkspaceId, owner: UserId, now: Timestamp) -> StoreResult<()>;

    /// Which of these slugs are taken.
    async fn taken_slugs(&mut self, slugs: &[Slug]) -> StoreResult<Vec<Slug>>;

    /// Waits for every unit that holds a slug and holds it until this one ends, so that those who look for a free one near it do so one
    /// after the other.
    async fn hold_slug(&mut self, slug: &Slug) -> StoreResult<()>;

    /// How many workspaces that are not personal the user owns.
    async fn count_owned(&mut self, user: UserId) -> StoreResult<u64>;

    /// Deleted workspaces whose time is over, oldest first.
    async fn list_due_removals(&mut self, now: Timestamp, limit: u32) -> StoreResult<Vec<WorkspaceId>>;

    /// Removes a workspace with all that is in it, its event log included, and frees its slug.
    async fn remove(&mut self, workspace: WorkspaceId) -> StoreResult<()>;

    /// The user's workspaces without any other member.
    async fn list_lone(&mut self, user: UserId) -> StoreResult<Vec<WorkspaceId>>;

    /// Those of the user's non-personal workspaces with other members in which nobody else is an owner to stay: one whose account is deleted
    /// does not count.
    async fn list_sole_ownerships(&mut self, user: UserId) -> StoreResult<Vec<WorkspaceId>>;
}
