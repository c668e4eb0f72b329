//! What one unit of an import is given, and what it returns.

use super::sheet::SheetRow;
use crate::{outcome::AppResult, pages::Place, scope::Unit};
use octavo_core_model::{
    fault::RejectedRow,
    id::{DatabaseId, PageId},
    text::DatabaseTitle,
};
use octavo_databases::{
    csv::{ColumnKind, Columns},
    import::{BoundColumn, Mapping},
};
use std::sync::Arc;

/// Where the records go, as it was sent.
#[derive(Clone, Debug)]
pub(super) enum Target {
    New(Place),
    Existing(DatabaseId),
}

/// What all units of an import have in common.
#[derive(Debug)]
pub(super) struct Plan {
    /// The title of a new database.
    pub(super) title: Option<DatabaseTitle>,
    pub(super) mapping: Mapping,
    pub(super) columns: Columns,
    /// The guessed kinds of the columns, for a new database.
    pub(super) kinds: Vec<ColumnKind>,
    /// The rows that cannot be read, if one bad row rejects all.
    pub(super) fatal: Option<Vec<RejectedRow>>,
}

/// What one unit writes.
pub(super) struct Step {
    pub(super) target: Target,
    pub(super) plan: Arc<Plan>,
    /// What the first unit has decided; `None` for the first unit.
    pub(super) opened: Option<Arc<Opened>>,
    pub(super) is_last: bool,
    pub(super) bytes: u64,
    /// The rows, portion by portion.
    pub(super) rows: Vec<Vec<SheetRow>>,
}

/// The database, and the properties to which columns belong.
#[derive(Clone, Debug)]
pub(super) struct Opened {
    pub(super) database: DatabaseId,
    /// The page that the database is in.
    pub(super) page: Option<PageId>,
    pub(super) columns: Vec<BoundColumn>,
}

impl Default for Opened {
    fn default() -> Self {
        Self { database: DatabaseId::LOWEST, page: None, columns: Vec::new() }
    }
}

/// What a unit has written.
pub(super) struct Written {
    pub(super) opened: Opened,
    pub(super) imported: u64,
    pub(super) rejected: Vec<RejectedRow>,
    pub(super) warnings: Vec<String>,
}

impl Step {
    /// Announces the unit as a long one if it writes much.
    pub(super) fn announce(&self, unit: &mut Unit) -> AppResult<()> {
        unit.expect_content(self.rows.iter().map(Vec::len).sum::<usize>() as u64, self.bytes)
    }

    /// The number of the first row.
    pub(super) fn first_row(&self) -> u64 {
        self.rows.iter().flatten().next().map_or(0, |row| row.number)
    }
}
