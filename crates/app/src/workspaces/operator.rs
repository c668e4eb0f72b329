//! Operations of the operator on workspaces.

use super::deletion;
use crate::{engine::Engine, outcome::AppResult, scope::View};
use octavo_core_model::{
    Fault, Timestamp,
    id::WorkspaceId,
    workspace::{OwnLimits, Workspace, WorkspaceStatus},
};

/// Lists workspaces in the order of their ids, after the given one.
pub async fn list(view: &mut View, after: Option<WorkspaceId>, limit: u32) -> AppResult<Vec<Workspace>> {
    Ok(view.tx.workspaces().list(after, limit).await?)
}

/// Gives a workspace limits of its own; limits that the change does not mention stay as they are.
pub async fn set_limits(engine: &Engine, now: Timestamp, id: WorkspaceId, change: OwnLimits) -> AppResult<Workspace> {
    engine
        .chore(now, move |unit| {
            Box::pin(async move {
                let mut workspace = unit.tx.workspaces().lock(id).await?.ok_or(Fault::NotFound)?;
                workspace.limits = OwnLimits {
                    members: change.members.or(workspace.limits.members),
                    databases: change.databases.or(workspace.limits.databases),
                    storage_bytes: change.storage_bytes.or(workspace.limits.storage_bytes),
                };
                workspace.updated_at = now;
                unit.tx.workspaces().save(&workspace).await?;
                Ok(workspace)
            })
        })
        .await
}

/// Deletes a workspace as its owner could, and returns the time of its permanent removal. A workspace that is already
/// being deleted stays as it is.
pub async fn delete(engine: &Engine, now: Timestamp, id: WorkspaceId) -> AppResult<Timestamp> {
    engine
        .chore(now, move |unit| {
            Box::pin(async move {
                let workspace = unit.tx.workspaces().lock(id).await?.ok_or(Fault::NotFound)?;
                match workspace.status {
                    WorkspaceStatus::Active => deletion::close(unit, workspace).await,
                    WorkspaceStatus::Deleting { purge_at } => Ok(purge_at),
                }
            })
        })
        .await
}
