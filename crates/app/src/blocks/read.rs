//! Reading the blocks of a page.

use super::{
    memory::{hold_counted, hold_shown},
    shown::{Branch, many, tree, with_sources},
    sources::ChosenSources,
};
use crate::{
    access::{RouteAccess, WorkspaceCaller},
    outcome::{AppResult, Draft},
    page_access::{self, lineage::find},
    page_memory::hold_page,
    scope::View,
};
use octavo_blocks_tree::Block;
use octavo_core_model::{
    Fault, KeyScope,
    fault::{Denial, Issue, PageLimit, Unprocessable, Violation},
    id::{BlockId, PageId, WorkspaceId},
    page::{MAX_BLOCKS, MAX_BYTES},
    role::Role,
};
use octavo_ports::blocks::{BlockLocation, BlockMark, BlockTotals, SiblingFilter};

/// Which blocks of a page to list.
#[derive(Clone, Debug)]
pub struct BlockList {
    /// The parent of the listed blocks; by default the top of the page.
    pub parent: Option<BlockId>,
    pub with_deleted: bool,
    pub after: Option<BlockMark>,
    /// The largest number of blocks on the first level.
    pub limit: u32,
}

/// Lists the children of one parent with their subtrees. Three statements besides those that find the page, four if the
/// page is large or deleted blocks are listed; one more for a parent and one for a continuation, and more for instances.
pub async fn list(view: &mut View, page: Draft<PageId>, asked: Draft<BlockList>) -> AppResult<Vec<Branch>> {
    let (caller, authority) = page_access::enter(view, RouteAccess::PAGES).await?;
    let seen = find(view, &caller, &authority, &page).await?.ok_or(Fault::NotFound)?;
    let asked = asked?;
    if asked.with_deleted {
        may_see_deleted(&caller)?;
    }
    let (workspace, page, owner) = (caller.workspace, seen.page.id, view.call.work_owner());
    if let Some(parent) = asked.parent {
        let location = view.tx.blocks().list_locations(workspace, &[parent]).await?.pop();
        let is_here = |location: BlockLocation| location.page == page && (asked.with_deleted || !location.is_deleted);
        if !location.is_some_and(is_here) {
            let flaw = Violation::new("parentBlockId", Issue::InvalidValue).with(parent.to_string().into());
            return Err(Fault::from(flaw).into());
        }
    }
    let after = match asked.after {
        Some(mark) => Some(find_continuation(view, (workspace, page, asked.parent), mark).await?),
        None => None,
    };
    let filter =
        SiblingFilter { page, parent: asked.parent, after, with_deleted: asked.with_deleted, limit: asked.limit };
    if asked.with_deleted {
        hold_with_deleted(view, workspace, &filter).await?;
    } else {
        hold_page(view, owner, &seen.page).await?;
    }
    let first = view.tx.blocks().list_siblings(workspace, &filter).await?;
    let blocks = if is_all_of_it(&filter, first.len()) {
        view.tx.blocks().list_of_pages(workspace, &[page], u32::MAX).await?
    } else {
        with_those_below(view, workspace, &filter, first).await?
    };
    let sources = ChosenSources::for_reader(view, &authority, (workspace, page), &blocks).await?;
    let hold = if asked.with_deleted { hold_counted } else { hold_shown };
    hold(&view.call, owner, &blocks, sources.bytes())?;
    Ok(tree(with_sources(view, workspace, blocks, sources).await?, asked.parent))
}

/// Holds memory for a list with deleted blocks before they are loaded. Deleted blocks do not count for the limits of a
/// page, so there may be any number of them. One answer has at most as many blocks and bytes as a page may have.
async fn hold_with_deleted(view: &mut View, workspace: WorkspaceId, filter: &SiblingFilter) -> AppResult<()> {
    let most = u32::try_from(MAX_BLOCKS).unwrap_or(u32::MAX);
    let totals = view.tx.blocks().measure_siblings(workspace, filter, most).await?;
    check_totals(totals)?;
    view.call.content.hold(view.call.work_owner(), totals.bytes)
}

