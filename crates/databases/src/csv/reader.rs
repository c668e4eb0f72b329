//! Reads rows from a file that arrives in pieces.

use super::{
    Dialect, Encoding,
    encoding::transcode,
    limits::{MAX_CELL_CHARACTERS, MAX_ROW_BYTES},
    place::Place,
    row::{RejectedRow, Row, RowIssue},
    scan::{Cells, Found, Unclosed, count_line_breaks, find_line_break, line_break, read_row},
};
use encoding_rs::Decoder;

/// What comes next in a file.
#[derive(Debug)]
pub enum Next<'a> {
    /// A row.
    Row(Row<'a>),
    /// A row that cannot be read; the rows after it can.
    Rejected(RejectedRow),
    /// The next piece of the file is needed.
    Piece,
    /// Nothing: all rows have been read.
    End,
}

/// Reads rows from pieces of bytes. It keeps no more than one row and the last piece.
pub struct Reader {
    dialect: Dialect,
    decoder: Option<Decoder>,
    /// Bytes of the file, or for UTF-16 their text in UTF-8. Those before `read` belong to earlier rows.
    buffer: Vec<u8>,
    read: usize,
    /// How many unread bytes there must be before the row that they begin is tried again. It doubles, so that small
    /// pieces do not make long rows slow.
    enough: usize,
    is_ended: bool,
    place: Place,
    /// The beginning of a row that is too long, until its end is found.
    overlong: Option<Place>,
    cells: Cells,
    text: String,
    ends: Vec<usize>,
}

impl Reader {
    /// Reads from a row on; the first piece begins with the byte at `place.offset`.
    pub fn new(dialect: Dialect, place: Place) -> Self {
        Self {
            dialect,
            decoder: dialect.encoding.decoder(),
            buffer: Vec::new(),
            read: 0,
            enough: 1,
            is_ended: false,
            place,
            overlong: None,
            cells: Cells::default(),
            text: String::new(),
            ends: Vec::new(),
        }
    }

    /// Adds the next piece.
    pub fn push(&mut self, piece: &[u8]) {
        self.add(piece, false);
    }

    /// No piece follows.
    pub fn finish(&mut self) {
        if !self.is_ended {
            self.add(&[], true);
            self.is_ended = true;
        }
    }

    /// Where the next row begins, or empty lines before it. Another reader can go on there.
    pub fn place(&self) -> Place {
        self.overlong.unwrap_or(self.place)
    }

