//! Reading a whole file once, to learn how it is written, what its columns are and how many rows it has.

use super::{super::sheet::no_header, MAX_ROWS};
use octavo_core_model::{Fault, fault::ImportFault};
use octavo_databases::csv::{Columns, Delimiter, Detector, Dialect, Next, Place, Reader};

/// A survey that is going on. It is fed the parts of the file in their order, twice.
pub(super) struct Survey {
    delimiter: Option<Delimiter>,
    /// Where the next part begins.
    at: u64,
    phase: Phase,
}

enum Phase {
    Detecting(Detector),
    Counting(Box<Counting>),
}

struct Counting {
    reader: Reader,
    dialect: Dialect,
    warnings: Vec<String>,
    columns: Option<Columns>,
    first_row: Place,
    rows: u64,
}

/// What is known of a file once all of it was read.
#[derive(Debug)]
pub(super) struct Surveyed {
    pub(super) dialect: Dialect,
    pub(super) columns: Columns,
    /// Where the first row below the header begins.
    pub(super) first_row: Place,
    /// How many rows there are, including those that cannot be read.
    pub(super) rows: u64,
    /// What a person should know about the file.
    pub(super) warnings: Vec<String>,
}

/// How far a survey is after a part.
pub(super) enum Progress {
    Goes(Survey),
    Done(Surveyed),
}

impl Survey {
    pub(super) fn new(delimiter: Option<Delimiter>) -> Self {
        Self { delimiter, at: 0, phase: Phase::Detecting(Detector::new()) }
    }

    /// Where the part begins that it needs next.
    pub(super) const fn at(&self) -> u64 {
        self.at
    }

    /// Looks at the next part.
    pub(super) fn feed(self, part: &[u8], is_last: bool) -> Result<Progress, Fault> {
        let Self { delimiter, mut at, phase } = self;
        at += part.len() as u64;
        match phase {
            Phase::Detecting(mut detector) => {
                detector.push(part);
                if !is_last {
                    return Ok(Progress::Goes(Self { delimiter, at, phase: Phase::Detecting(detector) }));
                }
                let detected = detector.finish(delimiter);
                let counting = Counting {
                    reader: Reader::new(detected.dialect, detected.header),
                    dialect: detected.dialect,
                    warnings: detected.warnings.iter().map(ToString::to_string).collect(),
                    columns: None,
                    first_row: detected.header,
                    rows: 0,
                };
                let phase = Phase::Counting(Box::new(counting));
                Ok(Progress::Goes(Self { delimiter, at: detected.header.offset, phase }))
            }
            Phase::Counting(mut counting) => {
                counting.reader.push(part);
                if is_last {
                    counting.reader.finish();
                }
                counting.count()?;
                if is_last {
                    return counting.finish().map(Progress::Done);
                }
                Ok(Progress::Goes(Self { delimiter, at, phase: Phase::Counting(counting) }))
            }
        }
    }
}

impl Counting {
    /// Counts the rows that are complete.
    fn count(&mut self) -> Result<(), Fault> {
        loop {
            match self.reader.next_row() {
                Next::Piece | Next::End => return Ok(()),
                Next::Row(header) if self.columns.is_none() => {
                    self.columns = Some(Columns::below(&header));
                    self.first_row = self.reader.place();
                }
                Next::Rejected(_) if self.columns.is_none() => return Err(no_header("body")),
                Next::Row(_) | Next::Rejected(_) => self.rows += 1,
            }
            if self.rows > MAX_ROWS.into() {
                return Err(Fault::Import(ImportFault::TooManyRows(MAX_ROWS)));
            }
        }
    }

    fn finish(self) -> Result<Surveyed, Fault> {
        let Self { dialect, mut warnings, columns, first_row, rows, .. } = self;
        let columns = columns.ok_or_else(|| no_header("body"))?;
        warnings.extend(columns.warnings.iter().map(ToString::to_string));
        Ok(Surveyed { dialect, columns, first_row, rows, warnings })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    fn survey(text: &[u8], part: usize) -> Result<Surveyed, Fault> {
        let mut survey = Survey::new(None);
        loop {
            let begin = usize::try_from(survey.at()).unwrap();
            let end = text.len().min(begin + part);
            match survey.feed(&text[begin..end], end == text.len())? {
                Progress::Goes(next) => survey = next,
                Progress::Done(surveyed) => return Ok(surveyed),
            }
        }
    }

    #[test]
    fn rows_are_counted_however_the_file_is_divided() {
        let text = "\u{feff}Name;Note\r\n1;\"a\r\nb\"\r\n\r\n2;\u{e4}\r\n\"open;x\r\n3;y";
        for part in [1, 3, 7, 1_000] {
            let found = survey(text.as_bytes(), part).unwrap();
            assert_eq!((found.rows, found.first_row.row, found.columns.headers), (4, 2, 2), "{part}");
            assert_eq!(found.columns.columns[1].name, "Note");
        }
        let latin = b"Name,Town\nA,M\xfcnchen\n";
        assert_eq!(survey(latin, 5).unwrap().warnings.len(), 1, "the encoding was guessed");
        assert_eq!(survey(b"Name", 2).unwrap().rows, 0);
    }

    #[test]
    fn a_file_without_a_header_or_with_too_many_rows_is_refused() {
        for text in ["", "\n\n", "\"open\nx"] {
            assert!(matches!(survey(text.as_bytes(), 4), Err(Fault::Invalid(_))), "{text:?}");
        }
        let rows = "x\n".repeat(MAX_ROWS as usize);
        assert_eq!(survey(format!("Name\n{rows}").as_bytes(), 1 << 20).unwrap().rows, u64::from(MAX_ROWS));
        let fault = survey(format!("Name\n{rows}x").as_bytes(), 1 << 20).err();
        assert_eq!(fault, Some(Fault::Import(ImportFault::TooManyRows(MAX_ROWS))));
    }
}
