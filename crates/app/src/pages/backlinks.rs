//! References to a page.

use super::{enter, lineage::find, listing::Filling, visibility::Visibility};
use crate::{
    access::RouteAccess,
    outcome::{AppResult, Draft},
    scope::View,
};
use octavo_core_model::{
    Fault, Level, Timestamp,
    id::{BlockId, PageId, WorkspaceId},
    page::{Node, Page},
    text::PageTitle,
};
use octavo_ports::blocks::{BlockLocation, PageReference, ReferenceKind, ReferenceMark};
use std::collections::{BTreeMap, BTreeSet};

/// How many characters of a block's text are returned.
const EXCERPT: usize = 240;

/// A block that refers to a page.
#[derive(Clone, Debug)]
pub struct Backlink {
    pub block: BlockId,
    /// The page of the block, and its title.
    pub page: PageId,
    pub title: PageTitle,
    pub kind: ReferenceKind,
    pub excerpt: String,
    pub created_at: Timestamp,
}

impl Backlink {
    /// The mark after which a list continues.
    pub const fn mark(&self) -> ReferenceMark {
        ReferenceMark { created_at: self.created_at, block: self.block, kind: self.kind }
    }
}

/// Which backlinks to list.
#[derive(Clone, Copy, Debug)]
pub struct BacklinkList {
    pub after: Option<ReferenceMark>,
    pub limit: u32,
}

/// Lists the references to a page that the caller may see, newest first. Open to everybody who may see the page.
pub async fn backlinks(view: &mut View, id: Draft<PageId>, asked: Draft<BacklinkList>) -> AppResult<Vec<Backlink>> {
    let (caller, authority) = enter(view, RouteAccess::PAGES).await?;
    let seen = find(view, &caller, &authority, &id).await?.ok_or(Fault::NotFound)?;
    let BacklinkList { after, limit } = asked?;
    let (workspace, target) = (caller.workspace, seen.page.id);
    let mut visibility = Visibility::of(workspace, &authority);
    let (mut filling, mut after) = (Filling::new(Level::View, limit), after);
    while let Some(chunk) = filling.next(view, &mut visibility).await? {
        let within = chunk.within.nodes.as_deref();
        let found = view.tx.blocks().list_references_to(workspace, target, within, after.as_ref(), chunk.limit).await?;
        after = found.last().map(mark).or(after);
        let pages = pages_of(view, workspace, &found).await?;
        visibility.look_up(view, pages.values().map(|page| page.access)).await?;
        // If the page was removed meanwhile, its blocks are hidden too.
        let place = |reference: PageReference| match pages.get(&reference.page) {
            Some(page) => (page.access, (reference, page.title.clone())),
            None => (Node::Page(reference.page), (reference, PageTitle::from_stored(String::new()))),
        };
        filling.add(&chunk, found.into_iter().map(place).collect(), &visibility);
    }
    with_excerpts(view, workspace, filling.into_seen()).await
}

const fn mark(reference: &PageReference) -> ReferenceMark {
    ReferenceMark { created_at: reference.created_at, block: reference.block, kind: reference.kind }
}

/// The pages that contain the references. One statement.
async fn pages_of(
    view: &mut View,
    workspace: WorkspaceId,
    references: &[PageReference],
) -> AppResult<BTreeMap<PageId, Page>> {
    let ids: BTreeSet<_> = references.iter().map(|reference| reference.page).collect();
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let ids: Vec<_> = ids.into_iter().collect();
    let pages = view.tx.pages().list_by_id(workspace, &ids).await?;
    Ok(pages.into_iter().map(|page| (page.id, page)).collect())
}

/// How many bytes of blocks are loaded at a time for their excerpts. A larger block is loaded alone: an imported one can
/// be a table of five megabytes.
const BYTES_AT_ONCE: u64 = 1 << 20;

/// Adds an excerpt of the block that contains each reference. One statement for the sizes of the blocks, and one for
/// every part of them.
async fn with_excerpts(
    view: &mut View,
    workspace: WorkspaceId,
    references: Vec<(PageReference, PageTitle)>,
) -> AppResult<Vec<Backlink>> {
    if references.is_empty() {
        return Ok(Vec::new());
    }
    let blocks: BTreeSet<_> = references.iter().map(|(reference, _)| reference.block).collect();
    let blocks = view.tx.blocks().list_locations(workspace, &Vec::from_iter(blocks)).await?;
    let mut texts = BTreeMap::new();
    for part in small_parts(&blocks) {
        let found = view.tx.blocks().find(workspace, &part).await?;
        texts.extend(found.iter().map(|block| (block.id, excerpt(&block.body))));
    }
    let backlink = |(reference, title): (PageReference, PageTitle)| Backlink {
        title,
        excerpt: texts.get(&reference.block).cloned().unwrap_or_default(),
        block: reference.block,
        page: reference.page,
        kind: reference.kind,
        created_at: reference.created_at,
    };
    Ok(references.into_iter().map(backlink).collect())
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
