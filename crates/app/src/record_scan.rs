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
    /// Starts at the first record. If there are many, the unit announces itself as a long one.
    pub(crate) async fn begin(unit: &mut Unit, workspace: WorkspaceId, database: DatabaseId) -> AppResult<Self> {
        expect_records(unit, workspace, database).await?;
        Ok(Self { workspace, database, after: None, is_at_end: false })
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

/// Declares that the unit is about to read or write all records of a database. One statement.
pub(crate) async fn expect_records(unit: &mut Unit, workspace: WorkspaceId, database: DatabaseId) -> AppResult<()> {
    let counted = unit.tx.databases().count_records(workspace, &[database]).await?;
    unit.expect_content(counted.first().map_or(0, |(_, count)| *count), 0)
}
