//! Blocks with their descendants, independent of a page.

use crate::body::Body;
use octavo_core_model::id::BlockId;

/// A block and its children. With an id, it is an existing block or a new one with this id; without, a new block.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    pub id: Option<BlockId>,
    pub body: Body,
    pub children: Vec<Piece>,
}

impl Piece {
    pub const fn new(body: Body) -> Self {
        Self { id: None, body, children: Vec::new() }
    }

    #[must_use]
    pub fn with(mut self, children: Vec<Self>) -> Self {
        self.children = children;
        self
    }
}
