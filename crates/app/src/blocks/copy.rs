//! Copies the blocks of pages to the copies of those pages.

use super::{Changed, record::write_references, size};
use crate::{access::WorkspaceCaller, outcome::AppResult, scope::Unit, write_budget::WrittenSize};
use octavo_blocks_tree::{Block, CopiedIds, Reference};
use octavo_core_model::{
    Timestamp,
    fault::Unprocessable,
    id::{BlockId, PageId, UserId, WorkspaceId},
    page::{History, MAX_BYTES, Page},
};
use std::collections::{BTreeMap, BTreeSet};

/// How many blocks and records one call copies.
pub(crate) const MAX_COPIED: u32 = 20_000;

/// How many bytes of blocks one call copies: all of them are in memory, and other writers wait.
const MAX_COPIED_BYTES: u64 = 2 * MAX_BYTES;

/// Refuses a copy that is too large, and holds memory for its blocks. Call it before anything is written: one statement
/// adds up what the pages record, and the bytes are counted only if there are not too many blocks.
/// `records` are copied along with the pages and count like blocks.
pub(crate) async fn admit_copy(
    unit: &mut Unit,
    from: WorkspaceId,
    originals: &[PageId],
    records: WrittenSize,
) -> AppResult<()> {
    let blocks = unit.tx.histories().count_blocks(from, originals).await?;
    if blocks + records.records > u64::from(MAX_COPIED) {
        return Err(Unprocessable::TooLarge.into());
    }
    let bytes = unit.tx.blocks().count_bytes(from, originals).await? + records.bytes;
    if bytes > MAX_COPIED_BYTES {
        return Err(Unprocessable::TooLarge.into());
    }
    unit.expect_content(blocks + records.records, bytes)?;
    unit.count_written(WrittenSize { blocks, bytes, ..records })?;
    // Once, not twice: each block becomes its copy. A person that holds nothing may exceed the share of one person, so
    // the largest copy is possible beside the reads of others.
    unit.call.content.hold(unit.call.work_owner(), bytes)
}

/// Copies the blocks of pages to copies of the pages that this unit has just created, after [`admit_copy`]. References
/// to pages, databases, views and blocks within the set point to the copies. Other references stay as they are within the workspace and
/// are dropped in another one.
pub(crate) async fn copy_content(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    from: WorkspaceId,
    copies: &[Page],
    originals: &[PageId],
    ids: &CopiedIds,
) -> AppResult<()> {
    let mut blocks = unit.tx.blocks().list_of_pages(from, originals, MAX_COPIED + 1).await?;
    if blocks.is_empty() {
        return Ok(());
    }
    leave_out_orphans(unit, from, &mut blocks).await?;
    let (by, now) = (caller.author(), unit.call.now);
    let copying = Copying { workspace: caller.workspace, by, now, ids, stays: from == caller.workspace };
    let made = copying.copies_of(blocks, &mut || unit.id(BlockId::new))?;
    unit.tx.blocks().insert(&made).await?;
    let mut by_page = BTreeMap::<_, Vec<_>>::new();
    for block in made {
        by_page.entry(block.page).or_default().push(block);
    }
    for page in copies {
        let Some(inserted) = by_page.remove(&page.id) else { continue };
        let mut history = History::of_new(page);
        size::fill(&mut history, &inserted)?;
        unit.tx.histories().save(page.workspace, page.id, &history).await?;
        if inserted.iter().any(names_a_page) {
            write_references(unit, page, &Changed { inserted, ..Changed::default() }).await?;
        }
    }
    Ok(())
}

