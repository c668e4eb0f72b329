//! Why texts and blocks are refused.

use super::Violation;
use crate::{id::BlockId, version::Stale};

/// Why a text cannot become blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextFlaw {
    /// The index among several edits; `None` if there is only one text.
    pub index: Option<usize>,
    /// What is wrong with it.
    pub problem: TextProblem,
}

/// What is wrong with a text or an edit of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextProblem {
    /// The text to find does not occur on the page.
    FindNotFound,
    /// It occurs several times, and the edit does not say that all occurrences are meant.
    FindNotUnique {
        /// In how many places it was found.
        matches: usize,
    },
    /// The text names a block that is not on the page.
    UnknownBlock(BlockId),
    /// More bytes than this.
    TooLong {
        /// How many bytes a text may have.
        most: usize,
    },
    /// Blocks would be nested deeper than allowed.
    TooDeep,
    /// More blocks, cells or marks than one call may create.
    TooMuch {
        /// How many there may be.
        most: usize,
        /// What there is too much of, in the plural: `blocks`.
        unit: &'static str,
    },
    /// A block would be in a parent that does not allow this type.
    InvalidNesting,
}

/// A flaw in a change of blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockFlaw {
    /// The index in a batch; `None` for a single change.
    pub operation: Option<usize>,
    /// The part of the operation that contains the field; `None` if the operation was sent without such a part.
    pub part: Option<&'static str>,
    /// What is wrong with the change.
    pub problem: BlockProblem,
}

/// Why a block cannot be changed like this.
#[derive(Clone, Debug, PartialEq)]
pub enum BlockProblem {
    /// A field breaks a constraint.
    Invalid(Violation),
    /// The page does not have this block.
    Unknown(&'static str),
    /// A parent, or something else that the block names, does not exist for the caller. Contains the name of the
    /// field.
    Missing(&'static str),
    /// The id is taken.
    Taken(BlockId),
    /// The change was made for another version of the block.
    Stale(Stale),
    /// The parent does not allow blocks of this type; `None` means the page.
    InvalidNesting {
        /// The block that would be put there.
        block: BlockId,
        /// The block that it would be put in; `None` is the page.
        parent: Option<BlockId>,
    },
    /// A block would become its own descendant.
    CycleDetected(BlockId),
    /// The block, or one below it, would be deeper than blocks may be.
    MaxDepth(BlockId),
    /// An instance can be changed only through its source.
    SyncedReadonly {
        /// The block that the instance shows.
        source: BlockId,
    },
    /// An instance would show itself.
    SyncCycle(BlockId),
}

impl BlockFlaw {
    /// A problem of the operation with this index.
    pub const fn new(operation: usize, problem: BlockProblem) -> Self {
        Self { operation: Some(operation), part: None, problem }
    }

    /// Adds the part of the operation that contains the field.
    #[must_use]
    pub fn within(self, part: Option<&'static str>) -> Self {
        Self { part, ..self }
    }

    /// Removes the index, for an operation that was sent alone.
    #[must_use]
    pub fn alone(self) -> Self {
        Self { operation: None, part: None, ..self }
    }
}
