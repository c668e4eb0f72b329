//! Copying a page and the descendants that the caller may see.

mod gather;
mod shared;

pub(crate) use shared::{copy_shared, enter_target_or_refuse};

use super::{
    Anchor, PageDetails, Place,
    create::{blank, put},
    emit,
    lineage::Visible,
    look_up,
    place::{Destination, find_destination, position},
};
use crate::{
    access::{self, CallerKind, RouteAccess, WorkspaceCaller},
    blocks::{admit_copy, copy_content},
    database_copies::{self, Copies},
    database_quota::require_room,
    outcome::{AppResult, Draft, Interrupt},
    page_count::count_new,
    relations::Reader,
    scope::Unit,
};
use gather::{Gathered, Parts, gather};
use octavo_core_model::{
    Fault,
    event::{EventPayload, pages::PageCreated},
    fault::{Conflict, Denial},
    id::{PageId, UserId, WorkspaceId},
    member,
    page::{Node, Page, PageKind, ResourceId},
    position::Position,
    scope::ScopeArea,
    text::PageTitle,
    workspace::WorkspaceStatus,
};
use octavo_permissions::{Access, Authority, Member};
use std::collections::BTreeMap;

/// How many pages one call copies.
const MAX_PAGES: u32 = 500;

/// Where to put a copy.
#[derive(Clone, Copy, Debug, Default)]
pub struct CopyTarget {
    /// One of the caller's workspaces; by default the workspace of the page.
    pub workspace: Option<WorkspaceId>,
    pub place: Place,
}

/// The properties of a copy.
#[derive(Clone, Debug, Default)]
pub struct Duplication {
    pub anchor: Anchor,
    pub title: Option<PageTitle>,
    /// If false, only the page itself is copied.
    pub with_children: Option<bool>,
    /// If false, databases are copied without their records.
    pub with_records: Option<bool>,
}

/// A copy, and a map from the original pages and databases to their copies.
#[derive(Clone, Debug)]
pub struct Copied {
    pub shown: PageDetails,
    pub ids: BTreeMap<ResourceId, ResourceId>,
}

/// Copies a page, and the descendants that the caller may see, to a place where they may put pages. The place is
/// parsed separately, so that callers that may not put pages there learn only that, whatever else is wrong.
pub async fn duplicate(
    unit: &mut Unit,
    id: Draft<PageId>,
    landing: Draft<CopyTarget>,
    draft: Draft<Duplication>,
) -> AppResult<Copied> {
    let caller = access::enter(unit, RouteAccess::PAGES_CHANGE).await?;
    let target = enter_target(unit, &caller, landing.as_ref().ok().and_then(|landing| landing.workspace)).await?;
    let authority = match &target {
        Some((there, authority)) if there.workspace == caller.workspace => authority.clone(),
        _ => access::authority_in_teams(unit, &caller).await?,
    };
    // A target that does not exist is answered like one that is hidden, whether or not the page is found.
    let is_target_gone = target.is_none();
    let naming = |absent: Interrupt| if is_target_gone { absent.naming("workspaceId") } else { absent };
    let Some(seen) = look_up(unit, caller.workspace, &authority, &id).await.map_err(naming)? else {
        return Err(naming(unit.absent().await));
    };
    let Some((there, its_authority)) = target else { return Err(naming(unit.absent().await)) };
    let original = beside_its_database(&seen);
    let now = (there.workspace == caller.workspace).then_some(&original);
    let place = landing.map(|landing| landing.place);
    let destination = find_destination(unit, there.workspace, &its_authority, place, now).await?;
    unit.claim().await?;
    let wanted = draft?;
    let destination = destination?;
    if seen.page.trash.is_some() {
        return Err(Conflict::PageTrashed.into());
    }
    let reader = Reader::Caller(&authority);
    let parts = Parts {
        children: wanted.with_children.unwrap_or(true),
        databases: may_copy_databases(&authority, &its_authority),
        records: wanted.with_records.unwrap_or(true),
    };
    let gathered = gather(unit, reader, caller.workspace, seen.page.clone(), parts).await?;
    destination.admit(gathered.levels)?;
    let position = position(unit, &its_authority, &destination, &wanted.anchor, None).await?;
    let title = wanted.title.unwrap_or_else(|| seen.page.title.of_copy());
    write(unit, &there, &destination, reader, caller.workspace, gathered, Head { title, position }).await
}

