//! The level of a caller on a page and on all pages above it.
//!
//! Levels come from nodes with entries of their own, each of which is read once; a page has the level of its access
//! node.

use crate::{access::WorkspaceCaller, outcome::AppResult, record_pages::find_implied, scope::Scope};
use octavo_core_model::{
    Fault, KeyScope, Level,
    fault::Denial,
    grant::{Grantee, MemberGrantees},
    id::{PageId, WorkspaceId},
    page::{AccessNode, Node, Page, ResourceId, Step},
};
use octavo_permissions::{
    Authority, ContentNode, LastingLevel, LastingResolver, NodeEntry as Granted, Principal, Resolver, Root, Team,
};
use octavo_ports::{grants::GrantedLevel, store::Reads};
use std::collections::BTreeMap;

/// The grants on pages that can matter to the caller.
pub(crate) type Entries = BTreeMap<PageId, Vec<Granted>>;

/// The principals whose entries decide; `None` if the level is the same on every page.
pub(crate) fn member_grantees(authority: &Authority) -> Option<MemberGrantees> {
    let member = authority.member().filter(|member| !member.administers())?;
    Some(MemberGrantees { user: member.user(), teams: member.teams().iter().map(|(team, _)| *team).collect() })
}

/// The principal of a grantee; `None` for an address until somebody joins with it.
pub(crate) fn principal(grantee: &Grantee) -> Option<Principal> {
    match grantee {
        Grantee::User(user) => Some(Principal::User(*user)),
        Grantee::Team(team) => Some(Principal::Team(*team)),
        Grantee::Workspace(_) => Some(Principal::Workspace),
        Grantee::Email(_) => None,
    }
}

pub(super) fn by_page(levels: Vec<GrantedLevel>) -> Entries {
    let mut entries = Entries::new();
    for GrantedLevel { page, grantee, level, expires_at } in levels {
        if let Some(principal) = principal(&grantee) {
            let expires = expires_at.is_some();
            entries.entry(page).or_default().push(Granted { principal, level, expires });
        }
    }
    entries
}

/// The entries on these pages that can matter to the caller. One statement; none for callers with the same level
/// everywhere.
pub(crate) async fn entries_on<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    authority: &Authority,
    pages: &[PageId],
) -> AppResult<Entries> {
    let Some(grantees) = member_grantees(authority).filter(|_| !pages.is_empty()) else { return Ok(Entries::new()) };
    let now = scope.call.now;
    Ok(by_page(scope.tx.grants().list_levels_for(workspace, Some(pages), &grantees, now).await?))
}

/// Refuses a level that is too low, with a reason that fits the credential.
pub(crate) fn need(authority: &Authority, level: Level, needed: Level) -> Result<(), Fault> {
    if level >= needed {
        return Ok(());
    }
    Err(Fault::Forbidden(match authority {
        Authority::Key(_) if needed > Level::Edit => Denial::KeyScope(KeyScope::Admin),
        Authority::Key(_) => Denial::KeyScope(KeyScope::Write),
        Authority::Outsider | Authority::Member(_) | Authority::App { .. } => Denial::RequiresLevel(needed),
    }))
}

/// The path from the root to a page, with the caller's level at each step.
#[derive(Clone, Debug)]
pub(crate) struct ResolvedLineage<'a> {
    pub(crate) steps: Vec<Step>,
    pub(crate) levels: Vec<Level>,
    pub(crate) entries: Entries,
    /// Resolved up to the parent of the page.
    pub(crate) above: Resolver<'a>,
    /// Resolved up to the page itself.
    pub(crate) end: Resolver<'a>,
}

