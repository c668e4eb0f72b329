//! Going through the values of all records of a database.

use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::id::{DatabaseId, RecordId, WorkspaceId};

/// How many records are read at once.
const CHUNK: u32 = 5_000;

/// The records of a database in the order of their ids, part by part.
pub(crate) struct RecordScan {
    workspace: WorkspaceId,
    database: DatabaseId,
    after: Option<RecordId>,
    is_at_end: bool,
}

impl RecordScan {
    pub(crate) const fn of(workspace: WorkspaceId, database: DatabaseId) -> Self {
        Self { workspace, database, after: None, is_at_end: false }
    }

    /// The next records with their values in the stored form; `None` after the last one. One statement.
    pub(crate) async fn next(&mut self, unit: &mut Unit) -> AppResult<Option<Vec<(RecordId, String)>>> {
        if self.is_at_end {
            return Ok(None);
        }
        let bags = unit.tx.records().list_bags(self.workspace, self.database, self.after, CHUNK).await?;
        self.after = bags.last().map(|(last, _)| *last);
        self.is_at_end = bags.len() < CHUNK as usize;
        Ok(Some(bags))
    }
}
