//! One row of cells, found in bytes whose delimiter, quotes and line breaks are ASCII.

use super::limits::MAX_COLUMNS;
use memchr::{memchr, memchr_iter, memchr2};

const QUOTE: u8 = b'"';

/// The cells of one row without their quotes, in the encoding of the bytes they were found in.
#[derive(Debug, Default)]
pub(super) struct Cells {
    /// The cells, one behind the other.
    pub(super) bytes: Vec<u8>,
    /// Where each kept cell ends in `bytes`. At most `MAX_COLUMNS` are kept.
    pub(super) ends: Vec<usize>,
    /// How many cells the row has.
    pub(super) width: usize,
    /// The number of the last cell that is not empty, counted from 1.
    pub(super) filled: usize,
    /// How many cells began with a quote. Only these contain line breaks.
    pub(super) quoted: usize,
}

impl Cells {
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.width = 0;
        self.filled = 0;
        self.quoted = 0;
    }

    /// How many quotes are text although the row, which the cells were found in, does not double them.
    pub(super) fn odd_quotes(&self, row: &[u8]) -> usize {
        let written = memchr_iter(QUOTE, row).count();
        let read = memchr_iter(QUOTE, &self.bytes).count();
        // A cell in quotes has two, a doubled quote counts once in the text.
        (2 * read + 2 * self.quoted).saturating_sub(written)
    }

    fn append(&mut self, part: &[u8]) {
        if self.width < MAX_COLUMNS {
            self.bytes.extend_from_slice(part);
        }
        if !part.is_empty() {
            self.filled = self.width + 1;
        }
    }

    fn end_cell(&mut self) {
        if self.width < MAX_COLUMNS {
            self.ends.push(self.bytes.len());
        }
        self.width += 1;
    }
}

/// What was found at the beginning of the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A row, which ends with its line break.
    Row {
        /// How many bytes belong to it.
        length: usize,
    },
    /// The quote that begins a cell is never closed.
    Unclosed(Unclosed),
    /// The row goes on behind the bytes.
    Incomplete {
        /// What to report if the quote that is open at the end of the bytes is never closed. Only a cell that contains
        /// a line break has it.
        unclosed: Option<Unclosed>,
    },
}

/// A cell that begins with a quote, and whose line ends before the quote is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unclosed {
    /// The number of the cell, counted from 1.
    pub(super) column: usize,
    /// Where the line after the quote begins; reading can go on there.
    pub(super) length: usize,
}

/// Reads the row that begins with the first byte. `last` means that nothing follows the bytes.
///
/// A quote within a quoted cell closes it if the cell ends there, spaces aside. Otherwise it belongs to the text,
/// unless the cell also contains a line break: then the quote that began the cell probably was not meant to, and the
/// row is given up before it swallows the rows after it.
pub(super) fn read_row(bytes: &[u8], delimiter: u8, last: bool, cells: &mut Cells) -> Found {
    cells.clear();
    let mut at = 0;
    loop {
        let end = if bytes.get(at) == Some(&QUOTE) {
            cells.quoted += 1;
            match (QuotedCell { bytes, delimiter, last, opening: at, checked: at + 1 }).read(cells) {
                Ok(end) => end,
                Err(found) => return found,
            }
        } else {
            let rest = &bytes[at..];
            let length = rest.iter().position(|byte| *byte == delimiter || is_break(*byte));
            if length.is_none() && !last {
                return Found::Incomplete { unclosed: None };
            }
            let length = length.unwrap_or(rest.len());
            cells.append(&rest[..length]);
            at + length
        };
        cells.end_cell();
        match bytes.get(end) {
            Some(byte) if *byte == delimiter => at = end + 1,
            Some(_) => {
                return match line_break(&bytes[end..], last) {
                    Some(length) => Found::Row { length: end + length },
                    None => Found::Incomplete { unclosed: None },
                };
            }
            None => return Found::Row { length: bytes.len() },
        }
    }
}

