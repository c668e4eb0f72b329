//! Places for pages: who may put a page there, and the position.

use super::{
    lineage::{Visible, need, visible},
    look_up,
};
use crate::{
    outcome::{AppResult, Draft, Interrupt},
    record_pages::{find_implied, store},
    scope::{Scope, Unit, View},
};
use octavo_core_model::{
    Fault, Level, Role,
    fault::{Conflict, Denial, Issue, Unprocessable, Violation},
    id::{DatabaseId, PageId, TeamId, WorkspaceId},
    page::{MAX_DEPTH, Node, Page, PageKind, ParentRef, Step},
    position::Position,
    scope::ScopeArea,
};
use octavo_permissions::{Access, Authority, LastingResolver, Resolver, Root, Team, teams::may_see_team};
use octavo_ports::store::Reads;

/// A place among siblings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    /// At the end; a page that stays in its container keeps its position.
    #[default]
    Last,
    At(Position),
    After(PageId),
    Before(PageId),
}

/// A place as a caller names it. A field that is left out is `None`; one that is null is `Some(None)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub parent: Option<Option<ParentRef>>,
    pub team: Option<Option<TeamId>>,
}

impl Place {
    /// The container of the place. For a page that exists already, fields that are left out keep their value.
    pub(super) fn container(self, workspace: WorkspaceId, now: Option<&Page>) -> Result<Node, Fault> {
        let root = |team: Option<TeamId>| team.map_or(Node::Workspace(workspace), Node::Team);
        let stays_in_page = || self.parent.is_none() && now.is_some_and(|page| page.container.page().is_some());
        match (self.parent, self.team) {
            (Some(Some(_)), Some(Some(_))) => Err(Violation::new("teamId", Issue::InvalidValue).into()),
            (Some(Some(ParentRef::Page(id))), _) => Ok(Node::Page(id)),
            (Some(Some(ParentRef::Record(id))), _) => Ok(Node::Page(id.page())),
            (Some(Some(ParentRef::Database(_))), _) => Err(Unprocessable::DatabaseParent.into()),
            (_, Some(_)) if stays_in_page() => Err(Violation::new("teamId", Issue::InvalidValue).into()),
            (_, Some(team)) => Ok(root(team)),
            (Some(None), None) => Ok(root(now.and_then(|page| page.team))),
            (None, None) => Ok(now.map_or(Node::Workspace(workspace), |page| page.container)),
        }
    }
}

/// A place where the caller may put pages.
#[derive(Clone, Debug)]
pub(crate) struct Destination<'a> {
    pub(super) workspace: WorkspaceId,
    pub(super) container: Node,
    pub(super) team: Option<TeamId>,
    /// For the root of a team, whether the team is private; otherwise `None`.
    pub(super) in_private_team: Option<bool>,
    /// The access node of pages at this place.
    pub(super) access: Node,
    /// Whether the container has a row. The page of a record gets one only when it is needed.
    has_row: bool,
    /// The pages from the root to the container, with the caller's level on each.
    pub(super) above: Vec<(Step, Level)>,
    pub(super) is_trashed: bool,
    /// Resolved up to the container.
    pub(super) end: Resolver<'a>,
    /// Resolved up to the container, without caps and without entries that expire.
    pub(super) lasting: LastingResolver<'a>,
}

impl Destination<'_> {
    /// Refuses a place in the trash, and a subtree with so many levels that it would become too deep.
    pub(crate) fn admit(&self, levels: u32) -> AppResult<()> {
        if self.is_trashed {
            return Err(Conflict::PageTrashed.into());
        }
        let depth = u32::try_from(self.above.len()).unwrap_or(u32::MAX).saturating_add(levels);
        if depth > MAX_DEPTH { Err(Unprocessable::MaxDepth.into()) } else { Ok(()) }
    }

    pub(super) fn lies_below(&self, page: PageId) -> bool {
        self.above.iter().any(|(step, _)| step.id == page)
    }

    /// Whether this page is above the place and does not inherit.
    pub(super) fn is_cut_off_by(&self, page: PageId) -> bool {
        self.above.iter().any(|(step, _)| step.id == page && !step.inherit)
    }
}

/// Checks whether the caller may put pages at the place that a draft names. Flaws of the place itself are returned,
/// so that they are reported with the other flaws, after the claim. Up to four statements.
pub(crate) async fn find_destination<'a>(
    unit: &mut Unit,
    workspace: WorkspaceId,
    authority: &'a Authority,
    place: Draft<Place>,
    now: Option<&Page>,
) -> AppResult<Draft<Destination<'a>>> {
    let named = match place.and_then(|place| Ok((place, place.container(workspace, now)?))) {
        Err(fault) => return Ok(Err(fault)),
        Ok(named) => named,
    };
    let (place, container) = named;
    if !names_what_exists(unit, workspace, place).await? {
        return Err(unit.absent().await.naming(field_of(container)));
    }
    let is_known = now.is_some_and(|page| page.container == container);
    destination(unit, workspace, authority, container, is_known).await.map(Ok)
}

