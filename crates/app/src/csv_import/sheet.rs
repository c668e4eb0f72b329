//! Reading a table on the compute pool: first all of it, to learn its columns and where its rows are, then one portion of
//! rows after the other.

use octavo_core_model::{
    Fault,
    cancellation::Cancellation,
    fault::{ComputeFault, Hint, ImportFault, Issue, RejectedRow, Violation},
};
use octavo_databases::csv::{self, ColumnKind, Columns, Delimiter, Detector, Dialect, Guess, Next, Place, Reader, Row};
use std::{ops::ControlFlow, sync::Arc};

/// How many rows one call imports.
pub const MAX_ROWS: u32 = 20_000;

/// How many rows one unit writes, unless all rows are written together.
pub(super) const PORTION_ROWS: usize = 500;

/// A portion ends early when it has so many bytes.
const PORTION_BYTES: u64 = 512 << 10;

/// How many bytes are given to the reader at once.
const PIECE: usize = 64 << 10;

/// What is known of a table once all of it was read.
#[derive(Debug)]
pub(super) struct Sheet {
    text: Arc<str>,
    dialect: Dialect,
    pub(super) columns: Columns,
    pub(super) kinds: Vec<ColumnKind>,
    /// All rows below the header; there is at least one portion, which can be empty.
    pub(super) portions: Vec<Portion>,
    /// The rows that cannot be read.
    pub(super) rejected: Vec<RejectedRow>,
    /// What a person should know about the file.
    pub(super) warnings: Vec<String>,
    /// How many cells are not empty.
    pub(super) filled: u64,
}

/// Consecutive rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portion {
    /// Where the first one begins.
    pub(super) place: Place,
    pub(super) rows: usize,
    pub(super) bytes: u64,
}

/// A row without its empty cells.
#[derive(Debug)]
pub(super) struct SheetRow {
    /// Its number as a spreadsheet shows it.
    pub(super) number: u64,
    text: String,
    /// The columns of the cells, and where each ends in the text.
    cells: Vec<(u16, u32)>,
}

impl SheetRow {
    pub(super) fn of(row: &Row<'_>) -> Self {
        let mut kept = Self { number: row.place().row, text: String::new(), cells: Vec::new() };
        for (index, cell) in row.cells().enumerate().filter(|(_, cell)| !cell.trim().is_empty()) {
            kept.text.push_str(cell);
            // A row has at most 4 MB and 200 columns.
            let (column, end) = (u16::try_from(index), u32::try_from(kept.text.len()));
            kept.cells.extend(column.ok().zip(end.ok()));
        }
        kept
    }

    /// The text of a cell, which is empty if the row does not have it.
    pub(super) fn cell(&self, column: usize) -> &str {
        let Ok(at) = self.cells.binary_search_by_key(&column, |(index, _)| usize::from(*index)) else { return "" };
        let begin = at.checked_sub(1).and_then(|before| self.cells.get(before)).map_or(0, |(_, end)| *end);
        let end = self.cells.get(at).map_or(begin, |(_, end)| *end);
        self.text.get(begin as usize..end as usize).unwrap_or_default()
    }
}

impl Sheet {
    /// Reads all rows of a table.
    pub(super) fn survey(
        text: &Arc<str>,
        delimiter: Option<Delimiter>,
        cancellation: &Cancellation,
    ) -> Result<Self, Fault> {
        let mut detector = Detector::new();
        text.as_bytes().chunks(PIECE).for_each(|piece| detector.push(piece));
        let detected = detector.finish(delimiter);
        let (dialect, header) = (detected.dialect, detected.header);
        let mut survey = Survey::default();
        each_row(text, dialect, header, cancellation, |row| survey.add(row))?;
        let Survey { columns, guess, portions, rejected, rows, filled } = survey;
        let columns = columns.ok_or_else(|| no_header("content"))?;
        if rows > MAX_ROWS as usize {
            return Err(Fault::Import(ImportFault::TooManyRows(MAX_ROWS)));
        }
        let warnings = detected.warnings.iter().chain(&columns.warnings).map(ToString::to_string).collect();
        let mut sheet = Self {
            text: Arc::clone(text),
            dialect,
            columns,
            kinds: guess.map(Guess::finish).unwrap_or_default(),
            portions,
            rejected,
            warnings,
            filled,
        };
        if sheet.portions.is_empty() {
            sheet.portions.push(Portion { place: header, rows: 0, bytes: 0 });
        }
        Ok(sheet)
    }

