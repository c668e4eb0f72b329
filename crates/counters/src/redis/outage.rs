//! Logs once that Redis cannot be reached, and once that it answers again, for everything that uses it.

use octavo_core_model::Outage;
use std::time::Instant;

/// Whether Redis answers this process. Counters and signals share it, so that an outage is reported once and not by
/// each of them.
#[derive(Debug)]
pub struct RedisOutage {
    started: Instant,
    outage: Outage,
}

impl Default for RedisOutage {
    fn default() -> Self {
        Self { started: Instant::now(), outage: Outage::default() }
    }
}

impl RedisOutage {
    pub(crate) fn failed(&self) {
        if self.outage.failed(self.started.elapsed()) {
            tracing::warn!(
                "Redis cannot be reached: rate limits count per process, and changes by other nodes are noticed a little later"
            );
        }
    }

    pub(crate) fn answered(&self) {
        if let Some(outage) = self.outage.succeeded(self.started.elapsed()) {
            tracing::info!(outageSeconds = outage.as_secs(), "Redis answers again: rate limits are shared");
        }
    }
}
