//! The result of a batch.

use crate::{block::Block, kind::Kind, reference::Reference};
use octavo_core_model::{
    id::{BlockId, PageId, UserId, WorkspaceId},
    position::Position,
    time::Timestamp,
};

/// Who changes which page, and when.
#[derive(Clone, Copy, Debug)]
pub struct Stamp {
    pub workspace: WorkspaceId,
    pub page: PageId,
    pub by: UserId,
    pub now: Timestamp,
    /// The version that the page gets.
    pub page_version: i64,
}

/// Everything that is to be written. Where nothing is to be written, nothing changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// Blocks that were not there.
    pub inserted: Vec<Block>,
    /// Blocks that were, as they are now.
    pub changed: Vec<Block>,
    pub removed: Vec<Removal>,
    /// Blocks that only got another key at the place they have.
    pub respread: Vec<(BlockId, Position)>,
    /// What happened, in its order.
    pub changes: Vec<Change>,
    /// The block of each operation.
    pub blocks: Vec<BlockId>,
    /// What is named now and was not before, by the operation that names it.
    pub named: Vec<(usize, Reference)>,
}

/// A block that is deleted with all below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    pub root: BlockId,
    /// The whole subtree, depth first, the root itself first.
    pub blocks: Vec<BlockId>,
}

/// One thing that happened to a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    Insert { block: BlockId, kind: Kind },
    Update { block: BlockId, kind: Kind },
    Delete { block: BlockId, kind: Kind },
    Move { block: BlockId, kind: Kind, from: (Option<BlockId>, Position), to: (Option<BlockId>, Position) },
}

impl Plan {
    pub fn is_empty(&self) -> bool {
        self.inserted.is_empty() && self.changed.is_empty() && self.removed.is_empty() && self.respread.is_empty()
    }
}
