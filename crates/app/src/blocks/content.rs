//! All blocks of a page.

use super::shown::{Branch, ShownBlock, many, tree, within};
use crate::{Call, outcome::AppResult, page_memory::hold_page, scope::Scope};
use octavo_core_model::{id::PageId, page::Page, share_link::ShareLink};
use octavo_permissions::Authority;
use octavo_ports::{blocks::SiblingFilter, compute::WorkOwner, store::Reads};
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
        all(&self.blocks).map(ShownBlock::bytes_of_source).sum()
    }
}

/// Corrects how much memory the call holds, now that the blocks to show are known: perhaps only a part of the page was
/// loaded, and instances show blocks of other pages too.
pub(crate) fn hold_shown<'a>(
    call: &Call,
    owner: WorkOwner,
    shown: impl IntoIterator<Item = &'a ShownBlock>,
) -> AppResult<()> {
    // Counting takes time. The blocks of a small page are not counted, but what its instances show may be large.
    if call.content.is_counted() {
        return hold_counted(call, owner, shown);
    }
    call.content.hold(owner, shown.into_iter().map(ShownBlock::bytes_of_source).sum())
}

/// Like [`hold_shown`], for blocks that the recorded size of the page may not include.
pub(super) fn hold_counted<'a>(
    call: &Call,
    owner: WorkOwner,
    shown: impl IntoIterator<Item = &'a ShownBlock>,
) -> AppResult<()> {
    let bytes = |shown: &ShownBlock| shown.block.body.bytes() + shown.bytes_of_source();
    call.content.hold(owner, shown.into_iter().map(bytes).sum())
}

/// The blocks of these subtrees.
fn all(branches: &[Branch]) -> impl Iterator<Item = &ShownBlock> {
    let mut remaining: Vec<_> = branches.iter().collect();
    std::iter::from_fn(move || {
        let branch = remaining.pop()?;
        remaining.extend(&branch.children);
        Some(&branch.shown)
    })
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

/// The blocks of a page for a caller that may see it. Two statements; more if the page is large or has instances.
pub(crate) async fn content<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    authority: &Authority,
    page: &Page,
) -> AppResult<PageBlocks> {
    let owner = scope.call.work_owner();
    hold_page(scope, owner, page).await?;
    let (blocks, is_truncated) = load(scope, page).await?;
    let shown = many(scope, authority, (page.workspace, page.id), blocks).await?;
    hold_shown(&scope.call, owner, &shown)?;
    Ok(PageBlocks { blocks: tree(shown, None), is_truncated })
}

/// The blocks of a page for the holder of a share link to it. Callers hold memory for them first.
pub(crate) async fn shared_content<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    link: &ShareLink,
    page: &Page,
) -> AppResult<PageBlocks> {
    let (blocks, is_truncated) = load(scope, page).await?;
    let sources: Vec<_> = blocks.iter().filter_map(|block| block.body.source()).collect();
    let mut visible = BTreeSet::from([page.id]);
    if !sources.is_empty() {
        let found = scope.tx.blocks().list_locations(page.workspace, &sources).await?;
        let elsewhere: BTreeSet<PageId> = found.iter().map(|source| source.page).filter(|id| *id != page.id).collect();
        if !elsewhere.is_empty() {
            let now = scope.call.now;
            visible.extend(scope.tx.share_links().list_pages_of_link(link, &Vec::from_iter(elsewhere), now).await?);
        }
    }
    let shown = within(scope, page.workspace, blocks, &visible).await?;
    hold_shown(&scope.call, WorkOwner::Workspace(link.workspace), &shown)?;
    Ok(PageBlocks { blocks: tree(shown, None), is_truncated })
}
