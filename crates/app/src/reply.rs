//! The answer to a call, in a form that can be kept for retries.

use serde::Serialize;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    pub status: u16,
    /// JSON, or nothing.
    pub body: Vec<u8>,
    /// The path of what the call created.
    pub location: Option<String>,
    pub etag: Option<String>,
    /// Allows search engines to index this answer on a route whose answers they may not index by default.
    pub indexable: bool,
    /// The reply was kept from an earlier call with the same idempotency key.
    pub replayed: bool,
}

impl Reply {
    pub fn json(status: u16, body: &impl Serialize) -> Self {
        // Replies are structs with text keys, so serializing them cannot fail.
        let body = serde_json::to_vec(body).unwrap_or_default();
        Self { status, body, ..Self::default() }
    }

    /// The same with the path of the thing that the call created.
    #[must_use]
    pub fn at(self, location: String) -> Self {
        Self { location: Some(location), ..self }
    }

    /// 204.
    pub fn nothing() -> Self {
        Self { status: 204, ..Self::default() }
    }
}
