//! All blocks of a page.

use super::{
    memory::hold_shown,
    shown::{Branch, ShownBlock, many, tree, with_sources},
    sources::ChosenSources,
};
use crate::{outcome::AppResult, page_memory::hold_page, scope::Scope};
use octavo_blocks_tree::Reference;
use octavo_core_model::{
    id::{DatabaseId, PageId, ViewId},
    page::Page,
    share_link::ShareLink,
};
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

    /// The pages that the blocks mention or stand for.
    pub(crate) fn named_pages(&self) -> BTreeSet<PageId> {
        let references = all(&self.blocks).flat_map(|shown| shown.seen().references());
        let page = |reference| if let Reference::Page(page) = reference { Some(page) } else { None };
        references.filter_map(page).collect()
    }

    /// The databases that blocks show, each with the view that the block names.
    pub(crate) fn named_databases(&self) -> BTreeSet<(DatabaseId, Option<ViewId>)> {
        all(&self.blocks).filter_map(|shown| shown.seen().shown_database()).collect()
    }
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
    let shown = many(scope, authority, owner, (page.workspace, page.id), blocks).await?;
    Ok(PageBlocks { blocks: tree(shown, None), is_truncated })
}

/// The blocks of a page for the holder of a share link to it. Callers hold memory for them first. Up to three more
/// statements if instances show blocks that are not among these.
pub(crate) async fn shared_content<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    link: &ShareLink,
    page: &Page,
) -> AppResult<PageBlocks> {
    let (blocks, is_truncated) = load(scope, page).await?;
    let sources = ChosenSources::for_link(scope, link, page, &blocks).await?;
    hold_shown(&scope.call, WorkOwner::Workspace(link.workspace), &blocks, sources.bytes())?;
    let shown = with_sources(scope, page.workspace, blocks, sources).await?;
    Ok(PageBlocks { blocks: tree(shown, None), is_truncated })
}
