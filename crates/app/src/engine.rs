//! Runs use cases: opens views and units, keeps replies, commits or rolls back.

use crate::{
    call::Call,
    kept_tables::KeptTables,
    outcome::{AppResult, Interrupt},
    page_map::PageMaps,
    reply::Reply,
    reservations::Reservations,
    rules::Rules,
    schema_cache::SchemaCache,
    scope::{Tools, Unit, View},
    write_budget::{WriteBudget, Writer},
};
use octavo_core_model::{
    Fault, Secret, StoreError, Timestamp,
    cancellation::Cancellation,
    chore::Queue,
    id::{JobId, WorkspaceId},
};
use octavo_ports::{
    compute::{self, ComputePool, ComputeSlot, Reservation, WorkKind, WorkOwner},
    counters::Counters,
    passwords::{Comparison, PasswordHash, PasswordHasher},
    random::Random,
    search::{NoIndex, SearchIndex},
    store::{Record, Store, UnitLength},
};
use octavo_sealing::Keyring;
use std::{
    collections::BTreeSet,
    future::Future,
    pin::Pin,
    sync::{Arc, PoisonError, RwLock},
};

/// How many bytes the trees of pages may take that searches keep in memory: those of about half a million pages.
const PAGE_MAP_BYTES: usize = 48 << 20;

/// How often a unit is run if it keeps colliding with others.
const RUNS: usize = 3;

pub type Fut<'a, T> = Pin<Box<dyn Future<Output = AppResult<T>> + Send + 'a>>;

/// Learns what each commit changed, so that those who wait for it need not poll.
pub trait CommitSignals: Send + Sync {
    /// A queue has a new chore.
    fn chore(&self, queue: Queue);
    /// A job has changed its state.
    fn job(&self, id: JobId);
    /// The event logs of these workspaces have grown. On an engine that numbers events after the commit, they can be
    /// read as soon as that is done.
    fn events(&self, workspaces: &BTreeSet<WorkspaceId>);
    /// The audit trail has grown.
    fn audits(&self);
}

/// Everything that use cases need.
pub struct Engine {
    pub store: Arc<dyn Store>,
    pub rules: Arc<Rules>,
    pub(crate) counters: Arc<dyn Counters>,
    hasher: Arc<dyn PasswordHasher>,
    pool: Arc<dyn ComputePool>,
    keyring: RwLock<Arc<Keyring>>,
    random: Box<dyn Fn() -> Box<dyn Random> + Send + Sync>,
    signals: Arc<dyn CommitSignals>,
    write_budget: Arc<WriteBudget>,
    schemas: Arc<SchemaCache>,
    tables: Arc<KeptTables>,
    search_index: Arc<dyn SearchIndex>,
    page_maps: Arc<PageMaps>,
}

impl Engine {
    #[expect(clippy::too_many_arguments, reason = "one for each port, named by its type")]
    pub fn new(
        store: Arc<dyn Store>,
        rules: Rules,
        counters: Arc<dyn Counters>,
        hasher: Arc<dyn PasswordHasher>,
        pool: Arc<dyn ComputePool>,
        keyring: Keyring,
        random: impl Fn() -> Box<dyn Random> + Send + Sync + 'static,
        signals: Arc<dyn CommitSignals>,
    ) -> Self {
        let (keyring, random) = (RwLock::new(Arc::new(keyring)), Box::new(random));
        let write_budget = Arc::new(WriteBudget::new(rules.written_bytes));
        let (schemas, tables) = (Arc::default(), Arc::new(KeptTables::new(rules.table_memory)));
        let rules = Arc::new(rules);
        let search_index = Arc::new(NoIndex);
        let page_maps = Arc::new(PageMaps::new(PAGE_MAP_BYTES));
        Self {
            store,
            rules,
            counters,
            hasher,
            pool,
            keyring,
            random,
            signals,
            write_budget,
            schemas,
            tables,
            search_index,
            page_maps,
        }
    }

    /// The same with an index that searches read.
    #[must_use]
    pub fn with_search_index(self, search_index: Arc<dyn SearchIndex>) -> Self {
        Self { search_index, ..self }
    }

    pub fn search_index(&self) -> &Arc<dyn SearchIndex> {
        &self.search_index
    }

