//! Copying a page and the descendants that the caller may see.

mod shared;

pub(crate) use shared::{copy_shared, enter_target_or_refuse};

use super::{
    Anchor, PageDetails, Place,
    create::{blank, put},
    emit,
    lineage::Visible,
    listing::list_visible_children,
    look_up,
    place::{Destination, find_destination, position},
    visibility::Visibility,
};
use crate::{
    access::{self, CallerKind, RouteAccess, WorkspaceCaller},
    blocks::{admit_copy, copy_content},
    outcome::{AppResult, Draft, Interrupt},
    page_count::count_new,
    scope::Unit,
};
use octavo_core_model::{
    Fault,
    event::{EventPayload, pages::PageCreated},
    fault::{Conflict, Denial, Unprocessable},
    id::{PageId, UserId, WorkspaceId},
    member,
    page::{Listed, Node, Page, PageKind},
    position::Position,
    text::PageTitle,
    workspace::WorkspaceStatus,
};
use octavo_permissions::{Authority, Member};
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
}

/// A copy, and a map from the original pages to their copies.
#[derive(Clone, Debug)]
pub struct Copied {
    pub shown: PageDetails,
    pub ids: BTreeMap<PageId, PageId>,
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
    let levels = gather(unit, &caller, &authority, &seen, wanted.with_children.unwrap_or(true)).await?;
    destination.admit(u32::try_from(levels.len()).unwrap_or(u32::MAX))?;
    let position = position(unit, &its_authority, &destination, &wanted.anchor, None).await?;
    let title = wanted.title.unwrap_or_else(|| seen.page.title.of_copy());
    let (copies, ids) = copy(unit, &there, &destination, levels, &title, &position);
    write(unit, &there, &destination, copies, ids, (caller.workspace, seen.page.id)).await
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

/// The pages to copy, level by level: one statement for each level.
async fn gather(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    authority: &Authority,
    seen: &Visible<'_>,
    with_children: bool,
) -> AppResult<Vec<Vec<Page>>> {
    let mut levels = vec![vec![seen.page.clone()]];
    if !with_children {
        return Ok(levels);
    }
    let mut visibility = Visibility::of(caller.workspace, authority);
    let mut room = MAX_PAGES - 1;
    loop {
        let above: Vec<_> = levels.last().into_iter().flatten().map(|page| page.id).collect();
        let below = list_visible_children(unit, &mut visibility, &above, Listed::Pages, room + 1).await?;
        if below.is_empty() {
            return Ok(levels);
        }
        let left = u32::try_from(below.len()).ok().and_then(|count| room.checked_sub(count));
        room = left.ok_or(Unprocessable::TooLarge)?;
        levels.push(below);
    }
}

/// Copies the properties of pages, except what belongs to the originals only: grants, locks, versions, authors and
/// times.
fn copy(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    destination: &Destination<'_>,
    levels: Vec<Vec<Page>>,
    title: &PageTitle,
    position: &Position,
) -> (Vec<Page>, BTreeMap<PageId, PageId>) {
    let (mut copies, mut ids) = (Vec::new(), BTreeMap::new());
    for original in levels.into_iter().flatten() {
        let container = original.container.page().and_then(|id| ids.get(&id)).copied();
        let plain = blank(unit, caller, destination, position.clone());
        ids.insert(original.id, plain.id);
        let plain = Page { icon: original.icon, cover_url: original.cover_url, ..plain };
        copies.push(match container {
            Some(container) if !copies.is_empty() => {
                Page { container: Node::Page(container), title: original.title, position: original.position, ..plain }
            }
            _ => Page { title: title.clone(), ..plain },
        });
    }
    (copies, ids)
}

async fn write(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    destination: &Destination<'_>,
    copies: Vec<Page>,
    ids: BTreeMap<PageId, PageId>,
    (from, source): (WorkspaceId, PageId),
) -> AppResult<Copied> {
    let originals: Vec<_> = ids.keys().copied().collect();
    count_new(unit, caller.workspace, copies.len()).await?;
    admit_copy(unit, from, &originals).await?;
    let mut copies = copies.into_iter();
    let Some(root) = copies.next() else { return Err(Fault::Internal("a copy has no root").into()) };
    let (root, level) = put(unit, caller, root, destination).await?;
    // The pages below have the same access node as the root.
    let below: Vec<_> = copies.map(|page| Page { access: root.access, ..page }).collect();
    let child_count = below.iter().filter(|page| page.container == Node::Page(root.id)).count() as u64;
    if !below.is_empty() {
        unit.tx.pages().insert_many(&below).await?;
    }
    let copies: Vec<_> = std::iter::once(&root).chain(&below).cloned().collect();
    copy_content(unit, caller, from, &copies, &ids).await?;
    emit(unit, &root, EventPayload::PageCreated, PageCreated::copy_of(source, 1 + below.len()));
    Ok(Copied { shown: PageDetails { child_count, ..PageDetails::fresh(unit, root, level).await? }, ids })
}
