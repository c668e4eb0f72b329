//! Removes databases whose nodes are gone: their records with the links from and to these, then everything else.

use super::{
    super::{
        Scope,
        dialect::{ListType, among, list, locked, one_of},
    },
    picked,
};
use crate::{
    parts::Remaining,
    prepared::{Columns, Prepare},
    schema::{databases, records},
    stored::Stored,
};
use diesel::{
    prelude::*,
    sql_query,
    sql_types::{BigInt, Integer, Text},
};
use octavo_core_model::id::{DatabaseId, RecordId, WorkspaceId};
use octavo_ports::store::StoreResult;

/// How many records one statement names.
const RECORDS_AT_ONCE: u32 = 500;

impl Scope {
    /// Removes rows of those of these databases that exist, until there are no more or the part is full. Returns
    /// whether there are no more.
    pub(super) async fn remove_databases(
        &mut self,
        workspace: WorkspaceId,
        ids: &[DatabaseId],
        part: &mut Remaining,
    ) -> StoreResult<bool> {
        // Units that write records hold the shared lock. Those that began before the node was gone are waited for, and
        // later ones do not find the node.
        let found = databases::table
            .filter(databases::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(databases::id, ids.iter().copied().map(Stored)))
            .order(databases::id)
            .select(databases::id);
        for Stored(id) in self.all::<Stored<DatabaseId>, _>(locked!(found)).await? {
            if !self.remove_records_of(workspace, id, part).await? {
                return Ok(false);
            }
            let row = databases::table.find((Stored(workspace), Stored(id)));
            part.count_removed(self.execute(diesel::delete(row)).await?);
        }
        Ok(true)
    }

    /// Removes records of a database with their links in the same way.
    async fn remove_records_of(
        &mut self,
        workspace: WorkspaceId,
        database: DatabaseId,
        part: &mut Remaining,
    ) -> StoreResult<bool> {
        while !part.is_used_up() {
            let next = self.next_records(workspace, database, part.rows.min(RECORDS_AT_ONCE)).await?;
            if next.is_empty() {
                return Ok(true);
            }
            let (mut ids, sizes): (Vec<_>, Vec<_>) = next.into_iter().unzip();
            ids.truncate(part.count_fitting(&sizes) as usize);
            for column in ["source_id", "target_id"] {
                if !self.remove_links(workspace, column, &ids, part).await? {
                    return Ok(false);
                }
            }
            // The links may have used up most of the part.
            ids.truncate(part.rows as usize);
            let records = records::table
                .filter(records::workspace_id.eq(Stored(workspace)))
                .filter(one_of!(records::id, ids.into_iter().map(Stored)));
            part.count_removed(self.execute(diesel::delete(records)).await?);
        }
        Ok(false)
    }

    /// The next records of a database, and how many bytes their values have. In the order of their ids, in which their
    /// rows lie: removing them in the order of their positions changes four times as many pages of a SQLite file.
    async fn next_records(
        &mut self,
        workspace: WorkspaceId,
        database: DatabaseId,
        most: u32,
    ) -> StoreResult<Vec<(RecordId, i32)>> {
        let next = sql_query(
            "SELECT id, octet_length(bag) FROM records WHERE workspace_id = $1 AND database_id = $2 \
             ORDER BY id LIMIT $3",
        )
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(database))
        .bind::<BigInt, _>(i64::from(most));
        let next = self.all::<(Stored<RecordId>, i32), _>(next.columns::<(Text, Integer)>().prepared()).await?;
        Ok(next.into_iter().map(|(id, bytes)| (id.0, bytes)).collect())
    }

    /// Removes links that have one of these records in a column. Returns whether there are no more.
    async fn remove_links(
        &mut self,
        workspace: WorkspaceId,
        column: &str,
        records: &[RecordId],
        part: &mut Remaining,
    ) -> StoreResult<bool> {
        let limit = part.rows;
        let condition = format!("workspace_id = $1 AND {column} {} LIMIT $3", among(2));
        let delete = sql_query(picked("record_links", "property_id, source_id, target_id", &condition))
            .bind::<Text, _>(Stored(workspace))
            .bind::<ListType, _>(list(records.iter().copied()))
            .bind::<BigInt, _>(i64::from(limit));
        Ok(part.count_removed(self.execute(delete.prepared()).await?) < limit)
    }
}
