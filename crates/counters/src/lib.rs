//! What nodes share through Redis: sliding-log rate counters, which there are in memory too, and signals that event logs have grown.
//!
//! A log holds the time of every call it let through. A call counts until exactly one window after its time. Time never
//! runs backwards in a log: a call that comes with an earlier time than the newest entry is taken at that entry's time,
//! so clocks that differ a little cannot make room. An entry that lies more than a window ahead shows that a clock was
//! set back; such a log starts anew, or nobody would get through until the clock has caught up.

mod fallback;
mod memory;
mod redis;
#[cfg(test)]
mod tests;

pub use fallback::FallbackCounters;
pub use memory::MemoryCounters;
pub use redis::{InvalidRedisUrl, RedisCounters, RedisLogSignals};

use octavo_ports::counters::LimitRequest;
use std::time::Duration;

fn millis(window: Duration) -> i64 {
    i64::try_from(window.as_millis()).unwrap_or(i64::MAX)
}

/// Whether an earlier charge of the same call names the same log: a call is one entry in a log.
fn is_repeated(charges: &[LimitRequest], index: usize) -> bool {
    let charge = &charges[index];
    charges[..index].iter().any(|earlier| earlier.bucket == charge.bucket && earlier.subject == charge.subject)
}
