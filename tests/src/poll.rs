//! Waiting for something to happen.

use std::{
    thread,
    time::{Duration, Instant},
};

/// Long enough for a busy machine; a test that passes never waits this long.
pub const DEADLINE: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(10);

/// Polls until there is a result; panics at the deadline.
#[track_caller]
pub fn eventually<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    match within(DEADLINE, look) {
        Some(found) => found,
        None => panic!("waited {DEADLINE:?} in vain for {what}"),
    }
}

/// Polls until there is a result or the time is over.
pub fn within<T>(limit: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let started = Instant::now();
    loop {
        let found = look();
        if found.is_some() || started.elapsed() >= limit {
            return found;
        }
        thread::sleep(PAUSE);
    }
}
