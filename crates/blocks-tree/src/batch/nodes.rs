//! The shape of a page, indexed by block and by parent.

use crate::block::BlockNode;
use octavo_core_model::id::BlockId;
use std::collections::{BTreeMap, BTreeSet};

/// Existing blocks of a page. A block that is inserted twice has its last state.
#[derive(Clone, Debug, Default)]
pub struct BlockNodes {
    by_id: BTreeMap<BlockId, BlockNode>,
    below: BTreeSet<(Option<BlockId>, BlockId)>,
}

impl BlockNodes {
    /// The block with this id, if it is loaded.
    pub fn get(&self, id: BlockId) -> Option<&BlockNode> {
        self.by_id.get(&id)
    }

    /// Adds a block, or replaces the one that has its id.
    pub fn insert(&mut self, node: BlockNode) {
        let (id, parent) = (node.id, node.parent);
        if let Some(before) = self.by_id.insert(id, node) {
            self.below.remove(&(before.parent, id));
        }
        self.below.insert((parent, id));
    }

    /// Removes a block. Its children stay.
    pub fn remove(&mut self, id: BlockId) {
        if let Some(before) = self.by_id.remove(&id) {
            self.below.remove(&(before.parent, id));
        }
    }

    /// The loaded children of a block or of the page, in no particular order.
    pub fn below(&self, parent: Option<BlockId>) -> impl Iterator<Item = BlockId> {
        within(&self.below, parent)
    }
}

pub(super) fn within(
    below: &BTreeSet<(Option<BlockId>, BlockId)>,
    parent: Option<BlockId>,
) -> impl Iterator<Item = BlockId> {
    below.range((parent, BlockId::LOWEST)..).take_while(move |(stands_in, _)| *stands_in == parent).map(|(_, id)| *id)
}

impl Extend<BlockNode> for BlockNodes {
    fn extend<T: IntoIterator<Item = BlockNode>>(&mut self, nodes: T) {
        nodes.into_iter().for_each(|node| self.insert(node));
    }
}

impl FromIterator<BlockNode> for BlockNodes {
    fn from_iter<T: IntoIterator<Item = BlockNode>>(nodes: T) -> Self {
        let by_id = nodes.into_iter().map(|node| (node.id, node)).collect::<BTreeMap<_, _>>();
        let below = by_id.values().map(|node| (node.parent, node.id)).collect();
        Self { by_id, below }
    }
}
