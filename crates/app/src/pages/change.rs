//! Changing the fields of a page, and locking it.

use super::{
    PageDetails,
    create::refuse_files,
    emit, enter, keep_version,
    lineage::{Visible, need, visible},
    shown::one,
};
use crate::{
    access::RouteAccess,
    engine::{AppResult, Draft},
    scope::Unit,
};
use octavo_core_model::{
    Fault, Level,
    event::{EventPayload, FieldChanges, pages::PageUpdated},
    fault::Conflict,
    id::{PageId, UserId, WorkspaceId},
    page::{Page, PageChange, Reach},
    version::Expected,
};
use octavo_permissions::Authority;
use serde_json::{Map, Value, json};

/// What is to become different, and which version that rests on.
#[derive(Clone, Debug)]
pub struct PageUpdate {
    pub change: PageChange,
    pub expected: Option<Expected>,
}

/// Changes title, icon, cover or lock of a page. `is_locked` is what the draft says of the lock, whatever is wrong with the rest of it.
pub async fn update(
    unit: &mut Unit,
    id: Draft<PageId>,
    is_locked: Draft<Option<bool>>,
    draft: Draft<PageUpdate>,
) -> AppResult<PageDetails> {
    let (entry, authority) = enter(unit, RouteAccess::PAGES_CHANGE).await?;
    let Some(mut seen) = lock(unit, entry.workspace, &authority, &id).await? else {
        return Err(unit.absent().await);
    };
    need(&authority, seen.lineage.level(), Level::Edit)?;
    may_unlock(&authority, &seen, is_locked.unwrap_or_default(), entry.author())?;
    unit.claim().await?;
    let PageUpdate { change, expected } = draft?;
    require_current(&seen.page, expected)?;
    require_writable(&seen.page)?;
    if let Some(lock) = seen.page.lock.filter(|_| seen.page.is_kept_by_lock(&change)) {
        return Err(Conflict::PageLocked { by: lock.by }.into());
    }
    refuse_files(change.icon.as_ref().and_then(Option::as_ref))?;
    let before = seen.page.clone();
    let changed = seen.page.apply(change, entry.author(), unit.call.now);
    if !changed.is_empty() {
        let history = keep_version(unit, &before, Reach::Edit, entry.author()).await?;
        unit.tx.histories().save(before.workspace, before.id, &history).await?;
        unit.tx.pages().save(&seen.page).await?;
        let (before, after) = (shown_fields(&before, &changed), shown_fields(&seen.page, &changed));
        let updated = PageUpdated { changes: FieldChanges { changed_fields: changed, before, after } };
        emit(unit, &seen.page, EventPayload::PageUpdated, updated);
    }
    one(unit, &entry, &authority, &seen).await
}

/// The page of a change, locked, if there is one. One that the caller may not know of is refused like one that is not there, but at once:
/// what was answered to somebody who saw it is not told again to who sees it no more.
pub(crate) async fn lock<'a>(
    unit: &mut Unit,
    workspace: WorkspaceId,
    authority: &'a Authority,
    id: &Draft<PageId>,
) -> AppResult<Option<Visible<'a>>> {
    let Ok(id) = id else { return Ok(None) };
    let Some(page) = unit.tx.pages().lock(workspace, *id).await? else { return Ok(None) };
    let seen = visible(unit, authority, Some(page)).await?.ok_or(Fault::NotFound)?;
    Ok(Some(seen))
}

/// The page that a call rests on without changing it, if there is one; otherwise as with [`lock`].
pub(crate) async fn look_up<'a>(
    unit: &mut Unit,
    workspace: WorkspaceId,
    authority: &'a Authority,
    id: &Draft<PageId>,
) -> AppResult<Option<Visible<'a>>> {
    let Ok(id) = id else { return Ok(None) };
    let Some(page) = unit.tx.pages().find(workspace, *id).await? else { return Ok(None) };
    let seen = visible(unit, authority, Some(page)).await?.ok_or(Fault::NotFound)?;
    Ok(Some(seen))
}

/// A lock is removed by the user who set it, or with full access.
fn may_unlock(authority: &Authority, seen: &Visible<'_>, is_locked: Option<bool>, by: UserId) -> Result<(), Fault> {
    let change = PageChange { is_locked, ..PageChange::default() };
    if !seen.page.is_unlocked_by(&change) || seen.page.lock.is_some_and(|lock| lock.by == by) {
        return Ok(());
    }
    need(authority, seen.lineage.level(), Level::FullAccess)
}

pub(crate) fn require_current(page: &Page, expected: Option<Expected>) -> AppResult<()> {
    Ok(expected.unwrap_or(Expected::Any).check(page.version)?)
}

pub(crate) fn require_writable(page: &Page) -> AppResult<()> {
    if page.trash.is_some() { Err(Conflict::PageTrashed.into()) } else { Ok(()) }
}

/// A locked page cannot be moved.
pub(crate) fn require_unlocked(page: &Page) -> AppResult<()> {
    match page.lock {
        Some(lock) => Err(Conflict::PageLocked { by: lock.by }.into()),
        None => Ok(()),
    }
}

/// Fields of a page as events show them.
pub(crate) fn shown_fields(page: &Page, names: &[&'static str]) -> Map<String, Value> {
    let value = |name: &str| match name {
        "title" => json!(page.title),
        "icon" => json!(page.icon),
        "coverUrl" => json!(page.cover_url),
        _ => json!(page.lock.is_some()),
    };
    names.iter().map(|name| ((*name).to_owned(), value(name))).collect()
}
