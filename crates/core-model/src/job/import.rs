//! Imports of tables that run as jobs.

use super::Pieces;
use crate::id::{DatabaseId, PropertyId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How many rejected rows a job names; the others are only counted.
pub const MAX_REJECTED_ROWS: usize = 1000;

/// Which table to import, and where its records go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DatabaseImport {
    /// The database that gets the records.
    pub database: DatabaseId,
    /// What is between the cells; detected if it is `None`.
    pub delimiter: Option<String>,
    /// What the caller wants with the columns, by their headers, as it was sent.
    pub mapping: Map<String, Value>,
    /// The pieces of the file.
    pub pieces: Pieces,
}

/// How far an import has come. The number of rows that are done is in the progress of the job.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportCheckpoint {
    /// Where the next row begins, in the form of the reader of tables.
    pub next: Value,
    /// The columns that have properties.
    pub columns: Vec<ImportedColumn>,
    /// How many records were created.
    pub imported: u64,
    /// The first rows that became none.
    pub rejected: Vec<RefusedRow>,
    /// How many rows became none.
    pub rejected_count: u64,
    /// What a person should know about the file and its columns.
    pub warnings: Vec<String>,
}

/// A column whose cells are values of a property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedColumn {
    /// Its place in the table, from 0.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// The property.
    pub property: PropertyId,
}

/// A row that did not become a record, as the result of the job names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedRow {
    /// Its number as a spreadsheet shows it: the header is row 1.
    pub row: u64,
    /// The name of the column that is the reason, unless it has none.
    pub column: Option<String>,
    /// What is wrong.
    pub issue: String,
}

impl ImportCheckpoint {
    /// Adds rejected rows, which come after those that were added before. Those beyond the limit are only counted.
    pub fn reject(&mut self, rows: impl IntoIterator<Item = RefusedRow>) {
        for row in rows {
            self.rejected_count += 1;
            if self.rejected.len() < MAX_REJECTED_ROWS {
                self.rejected.push(row);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thousand_rejected_rows_are_named_and_all_counted() {
        let mut checkpoint = ImportCheckpoint::default();
        let row = |row| RefusedRow { row, column: None, issue: "required".to_owned() };
        checkpoint.reject((2..700).map(row));
        checkpoint.reject((700..1_502).map(row));
        assert_eq!((checkpoint.rejected.len(), checkpoint.rejected_count), (MAX_REJECTED_ROWS, 1_500));
        assert_eq!(checkpoint.rejected.last().map(|last| last.row), Some(1_001));
    }
}
