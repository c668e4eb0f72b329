//! Instances of blocks whose pages were deleted permanently.

use super::record::delete_alone;
use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::{
    chore::Work,
    id::{BlockId, PageId, UserId, WorkspaceId},
};
use std::collections::BTreeMap;

/// How many instances one unit deletes. The rest are deleted after the answer.
const AT_ONCE: u32 = 500;

/// Deletes the remaining instances of blocks on these pages, as if each source had been deleted: their pages get a
/// new version and an event. Large numbers are left to a chore. `author` is recorded as the author of these changes;
/// without one it is the user who last changed the page of the instance.
pub(crate) async fn delete_instances(
    unit: &mut Unit,
    workspace: WorkspaceId,
    gone: Vec<PageId>,
    author: Option<UserId>,
) -> AppResult<()> {
    let mut found = unit.tx.blocks().list_references_of_instances(workspace, &gone, AT_ONCE + 1).await?;
    let is_more = found.len() > AT_ONCE as usize;
    found.truncate(AT_ONCE as usize);
    let mut by_page = BTreeMap::<PageId, Vec<BlockId>>::new();
    for reference in found {
        by_page.entry(reference.page).or_default().push(reference.block);
    }
    for (page, blocks) in by_page {
        let locked = unit.tx.pages().lock(workspace, page).await?;
        // Read again after locking the page: an instance may have been deleted meanwhile.
        let there = unit.tx.blocks().list_locations(workspace, &blocks).await?;
        let there: Vec<_> = there.into_iter().filter(|block| !block.is_deleted).map(|block| block.id).collect();
        if let Some(mut page) = locked
            && !there.is_empty()
            && let Some(author) = author.or(page.updated_by).or(page.created_by)
        {
            delete_alone(unit, author, &mut page, &there).await?;
        }
        // Remove these references even if an instance was not deleted, so that the next round does not find them
        // again.
        unit.tx.blocks().replace_references(workspace, &blocks, &[]).await?;
    }
    if is_more {
        let (by, name) = unit.acting();
        unit.enqueue(&Work::DeleteInstances { workspace, pages: gone, author, by, name }).await?;
    }
    Ok(())
}
