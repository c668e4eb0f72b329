//! Connections to a SQLite file.

use super::{
    deadline::{self, Stopwatch},
    presence::Presence,
};
use diesel::{Connection, SqliteConnection, connection::SimpleConnection};
use octavo_storage_common::{Durability, Options, Timing};
use parking_lot::Mutex;
use std::{
    fmt::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// How much of the file a connection caches at most. The default, two megabytes, holds a workspace of some thousand
/// blocks.
const CACHE_KIB: u32 = 8_192;

/// At what size the write-ahead log is copied into the file: 16 MB. With the default, 4 MB, every tenth batch of
/// blocks would wait for that.
const CHECKPOINT_PAGES: u32 = 4_000;

/// To what size the write-ahead log is cut when it restarts. A long read or a large import makes it grow, and SQLite
/// alone would never shrink it.
const LOG_KEPT_BYTES: u32 = 32 * 1024 * 1024;

/// An idle connection. While it is open, SQLite does not remove the write-ahead log, even if all other connections were
/// closed after errors; so a missing log was removed by somebody else.
#[derive(Default)]
struct LogKeeper(Mutex<Option<SqliteConnection>>);

impl fmt::Debug for LogKeeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LogKeeper").finish_non_exhaustive()
    }
}

/// Opens connections to one file, all in the same way.
#[derive(Clone, Debug)]
pub(crate) struct Opener {
    path: PathBuf,
    presence: Arc<Presence>,
    keeper: Arc<LogKeeper>,
    durability: Durability,
    wait_timeout: Duration,
    query_timeout: Duration,
    timing: Timing,
}

impl Opener {
    pub(crate) fn new(path: &Path, options: &Options) -> Self {
        Self {
            path: path.to_owned(),
            presence: Arc::new(Presence::of(path)),
            keeper: Arc::default(),
            durability: options.durability,
            wait_timeout: options.wait_timeout,
            query_timeout: options.query_timeout,
            timing: Timing::new(options),
        }
    }

    /// The file that all connections must be connected to.
    pub(super) fn presence(&self) -> &Presence {
        &self.presence
    }

    pub(super) fn writer(&self) -> Result<SqliteConnection, octavo_storage_common::OpenError> {
        let mut conn = self.establish()?;
        conn.set_instrumentation(self.timing.clone());
        Ok(conn)
    }

    pub(super) fn reader(&self) -> Result<SqliteConnection, octavo_storage_common::OpenError> {
        let mut conn = self.establish()?;
        deadline::watch(&mut conn, Stopwatch::new(self.query_timeout), self.timing.clone())?;
        conn.batch_execute("PRAGMA query_only = ON")?;
        Ok(conn)
    }

    fn establish(&self) -> Result<SqliteConnection, octavo_storage_common::OpenError> {
        let conn = self.connect()?;
        {
            let mut kept = self.keeper.0.lock();
            if kept.is_none() {
                *kept = Some(self.connect()?);
                self.presence.expect_log();
            }
        }
        // The path could now name another file than the one the other connections have open.
        self.presence.require().map_err(|_| octavo_storage_common::OpenError::Missing(self.path.clone()))?;
        Ok(conn)
    }

    /// Opens an existing file. Sets the lock timeout first: even switching to the write-ahead log may have to wait.
    fn connect(&self) -> Result<SqliteConnection, octavo_storage_common::OpenError> {
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
             PRAGMA journal_size_limit = {LOG_KEPT_BYTES};
             PRAGMA temp_store = MEMORY;",
            self.wait_timeout.as_millis()
        ))?;
        Ok(conn)
    }
}

/// The URI with which SQLite opens an existing file but does not create one.
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_write_ahead_log_that_is_removed_is_missed_and_one_that_begins_anew_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let (path, log) = (folder.path().join("octavo.db"), folder.path().join("octavo.db-wal"));
        std::fs::write(&path, []).unwrap();
        let opener = Opener::new(&path, &Options { durability: Durability::Relaxed, ..Options::default() });
        let mut writer = opener.writer().unwrap();
        writer.batch_execute("CREATE TABLE notes (text TEXT NOT NULL)").unwrap();
        writer.batch_execute("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
        assert_eq!(opener.presence().require(), Ok(()), "after a checkpoint");
        drop(writer);
        let mut writer = opener.writer().unwrap();
        writer.batch_execute("INSERT INTO notes VALUES ('a')").unwrap();
        assert_eq!(opener.presence().require(), Ok(()), "after all were closed");
        let aside = folder.path().join("aside");
        std::fs::rename(&log, &aside).unwrap();
        assert!(opener.presence().require().is_err(), "removed");
        std::fs::copy(&aside, &log).unwrap();
        assert!(opener.presence().require().is_err(), "replaced");
        std::fs::rename(&aside, &log).unwrap();
        assert_eq!(opener.presence().require(), Ok(()), "back");
    }

    #[test]
    fn the_write_ahead_log_gives_back_the_room_that_it_grew_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("octavo.db");
        std::fs::write(&path, []).unwrap();
        let options = Options { durability: Durability::Relaxed, ..Options::default() };
        let opener = Opener::new(&path, &options);
        let log_bytes = || std::fs::metadata(folder.path().join("octavo.db-wal")).unwrap().len();
        let (mut writer, mut reader) = (opener.writer().unwrap(), opener.reader().unwrap());
        writer.batch_execute("CREATE TABLE notes (text BLOB NOT NULL); INSERT INTO notes VALUES (x'00')").unwrap();
        // Each reader keeps the log from restarting.
        reader.batch_execute("BEGIN; SELECT count(*) FROM notes").unwrap();
        for _ in 0..48 {
            writer.batch_execute("INSERT INTO notes VALUES (randomblob(1048576))").unwrap();
        }
        assert!(log_bytes() > u64::from(LOG_KEPT_BYTES), "{}", log_bytes());
        reader.batch_execute("COMMIT").unwrap();
        for _ in 0..3 {
            writer.batch_execute("INSERT INTO notes VALUES (randomblob(1024))").unwrap();
        }
        assert!(log_bytes() <= u64::from(LOG_KEPT_BYTES), "{}", log_bytes());
    }
}
