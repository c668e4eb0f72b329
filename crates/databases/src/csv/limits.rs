//! What is read at most.

/// How many columns are read; a database has at most as many properties.
pub const MAX_COLUMNS: usize = 200;

/// How many characters a cell has at most; no value is longer.
pub const MAX_CELL_CHARACTERS: usize = 100_000;

/// How many bytes a row has at most. It bounds the memory of a reader.
pub const MAX_ROW_BYTES: usize = 4 * 1024 * 1024;

/// How many bytes from the beginning of a file the delimiter is detected in.
pub const SAMPLE_BYTES: usize = 64 * 1024;

/// How many distinct values a column has at most if it is read as a select.
pub const MAX_GUESSED_OPTIONS: usize = 20;
