//! Waiting for something that happens soon.

use std::{
    thread,
    time::{Duration, Instant},
};

/// Long enough for a busy machine; a test that passes never waits this long.
pub const DEADLINE: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(10);

/// Looks again and again until there is something to see.
#[track_caller]
pub fn eventually<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    match within(DEADLINE, look) {
        Some(found) => found,
        None => panic!("waited {DEADLINE:?} in vain for {what}"),
    }
}

/// Looks until there is something to see or the time is up.
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
