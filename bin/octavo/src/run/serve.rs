//! `octavo serve`: starts a server with the settings, and stops it gracefully.

use crate::{
    background::{self, Outside, Rotating, Signals},
    data_dir::{self, DataDir, ServerLock},
    logging,
    search_folder::SearchFolder,
    settings::{CorsOrigins, DatabaseUrl, Nodes, Origin, Settings},
    start::Ready,
    wiring,
};
use anyhow::{Context as _, Result, anyhow, bail};
use octavo_app::{Engine, queue};
use octavo_core_model::{Bucket, Outage};
use octavo_credentials::Ed25519Signatures;
use octavo_ports::store::Store;
use octavo_search_index::TextIndex;
use octavo_server::{AREAS, Backend, Bound, Cors, Metrics, RateLimits, StreamTimes, Table, Timeouts, Wiring};
use octavo_storage::{OnQuery, SingleNodeLock};
use std::{
    net::{SocketAddr, TcpListener},
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{
    runtime::{Builder, Runtime},
    signal::unix::{SignalKind, signal},
};

/// How long to wait at the start for a database that is down.
const DATABASE_WAIT: Duration = Duration::from_secs(30);
const DATABASE_LOOK: Duration = Duration::from_millis(500);

/// How much work for the store may wait and run at the same time.
const QUEUE: u32 = 1024;

/// How many bytes of request bodies may be in memory. One network has a third: twenty clients behind one address can
/// import 5 MB each at the same time.
const BODY_MEMORY_BYTES: u64 = 320 << 20;

/// SQLite statements run on the threads that call them, so there are more threads than readers: the writer and other
/// work need some too.
const STORE_THREADS: usize = 6;

#[allow(clippy::too_many_lines, reason = "the wiring of the whole service, from top to bottom")]
pub(super) fn run(ready: Ready, migrate: bool) -> Result<()> {
    let settings = ready.settings;
    logging::install(&settings.log, settings.log_format);
    let folder = DataDir::create(&settings.data_dir)?;
    let _held = folder.lock_for_server()?;
    let runtime = store_runtime()?;
    let alone = runtime.block_on(stand_alone(&settings))?;
    let metrics = Metrics::default();
    let on_query = settings.metrics_addr.map(|_| {
        let metrics = metrics.clone();
        OnQuery::new(move |took| metrics.query_took(took))
    });
    let store = runtime.block_on(open_store(&settings, migrate, on_query))?;
    let listener =
        TcpListener::bind(settings.listen).with_context(|| format!("cannot listen on {}", settings.listen))?;
    let bound = listener.local_addr().context("cannot listen")?;
    let origin = settings.public_origin(bound).to_string();
    let commit_signals = Arc::new(Signals::default());
    let keyring = wiring::keyring(&settings, &folder)?;
    let redis = Arc::default();
    let counters = wiring::counters(&settings, &redis)?;
    let index = Arc::new(TextIndex::in_folder(SearchFolder::within(folder.path()).index()));
    let engine =
        wiring::engine(&settings, &origin, store, Arc::clone(&counters), keyring, commit_signals.clone(), &metrics)?;
    let engine = Arc::new(engine.with_search_index(index.clone()));
    runtime.block_on(free_what_was_held(&alone, &engine));
    let mailer = wiring::mailer(&settings, bound)?;
    let blobs = wiring::blobs(&folder)?;
    let signals = wiring::log_signals(&settings, &redis)?;
    let wiring = Wiring {
        settings: http_settings(&settings, bound),
        engine: Arc::clone(&engine),
        runtime: runtime.handle().clone(),
        access_tokens: wiring::access_tokens(&settings, &folder, &origin)?,
        signatures: Arc::new(Ed25519Signatures),
        counters,
        mailer: Arc::clone(&mailer),
        blobs: Arc::clone(&blobs),
        job_changes: commit_signals.job_changes().clone(),
        log_changes: commit_signals.log_changes().clone(),
        signals: signals.clone(),
        shared_counters: settings.redis_url.is_some(),
        data_dir: settings.data_dir.clone(),
        metrics,
        clock: wiring::now,
    };
    let table = Table::new(AREAS).map_err(|error| anyhow!("{error:?}"))?;
    let backend = Backend::new(wiring);
    let shown = origin.clone();
    let rotating = Rotating {
        settings,
        folder,
        origin,
        engine: Arc::clone(&engine),
        replace_tokens: {
            let backend = Arc::clone(&backend);
            Box::new(move |tokens| backend.replace_access_tokens(tokens))
        },
    };
    let outside = Outside { mailer, blobs, signals, index };
    let background = background::start(runtime.handle(), &backend, &commit_signals, outside, rotating);
    let stop = {
        let _context = runtime.enter();
        first_signal()
    };
    let served = octavo_server::serve(Arc::clone(&backend), table, listener, |bound| announce(bound, &shown), stop);
    runtime.block_on(background.end());
    runtime.block_on(background::keep_activity(&backend));
    runtime.shutdown_timeout(Duration::from_secs(5));
    Ok(served?)
}

fn store_runtime() -> Result<Runtime> {
    let threads = STORE_THREADS.max(wiring::cores().get());
    let runtime = Builder::new_multi_thread().worker_threads(threads).thread_name("store").enable_all().build();
    runtime.context("cannot start a runtime")
}

/// Keeps others from serving the same database, for as long as it lives.
enum Alone {
    Database {
        _lock: Box<SingleNodeLock>,
    },
    File {
        _lock: ServerLock,
    },
    /// Several nodes serve it.
    NotNeeded,
}

/// Frees what an earlier run held when it died, if no other server can be running.
async fn free_what_was_held(alone: &Alone, engine: &Engine) {
    if matches!(alone, Alone::NotNeeded) {
        return;
    }
    match queue::void_leases(engine, wiring::now()).await {
        Ok(0) => {}
        Ok(freed) => tracing::info!(freed, "took up what was left half done"),
        Err(error) => tracing::warn!(?error, "what was left half done waits until its lease is over"),
    }
}

async fn stand_alone(settings: &Settings) -> Result<Alone> {
    match (&settings.database, settings.nodes) {
        (DatabaseUrl::Postgres(url), Nodes::Single) => {
            let lock = retry_until_reachable(|| octavo_storage::hold_single_node_lock(url.expose())).await?;
            Ok(Alone::Database { _lock: Box::new(lock) })
        }
        (DatabaseUrl::Sqlite(file), _) => {
            let lock = data_dir::lock_database(file)?;
            Ok(Alone::File { _lock: lock })
        }
        (DatabaseUrl::Postgres(_), Nodes::Several) => Ok(Alone::NotNeeded),
    }
}

async fn open_store(settings: &Settings, migrate: bool, on_query: Option<OnQuery>) -> Result<Arc<dyn Store>> {
    let url = wiring::database_url(settings);
    if migrate {
        retry_until_reachable(|| octavo_storage::migrate(url.expose())).await?;
    } else {
        let status = retry_until_reachable(|| octavo_storage::migration_status(url.expose())).await?;
        if !status.pending.is_empty() {
            bail!("the database is not up to date: run octavo migrate");
        }
    }
    wiring::open_store(settings, on_query).await
}

/// Retries while the database cannot be reached, because it may be starting too. Any other error stays until somebody
/// acts, for example a damaged file or a wrong password.
async fn retry_until_reachable<T, F: Future<Output = Result<T, octavo_storage::OpenError>>>(
    step: impl Fn() -> F,
) -> Result<T> {
    let begun = Instant::now();
    let outage = Outage::default();
    loop {
        match step().await {
            Ok(done) => {
                if let Some(outage) = outage.succeeded(begun.elapsed()) {
                    tracing::info!(outageSeconds = outage.as_secs(), "the database can be reached");
                }
                return Ok(done);
            }
            Err(octavo_storage::OpenError::Unreachable(reason)) if begun.elapsed() < DATABASE_WAIT => {
                if outage.failed(begun.elapsed()) {
                    let seconds = DATABASE_WAIT.as_secs();
                    tracing::warn!(reason, "the database cannot be reached; trying again for {seconds} s");
                }
                tokio::time::sleep(DATABASE_LOOK).await;
            }
            Err(error) => return Err(error).context("cannot open the database"),
        }
    }
}

fn http_settings(settings: &Settings, served_on: SocketAddr) -> octavo_server::Settings {
    let mut rate_limits = RateLimits::default();
    for bucket in Bucket::ALL {
        rate_limits = rate_limits.with(*bucket, settings.rate_limits.of(*bucket).unwrap_or(0));
    }
    octavo_server::Settings {
        listen: settings.listen,
        origin: settings.public_origin(served_on).to_string(),
        pages_origin: settings.pages_origin(served_on).to_string(),
        trusted_proxies: settings.trusted_proxies.clone(),
        cors: match &settings.cors_origins {
            CorsOrigins::Any => Cors::Any,
            CorsOrigins::Listed(origins) => Cors::Listed(origins.iter().map(ToString::to_string).collect()),
        },
        body_max_bytes: settings.body_max_bytes,
        rate_limits,
        debug_events: settings.debug_events,
        metrics: settings.metrics_addr,
        shutdown_delay: settings.shutdown_delay,
        shutdown_grace: settings.shutdown_grace,
        queue: QUEUE,
        query_timeout: settings.query_timeout,
        content_memory_bytes: settings.content_memory_bytes,
        body_memory_bytes: BODY_MEMORY_BYTES,
        timeouts: Timeouts::default(),
        streams: StreamTimes::default(),
    }
}

/// Prints the address of the service once it accepts calls. If it was started on port 0, this is where to read the
/// address.
fn announce(bound: Bound, origin: &str) {
    let here = Origin::of_listener(bound.address).to_string();
    let elsewhere = if here == origin { String::new() } else { format!(" - public origin {origin}") };
    let metrics = bound.metrics.map(|address| format!("metrics at http://{address}/metrics\n")).unwrap_or_default();
    let lines = format!("octavo is listening on {here} - docs at {here}/docs{elsewhere}\n{metrics}");
    if let Err(error) = super::print(&lines) {
        tracing::warn!(reason = format!("{error:#}"), "the start line was not printed");
    }
}

/// Waits for SIGTERM or SIGINT. The next one ends the process at once.
///
/// Listens from the call on, not from the first poll: otherwise a signal right after the service has announced its
/// address would kill it.
fn first_signal() -> impl Future<Output = ()> {
    let signals = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()));
    async move {
        let (Ok(mut terminate), Ok(mut interrupt)) = signals else {
            tracing::error!("signals cannot be received; the service ends by force only");
            return std::future::pending().await;
        };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("shutting down");
        tokio::spawn(async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            leave_at_once();
        });
    }
}

#[expect(clippy::exit, clippy::disallowed_methods, reason = "a second signal asks for exactly that")]
fn leave_at_once() {
    std::process::exit(1);
}
