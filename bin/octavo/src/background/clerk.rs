//! Makes committed events readable.

use super::Bells;
use octavo_app::Engine;
use std::{sync::Arc, time::Duration};

/// Events of other processes, and those of a node that died between commit and bell, wait this long at most.
const SWEEP: Duration = Duration::from_secs(1);

pub(super) async fn run(engine: Arc<Engine>, bells: Arc<Bells>) {
    loop {
        match engine.store.settle_events().await {
            Ok(0) => bells.events_or(SWEEP).await,
            Ok(_) => {}
            Err(error) => {
                tracing::warn!(?error, "events could not be numbered");
                tokio::time::sleep(SWEEP).await;
            }
        }
    }
}
