//! Idempotency keys: parsing them, and fingerprints of calls.

use actix_web::http::header::{HeaderMap, HeaderName};
use octavo_core_model::{
    fault::{Hint, Issue, Violation},
    id::WorkspaceId,
};

pub(super) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const FIELD: &str = "Idempotency-Key";
const MAX_KEY: u8 = 255;

/// The key of a call: 1 to 255 visible ASCII characters, optionally in quotes.
pub(super) fn read_key(headers: &HeaderMap) -> Result<Option<&str>, Violation> {
    let Some(value) = headers.get(IDEMPOTENCY_KEY) else { return Ok(None) };
    let invalid = |issue| {
        let received = String::from_utf8_lossy(value.as_bytes()).into();
        Violation::new(FIELD, issue).with(received).hinting(Hint {
            min: Some(1),
            max: Some(MAX_KEY.into()),
            ..Hint::default()
        })
    };
    let text = value.to_str().map_err(|_| invalid(Issue::InvalidFormat))?;
    let key = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
    match key.len() {
        0 => Err(invalid(Issue::TooShort)),
        length if length > usize::from(MAX_KEY) => Err(invalid(Issue::TooLong)),
        _ if key.bytes().all(|byte| byte.is_ascii_graphic()) => Ok(Some(key)),
        _ => Err(invalid(Issue::InvalidFormat)),
    }
}

/// The parts of a request that must be equal for two calls to count as the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request<'a> {
    pub method: &'a str,
    pub path: &'a str,
    pub query: &'a str,
    pub workspace: Option<WorkspaceId>,
    pub body: &'a [u8],
}

impl Request<'_> {
    pub(super) fn fingerprint(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        let workspace = self.workspace.map(|id| id.to_string()).unwrap_or_default();
        let head = [self.method, self.path, self.query, &workspace].map(str::as_bytes);
        for part in head.into_iter().chain([self.body]) {
            // The lengths separate the parts.
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
        }
        hasher.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use actix_web::http::header::HeaderValue;

    fn read(value: &str) -> Result<Option<String>, &'static str> {
        let mut headers = HeaderMap::new();
        headers.insert(IDEMPOTENCY_KEY, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        read_key(&headers).map(|key| key.map(str::to_owned)).map_err(|violation| violation.issue.name())
    }

    #[test]
    fn a_key_is_visible_ascii_with_or_without_quotes() {
        assert_eq!(read("abc-1"), Ok(Some("abc-1".to_owned())));
        assert_eq!(read("\"abc-1\""), Ok(Some("abc-1".to_owned())));
        assert_eq!(read(&"k".repeat(255)), Ok(Some("k".repeat(255))));
        assert_eq!(read(&format!("\"{}\"", "k".repeat(255))), Ok(Some("k".repeat(255))));
        assert_eq!(read(&"k".repeat(256)), Err("too_long"));
        assert_eq!(read("\"\""), Err("too_short"));
        assert_eq!(read("a b"), Err("invalid_format"));
        assert_eq!(read("\u{e9}"), Err("invalid_format"));
        assert_eq!(read_key(&HeaderMap::new()), Ok(None));
    }

    #[test]
    fn a_fingerprint_tells_every_part_apart() {
        let call = Request { method: "POST", path: "/a", query: "b=c", workspace: None, body: b"{}" };
        let others = [
            Request { method: "PUT", ..call },
            Request { path: "/ab", query: "=c", ..call },
            Request { query: "", ..call },
            Request { workspace: Some(WorkspaceId::new(1, [0; 10])), ..call },
            Request { body: b"{ }", ..call },
        ];
        for other in others {
            assert_ne!(call.fingerprint(), other.fingerprint(), "{other:?}");
        }
    }
}