/// Leaves out instances whose source has been deleted permanently: they are about to be removed as well. One
/// statement; none if there are no instances.
async fn leave_out_orphans(unit: &mut Unit, workspace: WorkspaceId, blocks: &mut Vec<Block>) -> AppResult<()> {
    let sources: BTreeSet<_> = blocks.iter().filter_map(|block| block.body.source()).collect();
    if sources.is_empty() {
        return Ok(());
    }
    let found = unit.tx.blocks().list_locations(workspace, &Vec::from_iter(sources)).await?;
    let there: BTreeSet<_> = found.into_iter().map(|source| source.id).collect();
    blocks.retain(|block| block.body.source().is_none_or(|source| there.contains(&source)));
    Ok(())
}

fn names_a_page(block: &Block) -> bool {
    let is_page = |reference: &Reference| matches!(reference, Reference::Page(_));
    block.body.source().is_some()
        || block.body.references().iter().any(is_page)
        || !block.body.linked_pages().is_empty()
}

/// What all copies of one call share.
struct Copying<'a> {
    workspace: WorkspaceId,
    by: UserId,
    now: Timestamp,
    ids: &'a CopiedIds,
    /// Whether the copies stay in the workspace of their originals.
    stays: bool,
}

impl Copying<'_> {
    /// Leaves out instances whose source is not copied to the other workspace: they would show nothing.
    fn copies_of(&self, blocks: Vec<Block>, draw: &mut dyn FnMut() -> BlockId) -> Result<Vec<Block>, Unprocessable> {
        if blocks.len() > MAX_COPIED as usize {
            return Err(Unprocessable::TooLarge);
        }
        let ids: BTreeMap<_, _> = blocks.iter().map(|block| (block.id, draw())).collect();
        let shows = |block: &Block| self.stays || block.body.source().is_none_or(|source| ids.contains_key(&source));
        Ok(blocks.into_iter().filter(shows).filter_map(|block| self.copy(block, &ids)).collect())
    }

    fn copy(&self, original: Block, ids: &BTreeMap<BlockId, BlockId>) -> Option<Block> {
        Some(Block {
            id: *ids.get(&original.id)?,
            workspace: self.workspace,
            page: *self.ids.pages.get(&original.page)?,
            parent: original.parent.and_then(|parent| ids.get(&parent).copied()),
            position: original.position,
            body: original.body.showing(ids).with_copied_references(self.ids, self.stays),
            version: 1,
            since: 1,
            created_by: Some(self.by),
            updated_by: Some(self.by),
            created_at: self.now,
            updated_at: self.now,
            deletion: None,
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use octavo_blocks_tree::{Body, Kind};
    use octavo_core_model::position::Position;

    fn id(number: u32) -> BlockId {
        let mut bits = [0; 10];
        bits[6..].copy_from_slice(&number.to_be_bytes());
        BlockId::new(1, bits)
    }

    pub(in super::super) fn blocks(count: u32) -> Vec<Block> {
        let block = |number| Block {
            id: id(number),
            workspace: WorkspaceId::LOWEST,
            page: PageId::LOWEST,
            parent: None,
            position: Position::after(None),
            body: Body::empty(Kind::Divider),
            version: 1,
            since: 1,
            created_by: None,
            updated_by: None,
            created_at: Timestamp::from_millis(0),
            updated_at: Timestamp::from_millis(0),
            deletion: None,
        };
        (0..count).map(block).collect()
    }

    #[test]
    fn twenty_thousand_blocks_are_copied_at_once() {
        let pages = BTreeMap::from([(PageId::LOWEST, PageId::new(2, [0; 10]))]);
        let ids = CopiedIds { pages, ..CopiedIds::default() };
        let (workspace, by, now) = (WorkspaceId::LOWEST, UserId::LOWEST, Timestamp::from_millis(7));
        let copying = Copying { workspace, by, now, ids: &ids, stays: true };
        let mut next = 1 << 20;
        let mut draw = || {
            next += 1;
            id(next)
        };
        assert_eq!(copying.copies_of(blocks(20_000), &mut draw).map(|made| made.len()), Ok(20_000));
        assert_eq!(copying.copies_of(blocks(20_001), &mut draw).map(|made| made.len()), Err(Unprocessable::TooLarge));
    }
}
