//! Files as they are met.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod columns;
mod encodings;
mod fuzz;
mod guesses;
mod limits;
mod rows;
mod written;

use super::{Delimiter, Detected, Detector, Next, Place, Reader};

/// A row, or why it was rejected.
#[derive(Debug, PartialEq)]
enum Read {
    Row { place: Place, width: usize, cells: Vec<String> },
    Rejected { place: Place, column: Option<usize>, issue: &'static str },
}

impl Read {
    fn place(&self) -> Place {
        match self {
            Self::Row { place, .. } | Self::Rejected { place, .. } => *place,
        }
    }
}

fn detect(pieces: &[&[u8]], chosen: Option<Delimiter>) -> Detected {
    let mut detector = Detector::new();
    for piece in pieces {
        detector.push(piece);
    }
    detector.finish(chosen)
}

/// Everything that a reader returns before it asks for another piece or ends.
fn drain(reader: &mut Reader, read: &mut Vec<Read>) {
    loop {
        read.push(match reader.next_row() {
            Next::Row(row) => {
                Read::Row { place: row.place(), width: row.width(), cells: row.cells().map(str::to_owned).collect() }
            }
            Next::Rejected(row) => Read::Rejected { place: row.place, column: row.column, issue: row.issue.name() },
            Next::Piece | Next::End => return,
        });
    }
}

fn read_from(place: Place, detected: &Detected, pieces: &[&[u8]]) -> Vec<Read> {
    let mut reader = Reader::new(detected.dialect, place);
    let mut read = Vec::new();
    for piece in pieces {
        reader.push(piece);
        drain(&mut reader, &mut read);
    }
    reader.finish();
    drain(&mut reader, &mut read);
    assert!(matches!(reader.next_row(), Next::End));
    read
}

fn read(file: &[u8]) -> Vec<Read> {
    let detected = detect(&[file], None);
    let begin = usize::try_from(detected.header.offset).unwrap();
    read_from(detected.header, &detected, &[&file[begin..]])
}

/// The cells of rows joined by `|`, and rejected rows as `!issue row:column`.
fn shown(file: impl AsRef<[u8]>) -> Vec<String> {
    let show = |read: Read| match read {
        Read::Row { cells, .. } => cells.join("|"),
        Read::Rejected { place, column, issue } => format!("!{issue} {}:{}", place.row, column.unwrap_or_default()),
    };
    read(file.as_ref()).into_iter().map(show).collect()
}
