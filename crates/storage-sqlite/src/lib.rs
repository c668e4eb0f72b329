//! What is specific to the store on SQLite: its connections and migrations, where statements run, how units begin and
//! end, numbers of events.
//!
//! The areas of the store are compiled with this crate in `octavo-storage-areas-sqlite`, where they call it `dialect`.

mod bulk;
mod connection;
mod deadline;
mod file_fault;
mod group_commit;
mod log;
mod migrations;
#[cfg(test)]
mod plans;
mod presence;
mod readers;
mod seals;
mod statements;
mod touch;
mod value_list;

use connection::{Opener, existing};
use diesel::QueryResult;
use group_commit::{UnitWriter, Writer};
use octavo_core_model::StoreError;
use octavo_ports::{
    replies::ReplyKey,
    store::{NumberedEvents, StoreResult},
};
use octavo_storage_common::{
    OpenError, Options,
    write_turns::{TurnLimits, WriteTurn},
};
use readers::{Reader, Readers};
use std::{
    future::{Ready, ready},
    path::Path,
    sync::Arc,
};
use tokio::time::{Instant, timeout_at};

pub use bulk::{
    ROWS_AT_ONCE, insert_blocks, insert_grants, insert_notifications, insert_pages, insert_properties,
    insert_record_links, insert_records, insert_references, insert_views, move_blocks, move_pages, save_blocks,
    save_records,
};
pub use log::{insert_audit_entries, insert_events};
pub use migrations::{migrate, migration_status};
pub use seals::{lock_heads, move_heads, write_seals};
pub use statements::{ExecuteDsl, LoadQuery, RunQueryDsl};
pub use touch::{touch_api_keys, touch_sessions};
pub use value_list::{ListType, OneOf, among, list};

pub type Conn = diesel::SqliteConnection;

/// How many views of one owner run at the same time: each has a reader for itself, so an owner gets half of them.
pub const fn views_of_owner(options: &Options) -> usize {
    options.readers.div_ceil(2)
}

/// How many snapshots there are at the same time, of all owners together: half of the readers.
pub const fn snapshots(options: &Options) -> usize {
    options.readers.div_ceil(2)
}

/// How many units of one owner run at the same time. They run one after the other, and those that arrive together
/// share a commit. Other owners wait for at most these few, however many there are.
pub const fn units_of_owner(_options: &Options) -> usize {
    2
}

/// How many units that take turns may queue at the writer, of all owners together: one, so that everybody waits for one
/// at most.
pub const fn turn_limits(_options: &Options) -> TurnLimits {
    TurnLimits { all: 1, announced: 1 }
}

/// Opens scopes.
#[derive(Debug)]
pub struct Engine {
    writer: Arc<Writer>,
    readers: Readers,
}

impl Engine {
    pub fn open(path: &Path, options: &Options) -> Result<Self, OpenError> {
        let opener = Opener::new(path, options);
        let writer = Writer::open(opener.clone(), options)?;
        Ok(Self { writer, readers: Readers::open(opener, options)? })
    }

    pub async fn view(&self) -> StoreResult<ScopeConnection> {
        self.readers.acquire().await.map(ScopeConnection::View)
    }

    /// A view that sees one state of the file.
    pub async fn snapshot(&self) -> StoreResult<ScopeConnection> {
        let mut reader = self.readers.acquire().await?;
        reader.begin_snapshot()?;
        Ok(ScopeConnection::View(reader))
    }

    /// A unit of the deployment itself.
    pub async fn unit(&self) -> StoreResult<ScopeConnection> {
        self.writer.begin_unit().await.map(ScopeConnection::Unit)
    }

    /// A unit that waits for the writer until the deadline at the latest.
    pub async fn unit_by(&self, deadline: Instant, turn: WriteTurn) -> StoreResult<ScopeConnection> {
        let begun = if turn.takes_turns() {
            timeout_at(deadline, self.writer.begin_unit_alone()).await
        } else {
            timeout_at(deadline, self.writer.begin_unit()).await
        };
        let unit = begun.map_err(|_| StoreError::Busy)??;
        Ok(ScopeConnection::Unit(unit.in_turn(turn)))
    }