    /// Reads the rows of a portion again. Those that cannot be read are left out; they are known already.
    pub(super) fn read(&self, portion: Portion, cancellation: &Cancellation) -> Result<Vec<SheetRow>, Fault> {
        let mut rows = Vec::with_capacity(portion.rows);
        let mut left = portion.rows;
        if left == 0 {
            return Ok(rows);
        }
        each_row(&self.text, self.dialect, portion.place, cancellation, |row| {
            if let Ok(row) = row.and_then(|row| row.below(self.columns.headers)) {
                rows.push(SheetRow::of(&row));
            }
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(rows)
    }
}

/// The name of a column that the reader counts from 1.
pub(super) fn name_of(columns: &Columns, column: Option<usize>) -> Option<String> {
    column?.checked_sub(1).and_then(|index| columns.columns.get(index)).map(|column| column.name.clone())
}

/// Reads rows from a place on until the function has enough.
fn each_row(
    text: &str,
    dialect: Dialect,
    from: Place,
    cancellation: &Cancellation,
    mut on_row: impl FnMut(Result<Row<'_>, csv::RejectedRow>) -> ControlFlow<()>,
) -> Result<(), Fault> {
    let rest = usize::try_from(from.offset).ok().and_then(|offset| text.as_bytes().get(offset..)).unwrap_or_default();
    let (mut reader, mut pieces) = (Reader::new(dialect, from), rest.chunks(PIECE));
    loop {
        if cancellation.is_cancelled() {
            return Err(Fault::Compute(ComputeFault::Timeout));
        }
        let flow = match reader.next_row() {
            Next::Row(row) => on_row(Ok(row)),
            Next::Rejected(row) => on_row(Err(row)),
            Next::End => ControlFlow::Break(()),
            Next::Piece => {
                match pieces.next() {
                    Some(piece) => reader.push(piece),
                    None => reader.finish(),
                }
                ControlFlow::Continue(())
            }
        };
        if flow.is_break() {
            return Ok(());
        }
    }
}

/// What was learned from the rows so far.
#[derive(Default)]
struct Survey {
    columns: Option<Columns>,
    guess: Option<Guess>,
    portions: Vec<Portion>,
    rejected: Vec<RejectedRow>,
    rows: usize,
    filled: u64,
}

impl Survey {
    fn add(&mut self, row: Result<Row<'_>, csv::RejectedRow>) -> ControlFlow<()> {
        let Some(columns) = &self.columns else { return self.begin(row) };
        self.rows += 1;
        if self.rows > MAX_ROWS as usize {
            return ControlFlow::Break(());
        }
        let place = match &row {
            Ok(row) => row.place(),
            Err(row) => row.place,
        };
        match row.and_then(|row| row.below(columns.headers)) {
            Ok(row) => {
                self.filled += row.cells().filter(|cell| !cell.is_empty()).count() as u64;
                if let Some(guess) = &mut self.guess {
                    guess.add(&row);
                }
            }
            Err(rejected) => self.rejected.push(RejectedRow {
                row: rejected.place.row,
                column: name_of(columns, rejected.column).map(Into::into),
                issue: rejected.issue.name(),
            }),
        }
        self.count(place);
        ControlFlow::Continue(())
    }

    fn begin(&mut self, row: Result<Row<'_>, csv::RejectedRow>) -> ControlFlow<()> {
        let Ok(header) = row else { return ControlFlow::Break(()) };
        let columns = Columns::below(&header);
        self.guess = Some(Guess::new(columns.columns.len()));
        self.columns = Some(columns);
        ControlFlow::Continue(())
    }

    /// Adds the row that begins there to the last portion, or begins another one with it.
    fn count(&mut self, place: Place) {
        if let Some(last) = self.portions.last_mut() {
            last.bytes = place.offset.saturating_sub(last.place.offset);
            if last.rows < PORTION_ROWS && last.bytes < PORTION_BYTES {
                last.rows += 1;
                return;
            }
        }
        self.portions.push(Portion { place, rows: 1, bytes: 0 });
    }
}

/// The fault of a file without a header. Contains the field of the file.
pub(super) fn no_header(field: &'static str) -> Fault {
    let rule = "a header row with the names of the columns, and rows below it";
    Violation::new(field, Issue::InvalidFormat).hinting(Hint::ruled_by(&[rule])).into()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use std::fmt::Write as _;

    fn survey(text: &str) -> Result<Sheet, Fault> {
        Sheet::survey(&text.into(), None, &Cancellation::default())
    }

    fn rows(sheet: &Sheet) -> Vec<(u64, String)> {
        let read = |portion: &Portion| sheet.read(*portion, &Cancellation::default()).unwrap();
        sheet.portions.iter().flat_map(read).map(|row| (row.number, row.cell(0).to_owned())).collect()
    }

    #[test]
    fn portions_contain_each_row_once() {
        let mut text = "\u{feff}Name,Note\r\n".to_owned();
        for number in 0..1_750 {
            let _ = write!(text, "{number},\"a\nb\"\r\n\r\n");
            if number % 100 == 7 {
                text += "\"open,x\r\n";
            }
        }
        let sheet = survey(&text).unwrap();
        let found = rows(&sheet);
        assert!(sheet.portions.iter().all(|portion| portion.rows <= PORTION_ROWS));
        assert_eq!(sheet.portions.len(), 4);
        assert_eq!((found.len(), sheet.rejected.len()), (1_750, 18));
        assert_eq!(
            found.iter().map(|(_, name)| name.parse::<u32>().unwrap()).collect::<Vec<_>>(),
            (0..1_750).collect::<Vec<_>>()
        );
        assert_eq!((found[0].0, found[1].0), (2, 4), "the empty line counts");
        assert_eq!(sheet.rejected[0].issue, "unclosed_quote");
    }

    #[test]
    fn large_rows_make_portions_smaller() {
        let text = format!("Name\n{}", format!("{}\n", "x".repeat(90_000)).repeat(20));
        let sheet = survey(&text).unwrap();
        assert!(sheet.portions.len() >= 3 && sheet.portions.len() <= 5, "{}", sheet.portions.len());
        assert_eq!(rows(&sheet).len(), 20);
    }

    #[test]
    fn a_table_needs_a_header_and_has_no_more_rows_than_the_limit() {
        for text in ["", "\n\n", "\u{feff}", "\"open\nx"] {
            assert!(matches!(survey(text), Err(Fault::Invalid(_))), "{text:?}");
        }
        let sheet = survey("Name").unwrap();
        assert_eq!((sheet.portions.len(), rows(&sheet).len()), (1, 0));
        assert!(survey(&format!("Name\n{}", "x\n".repeat(20_000))).is_ok());
        let fault = survey(&format!("Name\n{}", "x\n".repeat(20_001))).err();
        assert_eq!(fault, Some(Fault::Import(ImportFault::TooManyRows(20_000))));
    }

    #[test]
    fn a_million_columns_are_cut() {
        let sheet = survey(&format!("{}\n1,2", "a,".repeat(1_000_000))).unwrap();
        assert_eq!((sheet.columns.columns.len(), rows(&sheet).len()), (200, 1));
        assert!(sheet.warnings.last().unwrap().contains("columns too many"), "{:?}", sheet.warnings.last());
    }

    #[test]
    fn a_survey_that_nobody_waits_for_ends() {
        let cancellation = Cancellation::default();
        cancellation.cancel();
        let fault = Sheet::survey(&"a\nb".into(), None, &cancellation).err();
        assert_eq!(fault, Some(Fault::Compute(ComputeFault::Timeout)));
    }
}
