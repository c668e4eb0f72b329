//! What is specific to PostgreSQL: its connections, how units begin and end, row locks, the inbox of events and its
//! numbering task.

#[path = "postgres/connection.rs"]
mod connection;
#[path = "postgres/error_codes.rs"]
mod error_codes;
#[path = "postgres/log.rs"]
mod log;
#[path = "postgres/numbering.rs"]
mod numbering;
#[path = "postgres/pool.rs"]
mod pool;
#[path = "postgres/seals.rs"]
mod seals;
#[path = "postgres/shared.rs"]
mod shared;
#[path = "postgres/target.rs"]
mod target;
#[path = "postgres/touch.rs"]
mod touch;

use crate::{
    OpenError, faults,
    options::Options,
    prepared::Prepare,
    rows::{
        blocks::{BlockRow, ReferenceRow},
        pages::PageRow,
    },
    schema::{block_references, blocks, event_inbox, pages},
    stored::StoredText,
};
use diesel::{
    ConnectionError,
    dsl::min,
    prelude::*,
    select, sql_query,
    sql_types::{Array, BigInt, Text},
    upsert::excluded,
};
use diesel_async::{
    AnsiTransactionManager, AsyncPgConnection, TransactionManager,
    pooled_connection::deadpool::{Object, Pool, PoolError},
};
use futures_util::future::try_join_all;
use octavo_core_model::{
    StoreError,
    id::{BlockId, PageId, WorkspaceId},
    position::Position,
};
use octavo_ports::{
    replies::ReplyKey,
    store::{NumberedEvents, StoreResult},
};
use shared::{Place, Shared};
use std::sync::Arc;

pub(crate) use connection::Conn;
pub(crate) use diesel_async::{
    RunQueryDsl,
    methods::{ExecuteDsl, LoadQuery},
};
pub(crate) use error_codes::meaning_of;
pub(crate) use log::{insert_audit_entries, insert_events};
pub(crate) use seals::{lock_heads, move_heads, write_seals};
pub(crate) use target::{Target, unreachable};
pub(crate) use touch::{touch_api_keys, touch_sessions};

/// Opens scopes.
pub(crate) struct Engine {
    connections: Arc<Connections>,
}

/// The connections of a node: each unit has one of its own, views share a few. If the shared ones have no room, a
/// view gets one of its own too.
struct Connections {
    pool: Pool<AsyncPgConnection>,
    shared: Shared,
}

impl Connections {
    async fn own(&self) -> StoreResult<Conn> {
        self.pool.get().await.map(Conn::Own).map_err(|error| no_connection(&error))
    }

    /// Whether a shared connection has room for the next statement of a view.
    async fn has_room(&self) -> StoreResult<bool> {
        match self.shared.has_room().await {
            Ok(has_room) => Ok(has_room),
            Err(error) => self.require_idle(&error).map(|()| false),
        }
    }

    /// A slot for one statement of a view, if there is room.
    async fn place(&self) -> StoreResult<Option<Place>> {
        match self.shared.place().await {
            Ok(place) => Ok(place),
            Err(error) => self.require_idle(&error).map(|()| None),
        }
    }

    /// If the server refuses another connection, it may still answer on those in the pool.
    fn require_idle(&self, error: &ConnectionError) -> StoreResult<()> {
        let refusal = unavailable(error);
        if self.pool.status().available > 0 { Ok(()) } else { Err(refusal) }
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("pool", &self.connections.pool.status()).finish()
    }
}

impl Engine {
    pub(crate) fn open(url: &str, options: &Options) -> Result<Self, OpenError> {
        let connections = Connections { pool: pool::build(url, options)?, shared: Shared::new(url, options)? };
        Ok(Self { connections: Arc::new(connections) })
    }

    /// Finds out immediately whether the server can be reached.
    pub(crate) async fn view(&self) -> StoreResult<ScopeConnection> {
        let conn = if self.connections.has_room().await? { None } else { Some(self.connections.own().await?) };
        let connections = Some(Arc::clone(&self.connections));
        Ok(ScopeConnection { conn, place: None, connections, in_unit: false, sound: true })
    }