const fn check_totals(totals: BlockTotals) -> Result<(), Unprocessable> {
    if totals.blocks > MAX_BLOCKS as u64 {
        return Err(Unprocessable::ListTooLarge(PageLimit::Blocks));
    }
    if totals.bytes > MAX_BYTES { Err(Unprocessable::ListTooLarge(PageLimit::Bytes)) } else { Ok(()) }
}

/// Whether the list holds all blocks of its page. If so, reading the whole page takes one index scan, while reading
/// each subtree takes one scan per block.
fn is_all_of_it(filter: &SiblingFilter, found: usize) -> bool {
    let from_the_top = filter.parent.is_none() && filter.after.is_none() && !filter.with_deleted;
    from_the_top && u32::try_from(found).is_ok_and(|found| found < filter.limit)
}

async fn with_those_below(
    view: &mut View,
    workspace: WorkspaceId,
    filter: &SiblingFilter,
    mut blocks: Vec<Block>,
) -> AppResult<Vec<Block>> {
    let first: Vec<_> = blocks.iter().map(|block| block.id).collect();
    if !first.is_empty() {
        blocks.extend(view.tx.blocks().list_below(workspace, filter.page, &first, filter.with_deleted).await?);
    }
    Ok(blocks)
}

/// The place after which a list continues. If the last block was only given another key to make room among its
/// siblings, the list continues after it; if the block was moved, after its old place.
async fn find_continuation(
    view: &mut View,
    (workspace, page, parent): (WorkspaceId, PageId, Option<BlockId>),
    mark: BlockMark,
) -> AppResult<BlockMark> {
    let block = view.tx.blocks().find(workspace, &[mark.id]).await?.pop();
    let same = block.filter(|block| (block.page, block.parent, block.version) == (page, parent, mark.version));
    Ok(same.as_ref().map_or(mark, BlockMark::of))
}

/// Only those who run the workspace may see deleted blocks.
fn may_see_deleted(caller: &WorkspaceCaller) -> AppResult<()> {
    match caller.role() {
        _ if caller.is_in_charge() => Ok(()),
        // No scope of an app reaches that far, whoever it acts for.
        Some(_) => Err(Fault::Forbidden(Denial::RequiresRole(Role::Admin)).into()),
        None => Err(Fault::Forbidden(Denial::KeyScope(KeyScope::Admin)).into()),
    }
}

/// One block with its subtree. Four statements besides those that find the page, five if the page is large; more for
/// instances. The block may be large, so it is loaded last.
pub async fn get(view: &mut View, id: Draft<BlockId>) -> AppResult<Branch> {
    let (caller, authority) = page_access::enter(view, RouteAccess::PAGES).await?;
    let Ok(id) = id else { return Err(Fault::NotFound.into()) };
    let location = view.tx.blocks().list_locations(caller.workspace, &[id]).await?.pop();
    let page = location.filter(|block| !block.is_deleted).ok_or(Fault::NotFound)?.page;
    let seen = find(view, &caller, &authority, &Ok(page)).await?.ok_or(Fault::NotFound)?;
    let owner = view.call.work_owner();
    hold_page(view, owner, &seen.page).await?;
    let found = view.tx.blocks().find(caller.workspace, &[id]).await?.pop().filter(|block| block.deletion.is_none());
    let block = found.ok_or(Fault::NotFound)?;
    let parent = block.parent;
    let mut blocks = view.tx.blocks().list_below(caller.workspace, page, &[id], false).await?;
    blocks.push(block);
    let shown = many(view, &authority, owner, (caller.workspace, page), blocks).await?;
    tree(shown, parent).pop().ok_or_else(|| Fault::NotFound.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_at_most_as_many_blocks_and_bytes_as_a_page() {
        let most = BlockTotals { blocks: 20_000, bytes: 16 << 20 };
        assert_eq!(check_totals(most), Ok(()));
        let blocks = check_totals(BlockTotals { blocks: 20_001, ..most });
        assert_eq!(blocks, Err(Unprocessable::ListTooLarge(PageLimit::Blocks)));
        let bytes = check_totals(BlockTotals { bytes: (16 << 20) + 1, ..most });
        assert_eq!(bytes, Err(Unprocessable::ListTooLarge(PageLimit::Bytes)));
    }
}
