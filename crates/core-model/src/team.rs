//! Teams: groups of members of a workspace.

use crate::{
    id::{TeamId, TeamMembershipId, UserId, WorkspaceId},
    position::Position,
    role::TeamRole,
    text::{Color, Description, Slug, TeamName, WebAddress},
    time::Timestamp,
};
use std::{fmt, str::FromStr};

/// A team of a workspace, with pages of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Team {
    /// The id of the team.
    pub id: TeamId,
    /// Its workspace.
    pub workspace: WorkspaceId,
    /// The name.
    pub name: TeamName,
    /// Its name in addresses.
    pub slug: Slug,
    /// What it is for.
    pub description: Option<Description>,
    /// Its colour.
    pub color: Option<Color>,
    /// The address of its icon.
    pub icon_url: Option<WebAddress>,
    /// The position in the sidebar; teams with equal positions are ordered by id.
    pub position: Position,
    /// Hides the team's pages from members who are not in it.
    pub is_private: bool,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// A change of a team; fields that are `None` stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamChange {
    /// The new name.
    pub name: Option<TeamName>,
    /// The new name in addresses.
    pub slug: Option<Slug>,
    /// The new description; `Some(None)` removes it.
    pub description: Option<Option<Description>>,
    /// The new colour; `Some(None)` removes it.
    pub color: Option<Option<Color>>,
    /// The address of the new icon; `Some(None)` removes it.
    pub icon_url: Option<Option<WebAddress>>,
    /// The new place in the sidebar.
    pub position: Option<Position>,
    /// Whether it is to be private.
    pub is_private: Option<bool>,
}

impl Team {
    /// Applies the change and returns the names of the changed fields.
    pub fn apply(&mut self, change: TeamChange, now: Timestamp) -> Vec<&'static str> {
        let mut changed = Vec::new();
        put(&mut changed, "name", &mut self.name, change.name);
        put(&mut changed, "slug", &mut self.slug, change.slug);
        put(&mut changed, "description", &mut self.description, change.description);
        put(&mut changed, "color", &mut self.color, change.color);
        put(&mut changed, "iconUrl", &mut self.icon_url, change.icon_url);
        put(&mut changed, "position", &mut self.position, change.position);
        put(&mut changed, "isPrivate", &mut self.is_private, change.is_private);
        if !changed.is_empty() {
            self.updated_at = now;
        }
        changed
    }

    /// Its place among the teams of the workspace.
    pub fn place(&self) -> TeamPlace {
        TeamPlace { position: self.position.clone(), id: self.id }
    }
}

fn put<T: PartialEq>(changed: &mut Vec<&'static str>, field: &'static str, slot: &mut T, new: Option<T>) {
    if let Some(new) = new.filter(|new| new != slot) {
        *slot = new;
        changed.push(field);
    }
}

/// A place in the list of teams. It can be parsed from its text form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamPlace {
    /// The key of the place in the sidebar.
    pub position: Position,
    /// The id, by which teams of equal keys are ordered.
    pub id: TeamId,
}

impl fmt::Display for TeamPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.position, self.id)
    }
}

/// The text is not a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidPlace;

impl FromStr for TeamPlace {
    type Err = InvalidPlace;

    fn from_str(text: &str) -> Result<Self, InvalidPlace> {
        let (position, id) = text.split_once(' ').ok_or(InvalidPlace)?;
        // A list can continue after any team, even at a position that is no longer allowed for new ones.
        let position = Position::parse_taken(position).map_err(|_| InvalidPlace)?;
        Ok(Self { position, id: id.parse().map_err(|_| InvalidPlace)? })
    }
}

/// The teams of a workspace that a user may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TeamVisibility {
    /// None.
    Nothing,
    /// The user's own teams.
    TeamsOf(UserId),
    /// Public teams and the user's own teams.
    PublicAndTeamsOf(UserId),
    /// All.
    Everything,
}

/// A member's membership of a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamMembership {
    /// The id of the membership.
    pub id: TeamMembershipId,
    /// The workspace of the team.
    pub workspace: WorkspaceId,
    /// The team.
    pub team: TeamId,
    /// The member.
    pub user: UserId,
    /// The role of the member in the team.
    pub role: TeamRole,
    /// When the member joined the team.
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    fn team() -> Team {
        let now = Timestamp::from_millis(5);
        Team {
            id: TeamId::new(5, [1; 10]),
            workspace: WorkspaceId::new(5, [2; 10]),
            name: TeamName::parse("Design").unwrap(),
            slug: Slug::parse("design").unwrap(),
            description: None,
            color: None,
            icon_url: None,
            position: Position::after(None),
            is_private: false,
            created_at: now,
            updated_at: now,
        }
    }

    #[test]
    fn a_change_names_only_what_became_different() {
        let mut team = team();
        let later = Timestamp::from_millis(9);
        let same = TeamChange { name: Some(team.name.clone()), is_private: Some(false), ..TeamChange::default() };
        assert!(team.apply(same, later).is_empty());
        assert_eq!(team.updated_at, team.created_at);
        let color = Color::parse("#00ff00").unwrap();
        let change = TeamChange { color: Some(Some(color)), is_private: Some(true), ..TeamChange::default() };
        assert_eq!(team.apply(change, later), ["color", "isPrivate"]);
        assert!(team.is_private && team.updated_at == later);
    }

    #[test]
    fn a_place_reads_back_from_its_text() {
        let place = team().place();
        assert_eq!(place.to_string().parse(), Ok(place.clone()));
        let far = TeamPlace { position: Position::from_stored("z".repeat(150)), ..place };
        assert_eq!(far.to_string().parse(), Ok(far));
        for wrong in ["", "a0", "a0 tm_1", " tm_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", "a! tm_01KAHQ5ZJ8T3M6N9P2R4S7V0WX"] {
            assert_eq!(wrong.parse::<TeamPlace>(), Err(InvalidPlace), "{wrong}");
        }
    }
}
