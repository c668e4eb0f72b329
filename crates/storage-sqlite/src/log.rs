//! Writing the event log and the audit trail.
//!
//! One prepared statement per row: within the same process that costs less than preparing one statement for many
//! rows.

use super::{Conn, statements::RunQueryDsl};
use diesel::prelude::*;
use octavo_core_model::id::WorkspaceId;
use octavo_storage_tables::{
    prepared::Prepare,
    rows::log::{AuditEntryRow, EventRow},
    schema::{audit_entries, event_heads, events},
    stored::Stored,
};

/// Numbers and writes events. Skips events of a workspace that the unit removed.
pub async fn insert_events(conn: &mut Conn, mut rows: Vec<EventRow>) -> QueryResult<()> {
    // The sort is stable: the events of one workspace keep their order.
    rows.sort_by_key(|row| row.workspace_id.0);
    for of_one in rows.chunk_by(|a, b| a.workspace_id == b.workspace_id) {
        let Some(last) = raise_head(conn, of_one[0].workspace_id.0, of_one.len()).await? else { continue };
        for (sequence, row) in (1 + last - length(of_one.len())..).zip(of_one) {
            diesel::insert_into(events::table).values((events::sequence.eq(sequence), row)).execute(conn).await?;
        }
    }
    Ok(())
}

fn length(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

struct RaiseHead;

/// Reserves the next numbers of a workspace and returns the last of them.
async fn raise_head(conn: &mut Conn, workspace: WorkspaceId, count: usize) -> QueryResult<Option<i64>> {
    diesel::update(event_heads::table.find(Stored(workspace)))
        .set(event_heads::last_sequence.eq(event_heads::last_sequence + length(count)))
        .returning(event_heads::last_sequence)
        .prepared_as::<RaiseHead>()
        .get_result(conn)
        .await
        .optional()
}

pub async fn insert_audit_entries(conn: &mut Conn, rows: Vec<AuditEntryRow>) -> QueryResult<()> {
    for row in &rows {
        diesel::insert_into(audit_entries::table).values(row).execute(conn).await?;
    }
    Ok(())
}
