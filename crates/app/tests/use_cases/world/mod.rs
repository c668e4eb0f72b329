//! A deployment for one test: its engine with a new file, its time, its mailbox, and its users as values.

mod calls;
mod doubles;
mod log;
mod mail;
mod people;
mod shorthands;

pub(crate) use calls::Calling;
pub(crate) use doubles::{TestHasher, TestPool};
pub(crate) use mail::Mailbox;
pub(crate) use people::{Device, PASSWORD, Person};
pub(crate) use shorthands::{NEW_PASSWORD, conflict, denied, email, invalid, unknown};

use doubles::Deterministic;
use octavo_app::{
    AppResult, Call, CommitSignals, ContentMemory, Engine, Interrupt, Reply, Rules, Signup, Unit, View, engine::Fut,
};
use octavo_core_model::{
    Fault, Timestamp,
    chore::Queue,
    id::{JobId, WorkspaceId},
    time::days,
    workspace::{Limit, Limits},
};
use octavo_counters::MemoryCounters;
use octavo_files::ObjectBlobs;
use octavo_ports::{random::Random, store::Store};
use octavo_sealing::Keyring;
use octavo_testkit::{Database, fresh_postgres, fresh_sqlite, make::NOW};
use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
    time::Duration,
};

pub(crate) struct World {
    pub(crate) engine: Arc<Engine>,
    pub(crate) database: Database,
    pub(crate) hasher: Arc<TestHasher>,
    pub(crate) pool: Arc<TestPool>,
    pub(crate) memory: Arc<ContentMemory>,
    pub(crate) mailbox: Mailbox,
    pub(crate) blobs: ObjectBlobs,
    /// The test moves it forward.
    pub(crate) now: Timestamp,
    people: u64,
}

struct IdleSignals;

impl CommitSignals for IdleSignals {
    fn chore(&self, _: Queue) {}
    fn job(&self, _: JobId) {}
    fn events(&self, _: &BTreeSet<WorkspaceId>) {}
    fn audits(&self) {}
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::ruled(|_| ()).await
    }

    /// A deployment with other rules.
    pub(crate) async fn ruled(decide: impl FnOnce(&mut Rules)) -> Self {
        Self::set_up(fresh_sqlite().await, decide).await
    }

    /// A deployment on PostgreSQL, where units of one workspace run at the same time; `None` without a server.
    pub(crate) async fn on_postgres() -> Option<Self> {
        Some(Self::over(fresh_postgres().await?).await)
    }

    /// A deployment on another database.
    pub(crate) async fn over(database: Database) -> Self {
        Self::set_up(database, |_| ()).await
    }

    /// A deployment whose calls wait for the store only for a moment.
    pub(crate) async fn impatient() -> Self {
        let database = fresh_sqlite().await;
        let mut options = octavo_testkit::database::options();
        options.wait_timeout = Duration::from_millis(250);
        let store = database.store_with(options).await;
        Self::with_store(database, store, |_| ())
    }

    async fn set_up(database: Database, decide: impl FnOnce(&mut Rules)) -> Self {
        let store = database.store().await;
        Self::with_store(database, store, decide)
    }

    fn with_store(database: Database, store: Arc<dyn Store>, decide: impl FnOnce(&mut Rules)) -> Self {
        let mut rules = rules();
        decide(&mut rules);
        let (hasher, bits) = (Arc::new(TestHasher::default()), Deterministic::default());
        let pool = Arc::<TestPool>::default();
        let engine = Engine::new(
            store,
            rules,
            Arc::new(MemoryCounters::default()),
            hasher.clone(),
            pool.clone(),
            Keyring::new(&[[7; 32]]).unwrap(),
            move || -> Box<dyn Random> { Box::new(bits.clone()) },
            Arc::new(IdleSignals),
        );
        let (mailbox, blobs) = (Mailbox::default(), ObjectBlobs::in_memory());
        let (engine, memory) = (Arc::new(engine), ContentMemory::new(64 << 20));
        Self { engine, database, hasher, pool, memory, mailbox, blobs, now: NOW, people: 0 }
    }

    pub(crate) fn pass(&mut self, span: Duration) {
        self.now = self.now.plus(span);
    }

    /// Lets almost all of this time pass.
    pub(crate) fn pass_almost(&mut self, span: Duration) {
        self.now = self.now.plus(span).minus(Duration::from_millis(1));
    }

    /// Waits until a statement on PostgreSQL waits for a lock.
    pub(crate) async fn waits_for_a_blocked_call(&self) {
        let waiting =
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        while self.database.number(waiting).await < 1 {
            tokio::task::yield_now().await;
        }
    }

    /// Runs a writing use case and returns its result.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        call: Call,
        run: impl for<'a> FnOnce(&'a mut Unit) -> Fut<'a, T> + Send,
    ) -> Result<T, Fault> {
        let (keep, kept) = slot();
        let answer = self.engine.write(call, run, keep).await;
        fault_of(answer)?;
        Ok(kept.lock().unwrap().take().expect("no replay"))
    }

    pub(crate) async fn read<T: Send + 'static>(
        &self,
        call: Call,
        run: impl for<'a> FnOnce(&'a mut View) -> Fut<'a, T> + Send,
    ) -> Result<T, Fault> {
        fault_of(self.engine.read(call, run).await)
    }
}

/// The default rules.
fn rules() -> Rules {
    Rules {
        origin: "https://octavo.example".to_owned(),
        code_life: Duration::from_mins(1),
        signup: Signup::Open,
        conceal_registration: false,
        session_life: days(365),
        login_failures: None,
        event_retention: days(90),
        compute_timeout: Duration::from_mins(1),
        limits: Limits { members: Limit::None, databases: Limit::None, storage_bytes: Limit::None },
        owned_workspaces: Limit::None,
        written_bytes: Limit::None,
        table_memory: 64 << 20,
        pages: Limit::None,
    }
}

type Slot<T> = Arc<Mutex<Option<T>>>;

/// A shape that stores the value, and the place where it is stored.
pub(crate) fn slot<T: Send + 'static>() -> (impl FnOnce(T) -> Reply + Send, Slot<T>) {
    let kept: Slot<T> = Arc::default();
    let keeper = Arc::clone(&kept);
    let keep = move |value| {
        *keeper.lock().unwrap() = Some(value);
        Reply::nothing()
    };
    (keep, kept)
}

pub(crate) fn fault_of<T>(result: AppResult<T>) -> Result<T, Fault> {
    result.map_err(|interrupt| match interrupt {
        Interrupt::Fault(fault) => fault,
        Interrupt::Replay(reply) => panic!("a replay where none was expected: {reply:?}"),
    })
}
