//! The store itself: opens views and units, and reports its state.

use super::{
    Conn, Scope, consumers,
    dialect::{self, Engine, RunQueryDsl, ScopeConnection},
    seals,
};
use crate::{
    Options,
    faults::refusal,
    migrations::Expected,
    owner_shares::{OwnerShares, SnapshotPlace},
    prepared::Prepare,
    schema::{__diesel_schema_migrations as migrations, chores, heartbeats},
    stored::Stored,
    write_turns::WriteTurns,
};
use async_trait::async_trait;
use diesel::{
    dsl::{count_star, max, min},
    prelude::*,
};
use octavo_core_model::{StoreError, Timestamp, chore::Queue};
use octavo_ports::{
    compute::WorkOwner,
    store::{NumberedEvents, Reads, Store, StoreHealth, StoreResult, Transaction, UnitLength},
};
use std::{sync::Arc, time::Duration};
use tokio::{
    sync::Semaphore,
    time::{Instant, timeout_at},
};

#[derive(Debug)]
pub(crate) struct EngineStore {
    engine: Engine,
    expected: Expected,
    views: Arc<OwnerShares>,
    /// An owner has one snapshot at a time.
    snapshots: Arc<OwnerShares>,
    /// The snapshots of all owners together, which leave connections to short views.
    snapshot_places: Arc<Semaphore>,
    units: Arc<OwnerShares>,
    turns: Arc<WriteTurns>,
    wait_timeout: Duration,
}

impl EngineStore {
    pub(crate) fn new(engine: Engine, expected: Expected, options: &Options) -> Self {
        Self {
            engine,
            expected,
            views: OwnerShares::new(dialect::views_of_owner(options)),
            snapshots: OwnerShares::new(1),
            snapshot_places: Arc::new(Semaphore::new(dialect::snapshots(options))),
            units: OwnerShares::new(dialect::units_of_owner(options)),
            turns: WriteTurns::new(dialect::turn_limits(options)),
            wait_timeout: options.wait_timeout,
        }
    }

    async fn record_heartbeat(&self, now: Timestamp) -> StoreResult<()> {
        let mut connection = self.engine.unit().await?;
        let beaten = write_heartbeat(connection.conn().await?, now).await;
        match beaten {
            Ok(()) => connection.commit().await,
            Err(error) => Err(refusal(&error)),
        }
    }

    async fn look(&self, now: Timestamp) -> StoreResult<StoreHealth> {
        self.engine.require_in_place()?;
        let mut connection: ScopeConnection = self.engine.view().await?;
        let seen = look(connection.conn().await?, &self.expected, now).await;
        seen.inspect(|_| connection.statement_succeeded()).map_err(|error| refusal(&error))
    }
}

#[async_trait]
impl Store for EngineStore {
    async fn reader_for(&self, owner: WorkOwner) -> StoreResult<Box<dyn Reads>> {
        let permit = self.views.wait(owner, Instant::now() + self.wait_timeout).await?;
        Ok(Box::new(Scope::new(self.engine.view().await?, permit)))
    }

    async fn snapshot_for(&self, owner: WorkOwner) -> StoreResult<Box<dyn Reads>> {
        let deadline = Instant::now() + self.wait_timeout;
        let own = self.snapshots.wait(owner, deadline).await?;
        let place = timeout_at(deadline, Arc::clone(&self.snapshot_places).acquire_owned()).await;
        let place = place.map_err(|_| StoreError::Busy)?.map_err(|_| StoreError::Unavailable)?;
        let permit = self.views.wait(owner, deadline).await?;
        let scope = Scope::new(self.engine.snapshot().await?, permit);
        Ok(Box::new(scope.in_place(SnapshotPlace::new(own, place))))
    }

    async fn writer_for(&self, owner: WorkOwner, length: UnitLength) -> StoreResult<Box<dyn Transaction>> {
        let deadline = Instant::now() + self.wait_timeout;
        let own_turn = self.turns.wait_for_own(owner, length, deadline).await?;
        let permit = self.units.wait(owner, deadline).await?;
        let turn = self.turns.wait(own_turn, deadline).await?;
        Ok(Box::new(Scope::new(self.engine.unit_by(deadline, turn).await?, permit)))
    }

    async fn number_events(&self) -> StoreResult<NumberedEvents> {
        self.engine.number_events().await
    }

    async fn seal_audits(&self) -> StoreResult<usize> {
        seals::seal_audits(&self.engine).await
    }

    async fn health(&self, now: Timestamp) -> StoreHealth {
        let Ok(seen) = self.look(now).await else { return StoreHealth::default() };
        let (connections_idle, connections_used) = self.engine.connections();
        StoreHealth { writable: self.record_heartbeat(now).await.is_ok(), connections_idle, connections_used, ..seen }
    }
}

async fn write_heartbeat(conn: &mut Conn, now: Timestamp) -> QueryResult<()> {
    diesel::insert_into(heartbeats::table)
        .values((heartbeats::id.eq(1), heartbeats::at.eq(now.millis())))
        .on_conflict(heartbeats::id)
        .do_update()
        .set(heartbeats::at.eq(now.millis()))
        .prepared()
        .execute(conn)
        .await
        .map(drop)
}

async fn look(conn: &mut Conn, expected: &Expected, now: Timestamp) -> QueryResult<StoreHealth> {
    let newest = migrations::table.select(max(migrations::version)).get_result::<Option<String>>(conn).await?;
    let oldest_event = dialect::oldest_unnumbered_event(conn).await?;
    let queues = chores::table.group_by(chores::queue).select((chores::queue, count_star(), min(chores::due_at)));
    let queues: Vec<(String, i64, Option<i64>)> = queues.load(conn).await?;
    // Queues that only a newer release knows do not concern this node.
    let mut oldest_chore = None;
    let mut jobs_queued = [0; Queue::ALL.len()];
    for (queue, queued) in Queue::ALL.iter().zip(&mut jobs_queued) {
        if let Some((_, count, due)) = queues.iter().find(|(name, ..)| name == queue.name()) {
            *queued = count.unsigned_abs();
            oldest_chore = [oldest_chore, *due].into_iter().flatten().min();
        }
    }
    let (consumer_lag_millis, events_set_aside) = consumers::backlog(conn, now).await?;
    let lag = |since: Option<i64>| since.map_or(0, |since| now.millis().saturating_sub(since).max(0).unsigned_abs());
    Ok(StoreHealth {
        database: true,
        migrations: expected.is_reached_by(newest.as_deref()),
        writable: false,
        event_lag_millis: lag(oldest_event),
        job_lag_millis: lag(oldest_chore),
        jobs_queued,
        consumer_lag_millis,
        events_set_aside,
        ..StoreHealth::default()
    })
}

/// When the next chore of a queue is due.
pub(super) async fn next_due(conn: &mut Conn, queue: Queue) -> QueryResult<Option<i64>> {
    chores::table.filter(chores::queue.eq(Stored(queue))).select(min(chores::due_at)).get_result(conn).await
}
