//! Queues the mails of the day when they are due.

use super::failure::warn_unless_outage;
use crate::wiring;
use octavo_app::{Engine, notifications};
use std::{sync::Arc, time::Duration};

/// A mail of the day may be a minute late. What was due while no server was running is queued at once.
const LOOK: Duration = Duration::from_secs(5);

pub(super) async fn run(engine: Arc<Engine>) {
    loop {
        match notifications::queue_due_digests(&engine, wiring::now()).await {
            Ok(true) => {}
            Ok(false) => tokio::time::sleep(LOOK).await,
            Err(interrupt) => {
                warn_unless_outage!(interrupt, ?interrupt, "mails of the day could not be queued");
                tokio::time::sleep(LOOK).await;
            }
        }
    }
}
