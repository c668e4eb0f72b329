//! All blocks of a page.

use super::shown::{Branch, many, tree, within};
use crate::{outcome::AppResult, scope::Scope};
use octavo_core_model::{id::PageId, page::Page, share_link::ShareLink};
use octavo_permissions::Authority;
use octavo_ports::{blocks::SiblingFilter, store::Reads};
use std::collections::BTreeSet;

/// How many blocks are returned along with a page.
pub(crate) const SHOWN_BLOCKS: u32 = 2000;

/// The blocks of a page.
#[derive(Clone, Debug, Default)]
pub struct PageBlocks {
    pub blocks: Vec<Branch>,
    /// Whether the page has more blocks than these.
    pub is_truncated: bool,
}

impl PageBlocks {
    /// How many bytes of other blocks the instances show. They do not count as bytes of the page.
    pub(crate) fn bytes_of_sources(&self) -> u64 {
        let (mut bytes, mut remaining) = (0, self.blocks.iter().collect::<Vec<_>>());
        while let Some(branch) = remaining.pop() {
            bytes += branch.shown.bytes_of_source();
            remaining.extend(&branch.children);
        }
        bytes
    }
}

/// The blocks to return along with a page: all of them, or, if those are too many, the first top-level blocks without
/// their children.
async fn load<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    page: &Page,
) -> AppResult<(Vec<octavo_blocks_tree::Block>, bool)> {
    let (workspace, id) = (page.workspace, page.id);
    let blocks = scope.tx.blocks().list_of_pages(workspace, &[id], SHOWN_BLOCKS + 1).await?;
    if blocks.len() <= SHOWN_BLOCKS as usize {
        return Ok((blocks, false));
    }
    let top = SiblingFilter { page: id, parent: None, after: None, with_deleted: false, limit: SHOWN_BLOCKS };
    Ok((scope.tx.blocks().list_siblings(workspace, &top).await?, true))
}

/// The blocks of a page for a caller that may see it. One statement; more if there are instances or too many blocks.
pub(crate) async fn content<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    authority: &Authority,
    page: &Page,
) -> AppResult<PageBlocks> {
    let (blocks, is_truncated) = load(scope, page).await?;
    let shown = many(scope, authority, (page.workspace, page.id), blocks).await?;
    Ok(PageBlocks { blocks: tree(shown, None), is_truncated })
}

/// The blocks of a page for the holder of a share link to it.
pub(crate) async fn shared_content<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    link: &ShareLink,
    page: &Page,
) -> AppResult<PageBlocks> {
    let (blocks, is_truncated) = load(scope, page).await?;
    let sources: Vec<_> = blocks.iter().filter_map(|block| block.body.source()).collect();
    let mut visible = BTreeSet::from([page.id]);
    if !sources.is_empty() {
        let found = scope.tx.blocks().find(page.workspace, &sources).await?;
        let elsewhere: BTreeSet<PageId> = found.iter().map(|block| block.page).filter(|id| *id != page.id).collect();
        if !elsewhere.is_empty() {
            let now = scope.call.now;
            visible.extend(scope.tx.share_links().list_pages_of_link(link, &Vec::from_iter(elsewhere), now).await?);
        }
    }
    let shown = within(scope, page.workspace, blocks, &visible).await?;
    Ok(PageBlocks { blocks: tree(shown, None), is_truncated })
}
