//! What a server is started with.

use crate::{job_changes::JobChanges, log_changes::LogChanges, metrics::Metrics, settings::Settings};
use octavo_app::Engine;
use octavo_core_model::Timestamp;
use octavo_ports::{
    access_tokens::AccessTokens, blobs::Blobs, counters::Counters, log_signals::LogSignals, mailer::Mailer,
    signatures::Signatures,
};
use std::{fmt, path::PathBuf, sync::Arc};
use tokio::runtime::Handle;

/// What the binary passes to the server.
pub struct Wiring {
    pub settings: Settings,
    pub engine: Arc<Engine>,
    /// The runtime of the use cases: a multi-threaded runtime of its own, because statements block its threads.
    pub runtime: Handle,
    pub access_tokens: Arc<dyn AccessTokens>,
    pub signatures: Arc<dyn Signatures>,
    pub counters: Arc<dyn Counters>,
    pub mailer: Arc<dyn Mailer>,
    pub blobs: Arc<dyn Blobs>,
    /// Receives the engine's signals about jobs.
    pub job_changes: JobChanges,
    /// Receives a signal when events can be read, from this node or from others.
    pub log_changes: LogChanges,
    /// Reaches the other nodes, if there can be any.
    pub signals: Option<Arc<dyn LogSignals>>,
    /// Whether several nodes share the counters, so that they can be down on their own.
    pub shared_counters: bool,
    /// The folder whose disk is monitored.
    pub data_dir: PathBuf,
    pub metrics: Metrics,
    pub clock: fn() -> Timestamp,
}

impl fmt::Debug for Wiring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wiring").field("settings", &self.settings).finish_non_exhaustive()
    }
}
