//! Moves the last activity of sessions that made calls.

use crate::parts;
use octavo_app::chores;
use octavo_server::Backend;
use std::{sync::Arc, time::Duration};

/// Calls are collected for so long; the store moves a session once a minute at most.
const EVERY: Duration = Duration::from_secs(5);

pub(super) async fn run(backend: Arc<Backend>) {
    loop {
        tokio::time::sleep(EVERY).await;
        let touched = backend.activity.take();
        if touched.is_empty() {
            continue;
        }
        if let Err(stop) = chores::touch(backend.engine(), parts::now(), touched).await {
            tracing::warn!(?stop, "the last activity of sessions was not kept");
        }
    }
}
