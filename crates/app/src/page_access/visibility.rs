//! Which pages a list shows: the caller's levels on the access nodes that it meets.
//!
//! Each access node's level is computed once. A workspace can have tens of thousands of access nodes, and a list
//! shows a hundred pages, so no list looks up all of them. If few entries name the caller, everything that they make
//! visible is looked up before the list is read, and the store narrows the list to that. If many do, most of what a
//! list finds is visible: it is read in chunks (`listing`), and levels are computed for each chunk. Only if that has
//! skipped a thousand pages is everything looked up.

use super::{
    area_of,
    lineage::{Entries, by_page, entries_on, member_grantees, spread},
};
use crate::{outcome::AppResult, scope::Scope};
use octavo_core_model::{
    Level, Role,
    grant::{Grantee, MemberGrantees},
    id::{PageId, TeamId, WorkspaceId},
    page::{AccessNode, Node, OpenPage, Page, PageKind},
    scope::ScopeArea,
    team,
};
use octavo_permissions::{Access, Authority, ContentNode, Resolver, Root, Team};
use octavo_ports::store::Reads;
use std::collections::{BTreeMap, BTreeSet};

/// How many entries, and how many nodes, are looked up before a list is read.
const FEW: u32 = 256;

/// How many pages below those that name a guest are looked up before a list is read.
const FEW_PAGES: u32 = 512;

/// How many nodes are looked up individually. Beyond that, looking up everything is cheaper.
const MANY_NODES: usize = 4_000;

/// What a caller may see in a workspace, as far as it has been looked up.
#[derive(Clone, Debug)]
pub(crate) struct Visibility {
    pub(super) workspace: WorkspaceId,
    authority: Authority,
    levels: Levels,
    /// Whether each team is private; `None` before that is looked up.
    teams: Option<BTreeMap<TeamId, bool>>,
}

#[derive(Clone, Debug)]
enum Levels {
    /// The same level on every node.
    Same(Level),
    /// Levels of these nodes; others have not been looked up.
    Some(BTreeMap<Node, Level>),
    /// Levels of all nodes; on nodes that are missing here the level is `NONE`.
    All {
        levels: BTreeMap<Node, Level>,
        /// All pages on which the level is not `NONE`, if there are few.
        pages: Option<Vec<OpenPage>>,
    },
}

/// Restricts a list to pages on which the caller has a level.
#[derive(Clone, Debug)]
pub(crate) struct Within {
    /// Only pages with one of these access nodes; `None` for all.
    pub(crate) nodes: Option<Vec<Node>>,
    /// Only these pages: the same set, if it is small.
    pub(crate) pages: Option<Vec<PageId>>,
}

impl Within {
    pub(super) const EVERYTHING: Self = Self { nodes: None, pages: None };
    const NOTHING: Self = Self { nodes: Some(Vec::new()), pages: None };
}

impl Visibility {
    /// What may be seen of pages. An app without a scope for them sees none.
    pub(crate) fn of(workspace: WorkspaceId, authority: &Authority) -> Self {
        Self::of_kinds(workspace, authority, &[PageKind::Page])
    }

    /// What may be seen of pages and databases. An app sees nothing of the kinds that it has no scope for, which
    /// [`Self::level_of`] knows and [`Self::level`] does not.
    pub(crate) fn of_everything(workspace: WorkspaceId, authority: &Authority) -> Self {
        Self::of_kinds(workspace, authority, PageKind::ALL)
    }

    fn of_kinds(workspace: WorkspaceId, authority: &Authority, kinds: &[PageKind]) -> Self {
        let levels = if !kinds.iter().any(|kind| is_open(authority, *kind)) {
            Levels::Same(Level::None)
        } else if member_grantees(authority).is_none() {
            Levels::Same(Resolver::at(authority, Root::Workspace).level())
        } else {
            Levels::Some(BTreeMap::new())
        };
        Self { workspace, authority: authority.clone(), levels, teams: None }
    }

    /// Whether the level is the same on every page.
    pub(crate) const fn is_uniform(&self) -> bool {
        matches!(self.levels, Levels::Same(_))
    }

    /// The level on a node, which must have been looked up.
    pub(crate) fn level(&self, node: Node) -> Level {
        match &self.levels {
            Levels::Same(level) => *level,
            Levels::Some(levels) | Levels::All { levels, .. } => levels.get(&node).copied().unwrap_or(Level::None),
        }
    }

    /// The level on a page or database. That on its access node must have been looked up.
    pub(crate) fn level_of(&self, page: &Page) -> Level {
        if is_open(&self.authority, page.kind) { self.level(page.access) } else { Level::None }
    }

    /// Whether the caller may see anything of this area. Only apps may not.
    pub(crate) fn opens(&self, area: ScopeArea) -> bool {
        opens(&self.authority, area)
    }

