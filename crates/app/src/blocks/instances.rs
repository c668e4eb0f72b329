//! Instances on other pages of blocks that were deleted, alone or with their pages.

use super::record::delete_alone;
use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::{
    chore::Work,
    id::{BlockId, PageId, UserId, WorkspaceId},
    page::Page,
};
use octavo_ports::blocks::{BlockLocation, InstancePages};
use std::collections::{BTreeMap, BTreeSet};

/// How many instances on other pages one unit deletes. The rest are deleted after the answer.
const AT_ONCE: u32 = 500;

/// The instances of deleted blocks that one unit deletes on other pages.
pub(super) struct Instances {
    by_page: BTreeMap<PageId, Vec<BlockId>>,
    /// Whether there are further ones.
    is_more: bool,
}

impl Instances {
    pub(super) async fn find(
        unit: &mut Unit,
        workspace: WorkspaceId,
        sources: &[BlockId],
        pages: InstancePages,
    ) -> AppResult<Self> {
        let mut found = unit.tx.blocks().list_instances(workspace, sources, pages, AT_ONCE + 1).await?;
        let is_more = found.len() > AT_ONCE as usize;
        found.truncate(AT_ONCE as usize);
        let mut by_page = BTreeMap::<PageId, Vec<BlockId>>::new();
        for BlockLocation { id, page, .. } in found {
            by_page.entry(page).or_default().push(id);
        }
        Ok(Self { by_page, is_more })
    }

    /// Locks the pages and returns them with their instances, which are read again after that: they may have been deleted
    /// meanwhile.
    pub(super) async fn lock(&self, unit: &mut Unit, workspace: WorkspaceId) -> AppResult<Vec<(Page, Vec<BlockId>)>> {
        let mut locked = Vec::with_capacity(self.by_page.len());
        for page in self.by_page.keys() {
            locked.extend(unit.tx.pages().lock(workspace, *page).await?);
        }
        let ids: Vec<_> = self.by_page.values().flatten().copied().collect();
        let mut there = BTreeMap::<PageId, Vec<BlockId>>::new();
        if !locked.is_empty() {
            for instance in unit.tx.blocks().list_locations(workspace, &ids).await? {
                if !instance.is_deleted {
                    there.entry(instance.page).or_default().push(instance.id);
                }
            }
        }
        Ok(locked.into_iter().filter_map(|page| there.remove(&page.id).map(|instances| (page, instances))).collect())
    }

    /// Leaves the further ones to a chore, which deletes those of sources that are still deleted then.
    pub(super) async fn leave_the_rest(
        self,
        unit: &mut Unit,
        workspace: WorkspaceId,
        sources: Vec<BlockId>,
        author: UserId,
    ) -> AppResult<()> {
        if !self.is_more {
            return Ok(());
        }
        let (by, name) = unit.acting();
        unit.enqueue(&Work::DeleteInstancesOf { workspace, sources, author, by, name }).await
    }
}

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
