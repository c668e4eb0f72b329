//! Logs once that the database cannot be reached, and once that it answers again, however many callers notice it.

use octavo_core_model::Outage;
use std::{
    fmt,
    time::{Duration, Instant},
};

/// When a server stops, its last connections break within this time.
const SETTLING: Duration = Duration::from_secs(1);

/// Whether the database answers this node.
#[derive(Debug)]
pub(super) struct Reachability {
    started: Instant,
    outage: Outage,
}

impl Reachability {
    pub(super) fn new() -> Self {
        Self { started: Instant::now(), outage: Outage::settling_for(SETTLING) }
    }

    /// A connection broke or could not be opened.
    pub(super) fn lost(&self, reason: &impl fmt::Display) {
        if self.outage.failed(self.started.elapsed()) {
            tracing::warn!(%reason, "the connection to the database was lost; calls that need it are refused until it is back");
        } else {
            tracing::debug!(%reason, "the database still cannot be reached");
        }
    }

    /// A statement was answered.
    pub(super) fn answered(&self) {
        if let Some(outage) = self.outage.succeeded(self.started.elapsed()) {
            tracing::info!(outageSeconds = outage.as_secs(), "the database answers again");
        }
    }
}
