//! Loading what a batch names.

use crate::{outcome::AppResult, scope::Scope};
use octavo_blocks_tree::batch::{BatchInputs, ExistingBlock, Known};
use octavo_core_model::{
    id::{BlockId, PageId, WorkspaceId},
    page::Page,
};
use octavo_ports::{blocks::BlockLocation, store::Reads};
use std::collections::BTreeSet;

/// Up to this many named blocks are loaded wherever they are. If a batch names more, those that are deleted or on other
/// pages are left out first: their operations are refused anyway, and a block can have five megabytes.
const LOADED_UNSEEN: usize = 8;

/// Loads these things in at most seven statements, however many operations there are.
pub(super) async fn load<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    page: &Page,
    asked: &BatchInputs,
) -> AppResult<Known> {
    let (workspace, page) = (page.workspace, page.id);
    let mut known = Known::default();
    let mut without_content = &asked.made | &asked.sources;
    let is_many = asked.blocks.len() > LOADED_UNSEEN;
    if is_many {
        without_content.extend(&asked.blocks);
    }
    if !without_content.is_empty() {
        let found = scope.tx.blocks().list_locations(workspace, &Vec::from_iter(without_content)).await?;
        known.existing = found.into_iter().map(|block| (block.id, existing(block))).collect();
    }
    let on_page = |id: &BlockId| known.existing.get(id).is_some_and(|block| is_present(block, page));
    let whole: Vec<_> = asked.blocks.iter().copied().filter(|id| !is_many || on_page(id)).collect();
    if !whole.is_empty() {
        let named = scope.tx.blocks().find(workspace, &whole).await?;
        known.named = named.into_iter().map(|block| (block.id, block)).collect();
    }
    let here: Vec<_> = ids_on_page(&known, page).into_iter().collect();
    if !here.is_empty() {
        known.nodes.extend(scope.tx.blocks().list_nodes_above(workspace, &here).await?);
        known.neighbours = scope.tx.blocks().list_neighbours(workspace, &here).await?;
    }
    let subtrees: Vec<_> = asked.subtrees.iter().copied().filter(|id| here.contains(id)).collect();
    if !subtrees.is_empty() {
        known.nodes.extend(scope.tx.blocks().list_nodes_below(workspace, page, &subtrees).await?);
    }
    known.last = scope.tx.blocks().find_last_position(workspace, page).await?;
    if !asked.positions.is_empty() {
        let positions: Vec<_> = asked.positions.iter().cloned().collect();
        known.nodes.extend(scope.tx.blocks().list_nodes_at(workspace, page, &positions).await?);
    }
    Ok(known)
}

const fn existing(block: BlockLocation) -> ExistingBlock {
    ExistingBlock { page: block.page, is_deleted: block.is_deleted, is_instance: block.source.is_some() }
}

fn is_present(block: &ExistingBlock, page: PageId) -> bool {
    block.page == page && !block.is_deleted
}

/// The blocks of the page among those that were found, without deleted ones.
fn ids_on_page(known: &Known, page: PageId) -> BTreeSet<BlockId> {
    let named = known.named.values().map(|block| (block.id, ExistingBlock::from(block)));
    let all = named.chain(known.existing.iter().map(|(id, block)| (*id, *block)));
    all.filter(|(_, block)| is_present(block, page)).map(|(id, _)| id).collect()
}

/// Loads all children of one parent.
pub(super) async fn load_siblings<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    known: &mut Known,
    (workspace, page): (WorkspaceId, PageId),
    parent: Option<BlockId>,
) -> AppResult<()> {
    let siblings = scope.tx.blocks().list_sibling_nodes(workspace, page, parent).await?;
    known.add_siblings(parent, siblings);
    Ok(())
}