/// The length of the line break that the bytes begin with. It is unknown if more bytes decide.
pub(super) fn line_break(bytes: &[u8], last: bool) -> Option<usize> {
    match bytes {
        [b'\r', b'\n', ..] => Some(2),
        [b'\r'] if !last => None,
        [b'\r' | b'\n', ..] => Some(1),
        _ => None,
    }
}

/// How many line breaks there are.
pub(super) fn count_line_breaks(bytes: &[u8]) -> u64 {
    let lone = memchr_iter(b'\r', bytes).filter(|at| bytes.get(at + 1) != Some(&b'\n')).count();
    (lone + memchr_iter(b'\n', bytes).count()) as u64
}

/// Where the first line break is.
pub(super) fn find_line_break(bytes: &[u8]) -> Option<usize> {
    memchr2(b'\r', b'\n', bytes)
}

const fn is_break(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

struct QuotedCell<'a> {
    bytes: &'a [u8],
    delimiter: u8,
    last: bool,
    /// Where the quote is that begins the cell.
    opening: usize,
    /// Up to where line breaks have been looked for.
    checked: usize,
}

impl QuotedCell<'_> {
    /// Reads the cell and returns where it ends, behind the closing quote and spaces.
    fn read(mut self, cells: &mut Cells) -> Result<usize, Found> {
        let column = cells.width + 1;
        let mut copied = self.opening + 1;
        let mut search = copied;
        let mut stray = false;
        loop {
            let Some(quote) = memchr(QUOTE, &self.bytes[search..]).map(|at| search + at) else {
                return Err(self.open_ended(column, stray));
            };
            if stray && let Some(unclosed) = self.broken_before(quote, column) {
                return Err(Found::Unclosed(unclosed));
            }
            match self.after(quote) {
                After::Quote => {
                    cells.append(&self.bytes[copied..=quote]);
                    copied = quote + 2;
                    search = copied;
                }
                After::EndOfCell(end) => {
                    cells.append(&self.bytes[copied..quote]);
                    return Ok(end);
                }
                After::Text => {
                    if let Some(unclosed) = self.broken_before(quote, column) {
                        return Err(Found::Unclosed(unclosed));
                    }
                    stray = true;
                    search = quote + 1;
                }
                After::Unknown => return Err(self.open_ended(column, stray)),
            }
        }
    }

    fn after(&self, quote: usize) -> After {
        let rest = &self.bytes[quote + 1..];
        if rest.first() == Some(&QUOTE) {
            return After::Quote;
        }
        let spaces = rest.iter().take_while(|byte| **byte == b' ' && self.delimiter != b' ').count();
        match rest.get(spaces) {
            Some(byte) if *byte == self.delimiter || is_break(*byte) => After::EndOfCell(quote + 1 + spaces),
            Some(_) => After::Text,
            None if self.last => After::EndOfCell(self.bytes.len()),
            None => After::Unknown,
        }
    }

    /// A line break between the opening quote and `end`, which has not been looked at yet.
    fn broken_before(&mut self, end: usize, column: usize) -> Option<Unclosed> {
        let from = self.checked.min(end);
        self.checked = end;
        let at = from + find_line_break(&self.bytes[from..end])?;
        // A quote follows, if only later, so the line break is complete.
        Some(Unclosed { column, length: at + line_break(&self.bytes[at..], true)? })
    }

    /// The bytes end before the cell does.
    fn open_ended(&mut self, column: usize, stray: bool) -> Found {
        let end = self.bytes.len();
        // The last byte may be the first half of a line break.
        let complete = if self.last || self.bytes.last() != Some(&b'\r') { end } else { end - 1 };
        // A stray quote was looked for line breaks up to itself; without one nothing was looked at.
        let unclosed = self.broken_before(complete, column);
        match unclosed {
            Some(unclosed) if stray || self.last => Found::Unclosed(unclosed),
            None if self.last => Found::Unclosed(Unclosed { column, length: end }),
            unclosed => Found::Incomplete { unclosed },
        }
    }
}

/// What follows a quote within a quoted cell.
enum After {
    /// Another quote: the two stand for one.
    Quote,
    /// The end of the cell.
    EndOfCell(usize),
    /// Something else.
    Text,
    /// More bytes decide.
    Unknown,
}
