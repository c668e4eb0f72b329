//! Teams and their members.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    TeamRole,
    id::{TeamId, TeamMembershipId, UserId, WorkspaceId},
    member::TeamOfMember,
    position::Position,
    team::{Team, TeamMembership, TeamPlace, TeamVisibility},
    text::Slug,
};

#[async_trait]
pub trait TeamReads: Send {
    async fn find(&mut self, workspace: WorkspaceId, id: TeamId) -> StoreResult<Option<Team>>;

    /// The visible teams in their order, after the given one.
    async fn list(
        &mut self,
        workspace: WorkspaceId,
        visibility: TeamVisibility,
        after: Option<&TeamPlace>,
        limit: u32,
    ) -> StoreResult<Vec<Team>>;

    /// How many members these teams have; teams without members are skipped.
    async fn count_members(&mut self, workspace: WorkspaceId, teams: &[TeamId]) -> StoreResult<Vec<(TeamId, u64)>>;

    /// The teams of a user.
    async fn list_roles(&mut self, workspace: WorkspaceId, user: UserId) -> StoreResult<Vec<(TeamId, TeamRole)>>;

    /// The teams of these users, in the order of the teams.
    async fn list_of(&mut self, workspace: WorkspaceId, users: &[UserId]) -> StoreResult<Vec<(UserId, TeamOfMember)>>;

    /// The members of these teams in the order of their ids, after the given user.
    async fn list_member_ids(
        &mut self,
        workspace: WorkspaceId,
        teams: &[TeamId],
        after: Option<UserId>,
        limit: u32,
    ) -> StoreResult<Vec<UserId>>;

    async fn find_membership(
        &mut self,
        workspace: WorkspaceId,
        team: TeamId,
        user: UserId,
    ) -> StoreResult<Option<TeamMembership>>;

    /// The memberships of a team, newest first, after the given one.
    async fn list_memberships(
        &mut self,
        workspace: WorkspaceId,
        team: TeamId,
        before: Option<TeamMembershipId>,
        limit: u32,
    ) -> StoreResult<Vec<TeamMembership>>;
}

#[async_trait]
pub trait Teams: TeamReads {
    /// Inserts a team. Returns false, and writes nothing, if its slug is taken in the workspace.
    async fn insert(&mut self, team: &Team) -> StoreResult<bool>;

    /// Saves everything that may change. Whether a new slug is free must have been checked under the lock of the
    /// workspace.
    async fn save(&mut self, team: &Team) -> StoreResult<()>;

    /// Removes a team and its memberships.
    async fn remove(&mut self, workspace: WorkspaceId, id: TeamId) -> StoreResult<()>;

    /// The position of the last team, after which a new one is put.
    async fn find_last_position(&mut self, workspace: WorkspaceId) -> StoreResult<Option<Position>>;

    /// Which of these slugs are taken by teams of the workspace.
    async fn taken_slugs(&mut self, workspace: WorkspaceId, slugs: &[Slug]) -> StoreResult<Vec<Slug>>;

    /// Adds a member of the workspace to a team. Returns false if they are already in it.
    async fn insert_membership(&mut self, membership: &TeamMembership) -> StoreResult<bool>;

    async fn save_role(&mut self, membership: &TeamMembership) -> StoreResult<()>;

    async fn remove_membership(&mut self, workspace: WorkspaceId, team: TeamId, user: UserId) -> StoreResult<()>;
}
