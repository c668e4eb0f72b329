//! One server per folder, and one per database file.

use super::{DataDir, DataDirFault};
use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{Read, Seek, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

const LOCK: &str = "server.lock";

/// Keeps other servers away from a data folder or a database file for as long as it lives. The operating system
/// releases it when the process ends, in whatever way.
#[derive(Debug)]
#[must_use = "what it holds is free again as soon as this is dropped"]
pub struct ServerLock {
    _file: File,
}

impl DataDir {
    /// Locks the folder for a server. Commands can run beside a server and lock nothing.
    pub fn lock_for_server(&self) -> Result<ServerLock, DataDirFault> {
        lock(&self.path.join(LOCK), &self.path)
    }
}

/// Locks a SQLite file for a server, wherever its data folder is.
pub fn lock_database(file: &Path) -> Result<ServerLock, DataDirFault> {
    let mut name = file.as_os_str().to_owned();
    name.push(".lock");
    lock(Path::new(&name), file)
}

fn lock(path: &Path, held: &Path) -> Result<ServerLock, DataDirFault> {
    let mut file = open_lock(path)?;
    match file.try_lock() {
        Ok(()) => {
            // Only shown to a second server, so a full disk does not matter.
            let _ = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
            Ok(ServerLock { _file: file })
        }
        Err(TryLockError::WouldBlock) => Err(DataDirFault::Held { what: held.to_owned(), process: holder(&mut file) }),
        Err(TryLockError::Error(error)) => Err(DataDirFault::io("lock", path)(error)),
    }
}

fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.take(20).read_to_string(&mut text).ok()?;
    text.parse().ok()
}

/// Opens a file that exists only to be locked.
pub(super) fn open_lock(path: &Path) -> Result<File, DataDirFault> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false).mode(0o600);
    options.open(path).map_err(DataDirFault::io("open", path))
}
