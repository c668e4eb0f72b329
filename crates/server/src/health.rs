//! Whether the service can do its work.

use crate::{executor::Executor, wiring::Wiring};
use octavo_app::Engine;
use octavo_core_model::Timestamp;
use octavo_ports::{counters::Counters, mailer::Mailer, search::IndexState, store::StoreHealth};
use std::{
    future::Future,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{runtime::Handle, sync::Mutex, time::timeout};

/// The timeout of one check.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);
/// Probes are frequent and come from many places; the store is asked once a second at most.
const STORE_KEPT: Duration = Duration::from_secs(1);
const ALL_KEPT: Duration = Duration::from_secs(5);

/// With less free disk than this the service counts as degraded.
const SCARCE_DISK_PERCENT: u32 = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Ok,
    Down,
    Disabled,
}

impl State {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Down => "down",
            Self::Disabled => "disabled",
        }
    }

    const fn of(works: bool) -> Self {
        if works { Self::Ok } else { Self::Down }
    }
}

/// The result of one check and how long it took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Check {
    pub state: State,
    pub latency: Duration,
}

impl Check {
    const DISABLED: Self = Self { state: State::Disabled, latency: Duration::ZERO };
}

/// The checks that must succeed for anything to work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Readiness {
    pub database: State,
    pub migrations: State,
    /// Whether writes succeed: the disk is neither full nor read-only.
    pub storage: State,
    pub queue: State,
    pub latency: Duration,
    pub job_lag: Duration,
    pub event_lag: Duration,
    /// More figures of the store, for the metrics.
    pub store: StoreHealth,
}

impl Readiness {
    /// The failing checks by name.
    pub(crate) fn failing(&self) -> Vec<(&'static str, &'static str)> {
        let checks = [
            ("database", self.database),
            ("migrations", self.migrations),
            ("storage", self.storage),
            ("queue", self.queue),
        ];
        checks
            .into_iter()
            .filter(|(_, state)| *state == State::Down)
            .map(|(name, state)| (name, state.name()))
            .collect()
    }
}

/// The results of all checks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checkup {
    pub readiness: Readiness,
    pub cache: Check,
    pub mail: Check,
    pub disk: Check,
    pub search: Check,
    /// How long the search index has been behind an event log.
    pub search_lag: Option<Duration>,
    pub free_disk_percent: Option<u32>,
}

impl Checkup {
    /// Whether all essential checks succeed but another one fails.
    pub(crate) fn is_degraded(&self) -> bool {
        [self.cache, self.mail, self.disk, self.search].iter().any(|check| check.state == State::Down)
    }
}

pub(crate) struct Health {
    engine: Arc<Engine>,
    runtime: Handle,
    mailer: Arc<dyn Mailer>,
    counters: Option<Arc<dyn Counters>>,
    data_dir: PathBuf,
    store: Mutex<Option<(Instant, Readiness)>>,
    all: Mutex<Option<(Instant, Checkup)>>,
}

impl Health {
    pub(crate) fn new(wiring: &Wiring) -> Self {
        Self {
            engine: Arc::clone(&wiring.engine),
            runtime: wiring.runtime.clone(),
            mailer: Arc::clone(&wiring.mailer),
            counters: wiring.shared_counters.then(|| Arc::clone(&wiring.counters)),
            data_dir: wiring.data_dir.clone(),
            store: Mutex::new(None),
            all: Mutex::new(None),
        }
    }

    /// If a check is running, other callers wait for its result.
    pub(crate) async fn readiness(&self, now: Timestamp, executor: &Executor) -> Readiness {
        let mut kept = self.store.lock().await;
        if let Some((at, readiness)) = &*kept
            && at.elapsed() < STORE_KEPT
        {
            return *readiness;
        }
        let readiness = self.ask_store(now, executor).await;
        *kept = Some((Instant::now(), readiness));
        readiness
    }

    async fn ask_store(&self, now: Timestamp, executor: &Executor) -> Readiness {
        let began = Instant::now();
        let engine = Arc::clone(&self.engine);
        // Not through the executor: a full queue must not look like a lost database.
        let asked = self.runtime.spawn(async move { timeout(PROBE_TIMEOUT, engine.store.health(now)).await });
        let found = asked.await.ok().and_then(Result::ok);
        let latency = began.elapsed();
        let holds = |what: fn(&StoreHealth) -> bool| State::of(found.as_ref().is_some_and(what));
        let millis = |lag: fn(&StoreHealth) -> u64| Duration::from_millis(found.as_ref().map_or(0, lag));
        let database = holds(|store| store.database);
        Readiness {
            database,
            migrations: holds(|store| store.migrations),
            storage: holds(|store| store.writable),
            queue: State::of(database == State::Ok && executor.has_room()),
            latency,
            job_lag: millis(|store| store.job_lag_millis),
            event_lag: millis(|store| store.event_lag_millis),
            store: found.unwrap_or_default(),
        }
    }

    pub(crate) async fn checkup(&self, now: Timestamp, executor: &Executor) -> Checkup {
        let mut kept = self.all.lock().await;
        if let Some((at, checkup)) = &*kept
            && at.elapsed() < ALL_KEPT
        {
            return *checkup;
        }
        let readiness = self.readiness(now, executor).await;
        let cache = match &self.counters {
            Some(counters) => check(counters.is_shared_place_up()).await,
            None => Check::DISABLED,
        };
        let mail = check(self.mailer.probe()).await;
        let free_disk_percent = free_percent(&self.data_dir);
        let disk = check(async { free_disk_percent.is_none_or(|percent| percent >= SCARCE_DISK_PERCENT) }).await;
        let (search, search_lag) = match self.engine.search_index().state() {
            IndexState::Disabled => (Check::DISABLED, None),
            IndexState::Down => (Check { state: State::Down, latency: Duration::ZERO }, None),
            IndexState::Open { lag } => (Check { state: State::Ok, latency: Duration::ZERO }, Some(lag)),
        };
        let checkup = Checkup { readiness, cache, mail, disk, search, search_lag, free_disk_percent };
        *kept = Some((Instant::now(), checkup));
        checkup
    }
}

async fn check(probe: impl Future<Output = bool>) -> Check {
    let began = Instant::now();
    let works = timeout(PROBE_TIMEOUT, probe).await.unwrap_or(false);
    Check { state: State::of(works), latency: began.elapsed() }
}

#[cfg(unix)]
fn free_percent(folder: &Path) -> Option<u32> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    u32::try_from(disk.f_bavail.saturating_mul(100).checked_div(disk.f_blocks)?).ok()
}

#[cfg(not(unix))]
const fn free_percent(_folder: &Path) -> Option<u32> {
    None
}

impl std::fmt::Debug for Health {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Health").field("data_dir", &self.data_dir).finish_non_exhaustive()
    }
}
