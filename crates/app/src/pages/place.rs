//! Where a page is to stand: who may put one there, and at which position.

use super::sight::{Way, need, way};
use crate::{engine::AppResult, scope::Unit};
use octavo_core_model::{
    Fault, Level, Role,
    fault::{Conflict, Issue, Unfit, Violation},
    id::{PageId, TeamId, WorkspaceId},
    page::{MAX_DEPTH, Node, Page, ParentRef},
    position::Position,
};
use octavo_permissions::{Authority, Resolver, Root, Team, teams::may_see_team};

/// Where among its siblings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    /// Behind all of them; a page that stays where it is keeps its place.
    #[default]
    Last,
    At(Position),
    After(PageId),
    Before(PageId),
}

/// A place as a caller names it. What is left out is `None`; what is null, `Some(None)`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub parent: Option<Option<ParentRef>>,
    pub team: Option<Option<TeamId>>,
    pub anchor: Anchor,
}

impl Place {
    /// The container it names; what is left out is as it is for the page that stands somewhere already.
    pub(super) fn container(&self, workspace: WorkspaceId, now: Option<&Page>) -> AppResult<Node> {
        let root = |team: Option<TeamId>| team.map_or(Node::Workspace(workspace), Node::Team);
        let stays_in_page = || self.parent.is_none() && now.is_some_and(|page| page.container.page().is_some());
        match (self.parent, self.team) {
            (Some(Some(_)), Some(Some(_))) => Err(Violation::new("teamId", Issue::InvalidValue).into()),
            (Some(Some(ParentRef::Page(id))), _) => Ok(Node::Page(id)),
            (Some(Some(ParentRef::Record)), _) => Err(Fault::NotFound.into()),
            (Some(Some(ParentRef::Database(_))), _) => Err(Unfit::DatabaseParent.into()),
            (_, Some(_)) if stays_in_page() => Err(Violation::new("teamId", Issue::InvalidValue).into()),
            (_, Some(team)) => Ok(root(team)),
            (Some(None), None) => Ok(root(now.and_then(|page| page.team))),
            (None, None) => Ok(now.map_or(Node::Workspace(workspace), |page| page.container)),
        }
    }
}

/// A place that the caller may put pages in.
#[derive(Clone, Debug)]
pub(super) struct Destination<'a> {
    pub(super) container: Node,
    pub(super) team: Option<TeamId>,
    /// What pages there are read from.
    pub(super) access: Node,
    /// How deep a page there lies.
    pub(super) depth: u32,
    /// The pages above, the container among them.
    pub(super) above: Vec<PageId>,
    /// Those of them that cut access off.
    pub(super) cuts: Vec<PageId>,
    pub(super) is_trashed: bool,
    /// Stands on the container.
    pub(super) end: Resolver<'a>,
}

impl Destination<'_> {
    /// Refuses what is in the trash, and subtrees of so many levels that they would lie too deep.
    pub(super) fn admit(&self, levels: u32) -> AppResult<()> {
        if self.is_trashed {
            return Err(Conflict::PageTrashed.into());
        }
        if self.depth + levels - 1 > MAX_DEPTH { Err(Unfit::MaxDepth.into()) } else { Ok(()) }
    }
}

/// Asks whether the caller may put pages there; `None` where there is no such place for them. Up to four statements.
pub(super) async fn destination<'a>(
    unit: &mut Unit,
    workspace: WorkspaceId,
    authority: &'a Authority,
    container: Node,
) -> AppResult<Option<Destination<'a>>> {
    match container {
        Node::Page(id) => in_page(unit, workspace, authority, id).await,
        Node::Team(id) => in_team(unit, workspace, authority, id).await,
        Node::Workspace(_) => {
            let end = Resolver::at(authority, Root::Workspace);
            need_root(authority, end.level(), true)?;
            Ok(Some(at_root(container, None, end)))
        }
    }
}

