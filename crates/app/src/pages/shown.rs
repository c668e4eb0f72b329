//! A page as a particular caller sees it.

use super::{
    lineage::{Visible, enter, entries_on, member_grantees},
    visibility::Visibility,
};
use crate::{access::WorkspaceCaller, outcome::AppResult, page_access::link_reach::excluding_steps, scope::Scope};
use octavo_core_model::{
    Level,
    id::{PageId, UserId, WorkspaceId},
    page::{AccessNode, Node, Page, PublicAccess, ResourceId, Step},
    text::{PageIcon, PageTitle},
};
use octavo_permissions::Authority;
use octavo_ports::store::Reads;
use std::collections::{BTreeMap, BTreeSet};

/// A page with the fields that depend on the reader.
#[derive(Clone, Debug)]
pub struct PageDetails {
    pub page: Page,
    pub level: Level,
    pub is_favorite: bool,
    /// Whether a share link leads to the page, and how.
    pub public_access: PublicAccess,
    /// The number of active children that the caller may see.
    pub child_count: u64,
    /// The pages above it that the caller may see, from the root down; `None` in lists.
    pub ancestors: Option<Vec<Ancestor>>,
}

/// A page or database above a page.
#[derive(Clone, Debug)]
pub struct Ancestor {
    pub id: ResourceId,
    pub title: PageTitle,
    pub icon: Option<PageIcon>,
}

impl PageDetails {
    /// A page that this unit has just created. One statement.
    pub(super) async fn fresh<T: Reads + ?Sized>(scope: &mut Scope<T>, page: Page, level: Level) -> AppResult<Self> {
        let public_access = public_access_among(scope, page.workspace, &[page.id]).await?.get(&page.id).copied();
        let public_access = public_access.unwrap_or(PublicAccess::None);
        Ok(Self { page, level, is_favorite: false, public_access, child_count: 0, ancestors: None })
    }

    #[must_use]
    pub(super) fn with_ancestors(self, seen: &Visible<'_>) -> Self {
        let above = seen.lineage.steps.len().saturating_sub(1);
        let steps = seen.lineage.steps.iter().zip(&seen.lineage.levels).take(above);
        let visible = steps.filter(|(_, level)| **level >= Level::View);
        let ancestor = |(step, _): (&Step, _)| {
            let id = ResourceId::of(step.id, step.kind);
            Ancestor { id, title: step.title.clone(), icon: step.icon.clone() }
        };
        Self { ancestors: Some(visible.map(ancestor).collect()), ..self }
    }
}

/// Shows one page: two statements for a user; up to two more if they may not see all its children, and up to two if
/// there are share links.
pub(crate) async fn one<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    caller: &WorkspaceCaller,
    authority: &Authority,
    seen: &Visible<'_>,
) -> AppResult<PageDetails> {
    let page = seen.page.clone();
    let child_count = children(scope, authority, seen).await?;
    let is_favorite = match caller.member() {
        Some(user) => !scope.tx.favorites().find_many(page.workspace, user, &[page.id]).await?.is_empty(),
        None => false,
    };
    let public_access = public_access(scope, seen).await?;
    Ok(PageDetails { level: seen.lineage.level(), page, is_favorite, public_access, child_count, ancestors: None })
}

/// Whether a share link leads to a page, and how. No statement if neither the page nor one above has a link, else
/// one; one more if there is a link above and pages between have entries of their own.
pub(super) async fn public_access<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    seen: &Visible<'_>,
) -> AppResult<PublicAccess> {
    let (page, now) = (&seen.page, scope.call.now);
    if page.trash.is_some() {
        return Ok(PublicAccess::None);
    }
    // From the page up to the first page that does not inherit: links above that do not reach this page.
    let steps = &seen.lineage.steps;
    let inheriting = steps.iter().rev().take_while(|step| step.inherit).count();
    let within_reach = &steps[steps.len().saturating_sub(inheriting + 1)..];
    let ids: Vec<_> = within_reach.iter().filter(|step| step.has_link).map(|step| step.id).collect();
    if ids.is_empty() {
        return Ok(PublicAccess::None);
    }
    let linked = scope.tx.share_links().list_linked_pages(page.workspace, &ids, now).await?;
    if linked.iter().any(|(id, _)| *id == page.id) {
        return Ok(PublicAccess::Direct);
    }
    // Whatever separates the page from the nearest link also separates it from links further up.
    let shows_below = |step: &Step| linked.iter().any(|(id, shows_below)| *shows_below && *id == step.id);
    let Some(nearest) = within_reach.iter().rposition(shows_below) else { return Ok(PublicAccess::None) };
    let excluding = excluding_steps(scope, page.workspace, &within_reach[nearest + 1..]).await?;
    Ok(if excluding.is_empty() { PublicAccess::Inherited } else { PublicAccess::None })
}

