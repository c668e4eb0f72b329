//! What is known about a page before its blocks are changed.

use super::nodes::BlockNodes;
use crate::{
    block::{Block, BlockNode},
    kind::Kind,
};
use octavo_core_model::{
    id::{BlockId, PageId},
    position::Position,
};
use std::collections::{BTreeMap, BTreeSet};

/// The part of a page's tree that a batch needs.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The blocks of the page that the batch changes or names as places. Deleted blocks and blocks of other pages may
    /// be missing.
    pub named: BTreeMap<BlockId, Block>,
    /// The sources of new instances, and the blocks that have the ids of new blocks, on any page, deleted or not. More
    /// blocks do no harm.
    pub existing: BTreeMap<BlockId, ExistingBlock>,
    /// Blocks of the page that are not deleted: the named ones and the sources, those above them, those below them if
    /// their subtree is needed, and those at positions that operations ask for. More blocks do no harm.
    pub nodes: BlockNodes,
    /// The neighbours of the named blocks on the page, and the last child of each.
    pub neighbours: BTreeMap<BlockId, Neighbours>,
    /// The last position at the top level of the page.
    pub last: Option<Position>,
    /// The sources that the caller may not see. They count as absent: nothing about them is reported, not even that
    /// they are instances themselves.
    pub hidden: BTreeSet<BlockId>,
    /// The parents whose children are all known.
    pub whole: BTreeSet<Option<BlockId>>,
    /// Blocks that could not be created, for reasons already reported. Flaws that follow from their absence are not
    /// reported.
    pub unmade: BTreeSet<BlockId>,
}

impl Known {
    /// Adds all children of one parent, as [`super::ApplyError::Siblings`] requests.
    pub fn add_siblings(&mut self, parent: Option<BlockId>, siblings: Vec<BlockNode>) {
        self.nodes.extend(siblings);
        self.whole.insert(parent);
    }
}

/// A block without its content, which may be large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExistingBlock {
    /// The page that contains the block, or contained it before it was deleted.
    pub page: PageId,
    /// Whether it was deleted.
    pub is_deleted: bool,
    /// Whether it is an instance of another block.
    pub is_instance: bool,
}

impl From<&Block> for ExistingBlock {
    fn from(block: &Block) -> Self {
        Self { page: block.page, is_deleted: block.deletion.is_some(), is_instance: block.kind() == Kind::SyncedBlock }
    }
}

/// The positions next to a block's own, and the last position among its children.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbours {
    /// The place of the sibling before it; `None` if it is the first.
    pub previous: Option<Position>,
    /// The place of the sibling after it; `None` if it is the last.
    pub next: Option<Position>,
    /// The place of its last child; `None` if it has no children.
    pub last_child: Option<Position>,
}
