//! What a search asks for, and what the caller may find.

use super::{
    SearchPlace,
    filter::{Part, SeenNodes},
    follow::{Followed, follow},
};
use crate::{
    access::{RouteAccess, WorkspaceCaller},
    outcome::{AppResult, Draft, Interrupt},
    page_access::{self, lineage, visibility::Visibility},
    scope::View,
};
use octavo_core_model::{
    Fault, Level,
    id::{DatabaseId, PageId, TeamId, UserId},
    page::ResourceId,
    scope::ScopeArea,
};
use octavo_permissions::{Authority, Team, teams::may_see_team};
use octavo_ports::search::{Look, NodeKey, Order, TimeRange, UnitKind};
use octavo_search::{Field, Fields, Query};

/// What to search for.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The words to find; `None` for everything that the rest lets through.
    pub query: Option<Query>,
    pub kinds: Vec<UnitKind>,
    pub fields: Fields,
    pub team: Option<TeamId>,
    /// Only this page and what lies below it.
    pub parent: Option<PageId>,
    /// Only this database, its records and the comments on them.
    pub database: Option<DatabaseId>,
    pub created_by: Option<Person>,
    pub updated_by: Option<Person>,
    pub created: TimeRange,
    pub updated: TimeRange,
    /// Whether to find archived records, and archived databases with their records.
    pub with_archived: bool,
    /// By relevance by default, without words the last changed first.
    pub order: Option<Order>,
    pub after: Option<SearchPlace>,
    pub limit: u32,
}

/// A person whom a caller names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Person {
    /// The caller; for a key the user who created it.
    Me,
    User(UserId),
}

impl Person {
    const fn of(self, caller: &WorkspaceCaller) -> UserId {
        match self {
            Self::Me => caller.author(),
            Self::User(id) => id,
        }
    }
}

/// A search whose caller was admitted.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) look: Look,
    pub(super) part: Part,
    pub(super) seen: SeenNodes,
    /// The only pages that the caller may view, if these are few.
    pub(super) pages: Option<Vec<PageId>>,
    pub(super) visibility: Visibility,
    /// The tree of pages, if it is in memory.
    pub(super) followed: Option<Followed>,
}

/// Checks the caller's rights and reads what the caller may view. One or two statements for owners, admins and keys, at
/// most seven for others, and those of [`lineage::find`] for each thing that the search is narrowed to.
pub(super) async fn prepare(view: &mut View, wanted: Draft<SearchRequest>) -> AppResult<Prepared> {
    let (caller, authority) = page_access::enter(view, RouteAccess::ANYBODY).await?;
    let wanted = wanted?;
    check_part(view, &caller, &authority, &wanted).await?;
    let mut visibility = Visibility::of_everything(caller.workspace, &authority);
    let within = visibility.within(view, Level::View).await?;
    let (nodes, pages) = match within {
        Some(within) => (within.nodes, within.pages),
        None => (visibility.nodes(view, Level::View).await?, None),
    };
    // The log is read last, so the map is not older than what the caller may view.
    let followed = follow(view, caller.workspace).await?;
    let part = Part {
        team: wanted.team,
        parent: wanted.parent.map(NodeKey::from),
        database: wanted.database.map(NodeKey::from),
        with_archived: wanted.with_archived,
    };
    let look = look(&caller, &visibility, wanted);
    Ok(Prepared { look, part, seen: SeenNodes::new(nodes), pages, visibility, followed })
}

fn look(caller: &WorkspaceCaller, visibility: &Visibility, wanted: SearchRequest) -> Look {
    let kinds: Vec<_> = wanted.kinds.into_iter().filter(|kind| visibility.opens(area_of(*kind))).collect();
    // The blocks on the page of a record are content of pages, which an app needs another scope for.
    let with_blocks = visibility.opens(ScopeArea::Pages) || !kinds.contains(&UnitKind::Record);
    let fields = Field::ALL.into_iter().filter(|field| wanted.fields.has(*field));
    let by_default = if wanted.query.is_some() { Order::Relevance } else { Order::NewestChange };
    Look {
        workspace: caller.workspace,
        query: wanted.query,
        fields: fields.filter(|field| with_blocks || *field != Field::Text).collect(),
        kinds,
        created_by: wanted.created_by.map(|person| person.of(caller)),
        updated_by: wanted.updated_by.map(|person| person.of(caller)),
        created: wanted.created,
        updated: wanted.updated,
        with_archived: wanted.with_archived,
        order: wanted.order.unwrap_or(by_default),
        after: wanted.after.map(|place| place.0),
        limit: wanted.limit as usize,
    }
}

/// The area of which apps need a scope to find units of a kind.
const fn area_of(kind: UnitKind) -> ScopeArea {
    match kind {
        UnitKind::Page | UnitKind::Comment => ScopeArea::Pages,
        UnitKind::Database | UnitKind::Record => ScopeArea::Databases,
    }
}

/// Refuses a part of the workspace that the caller may not view.
async fn check_part(
    view: &mut View,
    caller: &WorkspaceCaller,
    authority: &Authority,
    wanted: &SearchRequest,
) -> AppResult<()> {
    if let Some(id) = wanted.parent {
        check_node(view, caller, authority, id.into(), "parentId").await?;
    }
    if let Some(id) = wanted.database {
        check_node(view, caller, authority, id.into(), "databaseId").await?;
    }
    if let Some(id) = wanted.team {
        let team = view.tx.teams().find(caller.workspace, id).await?;
        let seen = team.filter(|team| may_see_team(authority, Team { id, is_private: team.is_private }));
        seen.ok_or(Fault::UnknownId("teamId"))?;
    }
    Ok(())
}

async fn check_node(
    view: &mut View,
    caller: &WorkspaceCaller,
    authority: &Authority,
    id: ResourceId,
    field: &'static str,
) -> AppResult<()> {
    match lineage::find(view, caller, authority, &Ok(id)).await {
        Ok(Some(_)) => Ok(()),
        // Callers that may only view a page do not see it in the trash.
        Ok(None) | Err(Interrupt::Fault(Fault::Forbidden(_))) => Err(Fault::UnknownId(field).into()),
        Err(interrupt) => Err(interrupt),
    }
}
