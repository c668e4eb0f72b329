//! Events about teams and their members.

use super::{FieldChanges, Location, Payload};
use crate::{
    TeamRole,
    event::Resource,
    id::{TeamId, TeamMembershipId, UserId},
    team::{Team, TeamMembership},
    text::{Slug, TeamName},
};
use serde::Serialize;

/// A team was created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TeamCreated {
    team_id: TeamId,
    name: TeamName,
    slug: Slug,
    is_private: bool,
}

impl From<&Team> for TeamCreated {
    fn from(team: &Team) -> Self {
        Self { team_id: team.id, name: team.name.clone(), slug: team.slug.clone(), is_private: team.is_private }
    }
}

impl Payload for TeamCreated {
    fn resource(&self) -> Resource {
        Resource::Team(self.team_id)
    }

    fn location(&self) -> Location {
        Location::of_team(self.team_id)
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self {
            team_id: TeamId::EXAMPLE,
            name: TeamName::from_stored("Design".to_owned()),
            slug: Slug::from_stored("design".to_owned()),
            is_private: false,
        }
    }
}

/// Fields of a team changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TeamUpdated {
    /// The team.
    pub team_id: TeamId,
    /// Which fields, with their old and new values.
    #[serde(flatten)]
    pub changes: FieldChanges,
}

impl Payload for TeamUpdated {
    fn resource(&self) -> Resource {
        Resource::Team(self.team_id)
    }

    fn location(&self) -> Location {
        Location::of_team(self.team_id)
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self { team_id: TeamId::EXAMPLE, changes: FieldChanges::example("name", "Design", "Product design") }
    }
}

/// A team was deleted. Its pages stay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TeamDeleted {
    /// The team.
    pub team_id: TeamId,
    /// The name that it had.
    pub name: TeamName,
    /// How many pages no longer belong to a team.
    pub unassigned_page_count: u64,
}

impl Payload for TeamDeleted {
    fn resource(&self) -> Resource {
        Resource::Team(self.team_id)
    }

    fn location(&self) -> Location {
        Location::of_team(self.team_id)
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self { team_id: TeamId::EXAMPLE, name: TeamName::from_stored("Design".to_owned()), unassigned_page_count: 0 }
    }
}

/// A user joined a team or left it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TeamMemberEvent {
    #[serde(skip)]
    membership: TeamMembershipId,
    team_id: TeamId,
    user_id: UserId,
    role: TeamRole,
}

impl From<&TeamMembership> for TeamMemberEvent {
    fn from(membership: &TeamMembership) -> Self {
        Self { membership: membership.id, team_id: membership.team, user_id: membership.user, role: membership.role }
    }
}

impl Payload for TeamMemberEvent {
    fn resource(&self) -> Resource {
        Resource::TeamMember(self.membership)
    }

    fn location(&self) -> Location {
        Location::of_team(self.team_id)
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self {
            membership: TeamMembershipId::EXAMPLE,
            team_id: TeamId::EXAMPLE,
            user_id: UserId::EXAMPLE,
            role: TeamRole::Member,
        }
    }
}

/// The role of somebody in a team changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TeamMemberUpdated {
    /// The membership in the team.
    #[serde(skip)]
    pub membership: TeamMembershipId,
    /// The team.
    pub team_id: TeamId,
    /// The person.
    pub user_id: UserId,
    /// The old and the new role.
    #[serde(flatten)]
    pub changes: FieldChanges,
}

impl Payload for TeamMemberUpdated {
    fn resource(&self) -> Resource {
        Resource::TeamMember(self.membership)
    }

    fn location(&self) -> Location {
        Location::of_team(self.team_id)
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self {
            membership: TeamMembershipId::EXAMPLE,
            team_id: TeamId::EXAMPLE,
            user_id: UserId::EXAMPLE,
            changes: FieldChanges::example("role", "MEMBER", "ADMIN"),
        }
    }
}
