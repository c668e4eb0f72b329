//! Bytes that are too many for the database.

use async_trait::async_trait;
use octavo_core_model::{id::JobId, job::JobOwner};
use std::{fmt, ops::Range};

pub type BlobResult<T> = Result<T, BlobFailure>;

/// The store of bytes did not do what it was asked. The text is for the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlobFailure(pub String);

/// Where bytes are kept that belong together. Made of ids only: nothing that people write becomes part of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlobFolder {
    /// What a job made.
    Job(JobOwner, JobId),
}

impl fmt::Display for BlobFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Job(owner, id) => write!(f, "jobs/{owner}/{id}"),
        }
    }
}

/// Keeps bytes. What is written is there whole or not at all, and stays as it is.
#[async_trait]
pub trait Blobs: Send + Sync {
    /// Writes a piece, in place of one that has its number already.
    async fn put(&self, folder: BlobFolder, piece: usize, bytes: Vec<u8>) -> BlobResult<()>;

    /// Reads a part of a piece; `None` when there is no such piece.
    async fn read(&self, folder: BlobFolder, piece: usize, part: Range<u64>) -> BlobResult<Option<Vec<u8>>>;

    /// Removes every piece of a folder; none is fine too.
    async fn remove(&self, folder: BlobFolder) -> BlobResult<()>;
}
