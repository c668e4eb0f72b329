//! The numbering task numbers events after they were committed and moves them from the inbox to the log.
//!
//! If units took the numbers themselves, either one row would be locked against all units of a workspace until the
//! disk has flushed, or the numbers would not be in the order of the commits. Here the lock is held only during a
//! move, and the task sees only what is committed. Any number of workers may run at once: the one that has the lock
//! on a workspace's head moves all its events, and the next one finds nothing.

use super::{Conn, Engine, each_in_turn};
use diesel::{
    dsl::min,
    pg::Pg,
    prelude::*,
    query_builder::{AstPass, Query, QueryFragment, QueryId},
    sql_types::{Array, BigInt, Text},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use octavo_core_model::id::WorkspaceId;
use octavo_ports::store::{NumberedEvents, StoreResult};
use octavo_storage_common::faults::refusal;
use octavo_storage_tables::schema::{event_heads, event_inbox};
use std::collections::BTreeSet;

/// How many events move at once: after an outage they move in portions that each fit the time of a statement.
const PORTION: i64 = 5000;
const WORKSPACES_AT_ONCE: i64 = 500;

pub(super) async fn number_events(engine: &Engine) -> StoreResult<NumberedEvents> {
    let mut numbered = NumberedEvents::default();
    loop {
        let mut view = engine.view().await?;
        let waiting = event_inbox::table.select(event_inbox::workspace_id).distinct().limit(WORKSPACES_AT_ONCE);
        let waiting = waiting.load::<String>(view.conn().await?).await.map_err(|error| refusal(&error))?;
        view.statement_succeeded();
        drop(view);
        if waiting.is_empty() {
            return Ok(numbered);
        }
        numbered.workspaces.extend(waiting.iter().filter_map(|id| id.parse::<WorkspaceId>().ok()));
        let full_round = waiting.len() >= usize::try_from(WORKSPACES_AT_ONCE).unwrap_or(usize::MAX);
        let mut unit = engine.unit().await?;
        let portion = move_portion(unit.conn().await?, waiting).await.map_err(|error| refusal(&error))?;
        unit.commit().await?;
        numbered.events += usize::try_from(portion).unwrap_or_default();
        if portion < PORTION && !full_round {
            return Ok(numbered);
        }
    }
}

/// When the oldest event without a number was written.
pub async fn oldest_unnumbered_event(conn: &mut Conn) -> QueryResult<Option<i64>> {
    event_inbox::table.select(min(event_inbox::occurred_at)).get_result(conn).await
}

async fn move_portion(conn: &mut Conn, workspaces: Vec<String>) -> QueryResult<i64> {
    // Locks in the order of ids, so that two workers do not deadlock, and in a separate statement, so that the move
    // sees what was committed while this waited. If a workspace was removed, its head is gone, and its events are
    // deleted with it.
    let in_order: BTreeSet<_> = workspaces.iter().collect();
    each_in_turn(conn, in_order, lock_head).await?;
    MoveEvents { workspaces }.get_result(conn).await
}

async fn lock_head(mut conn: &AsyncPgConnection, workspace: &String) -> QueryResult<()> {
    let head = event_heads::table.find(workspace).select(event_heads::workspace_id).for_no_key_update();
    head.get_result::<String>(&mut conn).await.optional().map(drop)
}

#[derive(QueryId)]
struct MoveEvents {
    workspaces: Vec<String>,
}

impl Query for MoveEvents {
    type SqlType = BigInt;
}

impl QueryFragment<Pg> for MoveEvents {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(
            "WITH taken AS (DELETE FROM event_inbox WHERE (workspace_id, ord) IN \
             (SELECT workspace_id, ord FROM event_inbox WHERE workspace_id = ANY (",
        );
        out.push_bind_param::<Array<Text>, _>(&self.workspaces)?;
        out.push_sql(") ORDER BY ord LIMIT ");
        out.push_bind_param::<BigInt, _>(&PORTION)?;
        out.push_sql(
            ") RETURNING *), \
             numbered AS (SELECT h.last_sequence + row_number() OVER (PARTITION BY t.workspace_id ORDER BY t.ord) AS sequence, t.* \
             FROM taken t JOIN event_heads h ON h.workspace_id = t.workspace_id), \
             written AS (INSERT INTO events (workspace_id, sequence, id, type, occurred_at, actor_type, actor_id, \
             resource_type, resource_id, version, details, on_behalf_of, page_id, database_id, record_id, team_id) \
             SELECT workspace_id, sequence, id, type, occurred_at, actor_type, actor_id, resource_type, resource_id, version, \
             details, on_behalf_of, page_id, database_id, record_id, team_id FROM numbered), \
             raised AS (UPDATE event_heads h SET last_sequence = n.newest \
             FROM (SELECT workspace_id, max(sequence) AS newest FROM numbered GROUP BY workspace_id) n \
             WHERE h.workspace_id = n.workspace_id) \
             SELECT count(*) FROM taken",
        );
        Ok(())
    }
}
