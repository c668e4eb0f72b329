//! Emptying the trash of a workspace.

use super::{PAGES_AT_ONCE, content::remove_content, remove};
use crate::{
    access::{RouteAccess, enter_locked},
    outcome::{AppResult, Draft},
    scope::Unit,
};
use octavo_core_model::{
    Fault, Timestamp,
    chore::Work,
    event::Actor,
    fault::Confirmed,
    id::{UserId, WorkspaceId},
};

/// How many trashed roots one unit removes, each with its subtree. That limits how long other writers wait.
const AT_ONCE: usize = 100;

/// Empties the trash of the workspace and returns the number of trashed roots. `confirmation` must name the
/// workspace. The rest of a large trash is removed after the answer.
pub async fn empty(unit: &mut Unit, confirmation: Draft<Option<String>>) -> AppResult<u64> {
    let (caller, workspace) = enter_locked(unit, RouteAccess::ADMINS).await?;
    unit.claim().await?;
    if confirmation? != Some(workspace.id.to_string()) {
        return Err(Fault::ConfirmRequired(Confirmed::Workspace).into());
    }
    let count = unit.tx.pages().list_trash_roots(workspace.id).await?.len();
    let until = unit.call.now;
    remove_some(unit, workspace.id, until, Some(caller.author())).await?;
    Ok(count as u64)
}

/// Removes the next part of a trash that is being emptied, on behalf of the user who asked for it.
pub(crate) async fn continue_emptying(
    unit: &mut Unit,
    workspace: WorkspaceId,
    until: Timestamp,
    (by, name): (Actor, Option<String>),
) -> AppResult<()> {
    unit.act_for(by, name.unwrap_or_default());
    if unit.tx.workspaces().lock(workspace).await?.is_some() {
        remove_some(unit, workspace, until, None).await?;
    }
    Ok(())
}

/// Removes one part, and leaves the rest to a chore. Without an author, changes on other pages are attributed to the
/// user who trashed the last page.
async fn remove_some(
    unit: &mut Unit,
    workspace: WorkspaceId,
    until: Timestamp,
    mut author: Option<UserId>,
) -> AppResult<()> {
    let (mut removed, mut gone) = (0, Vec::new());
    for root in unit.tx.pages().list_trash_roots(workspace).await? {
        if removed == AT_ONCE || gone.len() >= PAGES_AT_ONCE {
            let (by, name) = unit.acting();
            let until_millis = until.millis();
            unit.enqueue(&Work::EmptyTrash { workspace, until_millis, by, name }).await?;
            break;
        }
        // A page may already be gone because it was below another one.
        let Some(page) = unit.tx.pages().find(workspace, root).await? else { continue };
        if page.trash.is_some_and(|trash| trash.at <= until) {
            gone.extend(remove(unit, &page, "empty_trash").await?);
            author = author.or(page.trash.and_then(|trash| trash.by));
            removed += 1;
        }
    }
    remove_content(unit, workspace, gone, author).await
}