impl ResolvedLineage<'_> {
    pub(crate) fn level(&self) -> Level {
        self.levels.last().copied().unwrap_or(Level::None)
    }

    /// The level of the page, without caps, if these were the entries above and on it and none of them expired.
    pub(crate) fn lasting_with(&self, authority: &Authority, entries: Vec<GrantedLevel>) -> LastingLevel {
        let lasting = entries.into_iter().map(|entry| GrantedLevel { expires_at: None, ..entry }).collect();
        self.lasting(authority, self.steps.len(), &by_page(lasting)).level()
    }

    /// The pages above this one that do not inherit.
    pub(crate) fn cuts_above(&self) -> impl Iterator<Item = PageId> {
        let above = self.steps.len().saturating_sub(1);
        self.steps.iter().take(above).filter(|step| !step.inherit).map(|step| step.id)
    }

    /// Resolved up to the parent of the page, without caps and without entries that expire.
    pub(crate) fn lasting_above<'a>(&self, authority: &'a Authority) -> LastingResolver<'a> {
        self.lasting(authority, self.steps.len().saturating_sub(1), &self.entries)
    }

    /// Resolved up to the page itself, without caps and without entries that expire.
    pub(crate) fn lasting_end<'a>(&self, authority: &'a Authority) -> LastingResolver<'a> {
        self.lasting(authority, self.steps.len(), &self.entries)
    }

    /// The path to the page of a record that has no row, in the database to which this path leads.
    fn with_record(mut self, page: &Page) -> Self {
        let in_private_team = self.steps.last().and_then(|step| step.in_private_team);
        let level = self.level();
        self.steps.push(Step {
            id: page.id,
            kind: page.kind,
            container: page.container,
            access: page.access,
            inherit: page.inherit,
            title: page.title.clone(),
            icon: page.icon.clone(),
            in_private_team,
            has_link: false,
        });
        self.levels.push(level);
        self.above = self.end.clone();
        self
    }

    fn lasting<'a>(&self, authority: &'a Authority, count: usize, entries: &Entries) -> LastingResolver<'a> {
        let top = LastingResolver::at(authority, root_of(&self.steps));
        let own = self.steps.iter().take(count).filter(|step| step.access == Node::Page(step.id));
        own.fold(top, |resolver, step| resolver.enter(content_of(step.id, step.inherit, entries)))
    }
}

/// Loads the path to a page: two statements at any depth, one for callers whose level is the same everywhere.
pub(crate) async fn lineage<'a, T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    authority: &'a Authority,
    id: PageId,
) -> AppResult<Option<ResolvedLineage<'a>>> {
    let steps = scope.tx.pages().find_lineage(workspace, id).await?;
    let own: Vec<_> = steps.iter().filter(|step| step.access == Node::Page(step.id)).map(|step| step.id).collect();
    let entries = entries_on(scope, workspace, authority, &own).await?;
    Ok(walk(authority, steps, entries))
}

/// Like [`lineage`], but runs the same two statements if the page does not exist, so that the time reveals nothing.
pub(crate) async fn lineage_hiding_existence<'a, T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    authority: &'a Authority,
    id: PageId,
) -> AppResult<Option<ResolvedLineage<'a>>> {
    let steps = scope.tx.pages().find_lineage(workspace, id).await?;
    let own = steps.iter().filter(|step| step.access == Node::Page(step.id)).map(|step| step.id);
    let asked: Vec<_> = own.chain([id]).collect();
    let entries = entries_on(scope, workspace, authority, &asked).await?;
    Ok(walk(authority, steps, entries))
}

fn walk(authority: &Authority, steps: Vec<Step>, entries: Entries) -> Option<ResolvedLineage<'_>> {
    if steps.is_empty() {
        return None;
    }
    let mut end = Resolver::at(authority, root_of(&steps));
    let mut above = end.clone();
    let mut levels = Vec::with_capacity(steps.len());
    for step in &steps {
        above = end.clone();
        if step.access == Node::Page(step.id) {
            end = enter(end, step.id, step.inherit, &entries);
        }
        levels.push(end.level());
    }
    Some(ResolvedLineage { steps, levels, entries, above, end })
}

/// The root of a path.
pub(super) fn root_of(steps: &[Step]) -> Root {
    match steps.first().map(|top| (top.container, top.in_private_team)) {
        Some((Node::Team(id), is_private)) => Root::Team(Team { id, is_private: is_private.unwrap_or(true) }),
        Some((Node::Workspace(_) | Node::Page(_), _)) | None => Root::Workspace,
    }
}

