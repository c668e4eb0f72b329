//! How the rows of a file are written, detected from the file.

use super::{
    Encoding, Warning,
    encoding::{Utf8Check, transcode},
    limits::SAMPLE_BYTES,
    place::Place,
    scan::{Cells, Found, find_line_break, line_break, read_row},
};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// The character between the cells of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Delimiter(u8);

/// The text is not a delimiter: one punctuation character other than the double quote, or a tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoDelimiter;

impl Delimiter {
    /// `,`
    pub const COMMA: Self = Self(b',');
    /// `;`
    pub const SEMICOLON: Self = Self(b';');
    /// A tab.
    pub const TAB: Self = Self(b'\t');

    /// The delimiters that are detected. When several fit equally well, the first of them is taken: tabs and semicolons
    /// are rarer than commas in the text of cells.
    const DETECTED: [Self; 3] = [Self::TAB, Self::SEMICOLON, Self::COMMA];

    /// Reads a delimiter that somebody chose: the character, or `comma`, `semicolon` or `tab`.
    pub fn parse(text: &str) -> Result<Self, NoDelimiter> {
        match text {
            "comma" => Ok(Self::COMMA),
            "semicolon" => Ok(Self::SEMICOLON),
            "tab" => Ok(Self::TAB),
            _ => match text.as_bytes() {
                [byte] if *byte != b'"' && (byte.is_ascii_punctuation() || *byte == b'\t') => Ok(Self(*byte)),
                _ => Err(NoDelimiter),
            },
        }
    }

    /// The character.
    pub const fn byte(self) -> u8 {
        self.0
    }
}

impl TryFrom<String> for Delimiter {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).map_err(|NoDelimiter| "not a delimiter")
    }
}

impl From<Delimiter> for String {
    fn from(delimiter: Delimiter) -> Self {
        char::from(delimiter.0).into()
    }
}

/// What a reader has to know of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dialect {
    /// How its characters are encoded.
    pub encoding: Encoding,
    /// What is between its cells.
    pub delimiter: Delimiter,
}

/// What was detected in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detected {
    /// How its rows are written.
    pub dialect: Dialect,
    /// Where the header row begins.
    pub header: Place,
    /// What a person should know about the encoding.
    pub warnings: Vec<Warning>,
}

/// Detects the dialect of a file that arrives in pieces. The encoding depends on all of it, because the first character
/// that is not ASCII may come late.
#[derive(Debug, Default)]
pub struct Detector {
    sample: Vec<u8>,
    is_cut: bool,
    utf8: Utf8Check,
}

impl Detector {
    /// Nothing is known yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Looks at the next piece.
    pub fn push(&mut self, piece: &[u8]) {
        let room = SAMPLE_BYTES - self.sample.len();
        self.sample.extend_from_slice(&piece[..room.min(piece.len())]);
        self.is_cut |= piece.len() > room;
        self.utf8.push(piece);
    }

    /// Decides. A delimiter that was chosen is not questioned.
    pub fn finish(self, chosen: Option<Delimiter>) -> Detected {
        let mut warnings = Vec::new();
        let marked = Encoding::marked(&self.sample);
        let (encoding, mark) = match marked {
            Some(marked) => marked,
            None if self.utf8.holds() => (Encoding::Utf8, 0),
            None => (Encoding::Windows1252, 0),
        };
        match encoding {
            Encoding::Utf8 if !self.utf8.holds() => warnings.push(Warning::InvalidBytes),
            Encoding::Utf8 => {}
            other => warnings.push(Warning::Encoding(other)),
        }
        let mut sample = self.sample[mark..].to_vec();
        if let Some(mut decoder) = encoding.decoder() {
            let source = std::mem::take(&mut sample);
            transcode(&mut decoder, &source, !self.is_cut, &mut sample);
        }
        let mut header = Place { offset: mark as u64, row: 1, line: 1 };
        let mut announced = None;
        let mut rows = sample.as_slice();
        if let Some((delimiter, length)) = announcement(&sample, !self.is_cut) {
            header.offset += encoding.source_length(&sample[..length]);
            header.line += 1;
            announced = Some(delimiter);
            rows = &sample[length..];
        }
        let delimiter = chosen.or(announced).unwrap_or_else(|| detect(rows, !self.is_cut));
        Detected { dialect: Dialect { encoding, delimiter }, header, warnings }
    }
}

/// The line `sep=;` that some programs write and read before the header, and its length.
fn announcement(sample: &[u8], is_whole: bool) -> Option<(Delimiter, usize)> {
    let line = &sample[..find_line_break(sample)?];
    let (word, delimiter) = line.split_at_checked(4)?;
    if !word.eq_ignore_ascii_case(b"sep=") {
        return None;
    }
    let delimiter = Delimiter::DETECTED.into_iter().find(|known| [known.0] == *delimiter)?;
    Some((delimiter, line.len() + line_break(&sample[line.len()..], is_whole)?))
}

/// The delimiter that fits best.
fn detect(sample: &[u8], is_whole: bool) -> Delimiter {
    let fits = |delimiter| Some((fit(sample, is_whole, delimiter)?, delimiter));
    let mut best: Option<(Fit, Delimiter)> = None;
    for found in Delimiter::DETECTED.into_iter().filter_map(fits) {
        if best.as_ref().is_none_or(|(fit, _)| found.0 > *fit) {
            best = Some(found);
        }
    }
    best.map_or(Delimiter::COMMA, |(_, delimiter)| delimiter)
}

/// How well a delimiter fits: the greatest fits best.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    /// How many quotes are neither around a cell nor doubled: those around a cell are not recognised beside the
    /// wrong delimiter.
    odd_quotes: Reverse<usize>,
    /// How many rows have as many cells as the first one.
    even_rows: usize,
    /// How many cells the first row has.
    width: usize,
}

/// How well a delimiter fits, if it divides the first row.
fn fit(sample: &[u8], is_whole: bool, delimiter: Delimiter) -> Option<Fit> {
    /// More rows would not say more.
    const ROWS: usize = 50;
    let mut cells = Cells::default();
    let mut rest = sample;
    let (mut odd_quotes, mut even_rows, mut width) = (0, 0, None);
    for _ in 0..ROWS {
        while let Some(length) = line_break(rest, true) {
            rest = &rest[length..];
        }
        if rest.is_empty() {
            break;
        }
        match read_row(rest, delimiter.byte(), is_whole, &mut cells) {
            Found::Row { length } => {
                let expected = *width.get_or_insert(cells.width);
                even_rows += usize::from(cells.width == expected);
                odd_quotes += cells.odd_quotes(&rest[..length]);
                rest = &rest[length..];
            }
            Found::Unclosed(_) if width.is_none() => break,
            Found::Unclosed(unclosed) => {
                odd_quotes += 1;
                rest = &rest[unclosed.length..];
            }
            Found::Incomplete { .. } => {
                width.get_or_insert(cells.width + 1);
                break;
            }
        }
    }
    let width = width.filter(|width| *width > 1)?;
    Some(Fit { odd_quotes: Reverse(odd_quotes), even_rows, width })
}
