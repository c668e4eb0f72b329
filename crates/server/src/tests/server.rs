//! A server for one test, with its own store and socket.

use super::{
    areas,
    empty_index::EmptyIndex,
    wire::{Answer, Connection, Request, request},
};
use crate::{
    Backend, Bound, Cors, JobChanges, LogChanges, Metrics, RateLimits, Settings, StreamTimes, Timeouts, Wiring,
    route::Table, serve, v1,
};
use octavo_app::{
    CommitSignals, Engine, Rules, Signup,
    operator::{self, Handle},
};
use octavo_core_model::{
    Bucket, Claims, Timestamp,
    chore::Queue,
    id::{JobId, UserId, WorkspaceId},
    workspace::{Limit, Limits},
};
use octavo_counters::MemoryCounters;
use octavo_credentials::{Argon2Hasher, Ed25519Signatures, HashingCost, HmacTokens, OsRandom, TokenRules};
use octavo_files::ObjectBlobs;
use octavo_mail::{FileMailer, Letterhead};
use octavo_ports::{
    access_tokens::{AccessToken, AccessTokens},
    compute::{ComputePool, InPlace},
    random::Random,
};
use octavo_sealing::Keyring;
use octavo_testkit::{Database, fresh_sqlite};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    sync::{Arc, mpsc},
    thread::JoinHandle,
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use tempfile::TempDir;
use tokio::{runtime::Runtime, sync::oneshot};

pub(super) const ORIGIN: &str = "https://octavo.test";

#[derive(Debug)]
pub(super) struct Server {
    pub(super) bound: Bound,
    pub(super) backend: Arc<Backend>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    // Dropped last, in this order: first what runs, then what it depends on.
    runtime: Option<Runtime>,
    pub(super) database: Database,
    _folder: TempDir,
}

/// A user with an account.
#[derive(Clone, Debug)]
pub(super) struct Person {
    pub(super) id: UserId,
    pub(super) email: String,
    pub(super) token: String,
}

struct NoSignals;

impl CommitSignals for NoSignals {
    fn chore(&self, _: Queue) {}
    fn job(&self, _: JobId) {}
    fn events(&self, _: &BTreeSet<WorkspaceId>) {}
    fn audits(&self) {}
}

pub(super) fn now() -> Timestamp {
    let millis = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    Timestamp::from_millis(i64::try_from(millis).unwrap())
}

/// Settings with rate limits that no test reaches.
pub(super) fn settings() -> Settings {
    let rate_limits = Bucket::ALL.iter().fold(RateLimits::default(), |limits, bucket| limits.with(*bucket, 100_000));
    Settings {
        listen: "127.0.0.1:0".parse().unwrap(),
        origin: ORIGIN.to_owned(),
        pages_origin: ORIGIN.to_owned(),
        trusted_proxies: Vec::new(),
        cors: Cors::Listed(Vec::new()),
        body_max_bytes: 1 << 20,
        rate_limits,
        debug_events: true,
        metrics: None,
        shutdown_delay: Duration::ZERO,
        shutdown_grace: Duration::from_secs(10),
        queue: 64,
        query_timeout: Duration::from_secs(5),
        content_memory_bytes: 1 << 26,
        body_memory_bytes: 1 << 26,
        timeouts: Timeouts::default(),
        streams: StreamTimes::default(),
    }
}

impl Server {
    pub(super) fn start() -> Self {
        Self::start_with(settings())
    }

    pub(super) fn start_with(settings: Settings) -> Self {
        Self::start_wired(settings, |wiring| wiring)
    }

    /// Starts a server of which some parts are replaced.
    pub(super) fn start_wired(settings: Settings, rewire: impl FnOnce(Wiring) -> Wiring) -> Self {
        Self::start_over(settings, Arc::new(InPlace), rewire)
    }

    /// Starts a server with another compute pool.
    pub(super) fn start_computing(settings: Settings, pool: Arc<dyn ComputePool>) -> Self {
        Self::start_over(settings, pool, |wiring| wiring)
    }

