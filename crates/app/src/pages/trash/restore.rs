//! Restoring a page from the trash.

use super::{
    super::{
        PageDetails, Place,
        carry::{carry, need_for_move, place_below},
        emit,
        lineage::{Visible, need},
        lock, parent_of,
        place::{Anchor, Destination, destination, position},
        require_current, require_no_record,
        shown::one,
        subtree,
    },
    pages_by_node::PagesByNode,
};
use crate::{
    access::{self, RouteAccess, enter_locked},
    outcome::{AppResult, Draft},
    scope::Unit,
};
use octavo_core_model::{
    Fault, Level,
    event::{EventPayload, pages::PageRestored},
    fault::{Conflict, Unprocessable},
    id::PageId,
    page::{MAX_DEPTH, Node, Page, PageKind},
    version::Expected,
};
use octavo_permissions::Authority;

/// A restored page.
#[derive(Clone, Debug)]
pub struct Restored {
    pub shown: PageDetails,
    /// Whether the page is now in another place than before.
    pub relocated: bool,
}

/// Restores a page from the trash, with the pages that were trashed together with it. An active page stays as it is.
pub async fn restore(
    unit: &mut Unit,
    id: Draft<PageId>,
    place: Draft<Place>,
    expected: Draft<Option<Expected>>,
) -> AppResult<Restored> {
    let (caller, workspace) = enter_locked(unit, RouteAccess::PAGES_CHANGE).await?;
    let authority = access::authority_in_teams(unit, &caller).await?;
    let Some(mut seen) = lock(unit, workspace.id, &authority, &id).await? else {
        return Err(unit.absent().await);
    };
    need(&authority, seen.lineage.level(), Level::Edit)?;
    let is_active = seen.page.trash.is_none();
    if is_active || seen.page.kind == PageKind::Record {
        unit.claim().await?;
        require_current(&seen.page, expected?)?;
        place?;
        if !is_active {
            require_no_record(&seen.page)?;
        }
        let shown = one(unit, &caller, &authority, &seen).await?;
        return Ok(Restored { shown, relocated: false });
    }
    let elsewhere = find_other_place(unit, &authority, &seen, place).await?;
    unit.claim().await?;
    require_current(&seen.page, expected?)?;
    let elsewhere = elsewhere?;
    let size = subtree::measure(unit, &seen.page).await?;
    match &elsewhere {
        Some(destination) => destination.admit(size.levels)?,
        None => admit_back(&seen, size.levels)?,
    }
    let now = unit.call.now;
    let back = unit.tx.pages().untrash(&seen.page, Some(caller.author()), now).await?;
    let mut back = PagesByNode::new(&seen.page, back);
    seen.page.trash = None;
    seen.page.touch(caller.author(), now);
    if let Some(destination) = &elsewhere {
        let place = position(unit, &authority, destination, &Anchor::Last, Some(seen.page.id)).await?;
        seen.page.position = place;
        carry(unit, &mut seen, destination).await?;
        unit.tx.pages().save(&seen.page).await?;
        place_below(&mut seen, destination);
    }
    let relocated = elsewhere.is_some();
    let (page_ids, restored_count) = back.take_named();
    let parent_id = parent_of(&seen.page).1;
    let restored = PageRestored { page_ids, restored_count, relocated, parent_id };
    emit(unit, &seen.page, EventPayload::PageRestored, restored);
    // The pages below keep their parents.
    let below = |node: &Page, page_ids, restored_count| {
        let parent_id = parent_of(node).1;
        PageRestored { page_ids, restored_count, relocated: false, parent_id }
    };
    back.emit_below(unit, &seen.page, EventPayload::PageRestored, below).await?;
    Ok(Restored { shown: one(unit, &caller, &authority, &seen).await?, relocated })
}

fn admit_back(seen: &Visible<'_>, levels: u32) -> AppResult<()> {
    let above = u32::try_from(seen.lineage.steps.len()).unwrap_or(u32::MAX).saturating_sub(1);
    if above.saturating_add(levels) > MAX_DEPTH { Err(Unprocessable::MaxDepth.into()) } else { Ok(()) }
}

/// The place to restore a page to, if not its old one; the caller needs the same rights there as for a move. Flaws of
/// the place itself are returned, so that they are reported after the claim.
async fn find_other_place<'a>(
    unit: &mut Unit,
    authority: &'a Authority,
    seen: &Visible<'_>,
    wanted: Draft<Place>,
) -> AppResult<Draft<Option<Destination<'a>>>> {
    let page = &seen.page;
    let is_named = wanted.as_ref().is_ok_and(|wanted| wanted.parent.is_some() || wanted.team.is_some());
    let container = match wanted {
        Ok(_) if !is_named => Ok(nearest(unit, seen).await?),
        wanted => wanted.and_then(|wanted| named(seen, wanted)),
    };
    let container = match container {
        Err(fault @ Fault::UnknownId(_)) => return Err(fault.into()),
        Err(fault) => return Ok(Err(fault)),
        Ok(container) => container,
    };
    if container == page.container {
        let is_gone = is_named && !is_active(unit, seen, container).await?;
        return Ok(if is_gone { Err(Fault::Conflict(Conflict::PageTrashed)) } else { Ok(None) });
    }
    let destination = destination(unit, page.workspace, authority, container, !is_named).await?;
    need_for_move(unit, authority, seen, &destination).await?;
    Ok(Ok(Some(destination)))
}

/// A parent and a team in the same request contradict each other; a team alone stands for its root.
fn named(seen: &Visible<'_>, wanted: Place) -> Draft<Node> {
    let parent = wanted.parent.or(Some(None));
    Place { parent, ..wanted }.container(seen.page.workspace, Some(&seen.page))
}

/// The former container, or the nearest page above it that is not in the trash, or the root of the team or of the
/// workspace.
async fn nearest(unit: &mut Unit, seen: &Visible<'_>) -> AppResult<Node> {
    let above: Vec<_> = seen.lineage.steps.iter().rev().skip(1).map(|step| step.id).collect();
    let active = active_among(unit, seen, &above).await?;
    let root = seen.lineage.steps.first().map_or(seen.page.container, |top| top.container);
    Ok(above.into_iter().find(|id| active.contains(id)).map_or(root, Node::Page))
}

async fn is_active(unit: &mut Unit, seen: &Visible<'_>, container: Node) -> AppResult<bool> {
    match container.page() {
        Some(id) => Ok(!active_among(unit, seen, &[id]).await?.is_empty()),
        None => Ok(true),
    }
}

async fn active_among(unit: &mut Unit, seen: &Visible<'_>, ids: &[PageId]) -> AppResult<Vec<PageId>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let found = unit.tx.pages().list_by_id(seen.page.workspace, ids).await?;
    Ok(found
        .into_iter()
        .filter(|page| page.trash.is_none() && page.kind != PageKind::Database)
        .map(|page| page.id)
        .collect())
}
