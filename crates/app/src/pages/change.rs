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

/// Locks the page that a call changes. `None` if it does not exist. If the caller may not see it, refuses at once: a
/// caller who has lost access must not get an earlier answer replayed.
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

/// Finds a page that a call uses without changing it. Otherwise like [`lock`].
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

/// Only the user who locked a page, or a user with full access, may unlock it.
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

/// The values of these fields, as events contain them.
pub(crate) fn shown_fields(page: &Page, names: &[&'static str]) -> Map<String, Value> {
    let value = |name: &str| match name {
        "title" => json!(page.title),
        "icon" => json!(page.icon),
        "coverUrl" => json!(page.cover_url),
        _ => json!(page.lock.is_some()),
    };
    names.iter().map(|name| ((*name).to_owned(), value(name))).collect()
}