/// Whether the caller may see databases, and create them at the target. Only apps may not.
fn may_copy_databases(authority: &Authority, there: &Authority) -> bool {
    authority.require_area(ScopeArea::Databases, Access::Read).is_ok()
        && there.require_area(ScopeArea::Databases, Access::Write).is_ok()
}

/// The page as one that has its place. The copy of a record's page is a plain page, which a database cannot contain, so
/// it counts as one beside the database.
fn beside_its_database(seen: &Visible<'_>) -> Page {
    let database = seen.lineage.steps.iter().rev().nth(1).filter(|_| seen.page.kind == PageKind::Record);
    let container = database.map_or(seen.page.container, |database| database.container);
    Page { container, ..seen.page.clone() }
}

/// Admits the caller to the target workspace and locks it. Only the target changes; the source is only read. `None`
/// if the target no longer exists.
async fn enter_target(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    target: Option<WorkspaceId>,
) -> AppResult<Option<(WorkspaceCaller, Authority)>> {
    if let Some(workspace) = target.filter(|id| *id != caller.workspace) {
        return enter_elsewhere(unit, caller, workspace).await;
    }
    let workspace = unit.tx.workspaces().lock(caller.workspace).await?.ok_or(Fault::NotFound)?;
    if workspace.status != WorkspaceStatus::Active {
        // Deleted while the call waited for the lock.
        unit.note_deletion()?;
    }
    let caller = access::read_again(unit, caller.clone()).await?;
    let authority = access::authority_in_teams(unit, &caller).await?;
    Ok(Some((caller, authority)))
}

/// Admits the caller to another one of their workspaces: only users in person. Others are refused before they can
/// take its lock.
async fn enter_elsewhere(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    workspace: WorkspaceId,
) -> AppResult<Option<(WorkspaceCaller, Authority)>> {
    let CallerKind::Member { user, .. } = &caller.kind else {
        return Err(Fault::Forbidden(Denial::RequiresUser).into());
    };
    if access::claims(unit)?.is_bound() {
        return Err(Fault::Forbidden(Denial::RequiresLogin).into());
    }
    if place_in(unit, user.id, workspace).await?.is_none() {
        let is_hidden = unit.tx.workspaces().exists(workspace).await?;
        return if is_hidden { Err(Fault::UnknownId("workspaceId").into()) } else { Ok(None) };
    }
    if unit.tx.workspaces().lock(workspace).await?.is_none() {
        return Ok(None);
    }
    // Check again: access may have been removed before the lock was acquired.
    let place = place_in(unit, user.id, workspace).await?.ok_or(Fault::UnknownId("workspaceId"))?;
    if place.is_deleting {
        unit.note_deletion()?;
    }
    let teams = unit.tx.teams().list_roles(workspace, user.id).await?;
    let authority = Authority::Member(Member::new(user.id, place.role, teams));
    let kind = CallerKind::Member { user: user.clone(), role: place.role };
    Ok(Some((WorkspaceCaller { workspace, kind }, authority)))
}

async fn place_in(unit: &mut Unit, user: UserId, workspace: WorkspaceId) -> AppResult<Option<member::Place>> {
    Ok(unit.tx.members().find_user_in(user, workspace).await?.and_then(|(_, place)| place))
}

/// What is decided about the root of a copy.
struct Head {
    title: PageTitle,
    position: Position,
}

