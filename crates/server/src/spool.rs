//! Answers that are produced faster than their clients read them.
//!
//! The producer writes into a scratch file and never waits for the client, so what it reads from does not stay open for
//! as long as a slow client takes. The client gets the bytes while more are written.

use crate::streaming::{Broken, ByteStream};
use actix_web::web::Bytes;
use futures_util::stream;
use octavo_app::AppResult;
use octavo_core_model::{Fault, StoreError, fault::ComputeFault};
use octavo_ports::blobs::{BlobResult, Blobs, Scratch};
use std::{
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::{
    sync::watch,
    time::{Instant, sleep},
};

/// How much is in memory at a time.
const CHUNK: u64 = 256 * 1024;

/// How long a client may take in any case, once everything is written.
const BASE_TIME: Duration = Duration::from_mins(2);

/// How many bytes a client must read for each second beyond that.
const MIN_BYTES_PER_SECOND: u64 = 64 << 10;

/// How often clients are checked for that.
const CHECK: Duration = Duration::from_secs(10);

/// How far the producer is.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    written: u64,
    end: Option<End>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Complete,
    Broken,
}

/// The side of the producer. The answer is complete only if this is finished.
pub(crate) struct SpoolWriter {
    scratch: Arc<dyn Scratch>,
    progress: watch::Sender<Progress>,
    /// Gone when the client is.
    client: Weak<Spooled>,
    buffer: Vec<u8>,
}

/// The side of the client.
pub(crate) struct SpoolReader {
    spooled: Arc<Spooled>,
    progress: watch::Receiver<Progress>,
}

/// What is kept for the client.
struct Spooled {
    /// Taken away from a client that reads too slowly.
    scratch: Mutex<Option<Arc<dyn Scratch>>>,
    /// How many bytes were sent.
    sent: AtomicU64,
}

/// How an answer begins.
#[derive(Debug)]
pub(crate) enum Beginning {
    /// There is so much that it is sent while the rest is written, or all of it.
    Ready,
    /// The producer gave up before that.
    Failed,
}

pub(crate) fn spool(blobs: &dyn Blobs) -> BlobResult<(SpoolWriter, SpoolReader)> {
    let scratch: Arc<dyn Scratch> = blobs.scratch()?.into();
    let (progress, seen) = watch::channel(Progress::default());
    let spooled = Spooled { scratch: Mutex::new(Some(Arc::clone(&scratch))), sent: AtomicU64::new(0) };
    let spooled = Arc::new(spooled);
    let writer = SpoolWriter { scratch, progress, client: Arc::downgrade(&spooled), buffer: Vec::new() };
    Ok((writer, SpoolReader { spooled, progress: seen }))
}

/// Removes the bytes if the client reads too slowly once all of them are there. It would keep the disk full otherwise.
async fn watch_client(spooled: Weak<Spooled>, mut progress: watch::Receiver<Progress>) {
    // Without a writer there is no more progress to wait for.
    let _ = progress.wait_for(|progress| progress.end.is_some()).await;
    let complete = Instant::now();
    loop {
        sleep(CHECK).await;
        let Some(spooled) = spooled.upgrade() else { return };
        let expected = complete.elapsed().saturating_sub(BASE_TIME).as_secs().saturating_mul(MIN_BYTES_PER_SECOND);
        if spooled.sent.load(Ordering::Relaxed) < expected {
            spooled.scratch.lock().unwrap_or_else(PoisonError::into_inner).take();
            return;
        }
    }
}

impl SpoolWriter {
    /// Adds bytes. Fails if nobody reads them any more.
    pub(crate) async fn add(&mut self, bytes: &[u8]) -> AppResult<()> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() as u64 >= CHUNK { self.flush().await } else { Ok(()) }
    }

    pub(crate) async fn finish(&mut self) -> AppResult<()> {
        self.flush().await?;
        self.progress.send_modify(|progress| progress.end = Some(End::Complete));
        Ok(())
    }

    async fn flush(&mut self) -> AppResult<()> {
        if self.client.strong_count() == 0 {
            return Err(Fault::from(ComputeFault::Timeout).into());
        }
        let bytes = std::mem::take(&mut self.buffer);
        let length = bytes.len() as u64;
        let appended = self.scratch.append(bytes).await;
        appended.map_err(|_| Fault::Store(StoreError::Unavailable))?;
        self.progress.send_modify(|progress| progress.written += length);
        Ok(())
    }
}

impl Drop for SpoolWriter {
    fn drop(&mut self) {
        self.progress.send_modify(|progress| {
            progress.end.get_or_insert(End::Broken);
        });
    }
}

