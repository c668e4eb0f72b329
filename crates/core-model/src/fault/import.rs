//! Why the rows of a table did not become records.

use super::Fault;
use crate::id::DatabaseId;
use std::borrow::Cow;

/// Why a table is not imported, or only a part of it.
#[derive(Clone, Debug, PartialEq)]
pub enum ImportFault {
    /// It has more rows than one call imports.
    TooManyRows(u32),
    /// The first rows that cannot become records; nothing is imported.
    Rejected(Cow<'static, [RejectedRow]>),
    /// The import ended early. The records that it had created before are kept.
    Stopped {
        /// The database that contains them.
        database: DatabaseId,
        /// How many records were created.
        imported: u64,
        /// The first row that was not imported.
        row: u64,
        /// Why.
        cause: Box<Fault>,
    },
}

/// A row that cannot become a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedRow {
    /// Its number as a spreadsheet shows it: the header is row 1.
    pub row: u64,
    /// The name of the column that is the reason, unless it has none.
    pub column: Option<Cow<'static, str>>,
    /// What is wrong, as a word of the API.
    pub issue: &'static str,
}
