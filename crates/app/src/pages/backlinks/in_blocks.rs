//! References from blocks.

use super::{
    super::{listing::Filling, visibility::Visibility},
    Backlink, BacklinkSource, pages_by_id,
};
use crate::{outcome::AppResult, scope::View};
use octavo_core_model::{
    Level,
    id::{BlockId, WorkspaceId},
    page::{Node, Page},
    text::PageTitle,
};
use octavo_permissions::Authority;
use octavo_ports::blocks::{BlockLocation, PageReference, ReferenceMark};
use std::collections::{BTreeMap, BTreeSet};

/// How many characters of a text are returned.
pub(super) const EXCERPT: usize = 240;

/// Lists the blocks that refer to a page and whose pages the caller may see, newest first. Their excerpts are still empty.
pub(super) async fn list(
    view: &mut View,
    authority: &Authority,
    target: &Page,
    mut after: Option<ReferenceMark>,
    limit: u32,
) -> AppResult<Vec<Backlink>> {
    let (workspace, target) = (target.workspace, target.id);
    let mut visibility = Visibility::of(workspace, authority);
    let mut filling = Filling::new(Level::View, limit);
    while let Some(chunk) = filling.next(view, &mut visibility).await? {
        let within = chunk.within.nodes.as_deref();
        let found = view.tx.blocks().list_references_to(workspace, target, within, after.as_ref(), chunk.limit).await?;
        after = found.last().map(ReferenceMark::from).or(after);
        let pages = pages_by_id(view, workspace, found.iter().map(|reference| reference.page)).await?;
        visibility.look_up(view, pages.values().map(|page| page.access)).await?;
        // If the page was removed meanwhile, its blocks are hidden too.
        let place = |reference: PageReference| match pages.get(&reference.page) {
            Some(page) => (page.access, backlink(&reference, page.title.clone())),
            None => (Node::Page(reference.page), backlink(&reference, PageTitle::from_stored(String::new()))),
        };
        filling.add(&chunk, found.into_iter().map(place).collect(), &visibility);
    }
    Ok(filling.into_seen())
}

const fn backlink(reference: &PageReference, title: PageTitle) -> Backlink {
    Backlink {
        source: BacklinkSource::Block(reference.block, reference.kind),
        page: reference.page,
        title,
        excerpt: String::new(),
        created_at: reference.created_at,
    }
}

/// How many bytes of blocks are loaded at a time for their excerpts. A larger block is loaded alone: an imported one can
/// be a table of five megabytes.
const BYTES_AT_ONCE: u64 = 1 << 20;

/// Adds an excerpt of the block that contains each reference. One statement for the sizes of the blocks, and one for
/// every part of them; none if there are no blocks.
pub(super) async fn add_excerpts(view: &mut View, workspace: WorkspaceId, backlinks: &mut [Backlink]) -> AppResult<()> {
    let blocks: BTreeSet<_> = backlinks.iter().filter_map(block_of).collect();
    if blocks.is_empty() {
        return Ok(());
    }
    let blocks = view.tx.blocks().list_locations(workspace, &Vec::from_iter(blocks)).await?;
    let mut texts = BTreeMap::new();
    for part in small_parts(&blocks) {
        let found = view.tx.blocks().find(workspace, &part).await?;
        texts.extend(found.iter().map(|block| (block.id, excerpt(&block.body))));
    }
    for backlink in backlinks {
        if let Some(text) = block_of(backlink).and_then(|block| texts.get(&block)) {
            backlink.excerpt.clone_from(text);
        }
    }
    Ok(())
}

const fn block_of(backlink: &Backlink) -> Option<BlockId> {
    match backlink.source {
        BacklinkSource::Block(block, _) => Some(block),
        BacklinkSource::Comment(..) | BacklinkSource::Record(_) => None,
    }
}

/// Divides blocks into parts to be loaded at a time, each with at least one block.
fn small_parts(blocks: &[BlockLocation]) -> Vec<Vec<BlockId>> {
    let (mut parts, mut bytes) = (Vec::<Vec<_>>::new(), 0);
    for block in blocks {
        bytes += block.bytes;
        match parts.last_mut() {
            Some(part) if bytes <= BYTES_AT_ONCE => part.push(block.id),
            _ => {
                parts.push(vec![block.id]);
                bytes = block.bytes;
            }
        }
    }
    parts
}

fn excerpt(body: &octavo_blocks_tree::Body) -> String {
    let texts = body.texts().iter().map(octavo_blocks_tree::RichText::text).filter(|text| !text.is_empty());
    // Each text has at least one character, so more of them are not needed.
    texts.take(EXCERPT).collect::<Vec<_>>().join(" ").chars().take(EXCERPT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_core_model::id::PageId;

    #[test]
    fn few_bytes_are_loaded_at_a_time_and_at_least_one_block() {
        const KILOBYTE: u64 = 1 << 10;
        let sizes = [5_u64 << 10, 300, 300, 424, 1, 1023, 1].map(|kilobytes| kilobytes * KILOBYTE);
        let location =
            |bytes| BlockLocation { id: BlockId::LOWEST, page: PageId::LOWEST, source: None, bytes, is_deleted: false };
        let parts = small_parts(&sizes.map(location));
        assert_eq!(parts.iter().map(Vec::len).collect::<Vec<_>>(), [1, 3, 2, 1]);
        assert!(small_parts(&[]).is_empty());
    }
}
