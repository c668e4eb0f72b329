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
use std::sync::Arc;
use tokio::sync::watch;

/// How much is in memory at a time.
const CHUNK: u64 = 256 * 1024;

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
    buffer: Vec<u8>,
}

/// The side of the client.
pub(crate) struct SpoolReader {
    scratch: Arc<dyn Scratch>,
    progress: watch::Receiver<Progress>,
    at: u64,
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
    let writer = SpoolWriter { scratch: Arc::clone(&scratch), progress, buffer: Vec::new() };
    Ok((writer, SpoolReader { scratch, progress: seen, at: 0 }))
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
        if self.progress.is_closed() {
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
        let at = self.at;
        let more = self.progress.wait_for(|progress| progress.end.is_some() || progress.written > at).await;
        let Progress { written, end } = *more.map_err(|_| Broken("the export ended early"))?;
        if written == at {
            return match end {
                Some(End::Complete) => Ok(None),
                Some(End::Broken) | None => Err(Broken("the export ended early")),
            };
        }
        let until = written.min(at + CHUNK);
        let bytes = self.scratch.read(at..until).await.map_err(|_| Broken("the export cannot be read"))?;
        self.at = until;
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

    #[tokio::test]
    async fn nothing_more_is_written_for_a_client_that_is_gone() {
        let (mut writer, reader) = spool(&ObjectBlobs::in_memory()).unwrap();
        drop(reader);
        assert!(writer.add(&vec![1; 300_000]).await.is_err());
    }
}