/// Copies the properties of pages, except what belongs to the originals only: grants, locks, versions, authors and
/// times. The copy of the first one is a plain page. Pages of records that are not copied are left out.
fn copy(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    destination: &Destination<'_>,
    originals: &[Page],
    copies: &mut Copies,
    head: Head,
) -> Vec<Page> {
    let mut made = Vec::with_capacity(originals.len());
    let mut head = Some(head);
    for original in originals {
        let container = original.container.page().and_then(|id| copies.nodes.get(&id)).copied();
        let plain = blank(unit, caller, destination, original.position.clone());
        let plain = Page { icon: original.icon.clone(), cover_url: original.cover_url.clone(), ..plain };
        let copy = match (head.take(), container) {
            (Some(Head { title, position }), _) => Page { title, position, ..plain },
            (None, None) => continue,
            (None, Some(container)) => {
                let id = match original.kind {
                    PageKind::Page | PageKind::Database => plain.id,
                    PageKind::Record => match copies.records.get(&original.id.as_record()) {
                        Some(record) => record.page(),
                        None => continue,
                    },
                };
                let (kind, title) = (original.kind, original.title.clone());
                Page { id, kind, title, container: Node::Page(container), ..plain }
            }
        };
        copies.nodes.insert(original.id, copy.id);
        made.push(copy);
    }
    made
}

async fn write(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    destination: &Destination<'_>,
    reader: Reader<'_>,
    from: WorkspaceId,
    gathered: Gathered,
    head: Head,
) -> AppResult<Copied> {
    let Gathered { nodes, databases, .. } = gathered;
    let mut copies = Copies { nodes: BTreeMap::new(), records: databases.draw_ids(unit) };
    let made = copy(unit, caller, destination, &nodes, &mut copies, head);
    let originals: Vec<_> = copies.nodes.keys().copied().collect();
    require_databases(unit, caller, databases.len()).await?;
    count_new(unit, caller.workspace, made.len()).await?;
    admit_copy(unit, from, &originals, databases.size()).await?;
    let mut made = made.into_iter();
    let Some(root) = made.next() else { return Err(Fault::Internal("a copy has no root").into()) };
    let (root, level) = put(unit, caller, root, destination).await?;
    // Everything below has the same access node as the root.
    let below: Vec<_> = made.map(|page| Page { access: root.access, ..page }).collect();
    let child_count = below.iter().filter(|page| is_child(page, &root)).count() as u64;
    if !below.is_empty() {
        unit.tx.pages().insert_many(&below).await?;
    }
    let ids = database_copies::write(unit, caller, reader, from, &databases, &copies).await?;
    let all: Vec<_> = std::iter::once(&root).chain(&below).cloned().collect();
    copy_content(unit, caller, from, &all, &originals, &ids).await?;
    let page_count = all.iter().filter(|page| page.kind == PageKind::Page).count();
    let source = nodes.first().map_or(root.id, |original| original.id);
    emit(unit, &root, EventPayload::PageCreated, PageCreated::copy_of(source, page_count));
    let shown = PageDetails { child_count, ..PageDetails::fresh(unit, root, level).await? };
    Ok(Copied { shown, ids: named_ids(&nodes, &copies) })
}

/// Refuses new databases if the workspace, which is locked, would have more than it may.
async fn require_databases(unit: &mut Unit, caller: &WorkspaceCaller, new: u64) -> AppResult<()> {
    if new == 0 {
        return Ok(());
    }
    let workspace = unit.tx.workspaces().lock(caller.workspace).await?.ok_or(Fault::NotFound)?;
    require_room(unit, &workspace, new).await
}

fn is_child(page: &Page, root: &Page) -> bool {
    page.kind == PageKind::Page && page.container == Node::Page(root.id)
}

/// The ids of pages and databases with those of their copies. The first page may be that of a record; the pages of copied
/// records are not named.
fn named_ids(originals: &[Page], copies: &Copies) -> BTreeMap<ResourceId, ResourceId> {
    let is_named = |(index, original): &(usize, &Page)| *index == 0 || original.kind != PageKind::Record;
    let pair = |(_, original): (usize, &Page)| {
        let copy = copies.nodes.get(&original.id)?;
        Some((original.resource(), ResourceId::of(*copy, original.kind)))
    };
    originals.iter().enumerate().filter(is_named).filter_map(pair).collect()
}
