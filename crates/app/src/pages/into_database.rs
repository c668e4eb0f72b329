//! Moving a page into a database, where it becomes the page of a new record.

use super::{
    PageDetails,
    carry::{Relocation, carry, need_for_move, place_below},
    emit,
    lineage::Visible,
    place::in_database,
    place_of, require_current, require_unlocked, require_writable,
    shown::one,
    subtree,
};
use crate::{
    access::WorkspaceCaller,
    outcome::{AppResult, Draft},
    record_pages::Host,
    scope::Unit,
};
use octavo_core_model::{
    event::{EventPayload, pages::PageMoved},
    fault::Unprocessable,
    id::DatabaseId,
    page::PageKind,
};
use octavo_permissions::Authority;

/// Moves a locked page that the caller may edit, and everything below it, into a database. It keeps its id, title, content
/// and grants, which decide about the record as well. The workspace is locked, so of two moves one comes second and finds
/// the page of a record.
pub(super) async fn move_into_database<'a>(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    authority: &'a Authority,
    mut seen: Visible<'a>,
    database: DatabaseId,
    draft: Draft<Relocation>,
) -> AppResult<PageDetails> {
    let destination = in_database(unit, caller.workspace, authority, database).await?;
    need_for_move(unit, authority, &seen, &destination).await?;
    unit.claim().await?;
    let wanted = draft?;
    require_current(&seen.page, wanted.expected)?;
    require_writable(&seen.page)?;
    require_unlocked(&seen.page)?;
    if destination.lies_below(seen.page.id) {
        return Err(Unprocessable::CycleDetected.into());
    }
    let levels = subtree::measure(unit, &seen.page).await?.levels;
    destination.admit(levels)?;
    let host = Host::lock(unit, caller.workspace, database).await?;
    let before = seen.page.clone();
    seen.page.position = host.end(unit).await?;
    carry(unit, &mut seen, &destination).await?;
    seen.page.kind = PageKind::Record;
    seen.page.touch(caller.author(), unit.call.now);
    unit.tx.pages().save(&seen.page).await?;
    host.adopt(unit, &seen.page, caller.author()).await?;
    let moved = PageMoved::new(&place_of(&before), &place_of(&seen.page));
    emit(unit, &seen.page, EventPayload::PageMoved, moved);
    place_below(&mut seen, &destination);
    one(unit, caller, authority, &seen).await
}