/// The entries of a page that has its own.
pub(crate) fn content_of(id: PageId, inherit: bool, entries: &Entries) -> ContentNode<'_> {
    ContentNode { inherit, entries: entries.get(&id).map_or(&[], Vec::as_slice) }
}

/// Extends a resolver by a page that has entries of its own.
pub(crate) fn enter<'a>(resolver: Resolver<'a>, id: PageId, inherit: bool, entries: &Entries) -> Resolver<'a> {
    resolver.enter(content_of(id, inherit, entries))
}

/// A page that the caller may know about, and the path to it.
#[derive(Clone, Debug)]
pub(crate) struct Visible<'a> {
    pub(crate) page: Page,
    pub(crate) lineage: ResolvedLineage<'a>,
}

/// Checks that the caller may know about a page. A page in the trash is visible to those who could restore it; others
/// who could see it before are refused.
pub(crate) async fn visible<'a, T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    authority: &'a Authority,
    page: Option<Page>,
) -> AppResult<Option<Visible<'a>>> {
    let Some(page) = page else { return Ok(None) };
    let Some(lineage) = lineage_of(scope, authority, &page).await? else { return Ok(None) };
    if lineage.level() < Level::View {
        return Ok(None);
    }
    if page.trash.is_some() {
        need(authority, lineage.level(), Level::Edit)?;
    }
    Ok(Some(Visible { page, lineage }))
}

/// The path to a page, which may be that of a record without a row: then it has the access of its database.
async fn lineage_of<'a, T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    authority: &'a Authority,
    page: &Page,
) -> AppResult<Option<ResolvedLineage<'a>>> {
    let found = lineage(scope, page.workspace, authority, page.id).await?;
    let database = page.database_of_record().filter(|_| found.is_none());
    let Some(database) = database else { return Ok(found) };
    let found = lineage(scope, page.workspace, authority, database.node()).await?;
    Ok(found.map(|lineage| lineage.with_record(page)))
}

/// Finds the page that a call names, if the caller may know about it.
pub(crate) async fn find<'a, T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    caller: &WorkspaceCaller,
    authority: &'a Authority,
    id: &Result<impl Into<ResourceId> + Copy, Fault>,
) -> AppResult<Option<Visible<'a>>> {
    let Ok(id) = id else { return Ok(None) };
    let id = (*id).into();
    let page = named(scope, caller.workspace, id).await?;
    visible(scope, authority, page).await
}

/// The page or database with this id. The page of a record need not have a row.
async fn named<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    id: ResourceId,
) -> AppResult<Option<Page>> {
    match (scope.tx.pages().find(workspace, id.node()).await?, id) {
        (None, ResourceId::Page(page)) => find_implied(scope, workspace, page).await,
        (found, _) => Ok(found.filter(|page| id.is_a(page.kind))),
    }
}

/// Resolves nodes from the nodes they inherit from, whatever the order of the list.
pub(crate) fn spread<'a>(
    nodes: &[AccessNode],
    entries: &Entries,
    mut known: BTreeMap<Node, Resolver<'a>>,
) -> BTreeMap<Node, Resolver<'a>> {
    let by_id: BTreeMap<_, _> = nodes.iter().map(|node| (Node::Page(node.id), node)).collect();
    for node in nodes {
        // Climb to the first node that is resolved, then go down again.
        let mut climbed = vec![node];
        let mut outer = node.outer;
        while !known.contains_key(&outer) {
            let Some(next) = by_id.get(&outer).filter(|_| climbed.len() <= nodes.len()) else { break };
            climbed.push(next);
            outer = next.outer;
        }
        while let Some(node) = climbed.pop() {
            let Some(resolver) = known.get(&node.outer).cloned() else { break };
            known.insert(Node::Page(node.id), enter(resolver, node.id, node.inherit, entries));
        }
    }
    known
}
