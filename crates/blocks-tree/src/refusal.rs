//! Why a document is not taken, and the budget it has.

use crate::{Kind, Piece};

/// Why a document cannot become blocks. Odd input is no reason: what means nothing is text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It has more bytes than that.
    TooLong { most: usize },
    /// Blocks would lie deeper than blocks may.
    TooDeep,
    /// It would make more blocks than that.
    TooManyBlocks { most: usize },
    /// A block stands in one that takes no such blocks.
    InvalidNesting { block: Kind, parent: Option<Kind> },
}

/// How deep blocks may lie; one at the top of its page has the depth 1.
pub(crate) const MAX_DEPTH: usize = 50;

/// How much a document may hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    pub(crate) bytes: usize,
    pub(crate) blocks: usize,
}

impl Budget {
    pub(crate) const fn of(bytes: usize) -> Self {
        Self { bytes, blocks: crate::MAX_BLOCKS_READ }
    }

    pub(crate) const fn allow(self, text: &str) -> Result<(), Refusal> {
        if text.len() > self.bytes { Err(Refusal::TooLong { most: self.bytes }) } else { Ok(()) }
    }
}

/// Finds a block that may not stand where it does.
pub(crate) fn check_nesting(pieces: &[Piece], parent: Option<Kind>) -> Result<(), Refusal> {
    for piece in pieces {
        let block = piece.body.kind();
        if !block.may_stand_in(parent) {
            return Err(Refusal::InvalidNesting { block, parent });
        }
        check_nesting(&piece.children, Some(block))?;
    }
    Ok(())
}
