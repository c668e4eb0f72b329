//! Why a document is refused, and how large it may be.

use crate::{Body, Kind, Piece};
use octavo_core_model::{cancellation::Cancellation, page};

/// Why a document cannot become blocks. Unknown syntax is not a reason: it becomes text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It has more bytes than this.
    TooLong {
        /// How many there may be.
        most: usize,
    },
    /// Blocks would be nested deeper than allowed.
    TooDeep,
    /// It would create more blocks than this.
    TooManyBlocks {
        /// How many there may be.
        most: usize,
    },
    /// Its tables have more cells than this.
    TooManyCells {
        /// How many there may be.
        most: usize,
    },
    /// Its texts have more marks than this.
    TooManyMarks {
        /// How many there may be.
        most: usize,
    },
    /// It has more characters that could be Markdown, including line breaks, than this.
    TooManyDelimiters {
        /// How many there may be.
        most: usize,
    },
    /// Its blocks would be larger than a page may be.
    TooLarge,
    /// A tag has more attributes than this.
    TooManyAttributes {
        /// How many there may be.
        most: usize,
    },
    /// The parent does not allow blocks of this type.
    InvalidNesting {
        /// The type of the block that would be put there.
        block: Kind,
        /// The type of the block that it would be put in; `None` is the page.
        parent: Option<Kind>,
    },
    /// The caller no longer waits for it.
    Cancelled,
}

/// How many line breaks and characters that could be Markdown a text may have; a text of 1 MB cannot have more.
const MAX_DELIMITERS: usize = 1 << 20;

/// How many cells, and how many marks, a text may have outside directives.
const MAX_CELLS: usize = 100_000;
const MAX_MARKS: usize = 100_000;

/// The limits of a document. Blocks, cells and marks need many times the memory of the text from which they are
/// parsed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    pub(crate) bytes: usize,
    pub(crate) blocks: usize,
    cells: usize,
    marks: usize,
    pub(crate) delimiters: usize,
    /// The bytes of blocks that the document contains as JSON.
    json_bytes: u64,
}

impl Budget {
    /// For content that was accepted before and is parsed again: length and blocks are not bounded.
    pub(crate) const EXISTING: Self = Self { blocks: usize::MAX, json_bytes: u64::MAX, ..Self::of(usize::MAX) };

    pub(crate) const fn of(bytes: usize) -> Self {
        Self {
            bytes,
            blocks: crate::MAX_BLOCKS_READ,
            cells: MAX_CELLS,
            marks: MAX_MARKS,
            delimiters: MAX_DELIMITERS,
            json_bytes: page::MAX_BYTES,
        }
    }

    /// The budget that is left for a document next to existing blocks.
    pub(crate) fn with_existing(pieces: &[Piece], bytes: usize) -> Self {
        let mut there = Spent::default();
        there.add_all(pieces);
        let new = Self::of(bytes);
        let (blocks, cells, marks) = (new.blocks + there.blocks, new.cells + there.cells, new.marks + there.marks);
        Self { blocks, cells, marks, json_bytes: u64::MAX, ..new }
    }

    pub(crate) const fn allow_cells(self, cells: usize) -> Result<(), Refusal> {
        if cells > self.cells { Err(Refusal::TooManyCells { most: self.cells }) } else { Ok(()) }
    }

    pub(crate) const fn allow_marks(self, marks: usize) -> Result<(), Refusal> {
        if marks > self.marks { Err(Refusal::TooManyMarks { most: self.marks }) } else { Ok(()) }
    }

    pub(crate) const fn allow_delimiters(self, delimiters: usize) -> Result<(), Refusal> {
        if delimiters > self.delimiters {
            return Err(Refusal::TooManyDelimiters { most: self.delimiters });
        }
        Ok(())
    }

    pub(crate) const fn allow(self, text: &str) -> Result<(), Refusal> {
        if text.len() > self.bytes { Err(Refusal::TooLong { most: self.bytes }) } else { Ok(()) }
    }
}

/// Stops work on a document if its caller no longer waits for it.
pub(crate) fn check_cancelled(cancellation: &Cancellation) -> Result<(), Refusal> {
    if cancellation.is_cancelled() { Err(Refusal::Cancelled) } else { Ok(()) }
}

/// How much of a budget is used.
#[derive(Clone, Copy, Default)]
pub(crate) struct Spent {
    blocks: usize,
    cells: usize,
    marks: usize,
    json_bytes: u64,
}

impl Spent {
    pub(crate) fn block(&mut self) {
        self.blocks += 1;
    }

    /// Counts the content of a block.
    pub(crate) fn body(&mut self, body: &Body) {
        self.cells += body.cells().map_or(0, |_| body.texts().len());
        self.marks += body.texts().iter().map(|text| text.marks().len()).sum::<usize>();
    }

    /// Counts the content of a block that the document contains as JSON.
    pub(crate) fn json(&mut self, body: &Body) {
        self.json_bytes += body.bytes();
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
        if self.json_bytes > budget.json_bytes {
            return Err(Refusal::TooLarge);
        }
        match budget.allow_marks(self.marks) {
            Ok(()) => budget.allow_cells(self.cells),
            refused => refused,
        }
    }
}

/// Refuses a block that is not allowed in its parent.
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
