//! Who may see a team, and who may change it and its members.
//!
//! Creating and deleting a team require [`members::require_admin`](crate::members::require_admin). Guests can be in a
//! team, with either role, but that only lets them see and leave it: they have no access to its pages and cannot give
//! it to others.

use crate::{
    Authority, Denied, Team,
    members::{is_in_person, require_admin},
};
use octavo_core_model::{
    Role, TeamRole,
    id::{TeamId, UserId},
    team::TeamVisibility,
};

/// The kind of change to a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TeamEdit {
    /// Whether it is private, alone or together with other fields.
    Privacy,
    /// Only fields that do not affect access, such as the name.
    OtherFields,
}

/// Which teams the caller may see: in lists, individually, and among the teams of members.
///
/// A private team is visible to its members, to owners, admins and keys; a public one also to every member of the
/// workspace who is not a guest. An app may see what its member may see, if it was granted any scope.
pub fn visibility(authority: &Authority) -> TeamVisibility {
    match authority {
        Authority::Outsider => TeamVisibility::Nothing,
        Authority::Key(_) => TeamVisibility::Everything,
        Authority::App { scopes, .. } if scopes.is_empty() => TeamVisibility::Nothing,
        Authority::Member(member) | Authority::App { member, .. } => match member.role() {
            Role::Owner | Role::Admin => TeamVisibility::Everything,
            Role::Member => TeamVisibility::PublicAndTeamsOf(member.user()),
            Role::Guest => TeamVisibility::TeamsOf(member.user()),
        },
    }
}

/// Whether the caller may see a team.
pub fn may_see_team(authority: &Authority, team: Team) -> bool {
    let is_in_it = authority.member().is_some_and(|member| member.team_role(team.id).is_some());
    match visibility(authority) {
        TeamVisibility::Nothing => false,
        TeamVisibility::TeamsOf(_) => is_in_it,
        TeamVisibility::PublicAndTeamsOf(_) => is_in_it || !team.is_private,
        TeamVisibility::Everything => true,
    }
}

/// Whether the caller may change fields of the team.
///
/// Owners, admins and keys with the scope `ADMIN` may; a member of a public team may change everything except its
/// privacy.
pub fn may_edit_team(authority: &Authority, team: Team, edit: TeamEdit) -> Result<(), Denied> {
    let open_to_its_members = !team.is_private && edit == TeamEdit::OtherFields;
    if open_to_its_members && own_team_role(authority, team.id).is_some() {
        return Ok(());
    }
    require_admin(authority)
}

/// Whether the caller may add a user to the team with this role. Every member of the team may add members.
pub fn may_add_team_member(authority: &Authority, team: TeamId, role: TeamRole) -> Result<(), Denied> {
    // A caller without a role in the team ranks below its lowest role.
    if own_team_role(authority, team) >= Some(role) {
        return Ok(());
    }
    may_lead_team(authority, team)
}

/// Whether the caller may change a role in the team. Only those who lead the team may give or take `ADMIN`.
pub fn may_change_team_role(authority: &Authority, team: TeamId, from: TeamRole, to: TeamRole) -> Result<(), Denied> {
    may_add_team_member(authority, team, from.max(to))
}

/// Whether the caller may remove a user from the team. All members may leave.
pub fn may_remove_team_member(authority: &Authority, team: TeamId, user: UserId) -> Result<(), Denied> {
    if is_in_person(authority, user) {
        return Ok(());
    }
    may_lead_team(authority, team)
}

/// Requires an `ADMIN` of the team, an owner, an admin or a key with the scope `ADMIN`.
fn may_lead_team(authority: &Authority, team: TeamId) -> Result<(), Denied> {
    if own_team_role(authority, team) == Some(TeamRole::Admin) {
        return Ok(());
    }
    require_admin(authority)
}

/// The team role that counts for changes: that of a member in person who is not a guest.
fn own_team_role(authority: &Authority, team: TeamId) -> Option<TeamRole> {
    match authority {
        Authority::Member(member) if !member.is_guest() => member.team_role(team),
        _ => None,
    }
}