    pub(crate) async fn unit(&self) -> StoreResult<ScopeConnection> {
        let conn = Some(self.connections.own().await?);
        let mut connection = ScopeConnection { conn, place: None, connections: None, in_unit: true, sound: true };
        let begun = AnsiTransactionManager::begin_transaction(connection.unit_conn()?).await;
        connection.check(begun)?;
        Ok(connection)
    }

    /// Needs no check: if the server is gone, statements fail.
    #[allow(clippy::unused_self, clippy::unnecessary_wraps, reason = "the other engine looks at its file")]
    pub(crate) const fn require_in_place(&self) -> StoreResult<()> {
        Ok(())
    }

    /// How many connections are idle and how many are in use.
    pub(crate) fn connections(&self) -> (u32, u32) {
        let status = self.connections.pool.status();
        let idle = u32::try_from(status.available).unwrap_or(u32::MAX);
        let used = u32::try_from(status.size).unwrap_or(u32::MAX).saturating_sub(idle);
        let (shared_idle, shared_used) = self.connections.shared.count();
        (idle.saturating_add(shared_idle), used.saturating_add(shared_used))
    }

    pub(crate) async fn number_events(&self) -> StoreResult<NumberedEvents> {
        numbering::number_events(self).await
    }
}

fn no_connection(error: &PoolError) -> StoreError {
    match error {
        PoolError::Timeout(deadpool::managed::TimeoutType::Wait) => StoreError::Busy,
        error => unavailable(error),
    }
}

fn unavailable(error: &impl std::fmt::Display) -> StoreError {
    tracing::warn!(%error, "no connection to the database");
    StoreError::Unavailable
}

/// The connection of a scope. If a connection of the pool is dropped in the middle of a unit or a statement, it is
/// closed, which rolls the unit back. If it were returned to the pool, it would keep its locks until somebody used
/// it.
pub(crate) struct ScopeConnection {
    conn: Option<Conn>,
    /// The slot of the statement that runs on a shared connection.
    place: Option<Place>,
    /// Where the statements of a view get their connections.
    connections: Option<Arc<Connections>>,
    in_unit: bool,
    sound: bool,
}

impl ScopeConnection {
    /// The connection for the next statement. A view may get a different one each time, so it survives if a shared
    /// connection closes between two of its statements.
    pub(crate) async fn conn(&mut self) -> StoreResult<&mut Conn> {
        self.sound = false;
        if let Some(connections) = &self.connections
            && !matches!(self.conn, Some(Conn::Own(_)))
        {
            let place = connections.place().await?;
            self.conn = Some(match &place {
                Some(place) => Conn::Shared(place.client()),
                None => connections.own().await?,
            });
            self.place = place;
        }
        self.conn.as_mut().ok_or(StoreError::Unavailable)
    }

    fn unit_conn(&mut self) -> StoreResult<&mut AsyncPgConnection> {
        self.sound = false;
        match &mut self.conn {
            Some(Conn::Own(object)) => Ok(object),
            Some(Conn::Shared(_)) | None => Err(StoreError::Unavailable),
        }
    }

    /// Notes that the last statement succeeded.
    pub(crate) fn statement_succeeded(&mut self) {
        self.sound = true;
        if let Some(place) = self.place.take() {
            place.statement_succeeded();
            // A retired connection closes when nobody uses it any more.
            self.conn = None;
        }
    }

    pub(crate) async fn commit(mut self) -> StoreResult<()> {
        if !self.in_unit {
            return Ok(());
        }
        let committed = AnsiTransactionManager::commit_transaction(self.unit_conn()?).await;
        self.check(committed)?;
        self.in_unit = false;
        Ok(())
    }

