//! The result of a batch.

use crate::{block::Block, kind::Kind, reference::Reference};
use octavo_core_model::{
    id::{BlockId, PageId, UserId, WorkspaceId},
    position::Position,
    time::Timestamp,
};

/// The page, the author and the time of a change.
#[derive(Clone, Copy, Debug)]
pub struct Stamp {
    pub workspace: WorkspaceId,
    pub page: PageId,
    pub by: UserId,
    pub now: Timestamp,
    /// The new version of the page.
    pub page_version: i64,
}

/// Everything to be written. If it is empty, nothing has changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// New blocks.
    pub inserted: Vec<Block>,
    /// Changed blocks in their new state.
    pub changed: Vec<Block>,
    pub removed: Vec<Removal>,
    /// Blocks that only got another key at the same place.
    pub respread: Vec<(BlockId, Position)>,
    /// All changes, in order.
    pub changes: Vec<Change>,
    /// The block of each operation.
    pub blocks: Vec<BlockId>,
    /// New references, with the index of the operation.
    pub named: Vec<(usize, Reference)>,
}

/// A block that is deleted with its descendants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    pub root: BlockId,
    /// The whole subtree, depth first, the root itself first.
    pub blocks: Vec<BlockId>,
}

/// A change of a block.
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