    pub(crate) fn page_maps(&self) -> &PageMaps {
        &self.page_maps
    }

    pub fn keyring(&self) -> Arc<Keyring> {
        Arc::clone(&self.keyring.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Switches to new secrets after a rotation.
    pub fn replace_keyring(&self, keyring: Keyring) {
        *self.keyring.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(keyring);
    }

    pub(crate) fn random(&self) -> Box<dyn Random> {
        (self.random)()
    }

    pub(crate) async fn hash(&self, owner: WorkOwner, password: Secret<String>) -> AppResult<PasswordHash> {
        let salt = self.random().bytes();
        Ok(self.hasher.hash(owner, password, salt).await?)
    }

    pub(crate) async fn compare(
        &self,
        owner: WorkOwner,
        password: Secret<String>,
        hash: Option<PasswordHash>,
    ) -> AppResult<Comparison> {
        Ok(self.hasher.compare(owner, password, hash).await?)
    }

    /// Runs processor-heavy work on the compute pool. Call it outside of views and units, after the caller's rights
    /// are checked. Keep the [`ComputeSlot`] for as long as the result is in memory.
    pub async fn compute<T: Send + 'static>(
        &self,
        kind: WorkKind,
        owner: WorkOwner,
        work: impl FnOnce(&Cancellation) -> T + Send + 'static,
    ) -> AppResult<(T, ComputeSlot)> {
        let reservation = self.reserve(kind, owner)?;
        self.compute_reserved(reservation, work).await
    }

    /// Reserves a place in the compute pool. That never waits.
    pub(crate) fn reserve(&self, kind: WorkKind, owner: WorkOwner) -> AppResult<Reservation> {
        Ok(self.pool.reserve(kind, owner)?)
    }

    /// Like [`Self::compute`], in a place that was reserved before the input of the work was loaded.
    pub async fn compute_reserved<T: Send + 'static>(
        &self,
        reservation: Reservation,
        work: impl FnOnce(&Cancellation) -> T + Send + 'static,
    ) -> AppResult<(T, ComputeSlot)> {
        Ok(compute::compute(&*self.pool, reservation, self.rules.compute_timeout, work).await?)
    }

    /// Reserves places for the content of pages.
    pub fn reservations(&self) -> Reservations {
        Reservations::in_pool(Arc::clone(&self.pool))
    }

