//! The few connections for reading.

use super::{Conn, connection::Opener};
use diesel::connection::SimpleConnection;
use octavo_core_model::StoreError;
use octavo_storage_common::{OpenError, Options, faults::refusal};
use parking_lot::Mutex;
use std::{sync::Arc, time::Duration};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

#[derive(Debug)]
pub(crate) struct Readers {
    opener: Opener,
    /// As many permits as readers.
    permits: Arc<Semaphore>,
    most: usize,
    idle: Arc<Idle>,
    wait_timeout: Duration,
}

type Idle = Mutex<Stack>;

/// The most recently used reader is taken first: its cache is warm.
struct Stack(Vec<Conn>);

impl std::fmt::Debug for Stack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} idle", self.0.len())
    }
}

impl Readers {
    /// Opens the first reader immediately, so that an unreadable file is noticed at the start; the others are opened
    /// when needed.
    pub(crate) fn open(opener: Opener, options: &Options) -> Result<Self, OpenError> {
        let first = opener.reader()?;
        let most = options.readers.max(1);
        let permits = Arc::new(Semaphore::new(most));
        let idle = Arc::new(Mutex::new(Stack(vec![first])));
        Ok(Self { opener, permits, most, idle, wait_timeout: options.wait_timeout })
    }

    pub(crate) fn require_in_place(&self) -> Result<(), StoreError> {
        self.opener.presence().require()
    }

    /// How many readers are idle and how many are in use.
    pub(crate) fn count(&self) -> (u32, u32) {
        let idle = u32::try_from(self.idle.lock().0.len()).unwrap_or(u32::MAX);
        let used = u32::try_from(self.most.saturating_sub(self.permits.available_permits())).unwrap_or(u32::MAX);
        (idle, used)
    }

    /// Waits for a reader that is not in use.
    pub(crate) async fn acquire(&self) -> Result<Reader, StoreError> {
        self.opener.presence().require_lately()?;
        let permit = match timeout(self.wait_timeout, Arc::clone(&self.permits).acquire_owned()).await {
            Ok(Ok(permit)) => permit,
            Ok(Err(_)) => return Err(StoreError::Unavailable),
            Err(_) => return Err(StoreError::Busy),
        };
        let idle = self.idle.lock().0.pop();
        let conn = match idle {
            Some(conn) => conn,
            None => self.opener.reader().map_err(|error| {
                tracing::warn!(%error, "cannot open a reader");
                StoreError::Unavailable
            })?,
        };
        Ok(Reader { conn: Some(conn), idle: Arc::clone(&self.idle), sound: true, in_snapshot: false, _permit: permit })
    }
}

/// A reader in use. Dropping it returns it.
pub struct Reader {
    conn: Option<Conn>,
    idle: Arc<Idle>,
    /// False after an error: the file may have been replaced, or the disk may work again. A new connection finds out.
    sound: bool,
    /// Whether all statements see the same state of the file.
    in_snapshot: bool,
    /// Released after the connection is back, so that the next caller finds it.
    _permit: OwnedSemaphorePermit,
}

impl Reader {
    pub fn conn(&mut self) -> Option<&mut Conn> {
        self.sound = false;
        self.conn.as_mut()
    }

    /// From now on all statements see the state that the file has now. SQLite fixes it when it first reads.
    pub fn begin_snapshot(&mut self) -> Result<(), StoreError> {
        let conn = self.conn().ok_or(StoreError::Unavailable)?;
        conn.batch_execute("BEGIN; SELECT count(*) FROM sqlite_schema;").map_err(|error| refusal(&error))?;
        self.in_snapshot = true;
        self.statement_succeeded();
        Ok(())
    }

    pub fn statement_succeeded(&mut self) {
        self.sound = true;
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        if self.sound
            && let Some(mut conn) = self.conn.take()
            && (!self.in_snapshot || conn.batch_execute("ROLLBACK").is_ok())
        {
            self.idle.lock().0.push(conn);
        }
    }
}
