//! The time limit of statements on readers.
//!
//! SQLite can be interrupted from outside only through calls that the driver does not offer and safe code cannot
//! make. So each reader sees every table through a temporary view of the same name, whose condition checks the clock
//! and fails when the statement's time is up. The planner folds such a view into the query, so the plan stays the
//! same, unless a `SELECT DISTINCT` joins it with `LEFT JOIN`: then it copies the table.

use diesel::{
    Connection, QueryResult, RunQueryDsl, SqliteConnection,
    connection::{Instrumentation, InstrumentationEvent, SimpleConnection},
    define_sql_function,
    serialize::{self, IsNull, Output, ToSql},
    sql_query,
    sql_types::{Bool, Text},
    sqlite::Sqlite,
};
use octavo_storage_common::{Timing, faults::OUT_OF_TIME};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

define_sql_function! {
    /// True while the statement has time left; fails afterwards.
    fn in_time() -> Bool;
}

/// The clock is read once in this many rows. Reading it for each row took a tenth of the time of a list.
const ROWS_PER_CLOCK_READING: u64 = 32;

/// Times one statement after the other.
#[derive(Clone, Debug)]
pub(super) struct Stopwatch {
    origin: Instant,
    limit: Duration,
    /// When the present statement must end, in nanoseconds after the origin.
    end: Arc<AtomicU64>,
    /// How many rows the present statement has seen.
    rows: Arc<AtomicU64>,
}

impl Stopwatch {
    pub(super) fn new(limit: Duration) -> Self {
        Self { origin: Instant::now(), limit, end: Arc::new(AtomicU64::new(u64::MAX)), rows: Arc::default() }
    }

    fn start(&self) {
        self.end.store(nanos(self.origin.elapsed() + self.limit), Ordering::Relaxed);
        self.rows.store(0, Ordering::Relaxed);
    }

    /// To be called for each row.
    fn is_out_of_time(&self) -> bool {
        let rows = self.rows.load(Ordering::Relaxed);
        self.rows.store(rows + 1, Ordering::Relaxed);
        rows.is_multiple_of(ROWS_PER_CLOCK_READING) && nanos(self.origin.elapsed()) > self.end.load(Ordering::Relaxed)
    }
}

fn nanos(span: Duration) -> u64 {
    u64::try_from(span.as_nanos()).unwrap_or(u64::MAX)
}

#[derive(Debug)]
struct InTime(bool);

impl ToSql<Bool, Sqlite> for InTime {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        if !self.0 {
            return Err(OUT_OF_TIME.into());
        }
        out.set_value(1_i32);
        Ok(IsNull::No)
    }
}

#[derive(diesel::QueryableByName)]
struct Table {
    #[diesel(sql_type = Text)]
    name: String,
}

/// Replaces every table by a view that checks the deadline.
pub(super) fn watch(conn: &mut SqliteConnection, stopwatch: Stopwatch, mut timing: Timing) -> QueryResult<()> {
    let started = stopwatch.clone();
    conn.set_instrumentation(move |event: InstrumentationEvent<'_>| {
        if matches!(event, InstrumentationEvent::StartQuery { .. }) {
            started.start();
        }
        timing.on_connection_event(event);
    });
    in_time_utils::register_nondeterministic_impl(conn, move || InTime(!stopwatch.is_out_of_time()))?;
    let tables = sql_query(
        "SELECT name FROM main.sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' AND substr(name, 1, 2) <> '__'",
    )
    .load::<Table>(conn)?;
    for Table { name } in tables {
        conn.batch_execute(&format!("CREATE TEMP VIEW \"{name}\" AS SELECT * FROM main.\"{name}\" WHERE in_time()"))?;
    }
    Ok(())
}
