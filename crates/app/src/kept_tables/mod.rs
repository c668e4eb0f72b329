//! The tables of records that are in memory, up to a number of bytes. `record_tables` loads them and keeps them current.
//! What queries compute while they run counts as well, and has precedence: tables are forgotten to make room for it.

mod working;

pub(crate) use working::WorkingMemory;

use futures_util::{
    future::select_all,
    lock::{Mutex as Turn, MutexGuard as TurnGuard},
};
use octavo_core_model::{
    Timestamp,
    id::{DatabaseId, WorkspaceId},
};
use octavo_ports::compute::WorkOwner;
use octavo_query_engine::Table;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

/// How many large tables are loaded at once. A table needs its memory while it is loaded, whether it is kept or not.
const LARGE_LOADS: usize = 4;

/// Whose table it is.
pub(crate) type Key = (WorkspaceId, DatabaseId);

/// A table, and which state of the database it shows.
#[derive(Clone, Debug)]
pub(crate) struct KeptTable {
    pub(crate) table: Arc<Table>,
    /// The version of the schema whose columns it has.
    pub(crate) schema_version: i64,
    /// The epoch of the database when the table was loaded.
    pub(crate) epoch: i64,
    /// The number of the last event whose change is in the table.
    pub(crate) up_to: i64,
    /// When the log was read for it.
    pub(crate) as_of: Timestamp,
}

/// The tables in memory.
#[derive(Debug)]
pub(crate) struct KeptTables {
    most_bytes: u64,
    tables: Mutex<Tables>,
    large_loads: [Turn<()>; LARGE_LOADS],
}

#[derive(Debug, Default)]
struct Tables {
    kept: BTreeMap<Key, Entry>,
    bytes: u64,
    /// How many bytes running queries hold besides the tables, all together and for each owner.
    working: u64,
    working_of: BTreeMap<WorkOwner, u64>,
    /// Raised by each use, so that the table that was not used for longest can be found.
    uses: u64,
    /// One turn for each table that is being loaded.
    loading: BTreeMap<Key, Weak<Turn<()>>>,
}

#[derive(Debug)]
struct Entry {
    table: KeptTable,
    bytes: u64,
    last_use: u64,
}

impl KeptTables {
    pub(crate) fn new(most_bytes: u64) -> Self {
        Self { most_bytes, tables: Mutex::default(), large_loads: Default::default() }
    }

    /// The table of a database, if it is in memory.
    pub(crate) fn get(&self, key: Key) -> Option<KeptTable> {
        let mut tables = self.tables();
        tables.uses += 1;
        let now = tables.uses;
        let entry = tables.kept.get_mut(&key)?;
        entry.last_use = now;
        Some(entry.table.clone())
    }

    /// Keeps a table, unless a newer one is kept. Forgets those that were not used for longest until all fit; one that
    /// is too large by itself is not kept.
    pub(crate) fn put(&self, key: Key, table: KeptTable) {
        let bytes = table.table.memory() + table.table.computed_memory();
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let mut tables = self.tables();
        if tables.kept.get(&key).is_some_and(|entry| entry.table.is_newer_than(&table)) {
            return;
        }
        tables.forget(key);
        let room = self.most_bytes - tables.working;
        if bytes > room {
            return;
        }
        tables.shrink(room - bytes);
        tables.uses += 1;
        let last_use = tables.uses;
        tables.bytes += bytes;
        tables.kept.insert(key, Entry { table, bytes, last_use });
    }

    /// The turn to load a table: whoever holds it loads, and others wait and then find the table.
    pub(crate) fn turn(&self, key: Key) -> Arc<Turn<()>> {
        let mut tables = self.tables();
        if let Some(turn) = tables.loading.get(&key).and_then(Weak::upgrade) {
            return turn;
        }
        tables.loading.retain(|_, turn| turn.strong_count() > 0);
        let turn = Arc::new(Turn::new(()));
        tables.loading.insert(key, Arc::downgrade(&turn));
        turn
    }

    /// Waits until a large table may be loaded, which is until the guard is dropped.
    pub(crate) async fn large_load(&self) -> TurnGuard<'_, ()> {
        let turns = self.large_loads.iter().map(Turn::lock);
        let (guard, _, _) = select_all(turns).await;
        guard
    }

    /// How many bytes the tables take, and what running queries compute.
    pub(crate) fn bytes(&self) -> u64 {
        let tables = self.tables();
        tables.bytes + tables.working
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tables {
    /// Forgets the least recently used tables until the others take at most this much.
    fn shrink(&mut self, most: u64) {
        while self.bytes > most {
            let Some((oldest, _)) = self.kept.iter().min_by_key(|(_, entry)| entry.last_use) else { break };
            let oldest = *oldest;
            self.forget(oldest);
        }
    }

    fn forget(&mut self, key: Key) {
        if let Some(entry) = self.kept.remove(&key) {
            self.bytes -= entry.bytes;
        }
    }
}

impl KeptTable {
    fn is_newer_than(&self, other: &Self) -> bool {
        (self.epoch, self.up_to) > (other.epoch, other.up_to)
    }
}
