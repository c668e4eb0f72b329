//! The form in which a reply is kept for its idempotency key: a line of JSON with everything but the body, then the
//! body, compressed if it is large.

use crate::reply::Reply;
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};

/// Shorter bodies become hardly smaller.
const COMPRESSED_FROM: usize = 1 << 10;

/// Everything but the body.
#[derive(Serialize, Deserialize)]
struct Head {
    status: u16,
    location: Option<String>,
    etag: Option<String>,
    indexable: bool,
    is_compressed: bool,
}

/// `None` only if there is a bug in this file: text keys and writing to memory do not fail.
pub(crate) fn pack(reply: &Reply) -> Option<Vec<u8>> {
    let head = Head {
        status: reply.status,
        location: reply.location.clone(),
        etag: reply.etag.clone(),
        indexable: reply.indexable,
        is_compressed: reply.body.len() >= COMPRESSED_FROM,
    };
    let mut packed = serde_json::to_vec(&head).ok()?;
    packed.push(b'\n');
    if !head.is_compressed {
        packed.extend_from_slice(&reply.body);
        return Some(packed);
    }
    // Others may wait for the unit, so the fastest level has to do.
    let mut encoder = DeflateEncoder::new(packed, Compression::fast());
    encoder.write_all(&reply.body).ok()?;
    encoder.finish().ok()
}

/// `None` if these bytes are no kept reply.
pub(crate) fn unpack(packed: &[u8]) -> Option<Reply> {
    let end = packed.iter().position(|byte| *byte == b'\n')?;
    let (head, rest) = packed.split_at_checked(end)?;
    let Head { status, location, etag, indexable, is_compressed } = serde_json::from_slice(head).ok()?;
    let stored = rest.get(1..)?;
    let mut body = Vec::new();
    if is_compressed {
        DeflateDecoder::new(stored).read_to_end(&mut body).ok()?;
    } else {
        body.extend_from_slice(stored);
    }
    Some(Reply { status, body, location, etag, indexable, replayed: false })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use proptest::prelude::*;

    fn with_body(body: Vec<u8>) -> Reply {
        let (location, etag) = (Some("/api/v1/pages/1".to_owned()), Some("\"7\"".to_owned()));
        Reply { status: 201, body, location, etag, indexable: true, replayed: false }
    }

    proptest! {
        #[test]
        fn a_kept_reply_reads_back(body in prop::collection::vec(any::<u8>(), 0..3 * COMPRESSED_FROM)) {
            for reply in [with_body(body.clone()), Reply { body, ..Reply::nothing() }] {
                prop_assert_eq!(unpack(&pack(&reply).unwrap()), Some(reply));
            }
        }

        #[test]
        fn other_bytes_are_no_reply(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            prop_assert_eq!(unpack(&bytes), None);
        }
    }

    #[test]
    fn a_large_body_takes_up_less() {
        let cell = br#"{"text":"cell","marks":[]},"#;
        let body = cell.repeat(100_000);
        let packed = pack(&with_body(body.clone())).unwrap();
        assert!(packed.len() < body.len() / 20, "{} of {}", packed.len(), body.len());
        assert_eq!(unpack(&packed[..packed.len() / 2]), None, "a part of it is no reply");
    }
}
