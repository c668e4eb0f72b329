//! The page tree, level by level, as far as the caller may see it.

use super::{
    enter,
    lineage::find,
    listing::{list_visible, list_visible_children},
    shown::visible_children,
    visibility::Visibility,
};
use crate::{
    access::{RouteAccess, WorkspaceCaller},
    outcome::{AppResult, Draft},
    scope::View,
};
use octavo_core_model::{
    Fault, Level, Timestamp,
    id::{PageId, TeamId},
    page::{AccessNode, Listed, Node, Page, PageFilter, PageKind, PageMark, PageSort, Roots},
    position::Position,
    scope::ScopeArea,
};
use octavo_permissions::{
    Access, Authority, Team,
    teams::{may_see_team, visibility as teams_in_sight},
};
use std::collections::{BTreeMap, BTreeSet};

/// How many pages below the first level are returned at most. A level that would exceed this is left out completely;
/// the number of children is always returned.
const MOST_BELOW: u32 = 5000;

/// The root of the returned tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeRoot {
    /// The root pages without a team.
    Workspace,
    /// The root pages of a team.
    Team(TeamId),
    /// The children of a page.
    Page(PageId),
    /// The pages whose parent the caller may not see.
    Shared,
}

/// The part of the tree to return.
#[derive(Clone, Debug)]
pub struct TreeRequest {
    pub root: TreeRoot,
    pub depth: u32,
    pub after: Option<PageMark>,
    /// The limit of the first level, plus one to detect whether there is a next page; the other levels are complete.
    pub limit: u32,
}

/// A page and its visible descendants, as deep as was requested.
#[derive(Clone, Debug)]
pub struct Branch {
    pub page: Page,
    pub level: Level,
    pub child_count: u64,
    pub children: Vec<Branch>,
}

/// Returns a part of the tree: one statement for each level, and one for the numbers of children.
pub async fn tree(view: &mut View, asked: Draft<TreeRequest>) -> AppResult<Vec<Branch>> {
    let (caller, authority) = enter(view, RouteAccess::PAGES).await?;
    let asked = asked?;
    let container = container(view, &caller, &authority, asked.root).await?;
    let mut visibility = Visibility::of(caller.workspace, &authority);
    let has_databases = authority.require_area(ScopeArea::Databases, Access::Read).is_ok();
    let listed = if has_databases { Listed::PagesAndDatabases } else { Listed::Pages };
    let first = match container {
        Some(container) => {
            let filter = PageFilter { listed, place: Some(Roots::In(container)), ..PageFilter::default() };
            let after = asked.after.clone();
            list_visible(view, &mut visibility, filter, PageSort::POSITION, after, asked.limit).await?
        }
        None => shared(view, &caller, &authority, &mut visibility, &asked).await?,
    };
    let mut levels = vec![first];
    let mut room = MOST_BELOW;
    // The extra row only shows whether there is a next page.
    let mut shown = asked.limit.saturating_sub(1) as usize;
    for _ in 1..asked.depth {
        // What is in a database is not part of the tree.
        let above = levels.last().into_iter().flatten().take(shown).filter(|page| page.kind != PageKind::Database);
        let above: Vec<_> = above.map(|page| page.id).collect();
        if above.is_empty() {
            break;
        }
        let below = list_visible_children(view, &mut visibility, &above, listed, room + 1).await?;
        let Some(left) = u32::try_from(below.len()).ok().and_then(|count| room.checked_sub(count)) else { break };
        (room, shown) = (left, below.len());
        levels.push(below);
    }
    let ids: Vec<_> = levels.iter().flatten().map(|page| page.id).collect();
    let counts = visible_children(view, caller.workspace, &mut visibility, &ids).await?;
    Ok(grow(levels, &visibility, &counts))
}

/// The parent of the first level; `None` for shared pages.
async fn container(
    view: &mut View,
    caller: &WorkspaceCaller,
    authority: &Authority,
    root: TreeRoot,
) -> AppResult<Option<Node>> {
    match root {
        TreeRoot::Workspace => Ok(Some(Node::Workspace(caller.workspace))),
        TreeRoot::Shared => Ok(None),
        TreeRoot::Team(id) => {
            let team = view.tx.teams().find(caller.workspace, id).await?.ok_or(Fault::NotFound)?;
            let is_seen = may_see_team(authority, Team { id, is_private: team.is_private });
            if is_seen { Ok(Some(Node::Team(id))) } else { Err(Fault::NotFound.into()) }
        }
        TreeRoot::Page(id) => {
            let seen = find(view, caller, authority, &Ok(id)).await?.ok_or(Fault::NotFound)?;
            Ok(Some(Node::Page(seen.page.id)))
        }
    }
}

/// The pages with entries of their own that the caller may see although they may not see the parent.
async fn shared(
    view: &mut View,
    caller: &WorkspaceCaller,
    authority: &Authority,
    visibility: &mut Visibility,
    asked: &TreeRequest,
) -> AppResult<Vec<Page>> {
    if visibility.is_uniform() {
        return Ok(Vec::new());
    }
    // A caller that may not see the parent sees the page only through its own entries.
    let nodes = view.tx.pages().list_nodes_given_to(caller.workspace, &visibility.grantees(), view.call.now).await?;
    let own = nodes.iter().map(|node| Node::Page(node.id));
    visibility.look_up(view, own.chain(nodes.iter().map(|node| node.outer))).await?;
    let seen = teams_in_sight(authority);
    let teams = view.tx.teams().list(caller.workspace, seen, None, u32::MAX).await?;
    let teams: BTreeSet<_> = teams.into_iter().map(|team| team.id).collect();
    let is_hidden = |node: &AccessNode| match node.container {
        Node::Workspace(_) => false,
        Node::Team(team) => !teams.contains(&team),
        Node::Page(_) => visibility.level(node.outer) < Level::View,
    };
    let is_shared = |node: &&AccessNode| visibility.level(Node::Page(node.id)) >= Level::View && is_hidden(node);
    let ids: Vec<_> = nodes.iter().filter(is_shared).map(|node| node.id).collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut pages = view.tx.pages().list_by_id(caller.workspace, &ids).await?;
    pages.retain(|page| page.trash.is_none() && visibility.level_of(page) >= Level::View);
    pages.sort_by(|a, b| place(a).cmp(&place(b)));
    if let Some(PageMark::Position { position, created_at, id }) = &asked.after {
        pages.retain(|page| place(page) > (position, *created_at, *id));
    }
    pages.truncate(asked.limit as usize);
    Ok(pages)
}

fn place(page: &Page) -> (&Position, Timestamp, PageId) {
    (&page.position, page.created_at, page.id)
}

/// Attaches each level to the one above; within a container pages keep their order.
fn grow(levels: Vec<Vec<Page>>, visibility: &Visibility, counts: &BTreeMap<PageId, u64>) -> Vec<Branch> {
    let mut below: BTreeMap<PageId, Vec<Branch>> = BTreeMap::new();
    let mut levels = levels.into_iter().rev().peekable();
    while let Some(pages) = levels.next() {
        let branch = |page: Page| Branch {
            level: visibility.level(page.access),
            child_count: counts.get(&page.id).copied().unwrap_or(0),
            children: below.remove(&page.id).unwrap_or_default(),
            page,
        };
        let branches: Vec<_> = pages.into_iter().map(branch).collect();
        if levels.peek().is_none() {
            return branches;
        }
        for branch in branches {
            if let Some(parent) = branch.page.container.page() {
                below.entry(parent).or_default().push(branch);
            }
        }
    }
    Vec::new()
}