    fn start_over(settings: Settings, pool: Arc<dyn ComputePool>, rewire: impl FnOnce(Wiring) -> Wiring) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(6).enable_all().build().unwrap();
        let folder = TempDir::new().unwrap();
        let database = runtime.block_on(fresh_sqlite());
        let wiring = rewire(wiring(settings, pool, &runtime, &database, &folder));
        let listener = std::net::TcpListener::bind(wiring.settings.listen).unwrap();
        let areas = [v1::AREAS, &[areas::AREA]].concat();
        let table = Table::new(&areas).unwrap();
        let backend = Backend::new(wiring);
        let (announce, announced) = mpsc::channel();
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn({
            let backend = Arc::clone(&backend);
            move || {
                let announce = move |bound| announce.send(bound).unwrap();
                let stopped = async move { drop(stopped.await) };
                serve(backend, table, listener, announce, stopped).unwrap();
            }
        });
        let bound = announced.recv().unwrap();
        let (stop, thread, runtime) = (Some(stop), Some(thread), Some(runtime));
        Self { bound, backend, stop, thread, runtime, database, _folder: folder }
    }

    pub(super) fn connect(&self) -> Connection {
        Connection::open(self.bound.address)
    }

    pub(super) fn send(&self, request: &Request) -> Answer {
        self.connect().send(&request.to_bytes()).answer_to(&request.verb).expect("an answer")
    }

    /// Sends bytes on a new connection and then nothing more.
    pub(super) fn send_raw(&self, bytes: &[u8]) -> Option<Answer> {
        self.connect().send(bytes).answer_to("")
    }

    pub(super) fn get(&self, path: &str) -> Answer {
        self.send(&request(&format!("GET {path}")))
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(&request(&format!("POST {path}")).json(body))
    }

    pub(super) fn person(&self, name: &str) -> Person {
        let email = format!("{name}@example.com");
        let body = json!({ "email": email, "password": "Correct-Horse-7", "name": name });
        let answer = self.post("/api/v1/auth/register", &body);
        assert_eq!(answer.status, 201, "{answer:?}");
        let data = &answer.json()["data"];
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        Person { id: text(&data["user"]["id"]).parse().unwrap(), email, token: text(&data["accessToken"]) }
    }

    pub(super) fn suspend(&self, person: &Person) {
        let engine = Arc::clone(self.backend.engine());
        let handle = Handle::Id(person.id);
        self.block_on(async move { operator::suspend(&engine, now(), handle).await.unwrap() });
    }

    /// The person's token as if it had been issued at another time.
    pub(super) fn token_issued(&self, person: &Person, at: Timestamp) -> String {
        self.token_with(person, |claims| Claims { issued_at: at, ..claims })
    }

    /// The person's token with other claims.
    pub(super) fn token_with(&self, person: &Person, change: impl FnOnce(Claims) -> Claims) -> String {
        let signer = self.backend.access_tokens();
        signer.sign(&change(self.claims_of(person)))
    }

    /// The claims of the person's token.
    pub(super) fn claims_of(&self, person: &Person) -> Claims {
        match self.backend.access_tokens().read(&person.token, now()).unwrap() {
            AccessToken::Login(claims) => claims,
            AccessToken::App(_) => panic!("a person signs in"),
        }
    }

    pub(super) fn block_on<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> T {
        self.runtime.as_ref().unwrap().block_on(work)
    }

    /// Asks the server to stop, without waiting for that.
    pub(super) fn ask_to_stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Leaves the server running, because stopping would take too long. It ends with the test process.
    pub(super) fn leave_running(mut self) {
        drop(self.thread.take());
    }

    pub(super) fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ask_to_stop();
        if !std::thread::panicking() {
            self.join();
        }
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn wiring(
    settings: Settings,
    pool: Arc<dyn ComputePool>,
    runtime: &Runtime,
    database: &Database,
    folder: &TempDir,
) -> Wiring {
    let store = runtime.block_on(database.store());
    let counters = Arc::new(MemoryCounters::default());
    let rules = Rules {
        origin: ORIGIN.to_owned(),
        code_life: Duration::from_mins(1),
        signup: Signup::Open,
        conceal_registration: false,
        session_life: Duration::from_hours(24 * 365),
        login_failures: None,
        event_retention: Duration::from_hours(24 * 90),
        compute_timeout: Duration::from_mins(1),
        table_memory: 64 << 20,
        limits: Limits { members: Limit::None, databases: Limit::None, storage_bytes: Limit::None },
        owned_workspaces: Limit::None,
        written_bytes: Limit::None,
        pages: Limit::None,
    };
    let cost = HashingCost { memory_kib: 8, passes: 1 };
    let hasher = Arc::new(Argon2Hasher::new(cost, Arc::clone(&pool)).unwrap());
    let random = || -> Box<dyn Random> { Box::new(OsRandom) };
    let keyring = Keyring::new(&[[7; 32]]).unwrap();
    let engine = Engine::new(store, rules, counters.clone(), hasher, pool, keyring, random, Arc::new(NoSignals));
    let engine = engine.with_search_index(Arc::new(EmptyIndex));
    let tokens = TokenRules { origin: ORIGIN.to_owned(), clock_skew: Duration::from_secs(30) };
    let access_tokens: Arc<dyn AccessTokens> = Arc::new(HmacTokens::new(tokens, &[9; 32], &[]).unwrap());
    let letterhead = Letterhead::new("Octavo <no-reply@octavo.test>", ORIGIN).unwrap();
    Wiring {
        settings,
        engine: Arc::new(engine),
        runtime: runtime.handle().clone(),
        access_tokens,
        signatures: Arc::new(Ed25519Signatures),
        counters,
        mailer: Arc::new(FileMailer::new(folder.path().join("mail"), letterhead)),
        blobs: Arc::new(ObjectBlobs::in_memory()),
        job_changes: JobChanges::default(),
        log_changes: LogChanges::default(),
        signals: None,
        shared_counters: false,
        data_dir: folder.path().to_owned(),
        metrics: Metrics::default(),
        clock: now,
    }
}
