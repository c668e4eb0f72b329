//! Memberships of workspaces.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Role, Timestamp,
    account::User,
    id::{MembershipId, UserId, WorkspaceId},
    member::{MemberFilter, Membership, Person, Place},
    text::Name,
    workspace::Workspace,
};

/// The names of a member in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberNames {
    pub user: UserId,
    pub name: String,
    pub display_name: String,
}

#[async_trait]
pub trait MemberReads: Send {
    async fn find_role(&mut self, user: UserId, workspace: WorkspaceId) -> StoreResult<Option<Role>>;

    /// An account and its place in a workspace, in one statement.
    async fn find_user_in(
        &mut self,
        user: UserId,
        workspace: WorkspaceId,
    ) -> StoreResult<Option<(User, Option<Place>)>>;

    async fn count(&mut self, workspace: WorkspaceId) -> StoreResult<u64>;

    async fn find(&mut self, workspace: WorkspaceId, user: UserId) -> StoreResult<Option<Membership>>;

    /// The memberships of a workspace, newest first, after the given one.
    async fn list(
        &mut self,
        workspace: WorkspaceId,
        filter: &MemberFilter,
        before: Option<MembershipId>,
        limit: u32,
    ) -> StoreResult<Vec<Membership>>;

    /// The public details of these users, in any order. Users that do not exist are skipped.
    async fn list_people(&mut self, users: &[UserId]) -> StoreResult<Vec<Person>>;

    /// The roles of those of these users that are members.
    async fn list_roles(&mut self, workspace: WorkspaceId, users: &[UserId]) -> StoreResult<Vec<(UserId, Role)>>;

    /// The names of all members, in the order in which they joined.
    async fn list_names(&mut self, workspace: WorkspaceId) -> StoreResult<Vec<MemberNames>>;

    /// After how many days without activity the user's sessions end: the shortest time of their workspaces. The
    /// personal workspace counts only if they are at most a guest in all others.
    async fn shortest_session_timeout(&mut self, user: UserId) -> StoreResult<Option<u32>>;
}

#[async_trait]
pub trait Members: MemberReads {
    /// Inserts a membership on both sides: the workspace's list of members and the user's list of workspaces.
    async fn insert(&mut self, membership: &Membership, workspace: &Workspace, person: &Person) -> StoreResult<()>;

    /// The other member who has been an owner for longest. Owners whose account is deleted do not count.
    async fn find_longest_owner(&mut self, workspace: WorkspaceId, but: UserId) -> StoreResult<Option<UserId>>;

    /// Saves the role on both sides of a membership.
    async fn save_role(&mut self, membership: &Membership, now: Timestamp) -> StoreResult<()>;

    /// Removes both sides of a membership, the user's memberships in teams of the workspace, and the grants that give
    /// the user access there. Grants of the level `NONE` stay.
    async fn remove(&mut self, workspace: WorkspaceId, user: UserId) -> StoreResult<()>;

    /// All members of a workspace.
    async fn list_ids(&mut self, workspace: WorkspaceId) -> StoreResult<Vec<UserId>>;

    /// Whether another member of these workspaces has this display name, ignoring case.
    async fn is_display_name_taken(
        &mut self,
        workspaces: &[WorkspaceId],
        name: &Name,
        but: UserId,
    ) -> StoreResult<bool>;

    /// Updates the copies of a user's details by which member lists of these workspaces are searched.
    async fn save_person(&mut self, workspaces: &[WorkspaceId], person: &Person) -> StoreResult<()>;
}
