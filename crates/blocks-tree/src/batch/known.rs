//! What is known of a page before its blocks are changed.

use super::nodes::BlockNodes;
use crate::block::{Block, BlockNode};
use octavo_core_model::{id::BlockId, position::Position};
use std::collections::{BTreeMap, BTreeSet};

/// The part of a page's tree that a batch touches.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Every block that the batch names, wherever it stands and whether it is deleted or not.
    pub named: BTreeMap<BlockId, Block>,
    /// Blocks of the page that are not deleted: the named ones, what stands above them, what stands below those whose subtree was asked for,
    /// and who stands at the places that are asked for by their key. More does no harm.
    pub nodes: BlockNodes,
    /// What stands next to and in the named blocks of the page.
    pub neighbours: BTreeMap<BlockId, Neighbours>,
    /// The last place at the top of the page.
    pub last: Option<Position>,
    /// The sources that the caller may not see. They count as absent: nothing about them is reported, not even that they are instances themselves.
    pub hidden: BTreeSet<BlockId>,
    /// Where everybody is among the stems.
    pub whole: BTreeSet<Option<BlockId>>,
    /// Blocks that could not be created, for reasons already reported. Flaws that follow from their absence are not reported.
    pub unmade: BTreeSet<BlockId>,
}

impl Known {
    /// Takes in all blocks of one place, as [`super::ApplyError::Siblings`] asks for them.
    pub fn add_siblings(&mut self, parent: Option<BlockId>, siblings: Vec<BlockNode>) {
        self.nodes.extend(siblings);
        self.whole.insert(parent);
    }
}

/// The places nearest to a block's own, and the last one in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbours {
    /// The place of the sibling before it; `None` if it is the first.
    pub previous: Option<Position>,
    /// The place of the sibling after it; `None` if it is the last.
    pub next: Option<Position>,
    /// The place of its last child; `None` if it has no children.
    pub last_child: Option<Position>,
}
