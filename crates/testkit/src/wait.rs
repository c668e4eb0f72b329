//! Waiting for something to come true, without guessing how long it takes.

use std::time::{Duration, Instant};

/// Asks again and again until the answer is yes; fails when it does not come in ten seconds.
pub async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !is_so().await {
        assert!(Instant::now() < deadline, "waited in vain until {what}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}
