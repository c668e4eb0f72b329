//! Reading a file row by row until there are enough rows for one unit.

use super::super::sheet::{SheetRow, name_of};
use octavo_core_model::job::RefusedRow;
use octavo_databases::csv::{Columns, Dialect, Next, Place, Reader};

/// How many rows one unit writes. Others write between two units, so this decides how long they wait.
pub(super) const PORTION_ROWS: usize = 200;

/// A portion ends early when it has so many bytes.
const PORTION_BYTES: u64 = 256 << 10;

/// A reader on its way through a file.
pub(super) struct Gathering {
    reader: Reader,
    /// Where the part begins that it needs next.
    at: u64,
    needs_part: bool,
    portion: Portion,
}

/// Consecutive rows.
#[derive(Debug)]
pub(super) struct Portion {
    /// Where the first row begins, and the first one behind the portion.
    pub(super) place: Place,
    pub(super) next: Place,
    pub(super) rows: Vec<SheetRow>,
    /// The rows that cannot be read.
    pub(super) unreadable: Vec<RefusedRow>,
    /// Whether no row follows, as far as that is known.
    pub(super) is_last: bool,
}

impl Portion {
    const fn at(place: Place) -> Self {
        Self { place, next: place, rows: Vec::new(), unreadable: Vec::new(), is_last: false }
    }

    /// How many rows it has, including those that cannot be read.
    pub(super) fn len(&self) -> u64 {
        (self.rows.len() + self.unreadable.len()) as u64
    }

    pub(super) const fn bytes(&self) -> u64 {
        self.next.offset.saturating_sub(self.place.offset)
    }

    fn is_full(&self) -> bool {
        self.rows.len() + self.unreadable.len() >= PORTION_ROWS || self.bytes() >= PORTION_BYTES
    }
}

impl Gathering {
    /// Reads from this row on.
    pub(super) fn new(dialect: Dialect, place: Place) -> Self {
        Self { reader: Reader::new(dialect, place), at: place.offset, needs_part: true, portion: Portion::at(place) }
    }

    pub(super) const fn at(&self) -> u64 {
        self.at
    }

    pub(super) const fn needs_part(&self) -> bool {
        self.needs_part
    }

    /// Adds the next part of the file.
    pub(super) fn feed(&mut self, part: &[u8], is_last: bool) {
        self.needs_part = false;
        self.at += part.len() as u64;
        self.reader.push(part);
        if is_last {
            self.reader.finish();
        }
    }

    /// Returns a portion as soon as it is full or the file ends; `None` if another part is needed.
    pub(super) fn gather(&mut self, columns: &Columns) -> Option<Portion> {
        loop {
            let row = match self.reader.next_row() {
                Next::Row(row) => row.below(columns.headers),
                Next::Rejected(row) => Err(row),
                Next::Piece => {
                    self.needs_part = true;
                    return None;
                }
                Next::End => {
                    self.portion.is_last = true;
                    break;
                }
            };
            match row {
                Ok(row) => self.portion.rows.push(SheetRow::of(&row)),
                Err(row) => self.portion.unreadable.push(RefusedRow {
                    row: row.place.row,
                    column: name_of(columns, row.column),
                    issue: row.issue.name().to_owned(),
                }),
            }
            self.portion.next = self.reader.place();
            if self.portion.is_full() {
                break;
            }
        }
        let next = Portion::at(self.portion.next);
        Some(std::mem::replace(&mut self.portion, next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_databases::csv::{Delimiter, Encoding};
    use std::fmt::Write as _;

    const DIALECT: Dialect = Dialect { encoding: Encoding::Utf8, delimiter: Delimiter::COMMA };

    fn columns() -> Columns {
        let mut reader = Reader::new(DIALECT, Place { offset: 0, row: 1, line: 1 });
        reader.push(b"Name,Note\n");
        reader.finish();
        let Next::Row(header) = reader.next_row() else { panic!("there is no header") };
        Columns::below(&header)
    }

    /// All portions of a text, each read by a new reader if `restarts` is set.
    fn portions(text: &str, part: usize, restarts: bool) -> Vec<Portion> {
        let (columns, mut found) = (columns(), Vec::new());
        let mut gathering = Gathering::new(DIALECT, Place { offset: 0, row: 2, line: 2 });
        loop {
            while let Some(portion) = gathering.gather(&columns) {
                let (next, is_over) = (portion.next, portion.len() == 0);
                if is_over {
                    return found;
                }
                found.push(portion);
                if restarts {
                    gathering = Gathering::new(DIALECT, next);
                }
            }
            let begin = usize::try_from(gathering.at()).unwrap_or(usize::MAX);
            let end = text.len().min(begin + part);
            gathering.feed(&text.as_bytes()[begin..end], end == text.len());
        }
    }

    #[test]
    fn each_row_is_in_one_portion_even_after_a_restart() {
        let mut text = String::new();
        for number in 0..1_050 {
            let _ = write!(text, "{number},\"a\nb\"\n\n");
            if number % 100 == 7 {
                text += "\"open,x\n1,2,3\n";
            }
        }
        for (part, restarts) in [(64, false), (64, true), (100_000, false), (100_000, true)] {
            let found = portions(&text, part, restarts);
            assert!(found.iter().all(|portion| portion.len() <= PORTION_ROWS as u64));
            let rows: Vec<_> = found.iter().flat_map(|portion| &portion.rows).collect();
            assert!(rows.iter().map(|row| row.cell(0).to_owned()).eq((0..1_050).map(|number| number.to_string())));
            let bad: Vec<_> = found.iter().flat_map(|portion| &portion.unreadable).collect();
            assert_eq!(
                (bad.len(), bad[0].issue.as_str(), bad[1].issue.as_str()),
                (22, "unclosed_quote", "too_many_cells")
            );
            assert_eq!((rows[0].number, rows[1].number), (2, 4), "empty lines count");
        }
    }

    #[test]
    fn large_rows_make_portions_smaller_and_overlong_ones_pass() {
        let text = format!("a,{}\n", "x".repeat(90_000)).repeat(20);
        let found = portions(&text, 512 << 10, false);
        assert!((6..=8).contains(&found.len()), "{}", found.len());
        let text = format!("a,{}\nb,c\n", "x".repeat(6 << 20));
        let found = portions(&text, 512 << 10, false);
        let issues: Vec<_> =
            found.iter().flat_map(|portion| &portion.unreadable).map(|row| row.issue.clone()).collect();
        assert_eq!(issues, ["row_too_long"]);
        assert_eq!(found.iter().map(|portion| portion.rows.len()).sum::<usize>(), 1);
    }
}
