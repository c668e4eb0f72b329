//! Teams: listing, reading, creating, changing and deleting them, and managing their members.

mod change;
pub mod members;

pub use change::{NewTeam, TeamDeletion, create, delete, update};

use crate::{
    access::{self, RouteAccess, WorkspaceCaller, enter_locked},
    outcome::{AppResult, Draft},
    page_access::{listing::list_visible, visibility::Visibility},
    scope::{Scope, Unit, View},
};
use members::InTeam;
use octavo_core_model::{
    Fault,
    event::Resource,
    id::TeamId,
    page::{Node, Page, PageFilter, PageSort, Roots},
    team::{Team, TeamPlace},
};
use octavo_permissions::{
    self as permissions, Authority,
    teams::{may_see_team, visibility},
};
use octavo_ports::store::Reads;
use std::collections::BTreeMap;

/// How many of its members are returned with a team.
const PREVIEW: u32 = 10;

/// How many of its root pages are returned with a team; the tree has all of them.
const ROOT_PAGES: u32 = 100;

/// A team with the numbers of its members and pages.
#[derive(Clone, Debug)]
pub struct TeamDetails {
    pub team: Team,
    pub member_count: u64,
    pub page_count: u64,
}

/// A team with some of its members and the root pages that the caller may see.
#[derive(Clone, Debug)]
pub struct TeamOverview {
    pub shown: TeamDetails,
    pub members: Vec<InTeam>,
    pub root_pages: Vec<Page>,
}

/// Which teams to list.
#[derive(Clone, Debug)]
pub struct TeamPage {
    pub after: Option<TeamPlace>,
    pub limit: u32,
}

/// Lists the teams that the caller may see, in their order.
pub async fn list(view: &mut View, page: Draft<TeamPage>) -> AppResult<Vec<TeamDetails>> {
    let caller = access::enter(view, RouteAccess::ANYBODY).await?;
    let page = page?;
    // Visibility depends on the role; the store finds the user's own teams by itself.
    let visibility = visibility(&caller.authority());
    let teams = view.tx.teams().list(caller.workspace, visibility, page.after.as_ref(), page.limit).await?;
    let ids: Vec<_> = teams.iter().map(|team| team.id).collect();
    let counts: BTreeMap<_, _> = view.tx.teams().count_members(caller.workspace, &ids).await?.into_iter().collect();
    let pages: BTreeMap<_, _> = view.tx.pages().count_by_team(caller.workspace, &ids).await?.into_iter().collect();
    let shown = |team: Team| TeamDetails {
        member_count: counts.get(&team.id).copied().unwrap_or(0),
        page_count: pages.get(&team.id).copied().unwrap_or(0),
        team,
    };
    Ok(teams.into_iter().map(shown).collect())
}

/// Returns a team with its newest members.
pub async fn get(view: &mut View, id: Draft<TeamId>) -> AppResult<TeamOverview> {
    let caller = access::enter(view, RouteAccess::ANYBODY).await?;
    let Visible { team, authority } = find(view, &caller, &id).await?.ok_or(Fault::NotFound)?;
    let members = members::page(view, &team, None, PREVIEW).await?;
    let mut visibility = Visibility::of(caller.workspace, &authority);
    let filter = PageFilter { place: Some(Roots::In(Node::Team(team.id))), ..PageFilter::default() };
    let root_pages = list_visible(view, &mut visibility, filter, PageSort::POSITION, None, ROOT_PAGES).await?;
    Ok(TeamOverview { shown: count(view, team).await?, members, root_pages })
}

/// A team that the caller may see, and the caller's authority.
struct Visible {
    team: Team,
    authority: Authority,
}

/// Finds the team that a call names. `None` if it does not exist; refuses if the caller may not see it. One more
/// statement for callers that do not run the workspace.
async fn find<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    caller: &WorkspaceCaller,
    id: &Draft<TeamId>,
) -> AppResult<Option<Visible>> {
    let Ok(id) = id else { return Ok(None) };
    let Some(team) = scope.tx.teams().find(caller.workspace, *id).await? else { return Ok(None) };
    let authority = access::authority_in_teams(scope, caller).await?;
    if !may_see_team(&authority, permissions::Team { id: team.id, is_private: team.is_private }) {
        return Err(Fault::NotFound.into());
    }
    Ok(Some(Visible { team, authority }))
}

/// Admits the caller of a change, under the lock of the workspace.
async fn enter_for_change(unit: &mut Unit, access: RouteAccess, id: &Draft<TeamId>) -> AppResult<Visible> {
    let (caller, _) = enter_locked(unit, access).await?;
    match find(unit, &caller, id).await? {
        Some(seen) => Ok(seen),
        None => Err(unit.absent().await),
    }
}

async fn count<T: Reads + ?Sized>(scope: &mut Scope<T>, team: Team) -> AppResult<TeamDetails> {
    let members = scope.tx.teams().count_members(team.workspace, &[team.id]).await?;
    let pages = scope.tx.pages().count_by_team(team.workspace, &[team.id]).await?;
    let first = |counts: &[(TeamId, u64)]| counts.first().map_or(0, |(_, count)| *count);
    Ok(TeamDetails { member_count: first(&members), page_count: first(&pages), team })
}

fn resource(team: &Team) -> Resource {
    Resource::Team(team.id)
}
