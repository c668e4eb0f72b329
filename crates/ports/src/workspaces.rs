//! Workspaces.

use crate::store_result::StoreResult;
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

    /// Whether a workspace has this id, even if it is deleted and waits for its removal.
    async fn exists(&mut self, id: WorkspaceId) -> StoreResult<bool>;

    /// The workspaces of a user, in the order of joining, without deleted ones.
    async fn list_own(&mut self, user: UserId) -> StoreResult<Vec<OwnWorkspace>>;

    /// The same workspaces in full, newest first, after the given one; `within` restricts them.
    async fn list_of(
        &mut self,
        user: UserId,
        within: Option<&[WorkspaceId]>,
        before: Option<WorkspaceId>,
        limit: u32,
    ) -> StoreResult<Vec<(Workspace, Role)>>;

    /// All workspaces in the order of their ids, after the given one.
    async fn list(&mut self, after: Option<WorkspaceId>, limit: u32) -> StoreResult<Vec<Workspace>>;

    async fn measure_usage(&mut self, workspace: WorkspaceId) -> StoreResult<Usage>;
}

#[async_trait]
pub trait Workspaces: WorkspaceReads {
    /// Inserts a workspace and claims its slug. Returns false, and writes nothing, if the slug is taken.
    async fn insert(&mut self, workspace: &Workspace) -> StoreResult<bool>;

    /// Finds a workspace and locks it until the unit ends. Rules over several rows of a workspace are decided under
    /// this lock.
    async fn lock(&mut self, id: WorkspaceId) -> StoreResult<Option<Workspace>>;

    /// The same for many, one after the other in the order of their ids. Those that do not exist are skipped.
    async fn lock_many(&mut self, ids: &[WorkspaceId]) -> StoreResult<Vec<Workspace>>;

    /// Saves everything except the slug, and updates the copies in the members' own lists.
    async fn save(&mut self, workspace: &Workspace) -> StoreResult<()>;

    /// Adds to the number of pages of a workspace, or takes from it, and returns the new number.
    async fn change_page_count(&mut self, id: WorkspaceId, by: i64) -> StoreResult<u64>;

    /// Makes another user the primary owner.
    async fn move_ownership(&mut self, id: WorkspaceId, owner: UserId, now: Timestamp) -> StoreResult<()>;

    /// Which of these slugs are taken.
    async fn taken_slugs(&mut self, slugs: &[Slug]) -> StoreResult<Vec<Slug>>;

    /// Waits for other units that hold a slug, and holds it until this unit ends, so that callers that look for a free
    /// one near it do so one after the other.
    async fn lock_slug(&mut self, slug: &Slug) -> StoreResult<()>;

    /// How many workspaces the user owns, not counting the personal one.
    async fn count_owned(&mut self, user: UserId) -> StoreResult<u64>;

    /// Deleted workspaces whose grace period is over, oldest first.
    async fn list_due_removals(&mut self, now: Timestamp, limit: u32) -> StoreResult<Vec<WorkspaceId>>;

    /// Removes at most this many rows of the content of a workspace that is about to be removed, and returns whether
    /// nothing is left: the content of its pages and databases, the pages, and its event log.
    async fn remove_content(&mut self, workspace: WorkspaceId, limit: u32) -> StoreResult<bool>;

    /// Removes a workspace with everything in it, including its event log, and frees its slug. If there is much in it,
    /// call [`Self::remove_content`] before, in units of their own.
    async fn remove(&mut self, workspace: WorkspaceId) -> StoreResult<()>;

    /// The user's workspaces without any other member.
    async fn list_lone(&mut self, user: UserId) -> StoreResult<Vec<WorkspaceId>>;

    /// The user's workspaces, except the personal one, that have other members but would be left without an
    /// owner. Owners whose account is deleted do not count.
    async fn list_sole_ownerships(&mut self, user: UserId) -> StoreResult<Vec<WorkspaceId>>;
}
