//! The levels of many users on one page.

use super::lineage::{Entries, by_page, enter, root_of};
use crate::{outcome::AppResult, record_pages::find_implied, scope::Scope};
use octavo_core_model::{
    Level, TeamRole,
    grant::Grant,
    id::{PageId, TeamId, UserId, WorkspaceId},
    page::{Node, Page, ResourceId, Step},
};
use octavo_permissions::{Authority, ContentNode, Member, NodeEntry, Principal, Resolver};
use octavo_ports::{grants::GrantedLevel, store::Reads};
use std::collections::{BTreeMap, BTreeSet};

/// A page with the path to it and all entries on it.
#[derive(Clone, Debug)]
pub(crate) struct Readers {
    pub(crate) page: Page,
    steps: Vec<Step>,
    entries: Entries,
}

/// The entries that a page had before, and whether it inherited.
#[derive(Clone, Debug)]
pub(crate) struct FormerEntries {
    pub(crate) inherit: bool,
    pub(crate) entries: Vec<NodeEntry>,
}

impl Readers {
    /// Three statements, and those of a record whose page has no row; `None` if the page does not exist.
    pub(crate) async fn of<T: Reads + ?Sized>(
        scope: &mut Scope<T>,
        workspace: WorkspaceId,
        id: PageId,
    ) -> AppResult<Option<Self>> {
        let page = match scope.tx.pages().find(workspace, id).await? {
            Some(page) => page,
            None => match find_implied(scope, workspace, id).await? {
                Some(page) => page,
                None => return Ok(None),
            },
        };
        let mut steps = scope.tx.pages().find_lineage(workspace, id).await?;
        if steps.is_empty()
            && let Some(database) = page.database_of_record()
        {
            steps = scope.tx.pages().find_lineage(workspace, database.node()).await?;
        }
        let own: Vec<_> = steps.iter().filter(|step| step.access == Node::Page(step.id)).map(|step| step.id).collect();
        let mut entries = Entries::new();
        if !own.is_empty() {
            let grants = scope.tx.grants().list(workspace, &own, scope.call.now).await?;
            let level = |grant: Grant| GrantedLevel {
                page: grant.page,
                grantee: grant.grantee,
                level: grant.level,
                expires_at: grant.expires_at,
            };
            entries = by_page(grants.into_iter().map(level).collect());
        }
        Ok(Some(Self { page, steps, entries }))
    }

    /// The page and what is above it, from the page up. A record whose page has no row begins with the record.
    pub(crate) fn path(&self) -> Vec<ResourceId> {
        let own = ResourceId::of(self.page.id, self.page.kind);
        let above = self.steps.iter().rev().map(|step| ResourceId::of(step.id, step.kind)).filter(|id| *id != own);
        [own].into_iter().chain(above).collect()
    }

    /// The users to whom an entry on the path gives at least this level by name. It may not reach the page.
    pub(crate) fn named_with(&self, least: Level) -> BTreeSet<UserId> {
        let entries = self.entries.values().flatten();
        let named = entries.filter(|entry| entry.level >= least).filter_map(|entry| match entry.principal {
            Principal::User(user) => Some(user),
            Principal::Team(_) | Principal::Workspace => None,
        });
        named.collect()
    }

    /// The levels of these users on the page; users that are no members are missing. Two statements.
    pub(crate) async fn levels<T: Reads + ?Sized>(
        &self,
        scope: &mut Scope<T>,
        users: &[UserId],
    ) -> AppResult<BTreeMap<UserId, Level>> {
        let members = members(scope, self.page.workspace, users).await?;
        Ok(members.into_iter().map(|(user, authority)| (user, self.level(&authority, None))).collect())
    }

    /// The levels that these users had before the entries of the page changed.
    pub(crate) async fn former_levels<T: Reads + ?Sized>(
        &self,
        scope: &mut Scope<T>,
        users: &[UserId],
        former: &FormerEntries,
    ) -> AppResult<BTreeMap<UserId, Level>> {
        let members = members(scope, self.page.workspace, users).await?;
        Ok(members.into_iter().map(|(user, authority)| (user, self.level(&authority, Some(former)))).collect())
    }

    /// Somebody that may not edit a page in the trash does not see it.
    fn level(&self, authority: &Authority, former: Option<&FormerEntries>) -> Level {
        let top = Resolver::at(authority, root_of(&self.steps));
        let mut end = top;
        for step in &self.steps {
            let former = former.filter(|_| step.id == self.page.id);
            if let Some(former) = former {
                end = end.enter(ContentNode { inherit: former.inherit, entries: &former.entries });
            } else if step.access == Node::Page(step.id) {
                end = enter(end, step.id, step.inherit, &self.entries);
            }
        }
        let level = end.level();
        if self.page.trash.is_some() && level < Level::Edit { Level::None } else { level }
    }
}

/// The authority of each of these users that is a member.
async fn members<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    users: &[UserId],
) -> AppResult<Vec<(UserId, Authority)>> {
    let roles = scope.tx.members().list_roles(workspace, users).await?;
    let mut teams: BTreeMap<UserId, Vec<(TeamId, TeamRole)>> = BTreeMap::new();
    for (user, team) in scope.tx.teams().list_of(workspace, users).await? {
        teams.entry(user).or_default().push((team.id, team.role));
    }
    let authority = |(user, role)| {
        let teams = teams.remove(&user).unwrap_or_default();
        (user, Authority::Member(Member::new(user, role, teams)))
    };
    Ok(roles.into_iter().map(authority).collect())
}
