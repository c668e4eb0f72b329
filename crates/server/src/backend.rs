//! Everything that routes depend on.

use crate::{
    activity::Activity, executor::Executor, health::Health, job_changes::JobChanges, keys_in_use::KeysInUse,
    live::LiveStreams, load::Overloads, log_changes::LogChanges, metrics::Metrics, settings::Settings,
    streaming::Closing, wiring::Wiring,
};
use octavo_app::{ContentMemory, Engine, Quota, api_keys::KnownKeys, audit::AuditKey};
use octavo_core_model::Timestamp;
use octavo_ports::{
    access_tokens::AccessTokens, blobs::Blobs, counters::Counters, log_signals::LogSignals, signatures::Signatures,
};
use std::{
    sync::{
        Arc, OnceLock, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

/// Everything that routes can use.
pub struct Backend {
    pub settings: Settings,
    pub metrics: Metrics,
    pub executor: Arc<Executor>,
    /// The credentials that were used, for the task that stores their last activity.
    pub activity: Activity,
    pub(crate) known_keys: Arc<KnownKeys>,
    pub(crate) keys_in_use: KeysInUse,
    pub(crate) health: Health,
    pub(crate) overloads: Overloads,
    pub(crate) content_memory: Arc<ContentMemory>,
    /// The bytes of all bodies that are collected or handled now.
    pub(crate) body_memory: Arc<Quota>,
    /// The files that are stored while they arrive.
    pub(crate) arriving_files: Arc<Quota>,
    pub(crate) counters: Arc<dyn Counters>,
    pub(crate) blobs: Arc<dyn Blobs>,
    pub(crate) job_changes: JobChanges,
    pub(crate) log_changes: LogChanges,
    pub(crate) live_streams: Arc<LiveStreams>,
    pub(crate) signals: Option<Arc<dyn LogSignals>>,
    pub(crate) clock: fn() -> Timestamp,
    pub(crate) closing: Closing,
    pub(crate) started: Instant,
    engine: Arc<Engine>,
    access_tokens: RwLock<Arc<dyn AccessTokens>>,
    pub(crate) signatures: Arc<dyn Signatures>,
    /// The public half of the audit key. It is read once, because it never changes.
    pub(crate) audit_key: OnceLock<AuditKey>,
    leaving: AtomicBool,
}

/// How many files may arrive at the same time. One owner may send a third of them.
const ARRIVING_FILES: u64 = 30;

impl Backend {
    pub fn new(wiring: Wiring) -> Arc<Self> {
        let health = Health::new(&wiring);
        let content_memory = ContentMemory::new(wiring.settings.content_memory_bytes);
        let body_memory = Quota::new(wiring.settings.body_memory_bytes);
        let (queue, timeout) = (wiring.settings.queue, wiring.settings.query_timeout);
        let executor = Arc::new(Executor::new(wiring.runtime.clone(), queue, timeout));
        let live_streams = LiveStreams::new(&wiring, &executor);
        Arc::new(Self {
            executor,
            settings: wiring.settings,
            metrics: wiring.metrics,
            activity: Activity::default(),
            known_keys: Arc::default(),
            keys_in_use: KeysInUse::default(),
            health,
            overloads: Overloads::default(),
            content_memory,
            body_memory,
            arriving_files: Quota::new(ARRIVING_FILES),
            counters: wiring.counters,
            blobs: wiring.blobs,
            job_changes: wiring.job_changes,
            log_changes: wiring.log_changes,
            live_streams,
            signals: wiring.signals,
            clock: wiring.clock,
            closing: Closing::default(),
            started: Instant::now(),
            engine: wiring.engine,
            access_tokens: RwLock::new(wiring.access_tokens),
            signatures: wiring.signatures,
            audit_key: OnceLock::new(),
            leaving: AtomicBool::new(false),
        })
    }

    pub const fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    pub fn access_tokens(&self) -> Arc<dyn AccessTokens> {
        Arc::clone(&self.access_tokens.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Switches to new signing keys after a rotation.
    pub fn replace_access_tokens(&self, tokens: Arc<dyn AccessTokens>) {
        *self.access_tokens.write().unwrap_or_else(PoisonError::into_inner) = tokens;
    }

    /// From now on the service reports that it is not ready, because it is about to stop.
    pub fn leave(&self) {
        self.leaving.store(true, Ordering::Relaxed);
    }

    pub fn is_leaving(&self) -> bool {
        self.leaving.load(Ordering::Relaxed)
    }

    pub fn now(&self) -> Timestamp {
        (self.clock)()
    }
}

impl std::fmt::Debug for Backend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Backend").finish_non_exhaustive()
    }
}
