//! Deleting a workspace, and removing it permanently after its grace period.

use crate::{
    access::{RouteAccess, enter_locked},
    audit_entry::NewAuditEntry,
    confirmation, due,
    engine::Engine,
    outcome::AppResult,
    scope::Unit,
};
use octavo_core_model::{
    Fault, Timestamp,
    event::{Chain, EventPayload, EventType, Resource, workspaces::WorkspaceDeleted},
    fault::Conflict,
    id::WorkspaceId,
    workspace::{Workspace, WorkspaceStatus},
};
use serde_json::json;

/// How many parts of the content of workspaces one unit removes. A workspace with little in it has three: the content
/// of its pages, the pages, and the event log; a fourth look finds nothing.
const PARTS_AT_ONCE: u32 = 4;

/// Schedules the deletion of the workspace and returns the time of its permanent removal. The confirmation must name
/// the workspace.
pub async fn schedule(unit: &mut Unit, confirmation: Option<String>) -> AppResult<Timestamp> {
    let (_, workspace) = enter_locked(unit, RouteAccess::OWNERS_IN_PERSON).await?;
    unit.claim().await?;
    confirmation::require(confirmation, workspace.id)?;
    close(unit, workspace).await
}

/// Closes a workspace to its members.
pub(super) async fn close(unit: &mut Unit, mut workspace: Workspace) -> AppResult<Timestamp> {
    if workspace.is_personal {
        return Err(Fault::Conflict(Conflict::PersonalWorkspace).into());
    }
    let purge_at = workspace.schedule_removal(unit.call.now);
    unit.tx.workspaces().save(&workspace).await?;
    unit.tx.invitations().hide(workspace.id).await?;
    let members = unit.tx.members().list_ids(workspace.id).await?;
    let deleted = WorkspaceDeleted { workspace: workspace.id, purge_at };
    unit.emit(workspace.id, EventPayload::WorkspaceDeleted(deleted));
    // The trail of the workspace is removed with it; the owner's trail keeps an entry.
    for chain in [Chain::Workspace(workspace.id), Chain::User(workspace.owner)] {
        let audit_entry = NewAuditEntry::new(chain, EventType::WorkspaceDeleted, Resource::Workspace(workspace.id));
        let change = json!({ "field": "members", "from": members, "to": null });
        unit.audit(audit_entry.labelled(workspace.name.as_str()).with_changes(vec![change]));
    }
    Ok(purge_at)
}

/// Removes workspaces that nobody but one user is in. One unit removes [`PARTS_AT_ONCE`] parts in all, which is usually
/// one workspace. The others are closed, and the next purge removes them.
pub(crate) async fn remove_or_close(unit: &mut Unit, ids: &[WorkspaceId]) -> AppResult<()> {
    let mut parts = 0;
    for id in ids.iter().copied() {
        let mut is_empty = false;
        while !is_empty && parts < PARTS_AT_ONCE {
            is_empty = unit.tx.workspaces().remove_content(id, due::ROWS_AT_ONCE).await?;
            parts += 1;
        }
        if is_empty {
            unit.tx.workspaces().remove(id).await?;
        } else {
            close_for_purge(unit, id).await?;
        }
    }
    Ok(())
}

/// Closes a workspace to everybody until the next purge.
async fn close_for_purge(unit: &mut Unit, id: WorkspaceId) -> AppResult<()> {
    let Some(mut workspace) = unit.tx.workspaces().lock(id).await? else { return Ok(()) };
    workspace.status = WorkspaceStatus::Deleting { purge_at: unit.call.now };
    unit.tx.workspaces().save(&workspace).await?;
    Ok(unit.tx.invitations().hide(id).await?)
}

/// Removes workspaces whose grace period is over, each in a unit of its own after its content, and returns their
/// number.
pub async fn purge_due(engine: &Engine, now: Timestamp) -> AppResult<u32> {
    due::each_in_parts(
        engine,
        now,
        |unit| Box::pin(async move { Ok(unit.tx.workspaces().list_due_removals(unit.call.now, due::BATCH).await?) }),
        |unit, id| Box::pin(purge_content(unit, id)),
        |unit, id| Box::pin(purge(unit, id)),
    )
    .await
}

/// Removes a part of the content of a workspace, and returns whether that was all. Nobody can write there any more.
async fn purge_content(unit: &mut Unit, id: WorkspaceId) -> AppResult<bool> {
    match lock_due(unit, id).await? {
        Some(workspace) => Ok(unit.tx.workspaces().remove_content(workspace.id, due::ROWS_AT_ONCE).await?),
        None => Ok(true),
    }
}

async fn purge(unit: &mut Unit, id: WorkspaceId) -> AppResult<()> {
    match lock_due(unit, id).await? {
        Some(workspace) => Ok(unit.tx.workspaces().remove(workspace.id).await?),
        None => Ok(()),
    }
}

async fn lock_due(unit: &mut Unit, id: WorkspaceId) -> AppResult<Option<Workspace>> {
    let now = unit.call.now;
    let is_due =
        |workspace: &Workspace| matches!(workspace.status, WorkspaceStatus::Deleting { purge_at } if purge_at <= now);
    Ok(unit.tx.workspaces().lock(id).await?.filter(is_due))
}
