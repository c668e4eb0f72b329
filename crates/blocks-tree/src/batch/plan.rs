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
    /// The workspace of the page.
    pub workspace: WorkspaceId,
    /// The page whose blocks change.
    pub page: PageId,
    /// The account that changes them.
    pub by: UserId,
    /// The time of the change.
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
    /// Blocks to delete, with everything below them.
    pub removed: Vec<Removal>,
    /// Blocks that only got another key at the same place.
    pub respread: Vec<(BlockId, Position)>,
    /// All changes, in order.
    pub changes: Vec<Change>,
    /// The block of each operation.
    pub blocks: Vec<BlockId>,
    /// New references.
    pub named: Vec<NewReference>,
}

/// A reference that an operation adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewReference {
    /// The index of the operation.
    pub operation: usize,
    /// The field of the block that holds it.
    pub field: &'static str,
    /// What it refers to.
    pub reference: Reference,
}

/// A block that is deleted with its descendants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    /// The block that the operation named.
    pub root: BlockId,
    /// The whole subtree, depth first, the root itself first.
    pub blocks: Vec<BlockId>,
}

/// A change of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A block was created.
    Insert {
        /// The new block.
        block: BlockId,
        /// Its type.
        kind: Kind,
    },
    /// The type, the content or the properties of a block changed.
    Update {
        /// The block that changed.
        block: BlockId,
        /// Its type after the change.
        kind: Kind,
    },
    /// A block was deleted, with everything below it.
    Delete {
        /// The block that the operation named.
        block: BlockId,
        /// Its type.
        kind: Kind,
    },
    /// A block got another parent or another place among its siblings.
    Move {
        /// The block that moved.
        block: BlockId,
        /// Its type.
        kind: Kind,
        /// Its parent and place before; the parent is `None` at the top of the page.
        from: (Option<BlockId>, Position),
        /// Its parent and place now.
        to: (Option<BlockId>, Position),
    },
}

impl Plan {
    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.inserted.is_empty() && self.changed.is_empty() && self.removed.is_empty() && self.respread.is_empty()
    }
}
