//! Connections to a SQLite file.

use super::{
    super::Conn,
    deadline::{self, Stopwatch},
};
use crate::{
    options::{Durability, Options},
    timing::{OnQuery, Timing},
};
use diesel::{Connection, QueryResult, SqliteConnection, connection::SimpleConnection, result::Error};
use diesel_async::sync_connection_wrapper::SpawnBlocking;
use futures_util::{FutureExt, future::BoxFuture};
use std::{
    fmt::Write,
    path::{Path, PathBuf},
    time::Duration,
};

/// Runs statements in line, on the thread that asks: the default hops to another thread for each, which costs several times the statement.
///
/// It runs them when asked and not when awaited, so that a unit can be undone where nothing can be awaited, in `drop`.
#[derive(Debug)]
pub(crate) struct Inline;

impl SpawnBlocking for Inline {
    fn spawn_blocking<'a, R: Send + 'static>(
        &mut self,
        task: impl FnOnce() -> R + Send + 'static,
    ) -> BoxFuture<'a, Result<R, Box<dyn std::error::Error + Send + Sync>>> {
        std::future::ready(Ok(task())).boxed()
    }

    fn get_runtime() -> Self {
        Self
    }
}

/// Runs plain SQL at once.
pub(super) fn run(conn: &mut Conn, sql: &'static str) -> QueryResult<()> {
    // An inline connection is never pending.
    conn.spawn_blocking(move |conn| conn.batch_execute(sql))
        .now_or_never()
        .unwrap_or(Err(Error::BrokenTransactionManager))
}

/// Opens connections to one file, all in the same way.
#[derive(Clone, Debug)]
pub(crate) struct Opener {
    path: PathBuf,
    durability: Durability,
    patience: Duration,
    query_timeout: Duration,
    on_query: Option<OnQuery>,
}

impl Opener {
    pub(crate) fn new(path: &Path, options: &Options) -> Self {
        Self {
            path: path.to_owned(),
            durability: options.durability,
            patience: options.wait_timeout,
            query_timeout: options.query_timeout,
            on_query: options.on_query.clone(),
        }
    }

    pub(super) fn writer(&self) -> Result<Conn, crate::OpenError> {
        let mut conn = self.establish()?;
        conn.set_instrumentation(Timing::new(self.on_query.clone()));
        Ok(Conn::new(conn))
    }

    pub(super) fn reader(&self) -> Result<Conn, crate::OpenError> {
        let mut conn = self.establish()?;
        deadline::watch(&mut conn, Stopwatch::new(self.query_timeout), Timing::new(self.on_query.clone()))?;
        conn.batch_execute("PRAGMA query_only = ON")?;
        Ok(Conn::new(conn))
    }

    /// Opens a file that is there. The wait for locks comes first: already switching to the write-ahead log may have to wait.
    fn establish(&self) -> Result<SqliteConnection, crate::OpenError> {
        let mut conn = SqliteConnection::establish(&existing(&self.path, "rw"))?;
        let synchronous = match self.durability {
            Durability::Full => "FULL",
            Durability::Relaxed => "OFF",
        };
        conn.batch_execute(&format!(
            "PRAGMA busy_timeout = {};
             PRAGMA journal_mode = WAL;
             PRAGMA synchronous = {synchronous};
             PRAGMA foreign_keys = ON;
             PRAGMA temp_store = MEMORY;",
            self.patience.as_millis()
        ))?;
        Ok(conn)
    }
}

/// The address under which SQLite opens a file and does not make one.
pub(crate) fn existing(path: &Path, mode: &str) -> String {
    let mut address = "file:".to_owned();
    for letter in path.to_string_lossy().chars() {
        match letter {
            '%' | '?' | '#' => {
                // Writing to a String cannot fail.
                let _ = write!(address, "%{:02X}", u32::from(letter));
            }
            letter => address.push(letter),
        }
    }
    address + "?mode=" + mode
}