    pub(crate) async fn undo(mut self) -> StoreResult<()> {
        if !self.in_unit {
            return Ok(());
        }
        let undone = AnsiTransactionManager::rollback_transaction(self.unit_conn()?).await;
        self.check(undone)?;
        self.in_unit = false;
        Ok(())
    }

    fn check(&mut self, answer: QueryResult<()>) -> StoreResult<()> {
        answer.map_err(|error| faults::refusal(&error))?;
        self.sound = true;
        Ok(())
    }
}

impl Drop for ScopeConnection {
    fn drop(&mut self) {
        if (self.in_unit || !self.sound)
            && let Some(Conn::Own(object)) = self.conn.take()
        {
            drop(Object::take(object));
        }
    }
}

/// Locks the rows of a query until the unit ends. Others may still insert rows that refer to these.
macro_rules! locked {
    ($query:expr) => {
        $query.for_no_key_update()
    };
}

/// Locks the rows of a query against changes until the unit ends. Several units may hold this lock at once.
macro_rules! held {
    ($query:expr) => {
        $query.for_share()
    };
}

/// Whether several units can run at the same time.
pub(crate) const UNITS_MEET: bool = true;

/// Locks the rows of a query, skipping those that others have locked.
macro_rules! unclaimed {
    ($query:expr) => {
        $query.for_update().skip_locked()
    };
}

/// Whether a column has one of these values.
macro_rules! one_of {
    ($column:expr, $values:expr) => {
        $column.eq_any($values)
    };
}

pub(crate) use {held, locked, one_of, unclaimed};

/// Runs a statement for each of several owners, sending each before the previous one is answered; the server runs
/// them in the order of the items. Meant for statements that lock: a cluster that keeps each owner's rows on one of
/// its nodes can lock the rows of only one owner at a time.
pub(crate) async fn each_in_turn<'a, I, T, F>(
    conn: &'a Conn,
    items: impl IntoIterator<Item = I>,
    statement: impl Fn(&'a AsyncPgConnection, I) -> F,
) -> QueryResult<Vec<T>>
where
    F: Future<Output = QueryResult<T>> + 'a,
{
    let client = conn.client();
    try_join_all(items.into_iter().map(|item| statement(client, item))).await
}

/// The SQL type that lists have as parameters of hand-written statements.
pub(crate) type ListType = Array<Text>;

/// Turns the values into one parameter.
pub(crate) fn list<T: StoredText>(values: impl IntoIterator<Item = T>) -> Vec<String> {
    values.into_iter().map(|value| value.text().into_owned()).collect()
}

/// The condition in a hand-written statement that the expression before it is in the list with this number.
pub(crate) fn among(parameter: usize) -> String {
    format!("= ANY(${parameter})")
}

/// Ends a subquery that picks rows to delete: rows in use are left for the next sweep.
pub(crate) const UNCLAIMED: &str = "FOR UPDATE SKIP LOCKED";

/// Events are swept like other rows.
pub(crate) const SWEEP_EVENTS: Option<&str> = None;

diesel::define_sql_function! {
    fn pg_try_advisory_xact_lock(key: diesel::sql_types::BigInt) -> diesel::sql_types::Bool;
}
diesel::define_sql_function! {
    fn hashtextextended(text: diesel::sql_types::Text, seed: diesel::sql_types::BigInt) -> diesel::sql_types::BigInt;
}

/// Claims a key for this unit unless another unit holds it. If two keys hash to the same number, one of them seems
/// busy for a moment.
pub(crate) async fn claim_key(conn: &mut Conn, key: &ReplyKey) -> QueryResult<bool> {
    let seed = key.key_hash.first_chunk().map_or(0, |bytes| i64::from_be_bytes(*bytes));
    let number = hashtextextended(&key.principal, seed);
    select(pg_try_advisory_xact_lock(number)).get_result(conn).await
}

/// Writes new pages in one statement.
pub(crate) async fn insert_pages(conn: &mut Conn, rows: Vec<PageRow>) -> QueryResult<()> {
    diesel::insert_into(pages::table).values(&rows).execute(conn).await.map(drop)
}

