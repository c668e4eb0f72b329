//! Moving pages to the trash, restoring them, and deleting them permanently.

mod content;
mod empty;
mod pages_by_node;
mod restore;

pub(crate) use content::continue_removal;
pub(crate) use empty::continue_emptying;
pub use empty::empty;
pub use restore::{Restored, restore};

use super::{
    emit, lineage::need, listing::Filling, lock, require_current, require_no_record, require_unlocked, resource,
    shown::favorites_among, subtree, visibility::Visibility,
};
use crate::{
    access::{self, RouteAccess, enter_locked},
    audit_entry::NewAuditEntry,
    due,
    engine::Engine,
    outcome::{AppResult, Draft},
    page_count::count_removed,
    scope::{Unit, View},
};
pub(crate) use content::remove_content;
use octavo_core_model::{
    Fault, Level, Timestamp,
    event::{
        Chain, EventPayload, EventType,
        pages::{PageDeleted, PageTrashed},
    },
    fault::{Confirmed, Conflict},
    id::{PageId, UserId, WorkspaceId},
    page::{Page, Trash},
    time::days,
    version::Expected,
};
use octavo_ports::pages::TrashFilter;
use pages_by_node::PagesByNode;
use serde_json::json;
use std::collections::BTreeMap;

/// A unit that has removed this many pages removes no further trashed root, and no content of further pages.
const PAGES_AT_ONCE: usize = 500;

/// The result of moving a page to the trash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trashed {
    pub id: PageId,
    pub at: Timestamp,
    pub purge_at: Timestamp,
    /// How many pages were trashed, including this one.
    pub count: u64,
}

/// Moves a page and all active pages below it to the trash.
pub async fn throw_away(unit: &mut Unit, id: Draft<PageId>, expected: Draft<Option<Expected>>) -> AppResult<Trashed> {
    let (caller, workspace) = enter_locked(unit, RouteAccess::PAGES_CHANGE).await?;
    let authority = access::authority_in_teams(unit, &caller).await?;
    let Some(mut seen) = lock(unit, workspace.id, &authority, &id).await? else {
        return Err(unit.absent().await);
    };
    need(&authority, seen.lineage.level(), Level::Edit)?;
    unit.claim().await?;
    require_no_record(&seen.page)?;
    require_current(&seen.page, expected?)?;
    if let Some(trash) = seen.page.trash {
        return thrown_before(unit, &seen.page, &trash).await;
    }
    require_unlocked(&seen.page)?;
    subtree::measure(unit, &seen.page).await?;
    let now = unit.call.now;
    let purge_at = now.plus(days(workspace.settings.trash_retention_days().into()));
    let trash = Trash { by: Some(caller.author()), at: now, root: seen.page.id, purge_at };
    let gone = unit.tx.pages().trash(&seen.page, &trash).await?;
    // The statement has already saved this.
    seen.page.touch(caller.author(), now);
    let count = gone.len() as u64;
    let mut gone = PagesByNode::new(&seen.page, gone);
    let (page_ids, trashed_count) = gone.take_named();
    emit(unit, &seen.page, EventPayload::PageTrashed, PageTrashed { page_ids, trashed_count });
    let below = |_: &Page, page_ids, trashed_count| PageTrashed { page_ids, trashed_count };
    gone.emit_below(unit, &seen.page, EventPayload::PageTrashed, below).await?;
    Ok(Trashed { id: seen.page.id, at: now, purge_at, count })
}

/// The result of trashing a page that is already in the trash.
async fn thrown_before(unit: &mut Unit, page: &Page, trash: &Trash) -> AppResult<Trashed> {
    let along = unit.tx.pages().count_trashed_along(page.workspace, &[page.id]).await?;
    let count = 1 + along.first().map_or(0, |(_, count)| *count);
    Ok(Trashed { id: page.id, at: trash.at, purge_at: trash.purge_at, count })
}

/// A permanent deletion, and the version that it is based on.
#[derive(Clone, Debug, Default)]
pub struct Removal {
    /// Must name the page.
    pub confirmation: Option<String>,
    pub expected: Option<Expected>,
}

/// Permanently deletes a page in the trash, with its subtree.
pub async fn destroy(unit: &mut Unit, id: Draft<PageId>, draft: Draft<Removal>) -> AppResult<PageId> {
    let (caller, workspace) = enter_locked(unit, RouteAccess::PAGES_CHANGE).await?;
    let authority = access::authority_in_teams(unit, &caller).await?;
    let Some(seen) = lock(unit, workspace.id, &authority, &id).await? else {
        return Err(unit.absent().await);
    };
    need(&authority, seen.lineage.level(), Level::FullAccess)?;
    unit.claim().await?;
    let Removal { confirmation, expected } = draft?;
    require_no_record(&seen.page)?;
    require_current(&seen.page, expected)?;
    if seen.page.trash.is_none() {
        return Err(Conflict::NotTrashed.into());
    }
    if confirmation != Some(seen.page.id.to_string()) {
        return Err(Fault::ConfirmRequired(Confirmed::Page).into());
    }
    let page = seen.page;
    let gone = remove(unit, &page, "user").await?;
    remove_content(unit, workspace.id, gone, Some(caller.author())).await?;
    Ok(page.id)
}

