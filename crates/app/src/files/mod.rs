//! Downloads and the signed addresses that lead to them.

mod address;

pub use address::{Disposition, SignedAddress, Target};

use crate::{outcome::AppResult, scope::View};
use octavo_core_model::{Fault, Timestamp, fault::Denial, job::StoredBytes};
use octavo_ports::blobs::BlobFolder;

/// Bytes to send to a client.
#[derive(Clone, Debug)]
pub struct Download {
    pub folder: BlobFolder,
    pub content: StoredBytes,
    pub disposition: Disposition,
    /// When the address expires.
    pub until: Timestamp,
}

/// Finds the bytes that an address leads to. No other credential is required, because the address was issued to
/// somebody who may read them.
pub async fn open(view: &mut View, token: &str) -> AppResult<Download> {
    let address = SignedAddress::read(&view.keyring(), token);
    let address = address.ok_or(Fault::Forbidden(Denial::SignatureInvalid))?;
    if address.expires_at <= view.call.now {
        return Err(Fault::Forbidden(Denial::SignatureExpired).into());
    }
    let Target::Job(owner, id) = address.target;
    let job = view.tx.jobs().find(owner, id).await?;
    let content = job.as_ref().and_then(|job| job.kept_content()).ok_or(Fault::ContentGone)?;
    let (disposition, until) = (address.disposition, address.expires_at);
    Ok(Download { folder: BlobFolder::Job(owner, id), content: content.clone(), disposition, until })
}
