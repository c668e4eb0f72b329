//! Locking workspaces for a call.

use super::{RouteAccess, WorkspaceCaller, enter, workspace_caller::read_again};
use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::{
    Fault,
    id::UserId,
    workspace::{Workspace, WorkspaceStatus},
};

/// Admits the caller and locks the workspace until the unit ends. Rules over several rows of the workspace are
/// decided under this lock. The caller's role is read under it too, because it may have changed while the call
/// waited.
pub(crate) async fn enter_locked(unit: &mut Unit, access: RouteAccess) -> AppResult<(WorkspaceCaller, Workspace)> {
    let caller = enter(unit, access).await?;
    let workspace = unit.tx.workspaces().lock(caller.workspace).await?.ok_or(Fault::NotFound)?;
    if workspace.status != WorkspaceStatus::Active {
        // Deleted while the call waited for the lock.
        unit.note_deletion()?;
        return Ok((caller, workspace));
    }
    let caller = read_again(unit, caller).await?;
    if let Some(role) = caller.role() {
        access.admit_role(role)?;
    }
    Ok((caller, workspace))
}

/// Locks all workspaces of a user. A caller that also needs the lock of the account locks it afterwards.
pub(crate) async fn lock_own(unit: &mut Unit, user: UserId) -> AppResult<Vec<Workspace>> {
    let own: Vec<_> = unit.tx.workspaces().list_own(user).await?.iter().map(|own| own.id).collect();
    Ok(unit.tx.workspaces().lock_many(&own).await?)
}
