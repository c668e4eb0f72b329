//! The code (SQLSTATE) of an error from the server.
//!
//! The driver knows it, but diesel's wrapper of the driver's errors passes on only the message, in the language of
//! the server. So the bytes of connections are watched: for each incoming error, the meaning of its code is
//! remembered with its message, and whoever handles the error looks the message up. Messages of these codes are fixed
//! texts, so there are only a few of them.

use octavo_core_model::StoreError;
use parking_lot::Mutex;
use std::collections::BTreeMap;

static MEANINGS: Mutex<BTreeMap<String, StoreError>> = Mutex::new(BTreeMap::new());

/// How many messages are remembered. More than these would not be fixed texts.
const MOST_MEANINGS: usize = 100;

/// What the error with this message means, if callers handle its code.
pub fn meaning_of(message: &str) -> Option<StoreError> {
    MEANINGS.lock().get(message).copied()
}

/// Deadlocks, serialization failures, locks that could not be taken, and cancelled statements.
fn meaning_of_code(code: &[u8]) -> Option<StoreError> {
    match code {
        b"40P01" | b"40001" => Some(StoreError::Collision),
        b"55P03" => Some(StoreError::Busy),
        b"57014" => Some(StoreError::Timeout),
        _ => None,
    }
}

/// Remembers what an error means. An error is a list of fields; each is a letter and a text that ends with a zero byte.
pub fn remember(error: &[u8]) {
    let field = |kind: u8| error.split(|byte| *byte == 0).find_map(|field| field.strip_prefix(&[kind]));
    let (Some(code), Some(message)) = (field(b'C'), field(b'M')) else { return };
    let (Some(meaning), Ok(message)) = (meaning_of_code(code), str::from_utf8(message)) else { return };
    let mut meanings = MEANINGS.lock();
    if meanings.len() < MOST_MEANINGS {
        meanings.insert(message.to_owned(), meaning);
    }
}
