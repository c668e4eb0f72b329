//! Bytes that are too large for the database.

use async_trait::async_trait;
use octavo_core_model::{id::JobId, job::JobOwner};
use std::{fmt, ops::Range};

pub type BlobResult<T> = Result<T, BlobFailure>;

/// An operation of the blob store failed. The text is for the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlobFailure(pub String);

/// A folder for bytes that belong together. It is named by ids only, so that nothing that users write becomes part of
/// a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlobFolder {
    /// The result of a job.
    Job(JobOwner, JobId),
}

impl fmt::Display for BlobFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Job(owner, id) => write!(f, "jobs/{owner}/{id}"),
        }
    }
}

/// Stores bytes. A piece is written completely or not at all, and does not change afterwards.
#[async_trait]
pub trait Blobs: Send + Sync {
    /// Writes a piece and replaces an existing one with the same number.
    async fn put(&self, folder: BlobFolder, piece: usize, bytes: Vec<u8>) -> BlobResult<()>;

    /// Reads a part of a piece; `None` if the piece does not exist.
    async fn read(&self, folder: BlobFolder, piece: usize, part: Range<u64>) -> BlobResult<Option<Vec<u8>>>;

    /// Begins bytes that are kept only while somebody holds them.
    fn scratch(&self) -> BlobResult<Box<dyn Scratch>>;

    /// Removes every piece of a folder. Not an error if there are none.
    async fn remove(&self, folder: BlobFolder) -> BlobResult<()>;
}

/// Bytes that belong to one call. They are gone when this is dropped, and also if the process is killed.
#[async_trait]
pub trait Scratch: Send + Sync {
    /// Adds bytes behind those that are there. One call at a time.
    async fn append(&self, bytes: Vec<u8>) -> BlobResult<()>;

    /// Reads a part of what was added.
    async fn read(&self, part: Range<u64>) -> BlobResult<Vec<u8>>;
}