/// How many blocks one statement writes: each has sixteen columns, and a statement has at most 65,535 parameters.
pub(crate) const ROWS_AT_ONCE: usize = 1_000;

/// Writes new blocks, except those whose id is taken.
pub(crate) async fn insert_blocks(conn: &mut Conn, rows: Vec<BlockRow>) -> QueryResult<usize> {
    let insert = diesel::insert_into(blocks::table).values(&rows);
    insert.on_conflict((blocks::workspace_id, blocks::id)).do_nothing().execute(conn).await
}

/// Writes the references of blocks.
pub(crate) async fn insert_references(conn: &mut Conn, rows: Vec<ReferenceRow>) -> QueryResult<()> {
    diesel::insert_into(block_references::table).values(&rows).execute(conn).await.map(drop)
}

/// Saves existing blocks in one statement: an upsert, of which only the update applies.
pub(crate) async fn save_blocks(conn: &mut Conn, rows: Vec<BlockRow>) -> QueryResult<()> {
    let insert = diesel::insert_into(blocks::table).values(&rows);
    let save = insert.on_conflict((blocks::workspace_id, blocks::id)).do_update().set((
        blocks::parent_id.eq(excluded(blocks::parent_id)),
        blocks::position.eq(excluded(blocks::position)),
        blocks::kind.eq(excluded(blocks::kind)),
        blocks::body.eq(excluded(blocks::body)),
        blocks::source_id.eq(excluded(blocks::source_id)),
        blocks::version.eq(excluded(blocks::version)),
        blocks::since.eq(excluded(blocks::since)),
        blocks::updated_by.eq(excluded(blocks::updated_by)),
        blocks::updated_at.eq(excluded(blocks::updated_at)),
        blocks::deleted_at.eq(excluded(blocks::deleted_at)),
        blocks::deleted_with.eq(excluded(blocks::deleted_with)),
    ));
    save.execute(conn).await.map(drop)
}

/// Changes the positions of blocks in one statement.
pub(crate) async fn move_blocks(
    conn: &mut Conn,
    workspace: WorkspaceId,
    places: &[(BlockId, Position)],
    page_version: i64,
) -> QueryResult<()> {
    let (ids, keys): (Vec<_>, Vec<_>) =
        places.iter().map(|(id, position)| (id.to_string(), position.as_str().to_owned())).unzip();
    let update = sql_query(
        "UPDATE blocks AS b SET position = place.position, since = $4 \
         FROM unnest($2, $3) AS place (id, position) WHERE b.workspace_id = $1 AND b.id = place.id",
    );
    let update = update
        .bind::<Text, _>(workspace.to_string())
        .bind::<Array<Text>, _>(ids)
        .bind::<Array<Text>, _>(keys)
        .bind::<BigInt, _>(page_version);
    update.prepared().execute(conn).await.map(drop)
}

/// Changes the positions of pages in one statement.
pub(crate) async fn move_pages(
    conn: &mut Conn,
    workspace: WorkspaceId,
    places: &[(PageId, Position)],
) -> QueryResult<()> {
    let (ids, keys): (Vec<_>, Vec<_>) =
        places.iter().map(|(id, position)| (id.to_string(), position.as_str().to_owned())).unzip();
    let update = sql_query(
        "UPDATE pages AS p SET position = place.position \
         FROM unnest($2, $3) AS place (id, position) WHERE p.workspace_id = $1 AND p.id = place.id",
    );
    let update = update.bind::<Text, _>(workspace.to_string()).bind::<Array<Text>, _>(ids).bind::<Array<Text>, _>(keys);
    update.prepared().execute(conn).await.map(drop)
}

/// When the oldest event without a number was written.
pub(crate) async fn oldest_unnumbered_event(conn: &mut Conn) -> QueryResult<Option<i64>> {
    event_inbox::table.select(min(event_inbox::occurred_at)).get_result(conn).await
}
