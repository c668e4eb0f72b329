//! Writes rows as RFC 4180 has them: UTF-8 with a byte order mark, CRLF, quotes where they are needed.

use super::{guard::needs_guard, number::write_number};

/// Whether a file is for people or for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// With a byte order mark, by which spreadsheets recognise UTF-8, and with guards before texts that they would run
    /// as formulas.
    Guarded,
    /// Without both.
    Raw,
}

/// Writes rows into a buffer, from which they can be taken at any time.
#[derive(Debug)]
pub struct Writer {
    form: Form,
    buffer: Vec<u8>,
    /// Where the row begins in the buffer.
    row: usize,
    /// How many cells the row has.
    cells: usize,
}

impl Writer {
    /// Begins a file.
    pub fn new(form: Form) -> Self {
        let buffer = match form {
            Form::Guarded => "\u{feff}".as_bytes().to_vec(),
            Form::Raw => Vec::new(),
        };
        Self { form, row: buffer.len(), buffer, cells: 0 }
    }

    /// Adds a cell with text that somebody wrote.
    pub fn text(&mut self, text: &str) {
        let is_guarded = self.form == Form::Guarded && needs_guard(text);
        self.cell(text, is_guarded);
    }

    /// Adds a cell with a number.
    pub fn number(&mut self, number: f64) {
        self.cell(&write_number(number), false);
    }

    /// Adds a cell that is never guarded: a truth value, a time, an id.
    pub fn word(&mut self, word: &str) {
        self.cell(word, false);
    }

    /// Adds an empty cell.
    pub fn empty(&mut self) {
        self.cell("", false);
    }

    /// Ends the row.
    pub fn end_row(&mut self) {
        // An empty line is no row.
        if self.cells > 0 && self.buffer.len() == self.row {
            self.buffer.extend_from_slice(b"\"\"");
        }
        self.buffer.extend_from_slice(b"\r\n");
        self.row = self.buffer.len();
        self.cells = 0;
    }

    /// How many bytes can be taken.
    pub fn len(&self) -> usize {
        self.buffer.len()
    }

    /// Whether no byte can be taken.
    pub fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }

    /// Takes the rows that were written since the last time. The cells of a row that has not ended stay.
    pub fn take(&mut self) -> Vec<u8> {
        let begun = self.buffer.split_off(self.row);
        self.row = 0;
        std::mem::replace(&mut self.buffer, begun)
    }

    fn cell(&mut self, text: &str, is_guarded: bool) {
        if self.cells > 0 {
            self.buffer.push(b',');
        }
        self.cells += 1;
        let is_quoted = needs_quotes(text);
        if is_quoted {
            self.buffer.push(b'"');
        }
        if is_guarded {
            self.buffer.push(b'\'');
        }
        if is_quoted {
            self.quoted(text);
            self.buffer.push(b'"');
        } else {
            self.buffer.extend_from_slice(text.as_bytes());
        }
    }

    fn quoted(&mut self, text: &str) {
        for (at, part) in text.split('"').enumerate() {
            if at > 0 {
                self.buffer.extend_from_slice(b"\"\"");
            }
            self.buffer.extend_from_slice(part.as_bytes());
        }
    }
}

/// Whether the text needs quotes. Semicolons and tabs do not need them, but would count when a delimiter is detected; a
/// byte order mark at the beginning would not count as text.
fn needs_quotes(text: &str) -> bool {
    text.starts_with('\u{feff}') || text.bytes().any(|byte| matches!(byte, b'"' | b',' | b';' | b'\t' | b'\r' | b'\n'))
}
