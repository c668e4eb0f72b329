//! Files without a name: the operating system removes them when they are closed, however the process ends.

use async_trait::async_trait;
use octavo_ports::blobs::{BlobFailure, BlobResult, Scratch};
use std::{
    fs::File,
    io,
    ops::Range,
    os::unix::fs::FileExt,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};
use tokio::task::spawn_blocking;

pub(crate) struct ScratchFile {
    file: Arc<File>,
    end: AtomicU64,
}

impl ScratchFile {
    pub(crate) fn create_in(folder: &Path) -> BlobResult<Self> {
        let file = tempfile::tempfile_in(folder).map_err(|error| failure("create", &error))?;
        Ok(Self { file: Arc::new(file), end: AtomicU64::new(0) })
    }

    /// Runs an operation where it may wait for the disk.
    async fn run<T: Send + 'static>(
        &self,
        doing: &'static str,
        operation: impl FnOnce(&File) -> io::Result<T> + Send + 'static,
    ) -> BlobResult<T> {
        let file = Arc::clone(&self.file);
        match spawn_blocking(move || operation(&file)).await {
            Ok(done) => done.map_err(|error| failure(doing, &error)),
            Err(error) => Err(BlobFailure(error.to_string())),
        }
    }
}

#[async_trait]
impl Scratch for ScratchFile {
    async fn append(&self, bytes: Vec<u8>) -> BlobResult<()> {
        let (begin, length) = (self.end.load(Ordering::Acquire), bytes.len() as u64);
        self.run("write", move |file| file.write_all_at(&bytes, begin)).await?;
        self.end.store(begin + length, Ordering::Release);
        Ok(())
    }

    async fn read(&self, part: Range<u64>) -> BlobResult<Vec<u8>> {
        let length = usize::try_from(part.end.saturating_sub(part.start)).unwrap_or(usize::MAX);
        let read = move |file: &File| {
            let mut bytes = vec![0; length];
            file.read_exact_at(&mut bytes, part.start)?;
            Ok(bytes)
        };
        self.run("read", read).await
    }
}

fn failure(doing: &str, error: &io::Error) -> BlobFailure {
    tracing::warn!(%error, doing, "a scratch file failed");
    BlobFailure(error.to_string())
}
