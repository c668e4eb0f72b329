//! Blocks with what stands below them, apart from any page.

use crate::body::Body;
use octavo_core_model::id::BlockId;

/// A block and its children. With an id it is one that exists or is to get that id; without, one that is yet to be made.
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
