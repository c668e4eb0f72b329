//! Stores the last activity of sessions and API keys.

use super::failure::warn_unless_outage;
use crate::wiring;
use octavo_app::chores;
use octavo_server::Backend;
use std::{sync::Arc, time::Duration};

/// How long calls are collected; the store updates a session once a minute at most.
const EVERY: Duration = Duration::from_secs(5);

pub(super) async fn run(backend: Arc<Backend>) {
    loop {
        tokio::time::sleep(EVERY).await;
        keep(&backend).await;
    }
}

/// Stores what was collected since the last time.
pub(crate) async fn keep(backend: &Backend) {
    let used = backend.activity.take_all();
    if used.is_empty() {
        return;
    }
    if let Err(interrupt) = chores::touch(backend.engine(), wiring::now(), used).await {
        warn_unless_outage!(interrupt, ?interrupt, "the last activity of sessions and API keys was not kept");
    }
}
