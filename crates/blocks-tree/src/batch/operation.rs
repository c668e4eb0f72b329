//! One change of a block.

use crate::{body::Body, kind::Kind};
use octavo_core_model::{id::BlockId, position::Position};
use serde_json::Value;

/// One change that a caller asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Creates a block.
    Insert(Insertion),
    /// Changes the type, the content, the properties or the place of a block.
    Update {
        /// The block to change.
        block: BlockId,
        /// The version that the caller has seen. The operation is refused if the block has another one.
        version: Option<i64>,
        /// What to change.
        patch: Patch,
    },
    /// Deletes a block and everything below it.
    Delete {
        /// The block to delete.
        block: BlockId,
        /// The version that the caller has seen. The operation is refused if the block has another one.
        version: Option<i64>,
    },
    /// Moves a block, with everything below it, to another place on the page.
    Move {
        /// The block to move.
        block: BlockId,
        /// The version that the caller has seen. The operation is refused if the block has another one.
        version: Option<i64>,
        /// Where to move it.
        target: Target,
    },
}

/// A block to be created.
#[derive(Clone, Debug, PartialEq)]
pub struct Insertion {
    /// Chosen by the caller, or generated if `None`.
    pub id: Option<BlockId>,
    /// What the block holds.
    pub body: Body,
    /// Where the block goes.
    pub target: Target,
}

/// The new place of a block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Target {
    /// The parent; `Some(None)` is the page. If it is `None`, the anchor decides; without an anchor, an existing
    /// block keeps its parent and a new one is added at the top level.
    pub parent: Option<Option<BlockId>>,
    /// The place among the children of that parent.
    pub anchor: Anchor,
}

/// The place among siblings.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Anchor {
    /// Behind the last sibling.
    #[default]
    Last,
    /// Directly after this sibling.
    After(BlockId),
    /// Directly in front of this sibling.
    Before(BlockId),
    /// At the place with this key.
    At(Position),
}

/// A change of a block. Its content is parsed once the type of the block is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Patch {
    /// The new type.
    pub kind: Option<Kind>,
    /// The keys of the content to change, or a replacement for its text.
    pub content: Option<Value>,
    /// Replaces all properties.
    pub properties: Option<Value>,
    /// The new parent, `Some(None)` being the page; `None` leaves it.
    pub parent: Option<Option<BlockId>>,
    /// The key of the new place.
    pub position: Option<Position>,
}

impl Operation {
    /// The name of the field that contains the operation's data besides the block.
    pub const fn part(&self) -> Option<&'static str> {
        match self {
            Self::Insert(_) => Some("block"),
            Self::Update { .. } => Some("patch"),
            Self::Delete { .. } => None,
            Self::Move { .. } => Some("move"),
        }
    }
}

impl Patch {
    /// Whether it is empty.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The new place of the block, if the patch names one.
    pub(super) fn target(&self) -> Option<Target> {
        if self.parent.is_none() && self.position.is_none() {
            return None;
        }
        let anchor = self.position.clone().map_or(Anchor::Last, Anchor::At);
        Some(Target { parent: self.parent, anchor })
    }
}

impl Target {
    /// The blocks that it names.
    pub(super) fn names(&self) -> impl Iterator<Item = BlockId> {
        self.parent.flatten().into_iter().chain(self.anchor.block())
    }
}

impl Anchor {
    pub(super) const fn block(&self) -> Option<BlockId> {
        match self {
            Self::After(id) | Self::Before(id) => Some(*id),
            Self::Last | Self::At(_) => None,
        }
    }
}
