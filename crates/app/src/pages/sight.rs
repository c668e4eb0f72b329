//! The level of a caller on a page and all above it.
//!
//! Levels are read from nodes with entries of their own, each once; a page has the level of the node it is read from.

use crate::{access::Entry, engine::AppResult, scope::Scope};
use octavo_core_model::{
    Fault, KeyScope, Level,
    fault::Denial,
    grant::{Grantee, Whom},
    id::{PageId, WorkspaceId},
    page::{AccessNode, Node, Page, Step},
};
use octavo_permissions::{Authority, Content, Entry as Granted, Principal, Resolver, Root, Team};
use octavo_ports::{grants::GrantedLevel, store::Reads};
use std::collections::BTreeMap;

/// What was granted on pages, as far as it can matter to the caller.
pub(crate) type Entries = BTreeMap<PageId, Vec<Granted>>;

/// Whose entries decide; `None` where the level is the same on every page.
pub(crate) fn whom(authority: &Authority) -> Option<Whom> {
    let member = authority.member().filter(|member| !member.administers())?;
    Some(Whom { user: member.user(), teams: member.teams().iter().map(|(team, _)| *team).collect() })
}

/// Whom an entry of the resolver names; an address has none until somebody joins with it.
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
    for GrantedLevel { page, grantee, level } in levels {
        if let Some(principal) = principal(&grantee) {
            entries.entry(page).or_default().push(Granted { principal, level });
        }
    }
    entries
}

/// What counts on these pages, for a caller to whom it can matter; one statement, none for others.
pub(crate) async fn entries_on<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    authority: &Authority,
    pages: &[PageId],
) -> AppResult<Entries> {
    let Some(whom) = whom(authority).filter(|_| !pages.is_empty()) else { return Ok(Entries::new()) };
    let now = scope.call.now;
    Ok(by_page(scope.tx.list_levels_for(workspace, Some(pages), &whom, now).await?))
}

/// Refuses a level that is too low, in the words of the credential.
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

/// The way down to a page, and the caller's level on each step.
#[derive(Clone, Debug)]
pub(crate) struct Way<'a> {
    pub(crate) steps: Vec<Step>,
    pub(crate) levels: Vec<Level>,
    pub(crate) entries: Entries,
    /// Stands above the page.
    pub(crate) above: Resolver<'a>,
    /// Stands on the page.
    pub(crate) end: Resolver<'a>,
}

impl Way<'_> {
    pub(crate) fn level(&self) -> Level {
        self.levels.last().copied().unwrap_or(Level::None)
    }

    /// The steps above the page that cut access off.
    pub(crate) fn cuts_above(&self) -> impl Iterator<Item = PageId> {
        let above = self.steps.len().saturating_sub(1);
        self.steps.iter().take(above).filter(|step| !step.inherit).map(|step| step.id)
    }
}

/// Walks down to a page: two statements however deep it lies, one for callers whose level is the same everywhere.
pub(crate) async fn way<'a, T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    authority: &'a Authority,
    id: PageId,
) -> AppResult<Option<Way<'a>>> {
    let steps = scope.tx.find_lineage(workspace, id).await?;
    let Some(top) = steps.first() else { return Ok(None) };
    let own: Vec<_> = steps.iter().filter(|step| step.access == Node::Page(step.id)).map(|step| step.id).collect();
    let entries = entries_on(scope, workspace, authority, &own).await?;
    let root = match top.container {
        Node::Team(id) => Root::Team(Team { id, is_private: top.in_private_team.unwrap_or(true) }),
        Node::Workspace(_) | Node::Page(_) => Root::Workspace,
    };
    let mut end = Resolver::at(authority, root);
    let mut above = end.clone();
    let mut levels = Vec::with_capacity(steps.len());
    for step in &steps {
        above = end.clone();
        if step.access == Node::Page(step.id) {
            end = enter(end, step.id, step.inherit, &entries);
        }
        levels.push(end.level());
    }
    Ok(Some(Way { steps, levels, entries, above, end }))
}

/// Steps down to a page that has entries of its own.
pub(crate) fn enter<'a>(resolver: Resolver<'a>, id: PageId, inherit: bool, entries: &Entries) -> Resolver<'a> {
    resolver.enter(Content { inherit, entries: entries.get(&id).map_or(&[], Vec::as_slice) })
}

/// A page that the caller may know of, and the way to it.
#[derive(Clone, Debug)]
pub(crate) struct Seen<'a> {
    pub(crate) page: Page,
    pub(crate) way: Way<'a>,
}

/// Whether the caller may know of a page: what is in the trash is there for those who could restore it.
pub(crate) async fn judge<'a, T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    authority: &'a Authority,
    page: Option<Page>,
) -> AppResult<Option<Seen<'a>>> {
    let Some(page) = page else { return Ok(None) };
    let Some(way) = way(scope, page.workspace, authority, page.id).await? else { return Ok(None) };
    let needed = if page.trash.is_some() { Level::Edit } else { Level::View };
    Ok((way.level() >= needed).then_some(Seen { page, way }))
}

/// The page a call names, if the caller may know of it.
pub(crate) async fn find<'a, T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    entry: &Entry,
    authority: &'a Authority,
    id: &Result<PageId, Fault>,
) -> AppResult<Option<Seen<'a>>> {
    let Ok(id) = id else { return Ok(None) };
    let page = scope.tx.find_page(entry.workspace, *id).await?;
    judge(scope, authority, page).await
}

/// Resolves nodes from those they flow from, however the list is ordered.
pub(crate) fn spread<'a>(
    nodes: &[AccessNode],
    entries: &Entries,
    mut known: BTreeMap<Node, Resolver<'a>>,
) -> BTreeMap<Node, Resolver<'a>> {
    let by_id: BTreeMap<_, _> = nodes.iter().map(|node| (Node::Page(node.id), node)).collect();
    for node in nodes {
        // Up to the first that is known, then down again.
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
