//! Moving a page and its subtree.
//!
//! Moves within a workspace run one after the other, under its lock, so that no two of them can form a cycle.

use super::{
    Anchor, PageDetails, Place,
    carry::{Relocation, carry, need_for_move, place_below},
    emit,
    into_database::move_into_database,
    lineage::need,
    lock,
    place::{find_destination, position},
    place_of, require_current, require_no_record, require_unlocked, require_writable,
    shown::one,
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
    page::PageKind,
};

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