    /// Fails if the file was removed or replaced.
    pub fn require_in_place(&self) -> StoreResult<()> {
        self.readers.require_in_place()
    }

    /// How many readers are idle and how many are in use; the writer counts as one in use.
    pub fn connections(&self) -> (u32, u32) {
        let (idle, used) = self.readers.count();
        (idle, used + 1)
    }

    /// Does nothing: units number their events themselves.
    pub async fn number_events(&self) -> StoreResult<NumberedEvents> {
        ready(Ok(NumberedEvents::default())).await
    }
}

/// The connection of a scope.
pub enum ScopeConnection {
    View(Reader),
    Unit(UnitWriter),
}

impl ScopeConnection {
    /// Asynchronous because the other engine may have to wait for a connection.
    pub fn conn(&mut self) -> Ready<StoreResult<&mut Conn>> {
        let conn = match self {
            Self::View(reader) => reader.conn(),
            Self::Unit(slot) => slot.conn(),
        };
        ready(conn.ok_or(StoreError::Unavailable))
    }

    /// Notes that the last statement succeeded.
    pub fn statement_succeeded(&mut self) {
        if let Self::View(reader) = self {
            reader.statement_succeeded();
        }
    }

    pub async fn commit(self) -> StoreResult<()> {
        match self {
            Self::View(_) => Ok(()),
            Self::Unit(slot) => slot.commit().await,
        }
    }

    pub async fn undo(self) -> StoreResult<()> {
        match self {
            Self::View(_) => Ok(()),
            Self::Unit(slot) => slot.undo().await,
        }
    }
}

/// Locks the rows of a query until the unit ends. There is nothing to do here: a unit has the whole file to itself.
#[macro_export]
macro_rules! locked {
    ($query:expr) => {
        $query
    };
}

/// Protects the rows of a query against changes until the unit ends. There is nothing to do here either.
#[macro_export]
macro_rules! locked_shared {
    ($query:expr) => {
        $query
    };
}

/// Whether several units can run at the same time.
pub const UNITS_MEET: bool = false;

/// Locks the rows of a query, skipping those that others have locked. Here nobody else can have locked any.
#[macro_export]
macro_rules! skipping_locked {
    ($query:expr) => {
        $query
    };
}

/// Whether a column has one of these values.
#[macro_export]
macro_rules! one_of {
    ($column:expr, $values:expr) => {
        $crate::OneOf::new($column, $values)
    };
}

/// Ends a statement: for each row before it, reads the rows of another table that meet the condition. `CROSS JOIN`
/// keeps the planner from beginning with that table.
pub fn for_each_row(table: &str, condition: &str) -> String {
    format!("CROSS JOIN {table} WHERE {condition}")
}

/// Ends a statement about the records that the events of a database name. Every event has its number from the start.
pub const UNNUMBERED_CHANGES: &str = "";

/// The same for a statement about the nodes that changed. Its condition on the types of events is the argument.
pub const fn unnumbered_nodes(_types: &str) -> String {
    String::new()
}

/// What to write before and after a subquery that lists ids. SQLite always makes an index of its result.
pub const IN_SUBQUERY: (&str, &str) = ("IN (", ")");

/// Ends a subquery that picks rows to delete.
pub const SKIPPING_LOCKED: &str = "";

/// Removes the oldest events. Row numbers grow with time, so only the first rows of the table are read.
pub const SWEEP_EVENTS: Option<&str> = Some(
    "DELETE FROM events WHERE rowid IN (
    SELECT rowid FROM (SELECT rowid, occurred_at FROM events ORDER BY rowid LIMIT $1) WHERE occurred_at < $2)",
);

/// Claims a key for this unit. No other unit runs at the same time.
#[expect(clippy::unused_async, reason = "the other engine asks the database")]
pub async fn claim_key(_conn: &mut Conn, _key: &ReplyKey) -> QueryResult<bool> {
    Ok(true)
}

/// When the oldest event without a number was written: never, as all events have one.
#[expect(clippy::unused_async, reason = "the other engine asks the database")]
pub async fn oldest_unnumbered_event(_conn: &mut Conn) -> QueryResult<Option<i64>> {
    Ok(None)
}