    /// Reads the next row.
    pub fn next_row(&mut self) -> Next<'_> {
        if let Some(place) = self.overlong {
            if !self.skip_line() {
                return Next::Piece;
            }
            self.overlong = None;
            self.place.row += 1;
            return Next::Rejected(RejectedRow { place, column: None, issue: RowIssue::RowTooLong });
        }
        self.skip_empty_lines();
        let place = self.place;
        let unread = &self.buffer[self.read..];
        if unread.is_empty() && self.is_ended {
            return Next::End;
        }
        if unread.len() < self.enough && !self.is_ended {
            return Next::Piece;
        }
        // What a row is depends on so many bytes only, however they arrive.
        let is_full = unread.len() > MAX_ROW_BYTES;
        let window = if is_full { &unread[..=MAX_ROW_BYTES] } else { unread };
        let last = self.is_ended && !is_full;
        match read_row(window, self.dialect.delimiter.byte(), last, &mut self.cells) {
            Found::Row { length } => {
                self.pass_row(length);
                if length > MAX_ROW_BYTES {
                    return Next::Rejected(RejectedRow { place, column: None, issue: RowIssue::RowTooLong });
                }
                self.decode_row(place)
            }
            Found::Incomplete { .. } if !is_full => {
                self.enough = (unread.len() * 2).min(MAX_ROW_BYTES + 1);
                Next::Piece
            }
            Found::Unclosed(unclosed) | Found::Incomplete { unclosed: Some(unclosed) } => {
                self.reject_unclosed(unclosed)
            }
            Found::Incomplete { unclosed: None } => {
                self.overlong = Some(place);
                let lines = count_line_breaks(&self.buffer[self.read..][..MAX_ROW_BYTES]);
                self.pass(MAX_ROW_BYTES, lines);
                self.next_row()
            }
        }
    }

    fn add(&mut self, piece: &[u8], last: bool) {
        if self.read > self.buffer.len() / 2 {
            self.buffer.drain(..self.read);
            self.read = 0;
        }
        match &mut self.decoder {
            Some(decoder) => transcode(decoder, piece, last, &mut self.buffer),
            None => self.buffer.extend_from_slice(piece),
        }
    }

    /// Leaves bytes behind.
    fn pass(&mut self, length: usize, lines: u64) {
        self.place.offset += self.dialect.encoding.source_length(&self.buffer[self.read..][..length]);
        self.place.line += lines;
        self.read += length;
        self.enough = 1;
    }

    fn pass_row(&mut self, length: usize) {
        let lines = if self.cells.quoted > 0 { count_line_breaks(&self.buffer[self.read..][..length]) } else { 1 };
        self.pass(length, lines);
        self.place.row += 1;
    }

    fn skip_empty_lines(&mut self) {
        while let Some(length) = line_break(&self.buffer[self.read..], self.is_ended) {
            self.pass(length, 1);
            self.place.row += 1;
        }
    }

    /// Skips the rest of a line. Returns whether its end was found.
    fn skip_line(&mut self) -> bool {
        let unread = &self.buffer[self.read..];
        let Some(end) = find_line_break(unread) else {
            self.pass(unread.len(), 0);
            return self.is_ended;
        };
        let found = line_break(&unread[end..], self.is_ended);
        self.pass(end + found.unwrap_or(0), u64::from(found.is_some()));
        found.is_some()
    }

    fn reject_unclosed(&mut self, unclosed: Unclosed) -> Next<'_> {
        let place = self.place;
        self.pass_row(unclosed.length);
        Next::Rejected(RejectedRow { place, column: Some(unclosed.column), issue: RowIssue::UnclosedQuote })
    }

    fn decode_row(&mut self, place: Place) -> Next<'_> {
        self.decode_cells();
        let mut begin = 0;
        for (at, end) in self.ends.iter().enumerate() {
            let length = end - begin;
            if length > MAX_CELL_CHARACTERS && self.text[begin..*end].chars().count() > MAX_CELL_CHARACTERS {
                return Next::Rejected(RejectedRow { place, column: Some(at + 1), issue: RowIssue::CellTooLong });
            }
            begin = *end;
        }
        Next::Row(Row { place, text: &self.text, ends: &self.ends, width: self.cells.width, filled: self.cells.filled })
    }

    /// Turns the cells into text. In nearly all rows the bytes are the text already, and are only checked.
    fn decode_cells(&mut self) {
        let recycled = std::mem::take(&mut self.text).into_bytes();
        let bytes = std::mem::replace(&mut self.cells.bytes, recycled);
        std::mem::swap(&mut self.ends, &mut self.cells.ends);
        let is_text = self.dialect.encoding != Encoding::Windows1252 || bytes.is_ascii();
        match String::from_utf8(bytes) {
            // Two cells with halves of a character would be valid together.
            Ok(text) if is_text && self.ends.iter().all(|end| text.is_char_boundary(*end)) => self.text = text,
            Ok(text) => self.decode_each(text.as_bytes()),
            Err(error) => self.decode_each(error.as_bytes()),
        }
    }

    fn decode_each(&mut self, bytes: &[u8]) {
        let mut begin = 0;
        for end in &mut self.ends {
            self.dialect.encoding.decode_cell(&bytes[begin..*end], &mut self.text);
            begin = *end;
            *end = self.text.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csv::Delimiter;

    #[test]
    fn no_more_than_a_row_and_a_piece_is_kept() {
        const PIECE: usize = 64 * 1024;
        let dialect = Dialect { encoding: Encoding::Utf8, delimiter: Delimiter::COMMA };
        for (begin, letter) in [("", b'x'), ("\"", b'x'), ("\"\n", b'x'), ("", b','), ("", b'"'), ("x\n", b'\n')] {
            let mut reader = Reader::new(dialect, Place { offset: 0, row: 1, line: 1 });
            reader.push(begin.as_bytes());
            for _ in 0..200 {
                reader.push(&vec![letter; PIECE]);
                while !matches!(reader.next_row(), Next::Piece) {}
                assert!(reader.buffer.len() <= MAX_ROW_BYTES + 2 * PIECE, "{begin:?} and {}", char::from(letter));
            }
        }
    }
}
