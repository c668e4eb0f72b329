//! Teams: groups of members of a workspace.

use crate::{
    id::{TeamId, TeamMembershipId, UserId, WorkspaceId},
    position::Position,
    role::TeamRole,
    text::{Color, Description, Slug, TeamName, WebAddress},
    time::Timestamp,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Team {
    pub id: TeamId,
    pub workspace: WorkspaceId,
    pub name: TeamName,
    pub slug: Slug,
    pub description: Option<Description>,
    pub color: Option<Color>,
    pub icon_url: Option<WebAddress>,
    /// The place in the sidebar; equal ones stand in the order of their ids.
    pub position: Position,
    /// Hides the team's pages from members outside of it.
    pub is_private: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// That a member of a workspace belongs to one of its teams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamMembership {
    pub id: TeamMembershipId,
    pub workspace: WorkspaceId,
    pub team: TeamId,
    pub user: UserId,
    pub role: TeamRole,
    pub created_at: Timestamp,
}