    /// Runs a reading use case.
    pub async fn read<T: Send>(
        &self,
        call: Call,
        run: impl for<'a> FnOnce(&'a mut View) -> Fut<'a, T> + Send,
    ) -> AppResult<T> {
        let mut view = self.view(call).await?;
        run(&mut view).await
    }

    /// Like [`Self::read`], for a short check that others wait for: it does not wait for the caller's share of the
    /// readers.
    pub async fn check<T: Send>(
        &self,
        call: Call,
        run: impl for<'a> FnOnce(&'a mut View) -> Fut<'a, T> + Send,
    ) -> AppResult<T> {
        let tx = self.store.reader_for(WorkOwner::Server).await?;
        run(&mut View::over(call, tx, self.tools())).await
    }

    /// Runs a writing use case in one transaction. The reply is shaped, and kept for a retry, before the commit.
    pub async fn write<T: Send>(
        &self,
        call: Call,
        run: impl for<'a> FnOnce(&'a mut Unit) -> Fut<'a, T> + Send,
        shape: impl FnOnce(T) -> Reply + Send,
    ) -> AppResult<Reply> {
        let mut unit = self.unit(call, UnitLength::Short).await?;
        let done = run(&mut unit).await.map(shape);
        self.finish(unit, done).await
    }

    /// Like [`Self::write`], for a use case that locks rows in no common order. A unit that collides with another one,
    /// for example in a deadlock, runs again. So does one that finds out that it may take long, in a turn with others
    /// of that kind. A busy store is reported at once: another attempt would only add to its load.
    pub async fn write_repeatably<T: Send>(
        &self,
        call: Call,
        run: impl for<'a> Fn(&'a mut Unit) -> Fut<'a, T> + Send + Sync,
        shape: impl Fn(T) -> Reply + Send + Sync,
    ) -> AppResult<Reply> {
        let (mut length, mut runs) = (UnitLength::Short, 1);
        loop {
            let mut unit = self.unit(call.clone(), length).await?;
            if length == UnitLength::Short {
                unit.allow_turn();
            }
            if runs < RUNS {
                unit.tx.expect_collisions();
            }
            let done = run(&mut unit).await.map(&shape);
            let wants_turn = unit.wants_turn();
            match self.finish(unit, done).await {
                Err(Interrupt::Fault(Fault::Store(StoreError::Collision))) if wants_turn => {
                    length = UnitLength::MayBeLong;
                }
                Err(Interrupt::Fault(Fault::Store(StoreError::Collision))) if runs < RUNS => runs += 1,
                done => return done,
            }
        }
    }

    /// Like [`Self::write`], for a use case that saves a result which was computed beforehand. If the use case returns
    /// `None`, what the result was computed from has changed since: the unit is rolled back, and there is no reply. The
    /// caller then starts over, and also if the unit collides with another one.
    pub(crate) async fn write_if_current<T: Send>(
        &self,
        call: Call,
        length: UnitLength,
        run: impl for<'a> FnOnce(&'a mut Unit) -> Fut<'a, Option<T>> + Send,
        shape: impl FnOnce(T) -> Reply + Send,
    ) -> AppResult<Option<Reply>> {
        let mut unit = self.unit(call, length).await?;
        unit.tx.expect_collisions();
        let done = match run(&mut unit).await {
            Ok(Some(saved)) => Ok(shape(saved)),
            Ok(None) => {
                unit.into_parts().0.abandon().await?;
                return Ok(None);
            }
            Err(interrupt) => Err(interrupt),
        };
        self.finish(unit, done).await.map(Some)
    }

    /// Commits a unit, or rolls it back if its use case ended early. It has no type parameters, because the compiler
    /// would translate it again for every use case.
    async fn finish(&self, mut unit: Unit, done: AppResult<Reply>) -> AppResult<Reply> {
        let done = match unit.resolve_deletion(done) {
            Ok(reply) => unit.keep_reply(&reply).await.map(|()| reply),
            Err(interrupt) => Err(interrupt),
        };
        match done {
            Ok(reply) => {
                self.commit(unit).await?;
                Ok(reply)
            }
            Err(Interrupt::Fault(fault)) if unit.commits_refusal() => {
                self.commit(unit).await?;
                Err(Interrupt::Fault(fault))
            }
            Err(interrupt) => {
                unit.into_parts().0.abandon().await?;
                match interrupt {
                    Interrupt::Replay(reply) => Ok(reply),
                    fault @ Interrupt::Fault(_) => Err(fault),
                }
            }
        }
    }

    /// Checks what a flow needs to know before its slow work: rights, an earlier answer under the idempotency key,
    /// flaws of the body, state. It changes nothing, and the unit after the slow work checks everything again. An
    /// earlier answer is returned as an [`Interrupt::Replay`].
    pub(crate) async fn look_ahead<T: Send>(
        &self,
        call: Call,
        run: impl for<'a> FnOnce(&'a mut Unit) -> Fut<'a, T> + Send,
    ) -> AppResult<T> {
        let mut unit = self.unit(call, UnitLength::Short).await?;
        let found = run(&mut unit).await;
        let found = unit.resolve_deletion(found);
        unit.into_parts().0.abandon().await?;
        found
    }

    /// Runs a unit of the deployment itself.
    pub(crate) async fn chore<T: Send>(
        &self,
        now: Timestamp,
        run: impl for<'a> FnOnce(&'a mut Unit) -> Fut<'a, T> + Send,
    ) -> AppResult<T> {
        self.change(Call::system(now), run).await
    }

    /// Like [`Self::chore`], but a unit that collides with another one runs again.
    pub(crate) async fn chore_repeatably<T: Send>(
        &self,
        now: Timestamp,
        run: impl for<'a> Fn(&'a mut Unit) -> Fut<'a, T> + Send + Sync,
    ) -> AppResult<T> {
        let mut runs = 1;
        loop {
            let mut unit = self.unit(Call::system(now), UnitLength::Short).await?;
            if runs < RUNS {
                unit.tx.expect_collisions();
            }
            let done = run(&mut unit).await;
            match self.end(unit, done.is_ok()).await.and(done) {
                Err(Interrupt::Fault(Fault::Store(StoreError::Collision))) if runs < RUNS => runs += 1,
                done => return done,
            }
        }
    }

    /// Runs a writing use case whose answer is not kept, because calls from browsers carry no idempotency key.
    pub async fn change<T: Send>(
        &self,
        call: Call,
        run: impl for<'a> FnOnce(&'a mut Unit) -> Fut<'a, T> + Send,
    ) -> AppResult<T> {
        let mut unit = self.unit(Call { key: None, ..call }, UnitLength::Short).await?;
        let done = run(&mut unit).await;
        let done = unit.resolve_deletion(done);
        self.end(unit, done.is_ok()).await?;
        done
    }

    /// Like [`Self::change`], but a unit that collides with another one, or that may take long, runs again as in
    /// [`Self::write_repeatably`].
    pub(crate) async fn change_repeatably<T: Send>(
        &self,
        call: Call,
        run: impl for<'a> Fn(&'a mut Unit) -> Fut<'a, T> + Send + Sync,
    ) -> AppResult<T> {
        let call = Call { key: None, ..call };
        let (mut length, mut runs) = (UnitLength::Short, 1);
        loop {
            let mut unit = self.unit(call.clone(), length).await?;
            if length == UnitLength::Short {
                unit.allow_turn();
            }
            if runs < RUNS {
                unit.tx.expect_collisions();
            }
            let done = run(&mut unit).await;
            let wants_turn = unit.wants_turn();
            let done = unit.resolve_deletion(done);
            match self.end(unit, done.is_ok()).await.and(done) {
                Err(Interrupt::Fault(Fault::Store(StoreError::Collision))) if wants_turn => {
                    length = UnitLength::MayBeLong;
                }
                Err(Interrupt::Fault(Fault::Store(StoreError::Collision))) if runs < RUNS => runs += 1,
                done => return done,
            }
        }
    }

    async fn end(&self, unit: Unit, is_done: bool) -> AppResult<()> {
        if is_done || unit.commits_refusal() {
            return self.commit(unit).await;
        }
        Ok(unit.into_parts().0.abandon().await?)
    }

    async fn view(&self, call: Call) -> AppResult<View> {
        let tx = self.store.reader_for(call.work_owner()).await?;
        Ok(View::over(call, tx, self.tools()))
    }

    /// A view whose statements all see the same state. A flow holds it only as long as it reads.
    pub(crate) async fn snapshot(&self, call: Call) -> AppResult<View> {
        let tx = self.store.snapshot_for(call.work_owner()).await?;
        Ok(View::over(call, tx, self.tools()))
    }

    async fn unit(&self, call: Call, length: UnitLength) -> AppResult<Unit> {
        let tx = self.store.writer_for(call.work_owner(), length).await?;
        Ok(Unit::over(call, tx, self.tools()))
    }

    fn tools(&self) -> Tools {
        Tools {
            random: self.random(),
            keyring: self.keyring(),
            rules: Arc::clone(&self.rules),
            write_budget: Arc::clone(&self.write_budget),
            schemas: Arc::clone(&self.schemas),
            tables: Arc::clone(&self.tables),
            page_maps: Arc::clone(&self.page_maps),
        }
    }

    pub(crate) fn tables(&self) -> &Arc<KeptTables> {
        &self.tables
    }

    /// How many bytes the tables of records in memory take, and what running queries compute from them.
    pub fn table_bytes(&self) -> u64 {
        self.tables.bytes()
    }

    async fn commit(&self, unit: Unit) -> AppResult<()> {
        let (writer, now) = (Writer::of(&unit.call), unit.call.now);
        let (tx, report) = unit.into_parts();
        let logged: BTreeSet<_> = report.events.iter().map(|event| event.workspace).collect();
        let audited = !report.audits.is_empty();
        tx.commit(Record { events: report.events, audits: report.audits }).await?;
        self.write_budget.add(writer, report.written, now);
        for queue in report.queues {
            self.signals.chore(queue);
        }
        for job in report.jobs {
            self.signals.job(job);
        }
        if !logged.is_empty() {
            self.signals.events(&logged);
        }
        if audited {
            self.signals.audits();
        }
        Ok(())
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("rules", &self.rules).finish_non_exhaustive()
    }
}
