//! Members of teams.

use super::{Visible, enter_for_change, find};
use crate::{
    access::{self, RouteAccess},
    outcome::{AppResult, Draft, LOST},
    scope::{Scope, Unit, View},
};
use octavo_core_model::{
    Fault, TeamRole,
    event::{EventPayload, FieldChanges, teams::TeamMemberUpdated},
    fault::Conflict,
    id::{TeamId, TeamMembershipId, UserId},
    member::Person,
    team::{Team, TeamMembership},
};
use octavo_permissions::teams::{may_add_team_member, may_change_team_role, may_remove_team_member};
use octavo_ports::store::Reads;
use serde_json::json;
use std::collections::BTreeMap;

/// A member of a team.
#[derive(Clone, Debug)]
pub struct InTeam {
    pub membership: TeamMembership,
    pub person: Person,
}

/// Which members of a team to list.
#[derive(Clone, Copy, Debug)]
pub struct TeamMemberPage {
    pub before: Option<TeamMembershipId>,
    pub limit: u32,
}

/// Lists the members of a team, newest first.
pub async fn list(view: &mut View, id: Draft<TeamId>, asked: Draft<TeamMemberPage>) -> AppResult<Vec<InTeam>> {
    let caller = access::enter(view, RouteAccess::ANYBODY).await?;
    let team = find(view, &caller, &id).await?.ok_or(Fault::NotFound)?.team;
    let asked = asked?;
    page(view, &team, asked.before, asked.limit).await
}

/// Members of a team, newest first, with the present state of their accounts.
pub(super) async fn page<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    team: &Team,
    before: Option<TeamMembershipId>,
    limit: u32,
) -> AppResult<Vec<InTeam>> {
    let found = scope.tx.teams().list_memberships(team.workspace, team.id, before, limit).await?;
    let users: Vec<_> = found.iter().map(|membership| membership.user).collect();
    let people = scope.tx.members().list_people(&users).await?;
    let mut people: BTreeMap<_, _> = people.into_iter().map(|person| (person.id, person)).collect();
    let members = found.into_iter().filter_map(|membership| {
        let person = people.remove(&membership.user)?;
        Some(InTeam { membership, person })
    });
    Ok(members.collect())
}

/// The user to add to a team.
#[derive(Clone, Copy, Debug)]
pub struct NewTeamMember {
    pub user: UserId,
    pub role: TeamRole,
}

/// Adds a member of the workspace to a team.
pub async fn add(unit: &mut Unit, id: Draft<TeamId>, draft: Draft<NewTeamMember>) -> AppResult<InTeam> {
    let Visible { team, authority } = enter_for_change(unit, RouteAccess::MEMBERS, &id).await?;
    let role = draft.as_ref().map_or(TeamRole::Member, |wanted| wanted.role);
    may_add_team_member(&authority, team.id, role)?;
    unit.claim().await?;
    let NewTeamMember { user, role } = draft?;
    if unit.tx.members().find(team.workspace, user).await?.is_none() {
        return Err(Fault::NoMember.into());
    }
    let membership = TeamMembership {
        id: unit.id(TeamMembershipId::new),
        workspace: team.workspace,
        team: team.id,
        user,
        role,
        created_at: unit.call.now,
    };
    if !unit.tx.teams().insert_membership(&membership).await? {
        return Err(Fault::Conflict(Conflict::Taken("userId")).into());
    }
    unit.emit(membership.workspace, EventPayload::TeamMemberAdded((&membership).into()));
    with_person(unit, membership).await
}

/// Changes a member's role in a team.
pub async fn update(
    unit: &mut Unit,
    id: Draft<TeamId>,
    user: Draft<UserId>,
    draft: Draft<TeamRole>,
) -> AppResult<InTeam> {
    let Visible { team, authority } = enter_for_change(unit, RouteAccess::MEMBERS, &id).await?;
    let user = user.map_err(|_| Fault::NotFound)?;
    let found = unit.tx.teams().find_membership(team.workspace, team.id, user).await?;
    let before = found.as_ref().map_or(TeamRole::Member, |membership| membership.role);
    let right = may_change_team_role(&authority, team.id, before, draft.as_ref().copied().unwrap_or(before));
    let Some(mut membership) = found else { return Err(unit.absent_to(right).await) };
    right?;
    unit.claim().await?;
    membership.role = draft?;
    if membership.role != before {
        unit.tx.teams().save_role(&membership).await?;
        let updated = TeamMemberUpdated {
            membership: membership.id,
            team_id: membership.team,
            user_id: membership.user,
            changes: FieldChanges::of_one("role", json!(before), json!(membership.role)),
        };
        unit.emit(membership.workspace, EventPayload::TeamMemberUpdated(updated));
    }
    with_person(unit, membership).await
}

/// Removes a member from a team.
pub async fn remove(unit: &mut Unit, id: Draft<TeamId>, user: Draft<UserId>) -> AppResult<()> {
    let Visible { team, authority } = enter_for_change(unit, RouteAccess::MEMBERS, &id).await?;
    let user = user.map_err(|_| Fault::NotFound)?;
    let right = may_remove_team_member(&authority, team.id, user);
    let found = unit.tx.teams().find_membership(team.workspace, team.id, user).await?;
    let Some(membership) = found else { return Err(unit.absent_to(right).await) };
    right?;
    unit.claim().await?;
    unit.tx.teams().remove_membership(membership.workspace, membership.team, membership.user).await?;
    unit.emit(membership.workspace, EventPayload::TeamMemberRemoved((&membership).into()));
    Ok(())
}

async fn with_person(unit: &mut Unit, membership: TeamMembership) -> AppResult<InTeam> {
    let person = unit.tx.members().list_people(&[membership.user]).await?.pop().ok_or(LOST)?;
    Ok(InTeam { membership, person })
}
