//! Why a document is not taken, and the budget it has.

use crate::{Body, Kind, Piece};
use octavo_core_model::cancellation::Cancellation;
use serde_json::Value;

/// Why a document cannot become blocks. Odd input is no reason: what means nothing is text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It has more bytes than that.
    TooLong {
        /// How many there may be.
        most: usize,
    },
    /// Blocks would lie deeper than blocks may.
    TooDeep,
    /// It would make more blocks than that.
    TooManyBlocks {
        /// How many there may be.
        most: usize,
    },
    /// Its tables have more cells than that.
    TooManyCells {
        /// How many there may be.
        most: usize,
    },
    /// Its texts have more marks than that.
    TooManyMarks {
        /// How many there may be.
        most: usize,
    },
    /// A tag has more attributes than that.
    TooManyAttributes {
        /// How many there may be.
        most: usize,
    },
    /// The parent does not accept blocks of this type.
    InvalidNesting {
        /// The type of the block that would be put there.
        block: Kind,
        /// The type of the block that it would be put in; `None` is the page.
        parent: Option<Kind>,
    },
    /// Nobody waits for it any more.
    Cancelled,
}

/// How much a document may hold. Blocks, cells and marks take many times the memory of the text they are written in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    pub(crate) bytes: usize,
    pub(crate) blocks: usize,
    cells: usize,
    marks: usize,
}

impl Budget {
    /// For what was taken before, and is read again.
    pub(crate) const UNBOUNDED: Self =
        Self { bytes: usize::MAX, blocks: usize::MAX, cells: usize::MAX, marks: usize::MAX };

    pub(crate) const fn of(bytes: usize) -> Self {
        Self { bytes, blocks: crate::MAX_BLOCKS_READ, cells: 100_000, marks: 100_000 }
    }

    /// The room that is left for a document.
    pub(crate) fn beside(pieces: &[Piece], bytes: usize) -> Self {
        let mut there = Spent::default();
        there.add_all(pieces);
        let new = Self::of(bytes);
        let (blocks, cells, marks) = (new.blocks + there.blocks, new.cells + there.cells, new.marks + there.marks);
        Self { bytes, blocks, cells, marks }
    }

    pub(crate) const fn allow_cells(self, cells: usize) -> Result<(), Refusal> {
        if cells > self.cells { Err(Refusal::TooManyCells { most: self.cells }) } else { Ok(()) }
    }

    pub(crate) const fn allow(self, text: &str) -> Result<(), Refusal> {
        if text.len() > self.bytes { Err(Refusal::TooLong { most: self.bytes }) } else { Ok(()) }
    }
}

/// Ends the reading of a document that nobody waits for any more.
pub(crate) fn go_on(cancellation: &Cancellation) -> Result<(), Refusal> {
    if cancellation.is_cancelled() { Err(Refusal::Cancelled) } else { Ok(()) }
}

/// How much of a budget is used up.
#[derive(Default)]
pub(crate) struct Spent {
    blocks: usize,
    cells: usize,
    marks: usize,
}

impl Spent {
    pub(crate) fn block(&mut self) {
        self.blocks += 1;
    }

    /// Counts the content of a block.
    pub(crate) fn body(&mut self, body: &Body) {
        let list = |key: &str| body.content().get(key).and_then(Value::as_array);
        self.marks += list("marks").map_or(0, Vec::len);
        for cell in list("rows").into_iter().flatten().filter_map(Value::as_array).flatten() {
            self.cells += 1;
            self.marks += cell.get("marks").and_then(Value::as_array).map_or(0, Vec::len);
        }
    }

    fn add_all(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            self.block();
            self.body(&piece.body);
            self.add_all(&piece.children);
        }
    }

    pub(crate) const fn check(&self, budget: Budget) -> Result<(), Refusal> {
        if self.blocks > budget.blocks {
            return Err(Refusal::TooManyBlocks { most: budget.blocks });
        }
        if self.marks > budget.marks {
            return Err(Refusal::TooManyMarks { most: budget.marks });
        }
        budget.allow_cells(self.cells)
    }
}

/// Finds a block that is not allowed at its place.
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
