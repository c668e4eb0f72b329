//! How far consumers of the event log have come.

use super::{
    Conn, Scope,
    dialect::{RunQueryDsl, skipping_locked},
};
use crate::{
    prepared::{Columns, Prepare},
    rows::consumers::{CursorRow, SetAsideRow},
    schema::{event_cursors as cursors, events_set_aside as set_aside},
    stored::Stored,
};
use diesel::{
    prelude::*,
    sql_query,
    sql_types::{BigInt, Nullable, Text},
};
use octavo_core_model::{
    Timestamp,
    consumer::{ConsumerName, Cursor, SetAside},
    id::WorkspaceId,
};
use octavo_ports::{
    consumers::{ConsumerReads, Consumers},
    store::StoreResult,
};
use octavo_storage_macros::area;

/// When the oldest event happened that a consumer has not handled.
const OLDEST_UNHANDLED: &str = "SELECT MIN((SELECT e.occurred_at FROM events AS e \
    WHERE e.workspace_id = h.workspace_id AND e.sequence > COALESCE(c.sequence, 0) ORDER BY e.sequence LIMIT 1)) \
    FROM event_heads AS h LEFT JOIN event_cursors AS c ON c.workspace_id = h.workspace_id AND c.consumer = $1 \
    WHERE h.last_sequence > COALESCE(c.sequence, 0)";

const CONSUMERS: usize = ConsumerName::ALL.len();

/// For each consumer, how old the oldest event is that it has not handled, in milliseconds, and how many it could not
/// handle.
pub(super) async fn backlog(conn: &mut Conn, now: Timestamp) -> QueryResult<([u64; CONSUMERS], [u64; CONSUMERS])> {
    let (mut lags, mut aside) = ([0; CONSUMERS], [0; CONSUMERS]);
    for ((consumer, lag), aside) in ConsumerName::ALL.iter().zip(&mut lags).zip(&mut aside) {
        let oldest = sql_query(OLDEST_UNHANDLED).bind::<Text, _>(Stored(*consumer));
        let oldest = oldest.columns::<Nullable<BigInt>>().prepared();
        let oldest = RunQueryDsl::get_result::<Option<i64>>(oldest, conn).await?;
        *lag = oldest.map_or(0, |since| now.millis().saturating_sub(since).max(0).unsigned_abs());
        let count = set_aside::table.filter(set_aside::consumer.eq(Stored(*consumer))).count();
        *aside = RunQueryDsl::get_result::<i64>(count, conn).await?.unsigned_abs();
    }
    Ok((lags, aside))
}

#[area]
impl ConsumerReads for Scope {
    async fn list_behind(
        &mut self,
        consumer: ConsumerName,
        after: Option<WorkspaceId>,
        now: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<WorkspaceId>> {
        let behind = sql_query(
            "SELECT h.workspace_id FROM event_heads AS h \
             LEFT JOIN event_cursors AS c ON c.workspace_id = h.workspace_id AND c.consumer = $1 \
             WHERE h.workspace_id > $2 AND h.last_sequence > COALESCE(c.sequence, 0) AND COALESCE(c.retry_at, 0) <= $3 \
             ORDER BY h.workspace_id LIMIT $4",
        )
        .bind::<Text, _>(Stored(consumer))
        .bind::<Text, _>(after.map_or_else(String::new, |id| id.to_string()))
        .bind::<BigInt, _>(now.millis())
        .bind::<BigInt, _>(i64::from(limit));
        let found = self.all::<Stored<WorkspaceId>, _>(behind.columns::<Text>().prepared()).await?;
        Ok(found.into_iter().map(|id| id.0).collect())
    }

    async fn list_failed(
        &mut self,
        consumer: ConsumerName,
        now: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<WorkspaceId>> {
        let failed = cursors::table
            .filter(cursors::consumer.eq(Stored(consumer)))
            .filter(cursors::retry_at.le(now.millis()))
            .order(cursors::retry_at)
            .limit(limit.into())
            .select(cursors::workspace_id);
        Ok(self.all::<Stored<WorkspaceId>, _>(failed).await?.into_iter().map(|id| id.0).collect())
    }

    async fn list_set_aside(
        &mut self,
        workspace: WorkspaceId,
        consumer: ConsumerName,
        limit: u32,
    ) -> StoreResult<Vec<SetAside>> {
        let events = set_aside::table
            .filter(set_aside::workspace_id.eq(Stored(workspace)))
            .filter(set_aside::consumer.eq(Stored(consumer)))
            .order(set_aside::sequence)
            .limit(limit.into())
            .select(SetAsideRow::as_select());
        Ok(self.all(events).await?.into_iter().map(SetAside::from).collect())
    }
}

#[area]
impl Consumers for Scope {
    async fn lock(&mut self, workspace: WorkspaceId, consumer: ConsumerName) -> StoreResult<Option<Cursor>> {
        let find = || {
            let row = cursors::table.find((Stored(workspace), Stored(consumer))).select(CursorRow::as_select());
            skipping_locked!(row)
        };
        if let Some(row) = self.optional(find()).await? {
            return Ok(Some(row.into()));
        }
        let row = CursorRow::from(&Cursor::start(workspace, consumer));
        let insert = diesel::insert_into(cursors::table)
            .values(&row)
            .on_conflict((cursors::workspace_id, cursors::consumer))
            .do_nothing()
            .prepared();
        self.execute(insert).await?;
        Ok(self.optional(find()).await?.map(Cursor::from))
    }

    async fn save(&mut self, cursor: &Cursor) -> StoreResult<()> {
        let row = cursors::table.find((Stored(cursor.workspace), Stored(cursor.consumer)));
        self.execute(diesel::update(row).set(CursorRow::from(cursor)).prepared()).await.map(drop)
    }

    async fn set_aside(&mut self, event: &SetAside) -> StoreResult<()> {
        let row = SetAsideRow::from(event);
        let insert = diesel::insert_into(set_aside::table)
            .values(&row)
            .on_conflict((set_aside::workspace_id, set_aside::consumer, set_aside::sequence))
            .do_nothing()
            .prepared();
        self.execute(insert).await.map(drop)
    }

    async fn rewind(&mut self, consumer: ConsumerName) -> StoreResult<u64> {
        let events = set_aside::table.filter(set_aside::consumer.eq(Stored(consumer)));
        self.execute(diesel::delete(events)).await?;
        let update = diesel::update(cursors::table.filter(cursors::consumer.eq(Stored(consumer)))).set((
            cursors::sequence.eq(0),
            cursors::place.eq(None::<String>),
            cursors::careful_until.eq(0),
            cursors::attempts.eq(0),
            cursors::retry_at.eq(None::<i64>),
        ));
        Ok(u64::try_from(self.execute(update.prepared()).await?).unwrap_or(u64::MAX))
    }
}
