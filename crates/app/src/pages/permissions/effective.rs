//! Effective levels of one user or of all members.

use super::{
    super::{
        enter,
        lineage::{Visible, find, need},
    },
    map::{Map, Source, on_page},
};
use crate::{
    access::CallerKind,
    outcome::{AppResult, Draft},
    page_access::NodeId,
    scope::View,
};
use octavo_core_model::{
    Fault, Level, Role,
    fault::{Issue, Violation},
    grant::{Grant, Grantee},
    id::{TeamId, UserId, WorkspaceId},
    member::{MemberFilter, Person},
    page::Node,
};
use std::{collections::BTreeMap, fmt, str::FromStr};

/// The basis of a user's level on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effective {
    pub user: UserId,
    pub level: Level,
    pub because: LevelReason,
    /// What keeps the level below the granted one.
    pub caps: Vec<&'static str>,
}

/// What decides a user's level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LevelReason {
    /// Owners and admins have full access everywhere.
    Role,
    Entry {
        grantee: Grantee,
        source: Source,
    },
    /// No entry names them.
    Nothing,
}

/// The level of a user on a page or database and what decides it. Callers that may see it can ask for their own level; with
/// full access also for that of others.
pub async fn effective<I: NodeId>(view: &mut View, id: Draft<I>, asked: Draft<Option<UserId>>) -> AppResult<Effective> {
    let (caller, authority) = enter(view, I::READS).await?;
    let seen = find(view, &caller, &authority, &id).await?.ok_or(Fault::NotFound)?;
    let own = caller.member();
    if let Ok(Some(user)) = &asked
        && own != Some(*user)
    {
        need(&authority, seen.lineage.level(), Level::FullAccess)?;
    }
    let user = asked?.or(own).ok_or_else(|| Violation::new("userId", Issue::Required))?;
    let workspace = caller.workspace;
    let Some(role) = view.tx.members().find_role(user, workspace).await? else {
        return Ok(Effective { user, level: Level::None, because: LevelReason::Nothing, caps: Vec::new() });
    };
    let teams =
        view.tx.teams().list_roles(workspace, user).await?.into_iter().map(|(team, _)| team).collect::<Vec<_>>();
    let grants = chain_grants(view, &seen).await?;
    let map = on_page(view, &seen, &grants).await?;
    let mut effective = decide(&map, workspace, user, role, &teams);
    if let CallerKind::App { .. } = &caller.kind
        && own == Some(user)
        && effective.level > authority.cap()
    {
        effective.level = authority.cap();
        effective.caps.push("oauth");
    }
    Ok(effective)
}

/// The grants of the page and of all pages above it.
async fn chain_grants(view: &mut View, seen: &Visible<'_>) -> AppResult<Vec<Grant>> {
    let own = seen.lineage.steps.iter().filter(|step| step.access == Node::Page(step.id)).map(|step| step.id);
    let (own, now) = (own.collect::<Vec<_>>(), view.call.now);
    Ok(view.tx.grants().list(seen.page.workspace, &own, now).await?)
}

fn decide(map: &Map, workspace: WorkspaceId, user: UserId, role: Role, teams: &[TeamId]) -> Effective {
    if role >= Role::Admin {
        return Effective { user, level: Level::FullAccess, because: LevelReason::Role, caps: Vec::new() };
    }
    let named = [Grantee::User(user)];
    let many = teams.iter().copied().map(Grantee::Team).chain([Grantee::Workspace(workspace)]);
    let entry = |grantee: Grantee| map.get(&grantee).map(|(level, source)| (*level, grantee, *source));
    let by_name = named.into_iter().find_map(entry);
    let by_group = || many.filter_map(entry).max_by_key(|(level, ..)| *level);
    let found = by_name.or_else(|| if role == Role::Guest { None } else { by_group() });
    let Some((level, grantee, source)) = found else {
        return Effective { user, level: Level::None, because: LevelReason::Nothing, caps: Vec::new() };
    };
    let is_capped = role == Role::Guest && level > Level::Edit;
    Effective {
        user,
        level: if is_capped { Level::Edit } else { level },
        because: LevelReason::Entry { grantee, source },
        caps: if is_capped { vec!["guest"] } else { Vec::new() },
    }
}

/// A place in the list of members by name. It can be parsed from its text form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamePlace {
    pub key: String,
    pub user: String,
}

/// How much of a name is part of its place, so that cursors stay short.
const KEY_CHARACTERS: usize = 60;

impl fmt::Display for NamePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.user, self.key)
    }
}

impl FromStr for NamePlace {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (user, key) = text.split_once(' ').ok_or(())?;
        Ok(Self { key: key.to_owned(), user: user.to_owned() })
    }
}

/// Which members to list.
#[derive(Clone, Debug)]
pub struct MemberList {
    pub after: Option<NamePlace>,
    pub limit: u32,
}

/// A member who may see the page.
#[derive(Clone, Debug)]
pub struct MemberLevel {
    pub person: Person,
    pub role: Role,
    pub effective: Effective,
}

impl MemberLevel {
    pub fn place(&self) -> NamePlace {
        let key = self.person.name.as_str().to_lowercase().chars().take(KEY_CHARACTERS).collect();
        NamePlace { key, user: self.person.id.to_string() }
    }
}

/// Every member of the workspace who may see the page or database, by name.
pub async fn members<I: NodeId>(
    view: &mut View,
    id: Draft<I>,
    asked: Draft<MemberList>,
) -> AppResult<Vec<MemberLevel>> {
    let (caller, authority) = enter(view, I::READS_GRANTS).await?;
    let seen = find(view, &caller, &authority, &id).await?.ok_or(Fault::NotFound)?;
    need(&authority, seen.lineage.level(), Level::Edit)?;
    let asked = asked?;
    let grants = chain_grants(view, &seen).await?;
    let map = on_page(view, &seen, &grants).await?;
    let workspace = caller.workspace;
    let memberships = view.tx.members().list(workspace, &MemberFilter::default(), None, u32::MAX).await?;
    let users: Vec<_> = memberships.iter().map(|membership| membership.user).collect();
    let mut teams: BTreeMap<UserId, Vec<TeamId>> = BTreeMap::new();
    for (user, team) in view.tx.teams().list_of(workspace, &users).await? {
        teams.entry(user).or_default().push(team.id);
    }
    let levels = memberships.into_iter().map(|membership| {
        let own = teams.get(&membership.user).map_or(&[][..], Vec::as_slice);
        (membership.role, decide(&map, workspace, membership.user, membership.role, own))
    });
    let seeing: BTreeMap<_, _> =
        levels.filter(|(_, found)| found.level >= Level::View).map(|found| (found.1.user, found)).collect();
    let ids: Vec<_> = seeing.keys().copied().collect();
    let mut seeing = seeing;
    let people = view.tx.members().list_people(&ids).await?.into_iter();
    let mut members: Vec<_> = people
        .filter_map(|person| {
            let (role, effective) = seeing.remove(&person.id)?;
            Some(MemberLevel { person, role, effective })
        })
        .collect();
    members.sort_by_cached_key(MemberLevel::place);
    if let Some(after) = &asked.after {
        members.retain(|member| member.place() > *after);
    }
    members.truncate(asked.limit as usize);
    Ok(members)
}