async fn children<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    authority: &Authority,
    seen: &Visible<'_>,
) -> AppResult<u64> {
    let Visible { page, lineage } = seen;
    let counts = scope.tx.pages().count_children(page.workspace, &[page.id]).await?;
    let (own, inherited): (Vec<_>, Vec<_>) = counts.into_iter().partition(|count| count.access != page.access);
    let plain: u64 = inherited.iter().map(|count| count.count).sum();
    let own: Vec<_> = own.iter().filter_map(|count| count.access.page()).collect();
    if member_grantees(authority).is_none() {
        return Ok(plain + own.len() as u64);
    }
    if own.is_empty() {
        return Ok(plain);
    }
    let nodes = scope.tx.pages().find_access_nodes(page.workspace, &own).await?;
    let entries = entries_on(scope, page.workspace, authority, &own).await?;
    let is_seen =
        |node: &&AccessNode| enter(lineage.end.clone(), node.id, node.inherit, &entries).level() >= Level::View;
    Ok(plain + nodes.iter().filter(is_seen).count() as u64)
}

/// How many children of each page the caller may see. One statement, plus those for levels.
pub(super) async fn visible_children<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    visibility: &mut Visibility,
    pages: &[PageId],
) -> AppResult<BTreeMap<PageId, u64>> {
    let mut counts = BTreeMap::new();
    if pages.is_empty() {
        return Ok(counts);
    }
    let found = scope.tx.pages().count_children(workspace, pages).await?;
    visibility.look_up(scope, found.iter().map(|child| child.access)).await?;
    for child in found {
        if visibility.level(child.access) >= Level::View {
            *counts.entry(child.parent).or_default() += child.count;
        }
    }
    Ok(counts)
}

async fn public_access_among<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    pages: &[PageId],
) -> AppResult<BTreeMap<PageId, PublicAccess>> {
    if pages.is_empty() {
        return Ok(BTreeMap::new());
    }
    let now = scope.call.now;
    Ok(scope.tx.share_links().list_public_access(workspace, pages, now).await?.into_iter().collect())
}

pub(super) async fn favorites_among<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    user: Option<UserId>,
    pages: &[PageId],
) -> AppResult<BTreeSet<PageId>> {
    match user {
        Some(user) if !pages.is_empty() => {
            Ok(scope.tx.favorites().find_many(workspace, user, pages).await?.into_iter().collect())
        }
        _ => Ok(BTreeSet::new()),
    }
}

/// Shows the pages of a list. Their levels must be known. Three statements for any number of pages, plus those for
/// the levels of their children.
pub(super) async fn many<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    caller: &WorkspaceCaller,
    visibility: &mut Visibility,
    pages: Vec<Page>,
) -> AppResult<Vec<PageDetails>> {
    let ids: Vec<_> = pages.iter().map(|page| page.id).collect();
    let counts = visible_children(scope, caller.workspace, visibility, &ids).await?;
    let favorites = favorites_among(scope, caller.workspace, caller.member(), &ids).await?;
    let public = public_access_among(scope, caller.workspace, &ids).await?;
    let shown = |page: Page| PageDetails {
        level: visibility.level(page.access),
        is_favorite: favorites.contains(&page.id),
        public_access: public.get(&page.id).copied().unwrap_or(PublicAccess::None),
        child_count: counts.get(&page.id).copied().unwrap_or(0),
        ancestors: None,
        page,
    };
    Ok(pages.into_iter().map(shown).collect())
}

/// The node from which the page inherits when it has no entries of its own.
pub(super) fn outer_of(seen: &Visible<'_>) -> Node {
    let steps = &seen.lineage.steps;
    let parent = steps.len().checked_sub(2).and_then(|index| steps.get(index));
    parent.map_or(seen.page.container, |parent| parent.access)
}
