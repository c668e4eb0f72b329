//! Blocks in the order in which one reads them.

use crate::block::Block;
use octavo_core_model::id::BlockId;
use std::collections::{BTreeMap, BTreeSet};

/// Depth first, siblings in their order. What stands in a block that is not among these comes as if it stood at the top.
pub fn in_order(blocks: &[Block]) -> Vec<&Block> {
    let there: BTreeSet<_> = blocks.iter().map(|block| block.id).collect();
    let mut by_parent = BTreeMap::<Option<BlockId>, Vec<&Block>>::new();
    for block in blocks {
        by_parent.entry(block.parent.filter(|parent| there.contains(parent))).or_default().push(block);
    }
    for siblings in by_parent.values_mut() {
        // Taken from the end.
        siblings.sort_by(|a, b| place(b).cmp(&place(a)));
    }
    let mut found = Vec::with_capacity(blocks.len());
    let mut open = by_parent.remove(&None).unwrap_or_default();
    while let Some(block) = open.pop() {
        found.push(block);
        open.extend(by_parent.remove(&Some(block.id)).unwrap_or_default());
    }
    found
}

/// What decides which of two siblings comes first.
pub(super) fn place(block: &Block) -> (&str, octavo_core_model::Timestamp, BlockId) {
    (block.position.as_str(), block.created_at, block.id)
}
