//! The file of an import, in the pieces in which it was stored.

use crate::{
    jobs::work::{RunLease, lost_bytes},
    outcome::AppResult,
};
use octavo_core_model::{
    Fault, StoreError,
    job::{Failure, Pieces},
};
use octavo_ports::blobs::{BlobFolder, Blobs};

/// A part of a file.
pub(super) struct Part {
    pub(super) bytes: Vec<u8>,
    /// Whether the file ends with it.
    pub(super) is_last: bool,
}

/// Reads up to so many bytes from this place on. The failure says that they are gone.
pub(super) async fn read(
    blobs: &dyn Blobs,
    lease: RunLease,
    pieces: &Pieces,
    from: u64,
    most: u64,
) -> AppResult<Result<Part, Failure>> {
    let size = pieces.size();
    let end = size.min(from.saturating_add(most));
    let (mut bytes, mut at) = (Vec::new(), from);
    while at < end {
        let Some((piece, begin)) = pieces.locate(at) else { return Ok(Err(gone())) };
        let in_piece = pieces.0.get(piece).copied().unwrap_or_default() - begin;
        let length = in_piece.min(end - at);
        let read = blobs.read(BlobFolder::Job(lease.owner, lease.id), piece, begin..begin + length).await;
        let read = read.map_err(|_| Fault::Store(StoreError::Unavailable))?;
        let Some(read) = read.filter(|read| read.len() as u64 == length) else { return Ok(Err(gone())) };
        bytes.extend_from_slice(&read);
        at += length;
    }
    Ok(Ok(Part { bytes, is_last: end == size }))
}

fn gone() -> Failure {
    lost_bytes("The file is not there any more. Send it again.")
}
