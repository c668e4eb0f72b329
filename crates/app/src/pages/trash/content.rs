//! Removing the content of pages that are deleted permanently, in parts: a page can have millions of rows, and other
//! writers wait for each unit.
//!
//! The unit that deletes pages removes the pages, whatever leads to them, and the first part of their content. So
//! nothing of them can be reached any more, and usually nothing is left. A chore removes the other parts. Until then,
//! the ids of pages and blocks whose content is left are taken.

use super::PAGES_AT_ONCE;
use crate::{blocks::delete_instances, due::ROWS_AT_ONCE, outcome::AppResult, scope::Unit};
use octavo_core_model::{
    chore::Work,
    id::{PageId, UserId, WorkspaceId},
};
use std::collections::BTreeSet;

/// Removes content of pages that this unit has removed, and instances of their blocks on other pages. `author` as in
/// [`delete_instances`].
pub(crate) async fn remove_content(
    unit: &mut Unit,
    workspace: WorkspaceId,
    mut gone: Vec<PageId>,
    author: Option<UserId>,
) -> AppResult<()> {
    let further = gone.split_off(gone.len().min(PAGES_AT_ONCE));
    remove_part(unit, workspace, gone, true, author).await?;
    for group in further.chunks(PAGES_AT_ONCE) {
        leave_the_rest(unit, workspace, group.to_vec(), true, author).await?;
    }
    Ok(())
}

/// Removes the next part of the content of removed pages.
pub(crate) async fn continue_removal(
    unit: &mut Unit,
    workspace: WorkspaceId,
    pages: Vec<PageId>,
    with_references: bool,
    author: Option<UserId>,
) -> AppResult<()> {
    // Pages are created under the same lock. If the workspace is gone, the content is gone with it.
    if unit.tx.workspaces().lock(workspace).await?.is_none() {
        return Ok(());
    }
    // If another worker has run this chore as well, an id can be free by now and belong to a new page.
    let there = unit.tx.pages().list_by_id(workspace, &pages).await?;
    let there: BTreeSet<_> = there.into_iter().map(|page| page.id).collect();
    let gone = pages.into_iter().filter(|page| !there.contains(page)).collect();
    remove_part(unit, workspace, gone, with_references, author).await
}

async fn remove_part(
    unit: &mut Unit,
    workspace: WorkspaceId,
    mut pages: Vec<PageId>,
    with_references: bool,
    author: Option<UserId>,
) -> AppResult<()> {
    if pages.is_empty() {
        return Ok(());
    }
    let removed = unit.tx.pages().remove_content(workspace, &pages, ROWS_AT_ONCE).await?;
    if removed.references_left {
        return leave_the_rest(unit, workspace, pages, true, author).await;
    }
    let left: Vec<_> = pages.iter().skip(removed.complete).copied().collect();
    // Instances are found by their references. Those on the pages of this group are gone by now. Those on pages of
    // another group may still be found; [`delete_instances`] skips pages that do not exist. Units that create an
    // instance make the removal of its source wait, so the instances of each page are looked for again when its content
    // is gone.
    if !with_references {
        pages.truncate(removed.complete);
    }
    if !left.is_empty() {
        leave_the_rest(unit, workspace, left, false, author).await?;
    }
    if pages.is_empty() { Ok(()) } else { delete_instances(unit, workspace, pages, author).await }
}

async fn leave_the_rest(
    unit: &mut Unit,
    workspace: WorkspaceId,
    pages: Vec<PageId>,
    with_references: bool,
    author: Option<UserId>,
) -> AppResult<()> {
    let (by, name) = unit.acting();
    unit.enqueue(&Work::RemoveContent { workspace, pages, with_references, author, by, name }).await
}
