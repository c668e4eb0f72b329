//! The list of members.

use crate::{
    access::{self, RouteAccess},
    outcome::{AppResult, Draft},
    scope::View,
};
use octavo_core_model::{
    id::MembershipId,
    member::{Member, MemberFilter, TeamOfMember},
};
use octavo_permissions::{self as permissions, teams::may_see_team};
use std::collections::BTreeMap;

/// Which members to list.
#[derive(Clone, Debug)]
pub struct MemberPage {
    pub before: Option<MembershipId>,
    pub limit: u32,
    pub filter: MemberFilter,
    /// Whether to include each member's teams, as far as the caller may see them.
    pub with_teams: bool,
}

/// A member as others in the workspace see them.
#[derive(Clone, Debug)]
pub struct MemberDetails {
    pub member: Member,
    /// `None` if teams were not requested.
    pub teams: Option<Vec<TeamOfMember>>,
}

/// Lists the members of the workspace of the call, newest first.
pub async fn list(view: &mut View, page: Draft<MemberPage>) -> AppResult<Vec<MemberDetails>> {
    let caller = access::enter(view, RouteAccess::ANYBODY).await?;
    let page = page?;
    let found = view.tx.members().list(caller.workspace, &page.filter, page.before, page.limit).await?;
    let users: Vec<_> = found.iter().map(|membership| membership.user).collect();
    let people = view.tx.members().list_people(&users).await?;
    let mut people: BTreeMap<_, _> = people.into_iter().map(|person| (person.id, person)).collect();
    let mut teams: BTreeMap<_, Vec<_>> = BTreeMap::new();
    if page.with_teams {
        let authority = access::authority_in_teams(view, &caller).await?;
        for (user, team) in view.tx.teams().list_of(caller.workspace, &users).await? {
            if may_see_team(&authority, permissions::Team { id: team.id, is_private: team.is_private }) {
                teams.entry(user).or_default().push(team);
            }
        }
    }
    let members = found.into_iter().filter_map(|membership| {
        let person = people.remove(&membership.user)?;
        let teams = page.with_teams.then(|| teams.remove(&person.id).unwrap_or_default());
        Some(MemberDetails { member: Member { membership, person }, teams })
    });
    Ok(members.collect())
}
