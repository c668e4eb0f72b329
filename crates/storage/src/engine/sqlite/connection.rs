//! Connections to a SQLite file.

use super::deadline::{self, Stopwatch};
use crate::{
    options::{Durability, Options},
    timing::{OnQuery, Timing},
};
use diesel::{Connection, SqliteConnection, connection::SimpleConnection};
use std::{
    fmt::Write,
    path::{Path, PathBuf},
    time::Duration,
};

/// What a connection keeps of the file in memory at most. Its default, two megabytes, holds a workspace of some thousand blocks.
const CACHE_KIB: u32 = 8_192;

/// How long the write-ahead log grows before what it holds is copied into the file: 16 MB. With the default, 4 MB, every tenth batch of blocks
/// waits for that.
const CHECKPOINT_PAGES: u32 = 4_000;

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

    pub(super) fn writer(&self) -> Result<SqliteConnection, crate::OpenError> {
        let mut conn = self.establish()?;
        conn.set_instrumentation(Timing::new(self.on_query.clone()));
        Ok(conn)
    }

    pub(super) fn reader(&self) -> Result<SqliteConnection, crate::OpenError> {
        let mut conn = self.establish()?;
        deadline::watch(&mut conn, Stopwatch::new(self.query_timeout), Timing::new(self.on_query.clone()))?;
        conn.batch_execute("PRAGMA query_only = ON")?;
        Ok(conn)
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
             PRAGMA cache_size = -{CACHE_KIB};
             PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES};
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
