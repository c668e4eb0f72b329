//! Loading what a batch names.

use crate::{outcome::AppResult, scope::Scope};
use octavo_blocks_tree::batch::{BatchInputs, ExistingBlock, Known};
use octavo_core_model::{
    id::{BlockId, PageId, WorkspaceId},
    page::Page,
};
use octavo_ports::{blocks::BlockLocation, store::Reads};
use std::collections::BTreeSet;

/// Loads these things in at most seven statements, however many operations there are.
pub(super) async fn load<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    page: &Page,
    asked: &BatchInputs,
) -> AppResult<Known> {
    let (workspace, page) = (page.workspace, page.id);
    let mut known = Known::default();
    if !asked.blocks.is_empty() {
        let blocks: Vec<_> = asked.blocks.iter().copied().collect();
        let named = scope.tx.blocks().find_on_page(workspace, page, &blocks).await?;
        known.named = named.into_iter().map(|block| (block.id, block)).collect();
    }
    // Blocks that are deleted or on other pages can be large, and their operations are refused anyway.
    let mut without_content = &asked.made | &asked.sources;
    without_content.extend(asked.blocks.iter().filter(|id| !known.named.contains_key(id)));
    if !without_content.is_empty() {
        let found = scope.tx.blocks().list_locations(workspace, &Vec::from_iter(without_content)).await?;
        known.existing = found.into_iter().map(|block| (block.id, existing(block))).collect();
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
