//! Probes: whether the process is alive, whether it can serve, and how well.

use crate::{
    answer::{Answer, plain},
    dispatcher::Dispatcher,
    health::{Check, Checkup, Readiness, State},
    refusal::Refusal,
    route::{Place, RouteReply, routes},
    wire::reply,
};
use octavo_app::Call;
use std::time::Duration;
use tracing::Level;

routes! {
    /// Reports that the process is alive.
    ///
    /// Checks nothing else: it answers 200 as long as the process can answer at all.
    GET "/health" as getHealth => alive {
        caller: Anyone,
        limits: [],
        takes: (),
        answers: { 200: Alive },
        refusals: [],
        events: [],
        place: Place::Both,
        free: true,
        logged_at: Level::DEBUG,
    }

    /// Reports whether the service can take calls.
    ///
    /// 503 names each check that fails, and `shutdown` as soon as the service is about to stop.
    GET "/health/ready" as getReadiness => ready {
        caller: Anyone,
        limits: [],
        takes: (),
        answers: { 200: Ready },
        refusals: [],
        events: [],
        place: Place::Both,
        free: true,
        logged_at: Level::DEBUG,
    }

    /// Checks everything that the service uses.
    ///
    /// If something essential is down, or the service is about to stop, the answer is 503; if something else is down,
    /// the status is `degraded`. Answers are cached for 5 seconds.
    GET "/health/deep" as checkHealth => deep {
        caller: Anyone,
        limits: [],
        takes: (),
        answers: { 200: Deep },
        refusals: [],
        events: [],
        place: Place::Both,
        free: true,
        logged_at: Level::DEBUG,
    }
}

reply! {
    /// A living process.
    pub Alive {
        /// Always `ok`.
        status "status": required &'static str | ["ok"] = "ok",
        /// The release.
        version "version": required &'static str = "0.1.0",
        /// How long the process has been running.
        uptime_seconds "uptimeSeconds": required u64 = 86400,
    }
}

reply! {
    /// A service that can take calls.
    pub Ready {
        /// Always `ready`.
        status "status": required &'static str | ["ready"] = "ready",
        /// The results of the checks.
        checks "checks": required ReadyChecks,
    }
}

reply! {
    /// Each check is `ok`; otherwise the answer is 503.
    pub ReadyChecks {
        /// The database answers.
        database "database": required &'static str | ["ok"] = "ok",
        /// The schema is the one of this release.
        migrations "migrations": required &'static str | ["ok"] = "ok",
        /// Writing to the database succeeds.
        storage "storage": required &'static str | ["ok"] = "ok",
        /// There is room for more calls.
        queue "queue": required &'static str | ["ok"] = "ok",
    }
}

reply! {
    /// The results of all checks.
    pub Deep {
        /// `ready`, or `degraded` if something that is not essential is down.
        status "status": required &'static str | ["ready", "degraded"] = "ready",
        /// The results of the checks.
        checks "checks": required DeepChecks,
    }
}

reply! {
    /// The result of one check.
    pub Checked {
        /// `ok`, `down` or `disabled`.
        status "status": required &'static str | ["ok", "down", "disabled"] = "ok",
        /// How long the check took.
        latency_ms "latencyMs": required f64 = 1.25,
        /// For queues and logs: the age of the oldest waiting item.
        lag_seconds "lagSeconds": optional f64 = 0.5,
        /// How much of the disk is free.
        free_percent "freePercent": optional u32 = 61,
    }
}

reply! {
    /// The checks by name.
    pub DeepChecks {
        /// The database.
        database "database": required Checked,
        /// Its schema.
        migrations "migrations": required Checked,
        /// Writing.
        storage "storage": required Checked,
        /// The queue of background jobs.
        queue "queue": required Checked,
        /// The event log.
        event_log "eventLog": required Checked,
        /// The disk of the data folder.
        disk "disk": required Checked,
        /// Shared counters.
        cache "cache": required Checked,
        /// The mail server.
        mail "mail": required Checked,
        /// The virus scanner.
        scanner "scanner": required Checked,
        /// The AI provider.
        ai "ai": required Checked,
        /// The search index.
        search "search": required Checked,
    }
}

impl RouteReply for Alive {}
impl RouteReply for Ready {}
impl RouteReply for Deep {}

async fn alive(dispatcher: Dispatcher, _: Call) -> Answer {
    let uptime_seconds = dispatcher.backend().started.elapsed().as_secs();
    plain(&Alive { status: "ok", version: env!("CARGO_PKG_VERSION"), uptime_seconds })
}

async fn ready(dispatcher: Dispatcher, call: Call) -> Answer {
    let backend = dispatcher.backend();
    if backend.is_leaving() {
        return Refusal::Unready(vec![("shutdown", "down")]).into();
    }
    let readiness = backend.health.readiness(call.now, &backend.executor).await;
    let failing = readiness.failing();
    if !failing.is_empty() {
        return Refusal::Unready(failing).into();
    }
    let ok = State::Ok.name();
    plain(&Ready { status: "ready", checks: ReadyChecks { database: ok, migrations: ok, storage: ok, queue: ok } })
}

async fn deep(dispatcher: Dispatcher, call: Call) -> Answer {
    let backend = dispatcher.backend();
    if backend.is_leaving() {
        return Refusal::Unready(vec![("shutdown", "down")]).into();
    }
    let checkup = backend.health.checkup(call.now, &backend.executor).await;
    let failing = checkup.readiness.failing();
    if !failing.is_empty() {
        return Refusal::Unready(failing).into();
    }
    plain(&Deep { status: if checkup.is_degraded() { "degraded" } else { "ready" }, checks: deep_checks(&checkup) })
}

fn deep_checks(checkup: &Checkup) -> DeepChecks {
    let Readiness { database, migrations, storage, queue, latency, job_lag, event_lag, .. } = checkup.readiness;
    // What follows the log is a part of it for those who wait for its effects.
    let behind = checkup.readiness.store.consumer_lag_millis.into_iter().max().unwrap_or_default();
    let event_lag = event_lag.max(Duration::from_millis(behind));
    let of_store = |state| checked(Check { state, latency });
    let off = || checked(Check { state: State::Disabled, latency: Duration::ZERO });
    DeepChecks {
        database: of_store(database),
        migrations: of_store(migrations),
        storage: of_store(storage),
        queue: Checked { lag_seconds: Some(job_lag.as_secs_f64()), ..of_store(queue) },
        event_log: Checked { lag_seconds: Some(event_lag.as_secs_f64()), ..of_store(database) },
        disk: Checked { free_percent: checkup.free_disk_percent, ..checked(checkup.disk) },
        cache: checked(checkup.cache),
        mail: checked(checkup.mail),
        scanner: off(),
        ai: off(),
        search: Checked { lag_seconds: checkup.search_lag.map(|lag| lag.as_secs_f64()), ..checked(checkup.search) },
    }
}

fn checked(check: Check) -> Checked {
    let latency_ms = check.latency.as_secs_f64() * 1000.0;
    Checked { status: check.state.name(), latency_ms, lag_seconds: None, free_percent: None }
}
