//! How many pages a workspace has, which is limited.
//!
//! Whoever moves, shares, trashes or restores a page changes the rows of all pages below it, and whoever deletes a team
//! those of all its pages. Other writers wait meanwhile, so the limit bounds how long.

use crate::{outcome::AppResult, scope::Unit, write_budget::WrittenSize};
use octavo_core_model::{fault::Conflict, id::WorkspaceId, workspace::Limit};

/// Counts new pages. Refuses them if the workspace would have more than it may, or if the caller has written too much.
pub(crate) async fn count_new(unit: &mut Unit, workspace: WorkspaceId, new: usize) -> AppResult<()> {
    unit.count_written(WrittenSize::of_pages(new as u64))?;
    let by = i64::try_from(new).unwrap_or(i64::MAX);
    let count = unit.tx.workspaces().change_page_count(workspace, by).await?;
    match unit.rules().pages {
        Limit::AtMost(most) if count > most => {
            Err(Conflict::TooManyPages(u32::try_from(most).unwrap_or(u32::MAX)).into())
        }
        _ => Ok(()),
    }
}

/// Takes removed pages from the number.
pub(crate) async fn count_removed(unit: &mut Unit, workspace: WorkspaceId, removed: u64) -> AppResult<()> {
    let by = i64::try_from(removed).unwrap_or(i64::MAX);
    unit.tx.workspaces().change_page_count(workspace, -by).await?;
    Ok(())
}
