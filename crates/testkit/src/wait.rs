//! Waiting for a condition without guessing how long it takes.

use std::time::{Duration, Instant};

/// Polls until the condition is true; panics after ten seconds.
pub async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !is_so().await {
        assert!(Instant::now() < deadline, "waited in vain until {what}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}
