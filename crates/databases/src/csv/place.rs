//! Places in a file.

use serde::{Deserialize, Serialize};

/// Where a row begins. A reader can be created there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// How many bytes of the file are before it.
    pub offset: u64,
    /// The number of the row as a spreadsheet shows it: the header is row 1, empty lines count, and a row is one row
    /// however many lines its cells have.
    pub row: u64,
    /// The number of its first line in a text editor, counted from 1.
    pub line: u64,
}
