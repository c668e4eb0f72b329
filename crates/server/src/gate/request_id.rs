//! Ids of requests.

use octavo_core_model::{Timestamp, id::RequestId};
use std::cell::RefCell;

const ID_BYTES: usize = 10;
/// Ids made from one draw: asking the operating system for every id would cost more than making it.
const IDS_PER_DRAW: usize = 64;

struct Pool {
    bytes: [u8; ID_BYTES * IDS_PER_DRAW],
    used: usize,
}

thread_local! {
    static POOL: RefCell<Pool> =
        const { RefCell::new(Pool { bytes: [0; ID_BYTES * IDS_PER_DRAW], used: ID_BYTES * IDS_PER_DRAW }) };
}

/// A fresh id for a request that arrived now.
pub(super) fn fresh(now: Timestamp) -> RequestId {
    POOL.with_borrow_mut(|pool| {
        if pool.used == pool.bytes.len() {
            // Without random bits ids still differ by their time; they name requests and guard nothing.
            let _ = getrandom::fill(&mut pool.bytes);
            pool.used = 0;
        }
        let mut bits = [0; ID_BYTES];
        bits.copy_from_slice(&pool.bytes[pool.used..pool.used + ID_BYTES]);
        pool.used += ID_BYTES;
        RequestId::new(now.millis(), bits)
    })
}