/// Checks in a view whether the caller may put pages at a place, before work that depends on it. Flaws of the place
/// itself are refused here.
pub(super) async fn authorize(
    view: &mut View,
    workspace: WorkspaceId,
    authority: &Authority,
    place: Draft<Place>,
) -> AppResult<()> {
    let place = place?;
    let container = place.container(workspace, None)?;
    if !names_what_exists(view, workspace, place).await? {
        return Err(Interrupt::from(Fault::NotFound).naming(field_of(container)));
    }
    match find(view, workspace, authority, container).await {
        Ok(Some(_)) => Ok(()),
        Ok(None) => Err(Interrupt::from(Fault::NotFound).naming(field_of(container))),
        Err(interrupt) => Err(interrupt.naming(field_of(container))),
    }
}

/// Whether a record that names its page exists. The id of a page with the prefix of records names nothing.
async fn names_what_exists<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    place: Place,
) -> AppResult<bool> {
    match place.parent {
        Some(Some(ParentRef::Record(id))) => Ok(scope.tx.records().find(workspace, id).await?.is_some()),
        _ => Ok(true),
    }
}

/// The field in which a body names a container.
const fn field_of(container: Node) -> &'static str {
    match container {
        Node::Page(_) => "parentId",
        Node::Team(_) => "teamId",
        Node::Workspace(_) => "workspaceId",
    }
}

/// Checks whether the caller may put pages in a container. If it does not exist, an earlier answer may be replayed;
/// if it is hidden from the caller, it is refused at once, because a caller that has lost access must not get an
/// earlier answer replayed. `is_known` means that the caller knows about the container anyway, though perhaps only
/// that it exists. Up to four statements.
pub(super) async fn destination<'a>(
    unit: &mut Unit,
    workspace: WorkspaceId,
    authority: &'a Authority,
    container: Node,
    is_known: bool,
) -> AppResult<Destination<'a>> {
    match find(unit, workspace, authority, container).await {
        Ok(None) | Err(Interrupt::Fault(Fault::NotFound)) if is_known => {
            Err(Fault::Forbidden(Denial::RequiresLevel(Level::Edit)).into())
        }
        Ok(None) => Err(unit.absent().await.naming(field_of(container))),
        Ok(Some(found)) => {
            if let (false, Node::Page(id)) = (found.has_row, container) {
                store(unit, workspace, id).await?;
            }
            Ok(found)
        }
        Err(interrupt) => Err(interrupt.naming(field_of(container))),
    }
}

async fn find<'a, T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    authority: &'a Authority,
    container: Node,
) -> AppResult<Option<Destination<'a>>> {
    match container {
        Node::Page(id) => in_page(scope, workspace, authority, id).await,
        Node::Team(id) => in_team(scope, workspace, authority, id).await,
        Node::Workspace(_) => {
            let found = at_root(workspace, container, authority, Root::Workspace);
            need_root(authority, found.end.level(), true)?;
            Ok(Some(found))
        }
    }
}

fn at_root(workspace: WorkspaceId, container: Node, authority: &Authority, root: Root) -> Destination<'_> {
    Destination {
        workspace,
        container,
        team: container.team(),
        in_private_team: None,
        access: container,
        has_row: true,
        above: Vec::new(),
        is_trashed: false,
        end: Resolver::at(authority, root),
        lasting: LastingResolver::at(authority, root),
    }
}

async fn in_page<'a, T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    authority: &'a Authority,
    id: PageId,
) -> AppResult<Option<Destination<'a>>> {
    let found = scope.tx.pages().find(workspace, id).await?;
    let has_row = found.is_some();
    let page = match found {
        None => find_implied(scope, workspace, id).await?,
        found => found.filter(|page| page.kind != PageKind::Database),
    };
    let Some(page) = page else { return Ok(None) };
    let seen = visible(scope, authority, Some(page)).await?.ok_or(Fault::NotFound)?;
    need(authority, seen.lineage.level(), Level::Edit)?;
    Ok(Some(within(authority, seen, has_row)))
}

/// A page or database as a place for pages.
fn within<'a>(authority: &'a Authority, seen: Visible<'a>, has_row: bool) -> Destination<'a> {
    let Visible { page, lineage } = seen;
    Destination {
        workspace: page.workspace,
        container: Node::Page(page.id),
        team: page.team,
        in_private_team: None,
        access: page.access,
        has_row,
        lasting: lineage.lasting_end(authority),
        above: lineage.steps.into_iter().zip(lineage.levels).collect(),
        is_trashed: page.trash.is_some(),
        end: lineage.end,
    }
}