    /// Looks up the level on these nodes. At most three statements; none if they are known.
    pub(crate) async fn look_up<T: Reads + ?Sized>(
        &mut self,
        scope: &mut Scope<T>,
        nodes: impl IntoIterator<Item = Node>,
    ) -> AppResult<()> {
        let Levels::Some(known) = &self.levels else { return Ok(()) };
        let unknown: BTreeSet<_> = nodes.into_iter().filter(|node| !known.contains_key(node)).collect();
        if unknown.len() > MANY_NODES {
            return self.look_up_all(scope).await;
        }
        let pages: Vec<_> = unknown.iter().filter_map(|node| node.page()).collect();
        let (mut chains, mut entries) = (Vec::new(), Entries::new());
        if !pages.is_empty() {
            chains = scope.tx.pages().list_access_chains(self.workspace, &pages).await?;
            let ids: Vec<_> = chains.iter().map(|node| node.id).collect();
            entries = entries_on(scope, self.workspace, &self.authority, &ids).await?;
        }
        let roots = unknown.iter().copied().chain(chains.iter().map(|node| node.outer)).collect();
        self.ask_for_teams(scope, &roots).await?;
        let found = self.resolve(chains, &entries, roots);
        if let Levels::Some(known) = &mut self.levels {
            // Nodes that were not found no longer exist.
            known.extend(unknown.into_iter().map(|node| (node, Level::None)));
            known.extend(found);
        }
        Ok(())
    }

    /// Looks up every level, if that is cheap. At most three statements.
    pub(super) async fn look_up_if_cheap<T: Reads + ?Sized>(&mut self, scope: &mut Scope<T>) -> AppResult<()> {
        if !matches!(self.levels, Levels::Some(_)) {
            return Ok(());
        }
        let now = scope.call.now;
        let granted = scope.tx.grants().list_levels_by_grantee(self.workspace, &self.grantees(), now, FEW + 1).await?;
        if granted.len() > FEW as usize {
            return Ok(());
        }
        let entries = by_page(granted);
        let named: Vec<_> = entries.keys().copied().collect();
        if self.is_guest() {
            return self.look_up_for_guest(scope, &named, &entries).await;
        }
        let nodes = scope.tx.pages().list_open_nodes(self.workspace, &named, FEW + 1).await?;
        if nodes.len() <= FEW as usize {
            self.resolve_all(scope, nodes, &entries).await?;
        }
        Ok(())
    }

    /// Looks up what a guest may see: pages with entries for them, and the pages that inherit from those.
    async fn look_up_for_guest<T: Reads + ?Sized>(
        &mut self,
        scope: &mut Scope<T>,
        named: &[PageId],
        entries: &Entries,
    ) -> AppResult<()> {
        let mut pages = Vec::new();
        if !named.is_empty() {
            pages = scope.tx.pages().list_open(self.workspace, named, FEW_PAGES + 1).await?;
        }
        if pages.len() > FEW_PAGES as usize {
            return Ok(());
        }
        let nodes = pages.iter().filter(|page| page.access == Node::Page(page.node.id)).map(|page| page.node);
        let levels = self.resolve(nodes.collect(), entries, BTreeSet::new());
        self.levels = Levels::All { levels, pages: Some(pages) };
        Ok(())
    }

    /// Looks up every level, at any cost.
    pub(super) async fn look_up_all<T: Reads + ?Sized>(&mut self, scope: &mut Scope<T>) -> AppResult<()> {
        if !matches!(self.levels, Levels::Some(_)) {
            return Ok(());
        }
        let now = scope.call.now;
        let entries =
            by_page(scope.tx.grants().list_levels_by_grantee(self.workspace, &self.grantees(), now, u32::MAX).await?);
        let named: Vec<_> = entries.keys().copied().collect();
        let nodes = scope.tx.pages().list_open_nodes(self.workspace, &named, u32::MAX).await?;
        self.resolve_all(scope, nodes, &entries).await
    }

    async fn resolve_all<T: Reads + ?Sized>(
        &mut self,
        scope: &mut Scope<T>,
        nodes: Vec<AccessNode>,
        entries: &Entries,
    ) -> AppResult<()> {
        let mut roots = BTreeSet::from([Node::Workspace(self.workspace)]);
        if !self.is_guest() {
            roots.extend(self.teams(scope).await?.keys().map(|team| Node::Team(*team)));
        }
        let levels = self.resolve(nodes, entries, roots);
        self.levels = Levels::All { levels, pages: None };
        Ok(())
    }

    /// The restriction for a list of pages on which the caller has at least this level; `None` if levels are looked
    /// up for the pages that the list finds.
    pub(crate) async fn within<T: Reads + ?Sized>(
        &mut self,
        scope: &mut Scope<T>,
        needed: Level,
    ) -> AppResult<Option<Within>> {
        self.look_up_if_cheap(scope).await?;
        Ok(self.narrowed(needed))
    }