/// Removes a page and its subtree, and returns the ids. The caller must remove their content with [`remove_content`].
async fn remove(unit: &mut Unit, page: &Page, via: &'static str) -> AppResult<Vec<PageId>> {
    let gone = remove_below(unit, page).await?;
    let removed = gone.len() as u64;
    emit(unit, page, EventPayload::PageDeleted, PageDeleted { via, page_count: removed });
    let change = json!({ "field": "page", "from": page.title, "to": null });
    let audit_entry =
        NewAuditEntry::new(Chain::Workspace(page.workspace), EventType::PageDeleted, resource(page)).because(via);
    unit.audit(audit_entry.labelled(page.title.as_str()).with_changes(vec![change]));
    Ok(gone)
}

/// Removes the rows of a page and its subtree, and returns the ids.
pub(crate) async fn remove_below(unit: &mut Unit, page: &Page) -> AppResult<Vec<PageId>> {
    let mut gone = unit.tx.pages().list_ids_below(page.workspace, page.id).await?;
    gone.push(page.id);
    unit.expect_pages(gone.len() as u64)?;
    let removed = unit.tx.pages().remove(page.workspace, page.id).await?;
    count_removed(unit, page.workspace, removed).await?;
    Ok(gone)
}

/// Deletes pages whose time in the trash is over, each in a unit of its own, and returns their number.
pub async fn purge_due(engine: &Engine, now: Timestamp) -> AppResult<u32> {
    due::each(
        engine,
        now,
        |unit| Box::pin(async move { Ok(unit.tx.pages().list_due(unit.call.now, due::BATCH).await?) }),
        |unit, (workspace, id)| Box::pin(purge(unit, workspace, id)),
    )
    .await
}

async fn purge(unit: &mut Unit, workspace: WorkspaceId, id: PageId) -> AppResult<()> {
    if unit.tx.workspaces().lock(workspace).await?.is_none() {
        return Ok(());
    }
    let due = |page: &Page| page.trash.is_some_and(|trash| trash.root == page.id && trash.purge_at <= unit.call.now);
    match unit.tx.pages().find(workspace, id).await? {
        Some(page) if due(&page) => {
            let gone = remove(unit, &page, "retention").await?;
            remove_content(unit, workspace, gone, page.trash.and_then(|trash| trash.by)).await
        }
        _ => Ok(()),
    }
}

/// Which part of the trash to list.
#[derive(Clone, Copy, Debug)]
pub struct TrashList {
    /// All pages that were trashed together with this one; by default the trashed roots.
    pub root: Option<PageId>,
    pub trashed_by: Option<UserId>,
    pub before: Option<(Timestamp, PageId)>,
    pub limit: u32,
}

/// A page in the trash.
#[derive(Clone, Debug)]
pub struct Discarded {
    pub page: Page,
    pub level: Level,
    pub is_favorite: bool,
    /// How many pages were trashed together with it; `None` if those are what is listed.
    pub descendants: Option<u64>,
}

/// Lists the pages in the trash that the caller could restore, last trashed first.
pub async fn list(view: &mut View, asked: Draft<TrashList>) -> AppResult<Vec<Discarded>> {
    let (caller, authority) = super::enter(view, RouteAccess::PAGES).await?;
    let asked = asked?;
    let mut visibility = Visibility::of(caller.workspace, &authority);
    let (mut filling, mut before) = (Filling::new(Level::Edit, asked.limit), asked.before);
    while let Some(chunk) = filling.next(view, &mut visibility).await? {
        let within = chunk.within.nodes.clone();
        let filter = TrashFilter { root: asked.root, trashed_by: asked.trashed_by, within };
        let found = view.tx.pages().list_trash(caller.workspace, &filter, before, chunk.limit).await?;
        before = found.last().and_then(|page| Some((page.trash?.at, page.id))).or(before);
        visibility.look_up(view, found.iter().map(|page: &Page| page.access)).await?;
        filling.add(&chunk, found.into_iter().map(|page| (page.access, page)).collect(), &visibility);
    }
    let pages = filling.into_seen();
    let mut along = BTreeMap::new();
    let ids: Vec<_> = pages.iter().map(|page| page.id).collect();
    let favorites = favorites_among(view, caller.workspace, caller.member(), &ids).await?;
    if asked.root.is_none() && !pages.is_empty() {
        along = view.tx.pages().count_trashed_along(caller.workspace, &ids).await?.into_iter().collect();
    }
    let discarded = |page: Page| Discarded {
        level: visibility.level(page.access),
        is_favorite: favorites.contains(&page.id),
        descendants: asked.root.is_none().then(|| along.get(&page.id).copied().unwrap_or(0)),
        page,
    };
    Ok(pages.into_iter().map(discarded).collect())
}