/// Checks whether the caller may put the pages of records into a database. Three statements.
pub(super) async fn in_database<'a>(
    unit: &mut Unit,
    workspace: WorkspaceId,
    authority: &'a Authority,
    id: DatabaseId,
) -> AppResult<Destination<'a>> {
    let found =
        look_up(unit, workspace, authority, &Ok(id)).await.map_err(|interrupt| interrupt.naming(IN_DATABASE))?;
    let Some(seen) = found else { return Err(unit.absent().await.naming(IN_DATABASE)) };
    authority.require_area(ScopeArea::Databases, Access::Write)?;
    need(authority, seen.lineage.level(), Level::Edit)?;
    Ok(within(authority, seen, true))
}

/// The field in which a body names a database.
const IN_DATABASE: &str = "databaseId";

async fn in_team<'a, T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    authority: &'a Authority,
    id: TeamId,
) -> AppResult<Option<Destination<'a>>> {
    let Some(team) = scope.tx.teams().find(workspace, id).await? else { return Ok(None) };
    let team = Team { id: team.id, is_private: team.is_private };
    if !may_see_team(authority, team) {
        return Err(Fault::NotFound.into());
    }
    let found = at_root(workspace, Node::Team(id), authority, Root::Team(team));
    let is_in_it = authority.member().is_none_or(|member| member.administers() || member.team_role(id).is_some());
    need_root(authority, found.end.level(), is_in_it)?;
    Ok(Some(Destination { in_private_team: Some(team.is_private), ..found }))
}

/// Only members above guest create root pages, and only members of a team create root pages of the team.
fn need_root(authority: &Authority, level: Level, is_in_it: bool) -> Result<(), Fault> {
    let is_member = authority.member().is_none_or(|member| member.role() >= Role::Member);
    need(authority, if is_member && is_in_it { level } else { Level::None }, Level::Edit)
}

/// The position that an anchor stands for at a place; `but` is the page to be put there. Up to four statements; two
/// more if there is no room.
pub(super) async fn position(
    unit: &mut Unit,
    authority: &Authority,
    destination: &Destination<'_>,
    anchor: &Anchor,
    but: Option<PageId>,
) -> AppResult<Position> {
    let (previous, next) = match anchor {
        Anchor::At(position) => return Ok(position.clone()),
        Anchor::Last => (unit.tx.pages().find_last_position(destination.workspace, destination.container).await?, None),
        Anchor::After(id) => {
            let page = sibling(unit, authority, destination, *id, but, "afterPageId").await?;
            let next = unit.tx.pages().find_next_position(&page, but).await?;
            (Some(page.position), next)
        }
        Anchor::Before(id) => {
            let page = sibling(unit, authority, destination, *id, but, "beforePageId").await?;
            (unit.tx.pages().find_previous_position(&page, but).await?, Some(page.position))
        }
    };
    match Position::between(previous.as_ref(), next.as_ref()) {
        Some(position) => Ok(position),
        None => make_room(unit, destination, anchor, but).await,
    }
}

/// Gives all pages of a container new positions, with one left free for the anchor. This is needed because callers
/// choose keys: two siblings can have the same key, or keys between which nothing fits.
async fn make_room(
    unit: &mut Unit,
    destination: &Destination<'_>,
    anchor: &Anchor,
    but: Option<PageId>,
) -> AppResult<Position> {
    let mut order = unit.tx.pages().list_in(destination.workspace, destination.container).await?;
    order.retain(|id| Some(*id) != but);
    let index_of = |page| order.iter().position(|id| *id == page);
    let free = match anchor {
        Anchor::After(id) => index_of(*id).map(|index| index + 1),
        Anchor::Before(id) => index_of(*id),
        Anchor::Last | Anchor::At(_) => None,
    };
    let free = free.unwrap_or(order.len());
    let mut places: Vec<_> = Position::spread(order.len() + 1).collect();
    let position = places.remove(free);
    let moved: Vec<_> = order.into_iter().zip(places).collect();
    unit.tx.pages().respread(destination.workspace, &moved).await?;
    Ok(position)
}

/// Finds a sibling that the caller may see. Hidden ones are treated as missing.
async fn sibling(
    unit: &mut Unit,
    authority: &Authority,
    destination: &Destination<'_>,
    id: PageId,
    but: Option<PageId>,
    field: &'static str,
) -> AppResult<Page> {
    let found = unit.tx.pages().find(destination.workspace, id).await?;
    let is_sibling = |page: &Page| {
        page.container == destination.container
            && page.kind == PageKind::Page
            && page.trash.is_none()
            && but != Some(page.id)
    };
    let seen = match found.filter(is_sibling) {
        // Callers that may put pages in the container may see every page with the same access node.
        Some(page) if page.access == destination.access => Some(page),
        found => visible(unit, authority, found).await?.map(|seen| seen.page),
    };
    match seen {
        Some(page) => Ok(page),
        None => Err(Violation::new(field, Issue::AnchorNotSibling).with(serde_json::json!(id)).into()),
    }
}
