//! The guarantees of both implementations of counters, and of switching between them.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod conformance;
mod fallback;
mod log_signals;
mod memory;
mod redis;
mod redis_server;
mod reference;

use octavo_core_model::Timestamp;
use octavo_ports::counters::{LimitRequest, LimitState};
use std::time::Duration;

const START: i64 = 1_800_000_000_000;

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(START + millis)
}

/// A charge with a window of 1000 ms.
fn charge(bucket: &'static str, subject: &str, limit: u32) -> LimitRequest {
    LimitRequest { bucket, subject: subject.to_owned(), limit, window: Duration::from_secs(1) }
}

fn state(remaining: u32, leaves_at: i64) -> LimitState {
    LimitState { remaining, oldest_leaves_at: at(leaves_at) }
}
