//! The names of columns, made from the header row.

use super::{
    Row, folded, is_overriding,
    limits::MAX_COLUMNS,
    warning::{HeaderFlaw, Warning},
};
use std::collections::BTreeSet;

const MAX_NAME: usize = 100;

/// The columns of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    /// The columns that are read, at most `MAX_COLUMNS`.
    pub columns: Vec<Column>,
    /// How many headers there are. Rows with more cells are rejected.
    pub headers: usize,
    /// The headers that could not be used as they are.
    pub warnings: Vec<Warning>,
}

/// A column of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its header, trimmed.
    pub header: String,
    /// A name for its property: 1 to 100 characters in one line, which no other column has, whatever the case.
    pub name: String,
}

impl Columns {
    /// Names the columns below a header row.
    pub fn below(header: &Row<'_>) -> Self {
        let mut found = Self { columns: Vec::new(), headers: header.width(), warnings: Vec::new() };
        let mut taken = BTreeSet::new();
        for (index, header) in header.cells().enumerate() {
            let (name, flaw) = name_of(header, index, &mut taken);
            if let Some(flaw) = flaw {
                found.warnings.push(Warning::Header { column: index + 1, flaw, name: name.clone() });
            }
            found.columns.push(Column { header: header.trim().to_owned(), name });
        }
        if header.width() > MAX_COLUMNS {
            found.warnings.push(Warning::ColumnsLeftOut { count: header.width() - MAX_COLUMNS });
        }
        found
    }
}

fn name_of(header: &str, index: usize, taken: &mut BTreeSet<String>) -> (String, Option<HeaderFlaw>) {
    let (line, mut flaw) = one_line(header);
    let mut name = line;
    if name.is_empty() {
        flaw = Some(HeaderFlaw::Empty);
        name = format!("Column {}", index + 1);
    }
    if name.chars().count() > MAX_NAME {
        flaw = Some(HeaderFlaw::TooLong);
        name = cut(&name, MAX_NAME);
    }
    if taken.contains(&folded(&name)) {
        flaw = flaw.or(Some(HeaderFlaw::Duplicate));
        name = numbered(&name, taken);
    }
    taken.insert(folded(&name));
    (name, flaw)
}

/// The header with spaces in place of characters that a name cannot contain.
fn one_line(header: &str) -> (String, Option<HeaderFlaw>) {
    let header = header.trim();
    if !header.chars().any(is_overriding) {
        return (header.to_owned(), None);
    }
    let spaced = header.replace(is_overriding, " ");
    (spaced.split_whitespace().collect::<Vec<_>>().join(" "), Some(HeaderFlaw::Characters))
}

fn numbered(name: &str, taken: &BTreeSet<String>) -> String {
    let mut number = 2_usize;
    loop {
        let suffix = format!(" {number}");
        let candidate = format!("{}{suffix}", cut(name, MAX_NAME - suffix.len()));
        if !taken.contains(&folded(&candidate)) {
            return candidate;
        }
        number += 1;
    }
}

fn cut(name: &str, characters: usize) -> String {
    name.chars().take(characters).collect::<String>().trim_end().to_owned()
}
