//! Makes committed events readable and seals committed audit entries.

use super::Bells;
use octavo_app::Engine;
use std::{sync::Arc, time::Duration};

/// What other processes committed, and what is left of a node that died between commit and bell, waits this long at most.
const SWEEP: Duration = Duration::from_secs(1);

pub(super) async fn number_events(engine: Arc<Engine>, bells: Arc<Bells>) {
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

pub(super) async fn seal_audits(engine: Arc<Engine>, bells: Arc<Bells>) {
    loop {
        match engine.store.seal_audits().await {
            Ok(0) => bells.audits_or(SWEEP).await,
            Ok(_) => {}
            Err(error) => {
                tracing::warn!(?error, "audit entries could not be sealed");
                tokio::time::sleep(SWEEP).await;
            }
        }
    }
}
