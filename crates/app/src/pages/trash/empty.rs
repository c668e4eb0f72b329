//! Emptying the trash of a workspace.

use super::remove;
use crate::{
    access::Door,
    engine::{AppResult, Draft},
    scope::Unit,
    workspaces::enter_locked,
};
use octavo_core_model::{Fault, Timestamp, chore::Work, event::Actor, id::WorkspaceId};

/// How many pages that were thrown away by themselves one unit removes, each with what is below it. Others wait that long and no longer.
const AT_ONCE: usize = 100;

/// Empties the trash of the workspace of the call; says how many pages had been thrown away. `confirmation` has to name the workspace. Of a large
/// trash the rest goes behind the answer.
pub async fn empty(unit: &mut Unit, confirmation: Draft<Option<String>>) -> AppResult<u64> {
    let (_, workspace) = enter_locked(unit, Door::ADMINS).await?;
    unit.claim().await?;
    if confirmation? != Some(workspace.id.to_string()) {
        return Err(Fault::ConfirmRequired.into());
    }
    let count = unit.tx.list_trash_roots(workspace.id).await?.len();
    let until = unit.call.now;
    remove_some(unit, workspace.id, until).await?;
    Ok(count as u64)
}

/// Removes the next part of what was in a trash by then, in the name of whoever began to empty it.
pub(crate) async fn go_on(
    unit: &mut Unit,
    workspace: WorkspaceId,
    until: Timestamp,
    (by, name): (Actor, Option<String>),
) -> AppResult<()> {
    unit.act_for(by, name.unwrap_or_default());
    if unit.tx.lock_workspace(workspace).await?.is_some() {
        remove_some(unit, workspace, until).await?;
    }
    Ok(())
}

/// Removes a part, and leaves the rest to a chore.
async fn remove_some(unit: &mut Unit, workspace: WorkspaceId, until: Timestamp) -> AppResult<()> {
    let mut removed = 0;
    for root in unit.tx.list_trash_roots(workspace).await? {
        if removed == AT_ONCE {
            let (by, name) = unit.acting();
            let until_millis = until.millis();
            return unit.enqueue(&Work::EmptyTrash { workspace, until_millis, by, name }).await;
        }
        // Below one that went already there may have been another one.
        let Some(page) = unit.tx.find_page(workspace, root).await? else { continue };
        if page.trash.is_some_and(|trash| trash.at <= until) {
            remove(unit, &page, "empty_trash").await?;
            removed += 1;
        }
    }
    Ok(())
}
