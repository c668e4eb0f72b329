//! How many databases a workspace has, which is limited.

use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::{Fault, fault::Denial, workspace::Workspace};

/// Refuses new databases if the workspace, which must be locked, would have more than it may.
pub(crate) async fn require_room(unit: &mut Unit, workspace: &Workspace, new: u64) -> AppResult<()> {
    if new == 0 {
        return Ok(());
    }
    let held = unit.tx.databases().count(workspace.id).await?;
    let limits = unit.rules().limits.overridden_by(workspace.limits);
    let has_room = limits.databases.admits_another(held + new - 1);
    if has_room { Ok(()) } else { Err(Fault::Forbidden(Denial::DatabaseQuota).into()) }
}
