//! What nodes share through Redis: sliding-log rate counters, which are also available in memory, and signals that
//! event logs have grown.
//!
//! A log contains the time of every admitted call. A call counts until exactly one window after its time. Time never
//! runs backwards in a log: a call with an earlier time than the newest entry counts as if it had that entry's time,
//! so slightly different clocks cannot make room. An entry more than a window in the future shows that a clock was
//! set back. Such a log is cleared; otherwise nobody would be admitted until the clock has caught up.

mod fallback;
mod memory;
mod redis;
#[cfg(test)]
mod tests;

pub use fallback::FallbackCounters;
pub use memory::MemoryCounters;
pub use redis::{InvalidRedisUrl, RedisCounters, RedisLogSignals, RedisOutage};

use octavo_ports::counters::LimitRequest;
use std::time::Duration;

fn millis(window: Duration) -> i64 {
    i64::try_from(window.as_millis()).unwrap_or(i64::MAX)
}

/// Whether an earlier charge of the same call names the same log: a call is only one entry in a log.
fn is_repeated(charges: &[LimitRequest], index: usize) -> bool {
    let charge = &charges[index];
    charges[..index].iter().any(|earlier| earlier.bucket == charge.bucket && earlier.subject == charge.subject)
}