impl SpoolReader {
    /// Waits until the first bytes can be sent.
    pub(crate) async fn begun(&mut self) -> Beginning {
        let begun = self.progress.wait_for(|progress| progress.end.is_some() || progress.written >= CHUNK).await;
        match begun.map(|progress| progress.end) {
            Ok(None | Some(End::Complete)) => Beginning::Ready,
            Ok(Some(End::Broken)) | Err(_) => Beginning::Failed,
        }
    }

    /// The bytes, with their number if all of them are written already.
    pub(crate) fn into_stream(self) -> ByteStream {
        let Progress { written, end } = *self.progress.borrow();
        tokio::spawn(watch_client(Arc::downgrade(&self.spooled), self.progress.clone()));
        let pieces = stream::unfold(Some(self), |reader| async {
            match reader?.next().await {
                Ok(Some((bytes, reader))) => Some((Ok(bytes), Some(reader))),
                Ok(None) => None,
                Err(broken) => Some((Err(broken), None)),
            }
        });
        match end {
            Some(End::Complete) => ByteStream::sized(written, pieces),
            Some(End::Broken) | None => ByteStream::unsized_until_end(pieces),
        }
    }

    async fn next(mut self) -> Result<Option<(Bytes, Self)>, Broken> {
        let at = self.spooled.sent.load(Ordering::Relaxed);
        let more = self.progress.wait_for(|progress| progress.end.is_some() || progress.written > at).await;
        let Progress { written, end } = *more.map_err(|_| Broken("the export ended early"))?;
        if written == at {
            return match end {
                Some(End::Complete) => Ok(None),
                Some(End::Broken) | None => Err(Broken("the export ended early")),
            };
        }
        let until = written.min(at + CHUNK);
        let scratch = self.spooled.scratch.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let scratch = scratch.ok_or(Broken("the export was read too slowly"))?;
        let bytes = scratch.read(at..until).await.map_err(|_| Broken("the export cannot be read"))?;
        self.spooled.sent.store(until, Ordering::Relaxed);
        Ok(Some((bytes.into(), self)))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use octavo_files::ObjectBlobs;

    /// Everything that the client gets, and whether it got all of it.
    async fn received(mut reader: SpoolReader) -> (Vec<u8>, bool) {
        let mut all = Vec::new();
        loop {
            match reader.next().await {
                Ok(Some((bytes, rest))) => {
                    all.extend(bytes);
                    reader = rest;
                }
                Ok(None) => return (all, true),
                Err(_) => return (all, false),
            }
        }
    }

    #[tokio::test]
    async fn a_client_gets_all_bytes_in_their_order_while_they_are_written() {
        let (mut writer, mut reader) = spool(&ObjectBlobs::in_memory()).unwrap();
        let client = tokio::spawn(async move {
            assert!(matches!(reader.begun().await, Beginning::Ready));
            received(reader).await
        });
        let mut sent = Vec::new();
        for number in 0..200_000_u32 {
            let bytes = number.to_le_bytes();
            writer.add(&bytes).await.unwrap();
            sent.extend(bytes);
        }
        writer.finish().await.unwrap();
        drop(writer);
        assert_eq!(client.await.unwrap(), (sent, true));
    }

    #[tokio::test]
    async fn an_export_that_fails_is_not_taken_for_a_complete_one() {
        let (mut writer, mut reader) = spool(&ObjectBlobs::in_memory()).unwrap();
        writer.add(b"few").await.unwrap();
        drop(writer);
        assert!(matches!(reader.begun().await, Beginning::Failed), "before anything was sent");
        let (mut writer, mut reader) = spool(&ObjectBlobs::in_memory()).unwrap();
        writer.add(&vec![1; 300_000]).await.unwrap();
        assert!(matches!(reader.begun().await, Beginning::Ready));
        drop(writer);
        let (bytes, is_complete) = received(reader).await;
        assert_eq!((bytes.len(), is_complete), (300_000, false));
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_does_not_read_loses_the_rest() {
        let (mut writer, reader) = spool(&ObjectBlobs::in_memory()).unwrap();
        for _ in 0..200 {
            writer.add(&vec![1; 300_000]).await.unwrap();
        }
        writer.finish().await.unwrap();
        let watched = tokio::spawn(watch_client(Arc::downgrade(&reader.spooled), reader.progress.clone()));
        let (_, mut reader) = reader.next().await.unwrap().unwrap();
        sleep(BASE_TIME).await;
        reader = reader.next().await.unwrap().unwrap().1;
        watched.await.unwrap();
        assert!(reader.next().await.is_err());
    }

    #[tokio::test]
    async fn nothing_more_is_written_for_a_client_that_is_gone() {
        let (mut writer, reader) = spool(&ObjectBlobs::in_memory()).unwrap();
        drop(reader);
        assert!(writer.add(&vec![1; 300_000]).await.is_err());
    }
}