    /// The nodes on which the caller has at least this level; `None` for all nodes. Looks up everything.
    pub(crate) async fn nodes<T: Reads + ?Sized>(
        &mut self,
        scope: &mut Scope<T>,
        needed: Level,
    ) -> AppResult<Option<Vec<Node>>> {
        self.look_up_all(scope).await?;
        Ok(self.narrowed(needed).unwrap_or(Within::NOTHING).nodes)
    }

    pub(super) fn narrowed(&self, needed: Level) -> Option<Within> {
        match &self.levels {
            Levels::Same(level) if *level >= needed => Some(Within::EVERYTHING),
            Levels::Same(_) => Some(Within::NOTHING),
            Levels::Some(_) => None,
            Levels::All { levels, pages } => {
                let nodes = levels.iter().filter(|(_, level)| **level >= needed).map(|(node, _)| *node).collect();
                let pages = pages.as_ref().map(|pages| {
                    let reached = pages.iter().filter(|page| self.level(page.access) >= needed);
                    reached.map(|page| page.node.id).collect()
                });
                Some(Within { nodes: Some(nodes), pages })
            }
        }
    }

    /// Computes levels on nodes. The list must contain the nodes above them as far as they matter: up to a root, or
    /// to a node that does not inherit.
    fn resolve(&self, mut nodes: Vec<AccessNode>, entries: &Entries, roots: BTreeSet<Node>) -> BTreeMap<Node, Level> {
        let home = Node::Workspace(self.workspace);
        let top = Resolver::at(&self.authority, Root::Workspace);
        let closed = top.clone().enter(ContentNode { inherit: false, entries: &[] });
        let mut known = BTreeMap::from([(home, top)]);
        for root in roots {
            if let Some((id, is_private)) = self.team(root) {
                known.insert(root, Resolver::at(&self.authority, Root::Team(Team { id, is_private })));
            }
        }
        let there: BTreeSet<_> = nodes.iter().map(|node| node.id).collect();
        for node in &mut nodes {
            let is_missing = match node.outer {
                Node::Page(outer) => !there.contains(&outer),
                Node::Team(_) => !known.contains_key(&node.outer),
                Node::Workspace(_) => false,
            };
            if !node.inherit {
                // It inherits nothing, so its place does not matter.
                node.outer = home;
            } else if is_missing {
                // Nodes that give the caller nothing are not looked up, and teams give nothing to guests.
                known.insert(node.outer, closed.clone());
            }
        }
        spread(&nodes, entries, known).into_iter().map(|(node, end)| (node, end.level())).collect()
    }

    fn team(&self, node: Node) -> Option<(TeamId, bool)> {
        let Node::Team(id) = node else { return None };
        let is_private = self.teams.as_ref()?.get(&id)?;
        Some((id, *is_private))
    }

    async fn ask_for_teams<T: Reads + ?Sized>(
        &mut self,
        scope: &mut Scope<T>,
        roots: &BTreeSet<Node>,
    ) -> AppResult<()> {
        if !self.is_guest() && roots.iter().any(|root| matches!(root, Node::Team(_))) {
            self.teams(scope).await?;
        }
        Ok(())
    }

    async fn teams<T: Reads + ?Sized>(&mut self, scope: &mut Scope<T>) -> AppResult<&BTreeMap<TeamId, bool>> {
        if self.teams.is_none() {
            let found = scope.tx.teams().list(self.workspace, team::TeamVisibility::Everything, None, u32::MAX).await?;
            self.teams = Some(found.into_iter().map(|team| (team.id, team.is_private)).collect());
        }
        Ok(self.teams.get_or_insert_default())
    }

    /// Guests only have what entries for them give.
    fn is_guest(&self) -> bool {
        self.authority.member().is_some_and(|member| member.role() == Role::Guest)
    }

    /// The grantees whose entries can matter to the caller.
    pub(crate) fn grantees(&self) -> Vec<Grantee> {
        let Some(MemberGrantees { user, teams }) = member_grantees(&self.authority) else { return Vec::new() };
        let own = [Grantee::User(user)];
        if self.is_guest() {
            return own.into();
        }
        own.into_iter()
            .chain([Grantee::Workspace(self.workspace)])
            .chain(teams.into_iter().map(Grantee::Team))
            .collect()
    }
}

/// Whether the caller may see anything of this kind. Only apps may not.
fn is_open(authority: &Authority, kind: PageKind) -> bool {
    opens(authority, area_of(kind))
}

fn opens(authority: &Authority, area: ScopeArea) -> bool {
    authority.require_area(area, Access::Read).is_ok()
}
