//! The store of Octavo, as use cases use it.

use super::row::entry;
use super::{CLIENTS, Contender, SerialNumbers, joined};
use crate::engine::{Database, refused, side_by_side, threads};
use crate::people;
use crate::sample::Round;
use anyhow::Result;
use octavo_ports::store::{Record, Store, StoreResult};
use octavo_storage::Options;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::sync::Notify;

pub(crate) struct ThroughStore {
    store: Arc<dyn Store>,
    runtime: Runtime,
    done: u64,
    /// Signalled after each commit, as in Octavo, so that numbering events is part of the measurement.
    signals: Arc<Notify>,
}

impl ThroughStore {
    /// Opens a new database and registers the users who will have sessions.
    pub(crate) fn open(database: &Database) -> Result<Self> {
        let runtime = threads()?;
        let store = runtime.block_on(async {
            let store = octavo_storage::open(&database.url, &Options::default()).await?;
            people::register(&store, 0..CLIENTS).await?;
            anyhow::Ok(store)
        })?;
        let signals = Arc::new(Notify::new());
        runtime.spawn(number_events(Arc::clone(&store), Arc::clone(&signals)));
        Ok(Self { store, runtime, done: 0, signals })
    }
}

async fn number_events(store: Arc<dyn Store>, signals: Arc<Notify>) {
    loop {
        signals.notified().await;
        while store.number_events().await.is_ok_and(|numbered| numbered.events > 0) {}
    }
}

impl Contender for ThroughStore {
    fn round(&mut self, time: Duration) -> Result<Round> {
        let started = Instant::now();
        let clients = (0..CLIENTS).map(|client| {
            let turns = SerialNumbers::of(client, self.done, started + time);
            insert(Arc::clone(&self.store), Arc::clone(&self.signals), turns)
        });
        let clients = self.runtime.block_on(side_by_side(clients))?;
        Ok(joined(started, clients, &mut self.done))
    }
}

async fn insert(store: Arc<dyn Store>, signals: Arc<Notify>, mut turns: SerialNumbers) -> Result<SerialNumbers> {
    while let Some((serial, since)) = turns.next() {
        insert_one(&*store, serial).await.map_err(refused)?;
        signals.notify_one();
        turns.done(since);
    }
    Ok(turns)
}

async fn insert_one(store: &dyn Store, serial: u64) -> StoreResult<()> {
    let (session, event) = entry(serial);
    let mut unit = store.writer().await?;
    unit.sessions().insert(&session).await?;
    unit.commit(Record { events: vec![event], audits: Vec::new() }).await
}
