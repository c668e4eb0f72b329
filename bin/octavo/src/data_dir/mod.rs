//! The data folder: which server may use it, and the keys that are generated in it.

mod keys;
mod lock;
#[cfg(test)]
mod tests;

pub use keys::{KeyFile, Keys, RetiredKey};
pub use lock::{ServerLock, lock_database};

use std::{
    fs::DirBuilder,
    io,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

/// A folder that exists.
#[derive(Clone, Debug)]
pub struct DataDir {
    path: PathBuf,
}

/// Why the data folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataDirFault {
    /// Another server has locked the folder or the database file.
    #[error("another octavo server{} uses {}", .process.map_or_else(String::new, |id| format!(" (process {id})")), .what.display())]
    Held { what: PathBuf, process: Option<u32> },
    /// A file of keys has other content.
    #[error("{} holds no keys: restore it from a backup", .0.display())]
    BrokenKeys(PathBuf),
    #[error("cannot {doing} {}: {error}", .path.display())]
    Io { doing: &'static str, path: PathBuf, error: io::Error },
}

impl DataDirFault {
    fn io<'a>(doing: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> Self + 'a {
        move |error| Self::Io { doing, path: path.to_owned(), error }
    }
}

impl DataDir {
    /// Creates the folder if it is missing. Only its owner can read what is created.
    pub fn create(path: &Path) -> Result<Self, DataDirFault> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(path);
        made.map_err(DataDirFault::io("make the data folder", path))?;
        Ok(Self { path: path.to_owned() })
    }

    /// The folder, if it exists.
    pub fn existing(path: &Path) -> Option<Self> {
        path.is_dir().then(|| Self { path: path.to_owned() })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}
