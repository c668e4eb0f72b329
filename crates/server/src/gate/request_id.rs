//! Ids of requests.

use octavo_core_model::{Timestamp, id::RequestId};
use std::cell::RefCell;

const ID_BYTES: usize = 10;
/// How many ids are made from one call of the random generator: one call for each would cost more than the rest of
/// making it.
const IDS_PER_DRAW: usize = 64;

struct Pool {
    bytes: [u8; ID_BYTES * IDS_PER_DRAW],
    used: usize,
}

thread_local! {
    static POOL: RefCell<Pool> =
        const { RefCell::new(Pool { bytes: [0; ID_BYTES * IDS_PER_DRAW], used: ID_BYTES * IDS_PER_DRAW }) };
}

/// A new id for a request that arrived now.
pub(super) fn fresh(now: Timestamp) -> RequestId {
    POOL.with_borrow_mut(|pool| {
        if pool.used == pool.bytes.len() {
            // Without random bits ids still differ by their time; they only name requests and protect nothing.
            let _ = getrandom::fill(&mut pool.bytes);
            pool.used = 0;
        }
        let mut bits = [0; ID_BYTES];
        bits.copy_from_slice(&pool.bytes[pool.used..pool.used + ID_BYTES]);
        pool.used += ID_BYTES;
        RequestId::new(now.millis(), bits)
    })
}
