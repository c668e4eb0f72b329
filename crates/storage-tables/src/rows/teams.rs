//! Rows of teams and of their members.

use crate::{
    schema::{team_memberships, teams},
    stored::Stored,
};
use diesel::prelude::{AsChangeset, Insertable, Queryable, Selectable};
use octavo_core_model::{
    TeamRole, Timestamp,
    id::{TeamId, TeamMembershipId, UserId, WorkspaceId},
    member::TeamOfMember,
    position::Position,
    team::{Team, TeamMembership},
    text::{Color, Description, Slug, TeamName, WebAddress},
};

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = teams, treat_none_as_null = true, treat_none_as_default_value = false)]
#[diesel(primary_key(workspace_id, id, created_at))] // what saving leaves alone
pub struct TeamRow {
    workspace_id: Stored<WorkspaceId>,
    id: Stored<TeamId>,
    created_at: i64,
    name: Stored<TeamName>,
    slug: Stored<Slug>,
    description: Option<Stored<Description>>,
    color: Option<Stored<Color>>,
    icon_url: Option<Stored<WebAddress>>,
    position: Stored<Position>,
    is_private: bool,
    updated_at: i64,
}

impl From<&Team> for TeamRow {
    fn from(team: &Team) -> Self {
        Self {
            workspace_id: Stored(team.workspace),
            id: Stored(team.id),
            created_at: team.created_at.millis(),
            name: Stored(team.name.clone()),
            slug: Stored(team.slug.clone()),
            description: team.description.clone().map(Stored),
            color: team.color.clone().map(Stored),
            icon_url: team.icon_url.clone().map(Stored),
            position: Stored(team.position.clone()),
            is_private: team.is_private,
            updated_at: team.updated_at.millis(),
        }
    }
}

impl From<TeamRow> for Team {
    fn from(row: TeamRow) -> Self {
        Self {
            id: row.id.0,
            workspace: row.workspace_id.0,
            name: row.name.0,
            slug: row.slug.0,
            description: row.description.map(|text| text.0),
            color: row.color.map(|color| color.0),
            icon_url: row.icon_url.map(|address| address.0),
            position: row.position.0,
            is_private: row.is_private,
            created_at: Timestamp::from_millis(row.created_at),
            updated_at: Timestamp::from_millis(row.updated_at),
        }
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = team_memberships, treat_none_as_default_value = false)]
pub struct TeamMembershipRow {
    workspace_id: Stored<WorkspaceId>,
    team_id: Stored<TeamId>,
    user_id: Stored<UserId>,
    id: Stored<TeamMembershipId>,
    role: Stored<TeamRole>,
    created_at: i64,
}

impl From<&TeamMembership> for TeamMembershipRow {
    fn from(membership: &TeamMembership) -> Self {
        Self {
            workspace_id: Stored(membership.workspace),
            team_id: Stored(membership.team),
            user_id: Stored(membership.user),
            id: Stored(membership.id),
            role: Stored(membership.role),
            created_at: membership.created_at.millis(),
        }
    }
}

impl From<TeamMembershipRow> for TeamMembership {
    fn from(row: TeamMembershipRow) -> Self {
        Self {
            id: row.id.0,
            workspace: row.workspace_id.0,
            team: row.team_id.0,
            user: row.user_id.0,
            role: row.role.0,
            created_at: Timestamp::from_millis(row.created_at),
        }
    }
}

/// A person's place in a team, with the fields of the team that the list of members shows.
#[derive(Debug, Queryable)]
pub struct PlaceInTeamRow {
    user: Stored<UserId>,
    id: Stored<TeamId>,
    role: Stored<TeamRole>,
    name: Stored<TeamName>,
    is_private: bool,
}

impl From<PlaceInTeamRow> for (UserId, TeamOfMember) {
    fn from(PlaceInTeamRow { user, id, role, name, is_private }: PlaceInTeamRow) -> Self {
        (user.0, TeamOfMember { id: id.0, name: name.0, is_private, role: role.0 })
    }
}
