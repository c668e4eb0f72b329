//! Copying what stands on pages to copies of them.

use super::record::{Changed, write_references};
use crate::{access::Entry, engine::AppResult, scope::Unit};
use octavo_blocks_tree::{Block, Reference};
use octavo_core_model::{
    fault::Unfit,
    id::{BlockId, PageId, WorkspaceId},
    page::{History, Page},
};
use std::collections::{BTreeMap, BTreeSet};

/// How many blocks one call copies.
const MAX_BLOCKS: u32 = 20_000;

/// Copies the blocks of pages to their copies, which were made this moment. What names a page or shows a block of the set names and shows the copy; what
/// names anything else keeps that, but loses it in another workspace.
pub(crate) async fn copy_content(
    unit: &mut Unit,
    entry: &Entry,
    from: WorkspaceId,
    copies: &[Page],
    pages: &BTreeMap<PageId, PageId>,
) -> AppResult<()> {
    let originals: Vec<_> = pages.keys().copied().collect();
    let blocks = unit.tx.list_page_blocks(from, &originals, MAX_BLOCKS + 1).await?;
    if blocks.is_empty() {
        return Ok(());
    }
    if blocks.len() > MAX_BLOCKS as usize {
        return Err(Unfit::TooLarge.into());
    }
    let ids: BTreeMap<_, _> = blocks.iter().map(|block| (block.id, unit.id(BlockId::new))).collect();
    let stays = from == entry.workspace;
    let fresh: BTreeSet<_> = ids.values().copied().collect();
    let mut made: Vec<_> =
        blocks.into_iter().filter_map(|block| copy(unit, entry, block, pages, &ids, stays)).collect();
    // An instance whose source stays behind in another workspace has nothing to show.
    made.retain(|block| stays || block.body.source().is_none_or(|source| fresh.contains(&source)));
    unit.tx.insert_blocks(&made).await?;
    for page in copies {
        let inserted: Vec<_> = made.iter().filter(|block| block.page == page.id).cloned().collect();
        if inserted.is_empty() {
            continue;
        }
        let history = History { block_count: inserted.len() as u64, ..History::default() };
        unit.tx.save_history(page.workspace, page.id, &history).await?;
        if inserted.iter().any(names_a_page) {
            write_references(unit, page, &Changed { inserted, ..Changed::default() }).await?;
        }
    }
    Ok(())
}

fn names_a_page(block: &Block) -> bool {
    let is_page = |reference: &Reference| matches!(reference, Reference::Page(_));
    block.body.source().is_some()
        || block.body.references().iter().any(is_page)
        || !block.body.linked_pages().is_empty()
}

fn copy(
    unit: &Unit,
    entry: &Entry,
    original: Block,
    pages: &BTreeMap<PageId, PageId>,
    ids: &BTreeMap<BlockId, BlockId>,
    stays: bool,
) -> Option<Block> {
    let body = original.body.showing(ids).naming(pages, stays);
    let (by, now) = (Some(entry.author()), unit.call.now);
    Some(Block {
        id: *ids.get(&original.id)?,
        workspace: entry.workspace,
        page: *pages.get(&original.page)?,
        parent: original.parent.and_then(|parent| ids.get(&parent).copied()),
        position: original.position,
        body,
        version: 1,
        since: 1,
        created_by: by,
        updated_by: by,
        created_at: now,
        updated_at: now,
        deletion: None,
    })
}
