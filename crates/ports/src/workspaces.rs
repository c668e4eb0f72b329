//! Workspaces and memberships.

use crate::store::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Role,
    id::{UserId, WorkspaceId},
    text::{Name, Slug},
    workspace::{Membership, OwnWorkspace, Workspace},
};

#[async_trait]
pub trait WorkspaceReads: Send {
    /// The workspaces a user belongs to, in the order of joining.
    async fn list_own_workspaces(&mut self, user: UserId) -> StoreResult<Vec<OwnWorkspace>>;

    async fn find_role(&mut self, user: UserId, workspace: WorkspaceId) -> StoreResult<Option<Role>>;
}

#[async_trait]
pub trait Workspaces: WorkspaceReads {
    /// Writes a new workspace and claims its slug; false, and nothing written, when the slug is taken.
    async fn insert_workspace(&mut self, workspace: &Workspace) -> StoreResult<bool>;

    /// Which of these slugs are taken.
    async fn taken_slugs(&mut self, slugs: &[Slug]) -> StoreResult<Vec<Slug>>;

    /// Writes a membership on both sides: the workspace's list of members and the user's list of workspaces.
    async fn insert_membership(
        &mut self,
        membership: &Membership,
        workspace: &Workspace,
        display_name: &Name,
    ) -> StoreResult<()>;

    /// Whether another member of these workspaces goes by this display name, ignoring case.
    async fn is_display_name_taken(
        &mut self,
        workspaces: &[WorkspaceId],
        name: &Name,
        but: UserId,
    ) -> StoreResult<bool>;

    /// Carries a new display name into the member lists of these workspaces.
    async fn rename_member(&mut self, workspaces: &[WorkspaceId], user: UserId, name: &Name) -> StoreResult<()>;

    /// Removes a workspace with all that is in it, its event log included, and frees its slug.
    async fn remove_workspace(&mut self, workspace: WorkspaceId) -> StoreResult<()>;

    /// Those of the user's workspaces that have no other member.
    async fn list_lone_workspaces(&mut self, user: UserId) -> StoreResult<Vec<WorkspaceId>>;

    /// Those of the user's non-personal workspaces with other members in which nobody else is an owner.
    async fn list_sole_ownerships(&mut self, user: UserId) -> StoreResult<Vec<WorkspaceId>>;
}
