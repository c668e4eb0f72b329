//! Receives signals from other nodes.

use octavo_ports::log_signals::{LogSignals, SignalsDown};
use octavo_server::LogChanges;
use std::{sync::Arc, time::Duration};

/// The pause between two attempts to listen. Meanwhile events of other nodes are found by polling.
const PAUSE: Duration = Duration::from_secs(1);

/// Listens to the other nodes, and reconnects whenever the connection is lost.
pub(super) async fn listen(signals: Arc<dyn LogSignals>, changes: LogChanges) {
    loop {
        let SignalsDown = signals.listen(&|signal| changes.notify(signal)).await;
        // That Redis or the database cannot be reached is reported, once, where it is used.
        tracing::debug!("other nodes are not heard: what they do is noticed a little later");
        tokio::time::sleep(PAUSE).await;
    }
}
