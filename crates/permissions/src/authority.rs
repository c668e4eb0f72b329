//! The authority of a call inside one workspace.

use crate::{Access, AppScopes, Denied};
use octavo_core_model::{
    KeyScope, Level, Role, TeamRole,
    id::{TeamId, UserId},
    scope::ScopeArea,
};

/// The authority of a call inside one workspace, read from the store at the start of the call.
///
/// It does not contain the workspace: the caller of these functions has looked up the user and all nodes in the same
/// one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Authority {
    /// A user who does not belong to the workspace, with or without an app.
    Outsider,
    /// An API key of the workspace, with its highest scope.
    Key(KeyScope),
    /// A member who signed in.
    Member(Member),
    /// An app that acts for a member.
    App {
        /// The member who granted the scopes. The app never has more access than this member.
        member: Member,
        /// The granted scopes.
        scopes: AppScopes,
    },
}

impl Authority {
    /// The member who calls, in person or through an app.
    pub const fn member(&self) -> Option<&Member> {
        match self {
            Self::Member(member) | Self::App { member, .. } => Some(member),
            Self::Outsider | Self::Key(_) => None,
        }
    }

    /// The level that this caller never exceeds, whatever the grants are.
    pub fn cap(&self) -> Level {
        match self {
            Self::Outsider => Level::None,
            Self::Key(scope) => scope.level(),
            Self::Member(member) => member.cap(),
            Self::App { member, scopes } => member.cap().min(scopes.cap()),
        }
    }

    /// Requires a scope of the area from apps. Other callers pass.
    pub fn require_area(&self, area: ScopeArea, access: Access) -> Result<(), Denied> {
        match self {
            Self::App { scopes, .. } => scopes.require(area, access),
            Self::Outsider | Self::Key(_) | Self::Member(_) => Ok(()),
        }
    }
}

/// A member of the workspace, with all their teams in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    user: UserId,
    role: Role,
    /// Sorted by team, each team once.
    teams: Box<[(TeamId, TeamRole)]>,
}

impl Member {
    /// The teams can be in any order. A user has one role in each team; if a team is named twice, the lower role
    /// counts.
    pub fn new(user: UserId, role: Role, teams: impl IntoIterator<Item = (TeamId, TeamRole)>) -> Self {
        let mut teams = teams.into_iter().collect::<Vec<_>>();
        teams.sort_unstable();
        teams.dedup_by_key(|(team, _)| *team);
        Self { user, role, teams: teams.into_boxed_slice() }
    }

    /// The user.
    pub const fn user(&self) -> UserId {
        self.user
    }

    /// The role in the workspace.
    pub const fn role(&self) -> Role {
        self.role
    }

    /// The teams, sorted by id.
    pub const fn teams(&self) -> &[(TeamId, TeamRole)] {
        &self.teams
    }

    /// The role in a team; `None` for users who are not in it.
    pub fn team_role(&self, team: TeamId) -> Option<TeamRole> {
        self.team_index(team).map(|index| self.teams[index].1)
    }

    /// Whether this is an admin or owner of the workspace.
    pub fn administers(&self) -> bool {
        self.role >= Role::Admin
    }

    pub(crate) fn is_guest(&self) -> bool {
        self.role == Role::Guest
    }

    /// The index of a team in [`teams`](Self::teams).
    pub(crate) fn team_index(&self, team: TeamId) -> Option<usize> {
        self.teams.binary_search_by_key(&team, |(own, _)| *own).ok()
    }

    fn cap(&self) -> Level {
        if self.is_guest() { Level::Edit } else { Level::FullAccess }
    }
}
