//! One server a folder.

use super::{DataDir, DataDirFault};
use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{Read, Seek, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

const LOCK: &str = "server.lock";

/// Keeps other servers away from a data folder for as long as it lives. The system lifts it when the process ends, however that ends.
#[derive(Debug)]
#[must_use = "the folder is free again as soon as this is dropped"]
pub struct ServerLock {
    _file: File,
}

impl DataDir {
    /// Takes the folder for a server. Commands work beside one and take nothing.
    pub fn lock_for_server(&self) -> Result<ServerLock, DataDirFault> {
        let path = self.path.join(LOCK);
        let mut file = open_lock(&path)?;
        match file.try_lock() {
            Ok(()) => {
                // Only told to whoever comes second, so a disk that is full does not matter.
                let _ = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
                Ok(ServerLock { _file: file })
            }
            Err(TryLockError::WouldBlock) => {
                Err(DataDirFault::Held { folder: self.path.clone(), process: holder(&mut file) })
            }
            Err(TryLockError::Error(error)) => Err(DataDirFault::io("lock", &path)(error)),
        }
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
