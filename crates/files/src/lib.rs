//! Bytes that are too large for the database, in any object store: a folder, or memory for tests.

mod scratch;
#[cfg(test)]
mod tests;

use async_trait::async_trait;
use futures_util::{StreamExt, TryStreamExt};
use object_store::{
    Error, ObjectStore, ObjectStoreExt, PutPayload, local::LocalFileSystem, memory::InMemory, path::Path,
};
use octavo_ports::blobs::{BlobFailure, BlobFolder, BlobResult, Blobs, Scratch};
use std::{
    fmt,
    fs::DirBuilder,
    ops::Range,
    os::unix::fs::DirBuilderExt,
    path::{Path as FilePath, PathBuf},
    sync::Arc,
};

/// Stores bytes as objects, one for each piece.
#[derive(Clone)]
pub struct ObjectBlobs {
    store: Arc<dyn ObjectStore>,
    /// Where files without a name are created.
    scratch: PathBuf,
}

/// The folder for bytes cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot keep files in {}: {reason}", .path.display())]
pub struct NoFolder {
    path: PathBuf,
    reason: String,
}

impl ObjectBlobs {
    /// Stores objects in a folder, which is created if it is missing. Only its owner can read what is created.
    pub fn in_folder(path: &FilePath) -> Result<Self, NoFolder> {
        let refused = |reason: String| NoFolder { path: path.to_owned(), reason };
        let made = DirBuilder::new().recursive(true).mode(0o700).create(path);
        made.map_err(|error| refused(error.to_string()))?;
        let store = LocalFileSystem::new_with_prefix(path).map_err(|error| refused(error.to_string()))?;
        Ok(Self { store: Arc::new(store.with_automatic_cleanup(true)), scratch: path.to_owned() })
    }

    /// Stores objects for as long as the process lives.
    pub fn in_memory() -> Self {
        Self { store: Arc::new(InMemory::new()), scratch: std::env::temp_dir() }
    }
}

impl fmt::Debug for ObjectBlobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ObjectBlobs({})", self.store)
    }
}

/// The number has a fixed width, so that pieces are sorted in their order.
fn place(folder: BlobFolder, piece: usize) -> Path {
    Path::from(format!("{folder}/{piece:08}"))
}

fn failure(doing: &str) -> impl FnOnce(Error) -> BlobFailure + '_ {
    move |error| {
        tracing::warn!(%error, doing, "the store of files failed");
        BlobFailure(error.to_string())
    }
}

#[async_trait]
impl Blobs for ObjectBlobs {
    async fn put(&self, folder: BlobFolder, piece: usize, bytes: Vec<u8>) -> BlobResult<()> {
        let put = self.store.put(&place(folder, piece), PutPayload::from(bytes)).await;
        put.map(drop).map_err(failure("write"))
    }

    async fn read(&self, folder: BlobFolder, piece: usize, part: Range<u64>) -> BlobResult<Option<Vec<u8>>> {
        match self.store.get_range(&place(folder, piece), part).await {
            Ok(bytes) => Ok(Some(bytes.into())),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(failure("read")(error)),
        }
    }

    fn scratch(&self) -> BlobResult<Box<dyn Scratch>> {
        let created = scratch::ScratchFile::create_in(&self.scratch)?;
        Ok(Box::new(created))
    }

    async fn remove(&self, folder: BlobFolder) -> BlobResult<()> {
        let folder = Path::from(folder.to_string());
        let pieces = self.store.list(Some(&folder)).map_ok(|piece| piece.location).boxed();
        let removed = self.store.delete_stream(pieces).try_for_each(|_| std::future::ready(Ok(()))).await;
        match removed {
            // Another process has removed them in the meantime.
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(failure("remove")(error)),
        }
    }
}
