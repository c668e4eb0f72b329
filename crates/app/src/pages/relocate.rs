//! Moving a page and its subtree.
//!
//! Moves within a workspace run one after the other, under its lock, so that no two of them can form a cycle.

use super::{
    Anchor, PageDetails, Place, emit,
    into_database::move_into_database,
    lineage::{Visible, content_of, enter, entries_on, member_grantees, need},
    lock,
    place::{Destination, find_destination, position},
    place_of, require_current, require_no_record, require_unlocked, require_writable,
    shown::{one, outer_of},
    subtree,
};
use crate::{
    access::{self, RouteAccess, enter_locked},
    outcome::{AppResult, Draft},
    scope::Unit,
};
use octavo_core_model::{
    Level,
    event::{EventPayload, pages::PageMoved},
    fault::Unprocessable,
    id::{DatabaseId, PageId},
    page::{AccessNode, Node, PageKind, Step},
    version::Expected,
};
use octavo_permissions::{Authority, MovedNode, move_raises};

/// The position for a page, and the version that the move is based on.
#[derive(Clone, Debug, Default)]
pub struct Relocation {
    pub anchor: Anchor,
    pub expected: Option<Expected>,
}

/// Where to move a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveTarget {
    /// A place for pages.
    Place(Place),
    /// A database in which it becomes the page of a new record.
    Database(DatabaseId),
}

/// Moves a page within its workspace. The target is parsed separately, so that callers that may not put pages there
/// learn only that, whatever else is wrong.
pub async fn relocate(
    unit: &mut Unit,
    id: Draft<PageId>,
    target: Draft<MoveTarget>,
    draft: Draft<Relocation>,
) -> AppResult<PageDetails> {
    let (caller, workspace) = enter_locked(unit, RouteAccess::PAGES_CHANGE).await?;
    let authority = access::authority_in_teams(unit, &caller).await?;
    let Some(mut seen) = lock(unit, workspace.id, &authority, &id).await? else {
        return Err(unit.absent().await);
    };
    need(&authority, seen.lineage.level(), Level::Edit)?;
    if seen.page.kind == PageKind::Record {
        unit.claim().await?;
        require_no_record(&seen.page)?;
    }
    let place = match target {
        Ok(MoveTarget::Database(database)) => {
            return move_into_database(unit, &caller, &authority, seen, database, draft).await;
        }
        Ok(MoveTarget::Place(place)) => Ok(place),
        Err(fault) => Err(fault),
    };
    let destination = find_destination(unit, workspace.id, &authority, place, Some(&seen.page)).await?;
    if let Ok(destination) = &destination {
        need_for_move(unit, &authority, &seen, destination).await?;
    }
    unit.claim().await?;
    let wanted = draft?;
    let destination = destination?;
    let container = destination.container;
    require_current(&seen.page, wanted.expected)?;
    require_writable(&seen.page)?;
    require_unlocked(&seen.page)?;
    if destination.lies_below(seen.page.id) {
        return Err(Unprocessable::CycleDetected.into());
    }
    let mut levels = 1;
    if container != seen.page.container {
        levels = subtree::measure(unit, &seen.page).await?.levels;
    }
    destination.admit(levels)?;
    let stays = container == seen.page.container && wanted.anchor == Anchor::Last;
    let position = if stays {
        seen.page.position.clone()
    } else {
        position(unit, &authority, &destination, &wanted.anchor, Some(seen.page.id)).await?
    };
    if container != seen.page.container || position != seen.page.position {
        let before = seen.page.clone();
        seen.page.position = position;
        carry(unit, &mut seen, &destination).await?;
        seen.page.touch(caller.author(), unit.call.now);
        unit.tx.pages().save(&seen.page).await?;
        let moved = PageMoved::new(&place_of(&before), &place_of(&seen.page));
        emit(unit, &seen.page, EventPayload::PageMoved, moved);
    }
    place_below(&mut seen, &destination);
    one(unit, &caller, &authority, &seen).await
}

/// Requires full access for moves that need it.
pub(super) async fn need_for_move(
    unit: &mut Unit,
    authority: &Authority,
    seen: &Visible<'_>,
    destination: &Destination<'_>,
) -> AppResult<()> {
    if seen.lineage.level() < Level::FullAccess && requires_full_access(unit, authority, seen, destination).await? {
        need(authority, seen.lineage.level(), Level::FullAccess)?;
    }
    Ok(())
}

/// Whether a move needs full access: because it changes the team, leaves the subtree of a page that does not inherit,
/// or raises the mover's lasting level anywhere. The lasting level ignores the cap of an app and entries that expire.
async fn requires_full_access(
    unit: &mut Unit,
    authority: &Authority,
    seen: &Visible<'_>,
    destination: &Destination<'_>,
) -> AppResult<bool> {
    if destination.team != seen.page.team || seen.lineage.cuts_above().any(|cut| !destination.is_cut_off_by(cut)) {
        return Ok(true);
    }
    if destination.access == outer_of(seen) || member_grantees(authority).is_none() {
        return Ok(false);
    }
    let page = &seen.page;
    let nodes = unit.tx.pages().list_access_nodes_below(page.workspace, page.id).await?;
    let ids: Vec<_> = nodes.iter().map(|node| node.id).collect();
    let entries = entries_on(unit, page.workspace, authority, &ids).await?;
    let moved = |node: &AccessNode| {
        let content = content_of(node.id, node.inherit, &entries);
        MovedNode { id: Node::Page(node.id), outer: node.outer, content }
    };
    let below: Vec<_> = nodes.iter().map(moved).collect();
    let own = content_of(page.id, page.inherit, &seen.lineage.entries);
    Ok(move_raises(seen.lineage.lasting_above(authority), destination.lasting.clone(), own, &below))
}

/// Gives the subtree of the page the access node and the team of its new container.
pub(super) async fn carry(unit: &mut Unit, seen: &mut Visible<'_>, destination: &Destination<'_>) -> AppResult<()> {
    let page = &mut seen.page;
    if !page.has_entries() && page.access != destination.access {
        unit.tx.pages().move_access(page, destination.access).await?;
        page.access = destination.access;
    }
    if page.team != destination.team {
        unit.tx.pages().move_team_below(page, destination.team).await?;
        page.team = destination.team;
    }
    page.container = destination.container;
    Ok(())
}

/// Sets the node from which the page inherits after the move.
pub(super) fn place_below<'a>(seen: &mut Visible<'a>, destination: &Destination<'a>) {
    let (page, lineage) = (&seen.page, &mut seen.lineage);
    lineage.above = destination.end.clone();
    lineage.end = if page.access == Node::Page(page.id) {
        enter(lineage.above.clone(), page.id, page.inherit, &lineage.entries)
    } else {
        lineage.above.clone()
    };
    let (container, access, in_private_team) = (page.container, page.access, destination.in_private_team);
    let own =
        lineage.steps.pop().map(|step| (Step { container, access, in_private_team, ..step }, lineage.end.level()));
    (lineage.steps, lineage.levels) = destination.above.iter().cloned().chain(own).unzip();
}
