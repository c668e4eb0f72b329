//! What kind of values the columns of a file have.

use super::{
    Row, checkbox, date, folded, is_email, is_overriding, is_url,
    limits::{MAX_COLUMNS, MAX_GUESSED_OPTIONS},
    number,
};
use std::collections::BTreeSet;

/// What kind of values a column has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// The first column: titles.
    Title,
    /// Truth values.
    Checkbox,
    /// Numbers.
    Number,
    /// Dates.
    Date,
    /// Email addresses.
    Email,
    /// Web addresses.
    Url,
    /// A few values that occur again and again.
    Select {
        /// The values as they were first written, in that order.
        options: Vec<String>,
    },
    /// Other texts.
    Text,
}

/// Guesses the kinds of columns from all rows, one after the other. It keeps no row.
///
/// The first column holds titles. Every other one has the first kind that all its cells fit, among truth values,
/// numbers, dates, email addresses and web addresses. Otherwise it is a select if it has at most 20 distinct values and
/// at least twice as many cells. Empty cells do not count; a column without others is text. White space around a cell
/// is ignored, and values that differ only in case are one option, as they are when an option is written by its name.
#[derive(Debug)]
pub struct Guess {
    columns: Vec<ColumnGuess>,
}

impl Guess {
    /// Nothing is known of so many columns.
    pub fn new(columns: usize) -> Self {
        Self { columns: (0..columns.min(MAX_COLUMNS)).map(|_| ColumnGuess::new()).collect() }
    }

    /// Looks at the next row.
    pub fn add(&mut self, row: &Row<'_>) {
        for (index, column) in self.columns.iter_mut().enumerate().skip(1) {
            let text = row.cell(index).trim();
            if !text.is_empty() {
                column.add(text, row.is_guarded(index));
            }
        }
    }

    /// The kinds of all columns.
    pub fn finish(self) -> Vec<ColumnKind> {
        let kind = |(index, column): (usize, ColumnGuess)| if index == 0 { ColumnKind::Title } else { column.finish() };
        self.columns.into_iter().enumerate().map(kind).collect()
    }
}

/// A kind, and whether a cell fits it. The second argument says whether the cell is guarded.
type Candidate = (ColumnKind, fn(&str, bool) -> bool);

const CANDIDATES: [Candidate; 5] = [
    (ColumnKind::Checkbox, |text, _| checkbox(text).is_some()),
    // A number is never written with a guard, so this was text.
    (ColumnKind::Number, |text, is_guarded| !is_guarded && number(text).is_some()),
    (ColumnKind::Date, |text, _| date(text).is_some()),
    (ColumnKind::Email, |text, _| is_email(text)),
    (ColumnKind::Url, |text, _| is_url(text)),
];

#[derive(Debug)]
struct ColumnGuess {
    /// How many cells are not empty.
    filled: usize,
    /// Which candidates all cells fit.
    fits: [bool; CANDIDATES.len()],
    /// The distinct values, unless there are too many or one cannot be the name of an option.
    options: Option<Options>,
}

impl ColumnGuess {
    fn new() -> Self {
        Self { filled: 0, fits: [true; CANDIDATES.len()], options: Some(Options::default()) }
    }

    fn add(&mut self, text: &str, is_guarded: bool) {
        self.filled += 1;
        for (fits, (_, is_fitting)) in self.fits.iter_mut().zip(CANDIDATES) {
            *fits = *fits && is_fitting(text, is_guarded);
        }
        self.options = self.options.take().and_then(|options| options.with(text));
    }

    fn finish(self) -> ColumnKind {
        if self.filled == 0 {
            return ColumnKind::Text;
        }
        for (fits, (kind, _)) in self.fits.into_iter().zip(CANDIDATES) {
            if fits {
                return kind;
            }
        }
        match self.options {
            Some(options) if self.filled >= options.names.len() * 2 => ColumnKind::Select { options: options.names },
            _ => ColumnKind::Text,
        }
    }
}

#[derive(Debug, Default)]
struct Options {
    names: Vec<String>,
    folded: BTreeSet<String>,
}

impl Options {
    fn with(mut self, text: &str) -> Option<Self> {
        const LONGEST: usize = 100;
        if self.names.iter().any(|name| name == text) {
            return Some(self);
        }
        if text.chars().take(LONGEST + 1).count() > LONGEST || text.chars().any(is_overriding) {
            return None;
        }
        if self.folded.insert(folded(text)) {
            self.names.push(text.to_owned());
        }
        (self.names.len() <= MAX_GUESSED_OPTIONS).then_some(self)
    }
}
