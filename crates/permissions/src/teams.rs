//! Who sees a team and who may change it and its members.
//!
//! Creating and deleting a team take [`members::require_admin`](crate::members::require_admin). Guests can be in a team, with
//! either role, but that lets them see the team and leave it, no more: they have no access to its pages and so give none to others.

use crate::{
    Authority, Denied, Team,
    members::{is_in_person, require_admin},
};
use octavo_core_model::{
    Role, TeamRole,
    id::{TeamId, UserId},
    team::TeamVisibility,
};

/// What of a team is to be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TeamEdit {
    /// Whether it is private, alone or among other fields.
    Privacy,
    /// Only fields that open or close nothing, such as the name.
    OtherFields,
}

/// Which teams the caller sees: in lists, by themselves, among the teams of members.
///
/// A private team is seen by its members, by owners, admins and keys. A public one also by every member of the workspace who is no guest.
/// An app sees what its member sees, if it was granted any scope.
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

/// Whether the caller sees one team at all.
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
/// Owners, admins and keys with the scope `ADMIN` may; a member of a public team may change what does not touch its privacy.
pub fn may_edit_team(authority: &Authority, team: Team, edit: TeamEdit) -> Result<(), Denied> {
    let open_to_its_members = !team.is_private && edit == TeamEdit::OtherFields;
    if open_to_its_members && own_team_role(authority, team.id).is_some() {
        return Ok(());
    }
    require_admin(authority)
}

/// Whether the caller may add somebody to the team with this role. Any member of the team adds members.
pub fn may_add_team_member(authority: &Authority, team: TeamId, role: TeamRole) -> Result<(), Denied> {
    // A caller without a role in the team ranks below its lowest role.
    if own_team_role(authority, team) >= Some(role) {
        return Ok(());
    }
    may_lead_team(authority, team)
}

/// Whether the caller may change the role of somebody in the team. Giving or taking `ADMIN` is for those who lead it.
pub fn may_change_team_role(authority: &Authority, team: TeamId, from: TeamRole, to: TeamRole) -> Result<(), Denied> {
    may_add_team_member(authority, team, from.max(to))
}

/// Whether the caller may remove somebody from the team. Everybody may leave it.
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
