//! Instances on other pages of blocks that were deleted, alone or with their pages.

use super::{
    instances_elsewhere::{AT_ONCE, Instances},
    record::delete_alone,
};
use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::{
    chore::Work,
    id::{BlockId, PageId, UserId, WorkspaceId},
};
use octavo_ports::blocks::InstancePages;
use std::collections::{BTreeMap, BTreeSet};

/// Deletes further instances of deleted blocks, wherever they are. Sources that were restored meanwhile keep theirs.
pub(crate) async fn delete_instances_of(
    unit: &mut Unit,
    workspace: WorkspaceId,
    sources: Vec<BlockId>,
    author: UserId,
) -> AppResult<()> {
    let restored = unit.tx.blocks().list_locations(workspace, &sources).await?;
    let restored: BTreeSet<_> =
        restored.into_iter().filter(|source| !source.is_deleted).map(|source| source.id).collect();
    let sources: Vec<_> = sources.into_iter().filter(|source| !restored.contains(source)).collect();
    let found = Instances::find(unit, workspace, &sources, InstancePages::All).await?;
    for (mut page, instances) in found.lock(unit, workspace).await? {
        delete_alone(unit, author, &mut page, &instances).await?;
    }
    found.leave_the_rest(unit, workspace, sources, author).await
}

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
