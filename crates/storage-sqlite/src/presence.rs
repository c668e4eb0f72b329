//! Notices when the database file, or its write-ahead log, is removed or replaced under a running server.
//!
//! Open connections keep using the file that they opened, even after it was removed: what they write would be
//! acknowledged and lost. So nothing is read or written unless the file at the path is the one from the start, compared
//! by device and inode. This is checked before each commit, and once a second for reads. If the file is put back,
//! work continues; with another file the server must be restarted.
//!
//! The same holds for the write-ahead log, the file beside it whose name ends in `-wal`: recent commits are only there.
//! SQLite creates it for the first connection, keeps it through every checkpoint and removes it with the last
//! connection, so it must stay the same file for as long as any connection is open.

use octavo_core_model::StoreError;
use parking_lot::Mutex;
use std::{
    fs::Metadata,
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// How long reads rely on the last check.
const KEPT: Duration = Duration::from_secs(1);

/// Device and inode.
type Identity = (u64, u64);

/// The file at a path, as it was when the store was opened.
#[derive(Debug)]
pub(crate) struct Presence {
    path: PathBuf,
    /// `None` if the system has no inodes or there was no file; then nothing is noticed.
    expected: Option<Identity>,
    log_path: PathBuf,
    /// Not set until a connection is open.
    expected_log: OnceLock<Identity>,
    is_there: AtomicBool,
    looked_at: Mutex<Instant>,
}

impl Presence {
    pub(crate) fn of(path: &Path) -> Self {
        let expected = path.metadata().ok().as_ref().and_then(identity);
        let mut log_path = path.as_os_str().to_owned();
        log_path.push("-wal");
        Self {
            path: path.to_owned(),
            expected,
            log_path: log_path.into(),
            expected_log: OnceLock::new(),
            is_there: AtomicBool::new(true),
            looked_at: Mutex::new(Instant::now()),
        }
    }

    /// From now on, expects the log that is there now. The caller keeps a connection open, so that SQLite does not
    /// remove it.
    pub(crate) fn expect_log(&self) {
        if let Some(found) = self.log_path.metadata().ok().as_ref().and_then(identity) {
            // The first one stays the expected one.
            let _ = self.expected_log.set(found);
        }
    }

    /// Fails if the file is not in place right now.
    pub(crate) fn require(&self) -> Result<(), StoreError> {
        let is_there = self.look();
        if self.is_there.swap(is_there, Ordering::Relaxed) != is_there {
            let path = self.path.display();
            if is_there {
                tracing::info!(%path, "the database file is back in its place");
            } else {
                tracing::error!(%path, "the database file or its -wal file was removed or replaced; nothing is read or written until it is back, or the server is restarted");
            }
        }
        *self.looked_at.lock() = Instant::now();
        if is_there { Ok(()) } else { Err(StoreError::Unavailable) }
    }

    /// Fails if the file was not in place within the last second.
    pub(crate) fn require_lately(&self) -> Result<(), StoreError> {
        let is_fresh = self.looked_at.lock().elapsed() < KEPT;
        if is_fresh && self.is_there.load(Ordering::Relaxed) { Ok(()) } else { self.require() }
    }

    /// If the path cannot be examined for another reason, that says nothing about the file.
    fn look(&self) -> bool {
        is_in_place(&self.path, self.expected) && is_in_place(&self.log_path, self.expected_log.get().copied())
    }
}

fn is_in_place(path: &Path, expected: Option<Identity>) -> bool {
    let Some(expected) = expected else { return true };
    match path.metadata() {
        Ok(found) => identity(&found) == Some(expected),
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have none")]
fn identity(found: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
const fn identity(_found: &Metadata) -> Option<Identity> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use std::fs;

    #[test]
    fn a_file_is_missed_when_it_is_removed_or_replaced_until_it_is_back() {
        let folder = tempfile::tempdir().unwrap();
        let (path, aside) = (folder.path().join("octavo.db"), folder.path().join("aside"));
        fs::write(&path, "first").unwrap();
        let presence = Presence::of(&path);
        assert_eq!(presence.require(), Ok(()));
        fs::write(&path, "changed in its place").unwrap();
        assert_eq!(presence.require(), Ok(()));
        fs::rename(&path, &aside).unwrap();
        assert_eq!(presence.require(), Err(StoreError::Unavailable), "removed");
        assert_eq!(presence.require_lately(), Err(StoreError::Unavailable), "what is bad news is looked at again");
        fs::write(&path, "second").unwrap();
        assert_eq!(presence.require(), Err(StoreError::Unavailable), "replaced");
        fs::rename(&aside, &path).unwrap();
        assert_eq!(presence.require_lately(), Ok(()), "back");
        fs::remove_dir_all(folder.path()).unwrap();
        assert_eq!(presence.require(), Err(StoreError::Unavailable), "gone with its folder");
    }
}
