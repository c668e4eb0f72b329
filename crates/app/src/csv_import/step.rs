//! What one unit of an import is given, and what it returns.

use super::{
    Table,
    sheet::{Sheet, SheetRow},
};
use crate::{outcome::AppResult, pages::Place, scope::Unit};
use octavo_core_model::{
    fault::RejectedRow,
    id::{DatabaseId, PageId},
};
use octavo_databases::import::BoundColumn;
use std::sync::Arc;

/// Where the records go, as it was sent.
#[derive(Clone, Debug)]
pub(super) enum Target {
    New(Place),
    Existing(DatabaseId),
}

/// What one unit writes.
pub(super) struct Step {
    pub(super) target: Target,
    pub(super) table: Arc<Table>,
    pub(super) sheet: Arc<Sheet>,
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
