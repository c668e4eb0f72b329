//! The rows of a file, and why some are not read.

use super::{
    guard::{is_guarded, unguarded},
    place::Place,
};
use std::fmt;

/// A row of a file.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    pub(super) place: Place,
    pub(super) text: &'a str,
    pub(super) ends: &'a [usize],
    pub(super) width: usize,
    pub(super) filled: usize,
}

impl<'a> Row<'a> {
    /// Where it begins.
    pub fn place(&self) -> Place {
        self.place
    }

    /// How many cells it has, including those beyond the limit.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The text of a cell, counted from 0, without the quote that guards it. Cells that the row does not have are
    /// empty.
    pub fn cell(&self, index: usize) -> &'a str {
        unguarded(self.written(index))
    }

    /// Whether a quote guards the cell: then it is text, even if it could be read as a number.
    pub fn is_guarded(&self, index: usize) -> bool {
        is_guarded(self.written(index))
    }

    /// The texts of all cells up to the limit.
    pub fn cells(&self) -> impl Iterator<Item = &'a str> {
        let row = *self;
        (0..self.ends.len()).map(move |index| row.cell(index))
    }

    /// Rejects a row whose cells do not fit below the headers. One that is too short is accepted, because many programs
    /// leave empty cells at the end out; and so is one that is only longer by empty cells.
    pub fn below(self, headers: usize) -> Result<Self, RejectedRow> {
        if self.filled <= headers {
            return Ok(self);
        }
        Err(RejectedRow { place: self.place, column: Some(headers + 1), issue: RowIssue::TooManyCells })
    }

    fn written(&self, index: usize) -> &'a str {
        let end = self.ends.get(index).copied().unwrap_or_default();
        let begin = index.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or_default();
        self.text.get(begin..end).unwrap_or_default()
    }
}

/// A row that is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RejectedRow {
    /// Where it begins.
    pub place: Place,
    /// The number of the cell that is the reason, counted from 1.
    pub column: Option<usize>,
    /// Why it is not read.
    pub issue: RowIssue,
}

/// Why a row is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowIssue {
    /// A cell begins with a quote, and no quote ends it. Reading goes on with the next line.
    UnclosedQuote,
    /// A cell has more characters than any value.
    CellTooLong,
    /// It has more bytes than `MAX_ROW_BYTES`. Reading goes on with the next line.
    RowTooLong,
    /// It has cells without a header.
    TooManyCells,
}

impl RowIssue {
    /// The word in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::UnclosedQuote => "unclosed_quote",
            Self::CellTooLong => "cell_too_long",
            Self::RowTooLong => "row_too_long",
            Self::TooManyCells => "too_many_cells",
        }
    }
}

impl fmt::Display for RowIssue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