const fn at_root(container: Node, team: Option<TeamId>, end: Resolver<'_>) -> Destination<'_> {
    Destination {
        container,
        team,
        access: container,
        depth: 1,
        above: Vec::new(),
        cuts: Vec::new(),
        is_trashed: false,
        end,
    }
}

async fn in_page<'a>(
    unit: &mut Unit,
    workspace: WorkspaceId,
    authority: &'a Authority,
    id: PageId,
) -> AppResult<Option<Destination<'a>>> {
    let Some(page) = unit.tx.find_page(workspace, id).await? else { return Ok(None) };
    let Some(Way { steps, levels, end, .. }) = way(unit, workspace, authority, id).await? else { return Ok(None) };
    let level = levels.last().copied().unwrap_or(Level::None);
    if level < Level::View || (page.trash.is_some() && level < Level::Edit) {
        return Ok(None);
    }
    need(authority, level, Level::Edit)?;
    Ok(Some(Destination {
        container: Node::Page(id),
        team: page.team,
        access: page.access,
        depth: u32::try_from(steps.len()).unwrap_or(u32::MAX).saturating_add(1),
        cuts: steps.iter().filter(|step| !step.inherit).map(|step| step.id).collect(),
        above: steps.into_iter().map(|step| step.id).collect(),
        is_trashed: page.trash.is_some(),
        end,
    }))
}

async fn in_team<'a>(
    unit: &mut Unit,
    workspace: WorkspaceId,
    authority: &'a Authority,
    id: TeamId,
) -> AppResult<Option<Destination<'a>>> {
    let Some(team) = unit.tx.find_team(workspace, id).await? else { return Ok(None) };
    let team = Team { id: team.id, is_private: team.is_private };
    if !may_see_team(authority, team) {
        return Ok(None);
    }
    let end = Resolver::at(authority, Root::Team(team));
    let is_in_it = authority.member().is_none_or(|member| member.administers() || member.team_role(id).is_some());
    need_root(authority, end.level(), is_in_it)?;
    Ok(Some(at_root(Node::Team(id), Some(id), end)))
}

/// Root pages are made by members who are no guests; those of a team, by who is in it.
fn need_root(authority: &Authority, level: Level, is_in_it: bool) -> Result<(), Fault> {
    let is_member = authority.member().is_none_or(|member| member.role() >= Role::Member);
    need(authority, if is_member && is_in_it { level } else { Level::None }, Level::Edit)
}

/// The position an anchor means in a container; `but` is the page that is to stand there. Up to two statements.
pub(super) async fn position(
    unit: &mut Unit,
    workspace: WorkspaceId,
    container: Node,
    anchor: &Anchor,
    but: Option<PageId>,
) -> AppResult<Position> {
    match anchor {
        Anchor::At(position) => Ok(position.clone()),
        Anchor::Last => Ok(Position::after(unit.tx.find_last_position(workspace, container).await?.as_ref())),
        Anchor::After(id) => {
            let place = sibling(unit, workspace, container, *id, but, "afterPageId").await?;
            let next = unit.tx.find_next_position(workspace, container, &place, but).await?;
            // Where a client left no room between two keys, what comes behind the first comes behind the second too.
            Ok(Position::between(Some(&place), next.as_ref()).unwrap_or_else(|| Position::after(Some(&place))))
        }
        Anchor::Before(id) => {
            let place = sibling(unit, workspace, container, *id, but, "beforePageId").await?;
            let previous = unit.tx.find_previous_position(workspace, container, &place, but).await?;
            Ok(Position::between(previous.as_ref(), Some(&place)).unwrap_or(place))
        }
    }
}

async fn sibling(
    unit: &mut Unit,
    workspace: WorkspaceId,
    container: Node,
    id: PageId,
    but: Option<PageId>,
    field: &'static str,
) -> AppResult<Position> {
    let found = unit.tx.find_page(workspace, id).await?;
    let sibling = found.filter(|page| page.container == container && page.trash.is_none() && but != Some(page.id));
    match sibling {
        Some(page) => Ok(page.position),
        None => Err(Violation::new(field, Issue::AnchorNotSibling).with(serde_json::json!(id)).into()),
    }
}
