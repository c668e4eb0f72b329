//! Keeps the encoded forms of a body that many calls get: decompressed, and in each compression format.

use actix_web::web::Bytes;
use std::sync::OnceLock;

/// Each form is made once, for the first call that needs it. Otherwise anybody could keep the server busy with
/// compressing.
#[derive(Debug, Default)]
pub struct SharedForms([OnceLock<Bytes>; 4]);

impl SharedForms {
    /// A form, if it was made before.
    pub(crate) fn get(&self, form: usize) -> Option<Bytes> {
        self.0.get(form)?.get().cloned()
    }

    /// Keeps a form for further calls.
    pub(crate) fn keep(&self, form: usize, bytes: &Bytes) {
        if let Some(place) = self.0.get(form) {
            // Another call may have made the form at the same time.
            let _ = place.set(bytes.clone());
        }
    }
}
