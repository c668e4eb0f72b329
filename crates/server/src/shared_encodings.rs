//! Keeps the encodings of a body that many calls get: decompressed, and in each compression format.

use actix_web::web::Bytes;
use std::sync::OnceLock;

/// Each encoding is made once, for the first call that needs it. Otherwise anybody could keep the server busy with
/// compressing.
#[derive(Debug, Default)]
pub struct SharedEncodings([OnceLock<Bytes>; 4]);

impl SharedEncodings {
    /// An encoding, if it was made before.
    pub(crate) fn get(&self, encoding: usize) -> Option<Bytes> {
        self.0.get(encoding)?.get().cloned()
    }

    /// Keeps an encoding for further calls.
    pub(crate) fn keep(&self, encoding: usize, bytes: &Bytes) {
        if let Some(place) = self.0.get(encoding) {
            // Another call may have made the encoding at the same time.
            let _ = place.set(bytes.clone());
        }
    }
}
