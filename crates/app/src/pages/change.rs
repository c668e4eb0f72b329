//! Changing the fields of a page, and locking it.

use super::{
    PageDetails,
    create::refuse_files,
    emit, enter, keep_version,
    lineage::{Visible, need},
    lock, require_current, require_writable,
    shown::one,
};
use crate::{
    access::RouteAccess,
    outcome::{AppResult, Draft},
    page_events::shown_fields,
    record_pages::write_to_record,
    scope::Unit,
};
use octavo_core_model::{
    Fault, Level,
    event::{EventPayload, FieldChanges, pages::PageUpdated},
    fault::Conflict,
    id::{PageId, UserId},
    page::{ContentEffect, Page, PageChange},
    version::Expected,
};
use octavo_permissions::Authority;

/// Changes of a page, and the version that they are based on.
#[derive(Clone, Debug)]
pub struct PageUpdate {
    pub change: PageChange,
    pub expected: Option<Expected>,
}

/// Changes title, icon, cover or lock of a page. `is_locked` is the lock in the draft, which is checked even if the
/// rest of the draft is flawed.
pub async fn update(
    unit: &mut Unit,
    id: Draft<PageId>,
    is_locked: Draft<Option<bool>>,
    draft: Draft<PageUpdate>,
) -> AppResult<PageDetails> {
    let (caller, authority) = enter(unit, RouteAccess::PAGES_CHANGE).await?;
    let Some(mut seen) = lock(unit, caller.workspace, &authority, &id).await? else {
        return Err(unit.absent().await);
    };
    need(&authority, seen.lineage.level(), Level::Edit)?;
    may_unlock(&authority, &seen, is_locked.unwrap_or_default(), caller.author())?;
    unit.claim().await?;
    let PageUpdate { change, expected } = draft?;
    require_current(&seen.page, expected)?;
    require_writable(&seen.page)?;
    if let Some(lock) = seen.page.lock.filter(|_| seen.page.is_kept_by_lock(&change)) {
        return Err(Conflict::PageLocked { by: lock.by }.into());
    }
    refuse_files(change.icon.as_ref().and_then(Option::as_ref))?;
    let changed = change_fields(unit, &mut seen.page, change, caller.author()).await?;
    write_to_record(unit, &seen.page, &changed, caller.author()).await?;
    one(unit, &caller, &authority, &seen).await
}

/// Changes fields of a locked page, and returns their names.
pub(crate) async fn change_fields(
    unit: &mut Unit,
    page: &mut Page,
    change: PageChange,
    by: UserId,
) -> AppResult<Vec<&'static str>> {
    let before = page.clone();
    let changed = page.apply(change, by, unit.call.now);
    if !changed.is_empty() {
        let history = keep_version(unit, &before, ContentEffect::Edit, by).await?;
        unit.tx.histories().save(before.workspace, before.id, &history).await?;
        unit.tx.pages().save(page).await?;
        let (before, after) = (shown_fields(&before, &changed), shown_fields(page, &changed));
        let updated = PageUpdated { changes: FieldChanges { changed_fields: changed.clone(), before, after } };
        emit(unit, page, EventPayload::PageUpdated, updated);
    }
    Ok(changed)
}

/// Only the user who locked a page, or a user with full access, may unlock it.
fn may_unlock(authority: &Authority, seen: &Visible<'_>, is_locked: Option<bool>, by: UserId) -> Result<(), Fault> {
    let change = PageChange { is_locked, ..PageChange::default() };
    if !seen.page.is_unlocked_by(&change) || seen.page.lock.is_some_and(|lock| lock.by == by) {
        return Ok(());
    }
    need(authority, seen.lineage.level(), Level::FullAccess)
}
