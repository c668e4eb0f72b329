//! The instances of deleted blocks that one unit deletes on other pages.

use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::{
    chore::Work,
    id::{BlockId, PageId, UserId, WorkspaceId},
    page::Page,
};
use octavo_ports::blocks::{BlockLocation, InstancePages};
use std::collections::BTreeMap;

/// How many instances on other pages one unit deletes. The rest are deleted after the answer.
pub(super) const AT_ONCE: u32 = 500;

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
