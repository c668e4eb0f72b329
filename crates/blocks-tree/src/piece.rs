//! Blocks with their descendants, independent of a page.

use crate::body::Body;
use octavo_core_model::id::BlockId;

/// A block and its children. With an id, it is an existing block or a new one with this id; without, a new block.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// The id of an existing block, or the one that a new block is to get.
    pub id: Option<BlockId>,
    /// What the block holds.
    pub body: Body,
    /// The blocks directly below it, in their order.
    pub children: Vec<Piece>,
}

impl Piece {
    /// A new block without children.
    pub const fn new(body: Body) -> Self {
        Self { id: None, body, children: Vec::new() }
    }

    /// The same block with these children.
    #[must_use]
    pub fn with(mut self, children: Vec<Self>) -> Self {
        self.children = children;
        self
    }
}
