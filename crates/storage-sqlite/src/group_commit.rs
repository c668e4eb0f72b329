//! The one writer, whose units share commits.
//!
//! A unit is a savepoint of the one open transaction. Units get the writer slot one after the other, in the order in
//! which they asked. When nobody waits, or the group is full or old, the transaction commits, and every unit of the
//! group learns the outcome. So sixteen clients together wait for one flush of the disk.
//!
//! A unit that may take long begins alone: the open group commits first, so that nobody waits for a later unit.
//!
//! Its rules:
//! - Every unit is answered after the commit of its group, even if it was rolled back or changed nothing: it may have
//!   read what another unit of the group wrote.
//! - A full or failing disk can end the whole transaction silently, and the next statement would then commit by
//!   itself. This is noticed because releasing a savepoint fails. Then the group is lost: none of its units is
//!   acknowledged, and the connection is replaced.

use super::{Conn, connection::Opener};
use diesel::connection::SimpleConnection;
use octavo_core_model::StoreError;
use octavo_storage_common::{OpenError, Options, faults, write_turns::WriteTurn};
use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::{
    runtime::Handle,
    sync::{Mutex, OwnedMutexGuard, watch},
    task::JoinHandle,
    time::timeout,
};

/// How many units share one commit at most.
const LARGEST_GROUP: u32 = 64;
/// How long the first unit of a group waits for others at most. Tests decide themselves which units share a group,
/// however slow the machine is.
const LONGEST_GROUP: Duration = if cfg!(test) { Duration::from_mins(1) } else { Duration::from_millis(5) };

#[derive(Debug)]
pub(crate) struct Writer {
    slot: Arc<Mutex<WriterSlot>>,
    /// How many units wait for the writer slot.
    waiting: AtomicUsize,
    longest_queue: usize,
    wait_timeout: Duration,
}

/// What the holder of the slot writes through.
pub(crate) struct WriterSlot {
    opener: Opener,
    /// None after a failure, until the next unit opens a new one.
    conn: Option<Conn>,
    group: Option<Group>,
    groups_begun: u64,
}

/// The units since the last commit. There is a group exactly while a transaction is open.
struct Group {
    number: u64,
    units: u32,
    begun: Instant,
    outcome: watch::Sender<Option<GroupOutcome>>,
    flusher: JoinHandle<()>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GroupOutcome {
    Committed,
    Lost,
}

impl fmt::Debug for WriterSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = self.group.as_ref().map(|group| group.units);
        f.debug_struct("WriterSlot")
            .field("connected", &self.conn.is_some())
            .field("group", &units)
            .finish_non_exhaustive()
    }
}

impl Writer {
    pub(crate) fn open(opener: Opener, options: &Options) -> Result<Arc<Self>, OpenError> {
        let conn = opener.writer()?;
        let slot = WriterSlot { opener, conn: Some(conn), group: None, groups_begun: 0 };
        Ok(Arc::new(Self {
            slot: Arc::new(Mutex::new(slot)),
            waiting: AtomicUsize::new(0),
            longest_queue: options.writer_queue,
            wait_timeout: options.wait_timeout,
        }))
    }

    /// Begins a unit when it is its turn.
    pub(crate) async fn begin_unit(self: &Arc<Self>) -> Result<UnitWriter, StoreError> {
        let mut slot = self.queue().await?;
        slot.begin_unit(self)?;
        Ok(UnitWriter { slot: Some(slot), turn: None })
    }

    /// Like [`Self::begin_unit`], but no earlier unit waits for this one.
    pub(crate) async fn begin_unit_alone(self: &Arc<Self>) -> Result<UnitWriter, StoreError> {
        let mut slot = self.queue().await?;
        slot.end_group();
        slot.begin_unit(self)?;
        Ok(UnitWriter { slot: Some(slot), turn: None })
    }

    async fn queue(&self) -> Result<OwnedMutexGuard<WriterSlot>, StoreError> {
        let waiting = Waiting::join(&self.waiting);
        if waiting.before > self.longest_queue {
            return Err(StoreError::Busy);
        }
        timeout(self.wait_timeout, Arc::clone(&self.slot).lock_owned()).await.map_err(|_| StoreError::Busy)
    }

    /// Commits a group as soon as no other unit waits to join it.
    ///
    /// It queues like a unit, so units that already wait go first; if more have queued after it, it queues again.
    async fn flush(self: Arc<Self>, group: u64) {
        loop {
            let mut slot = Arc::clone(&self.slot).lock_owned().await;
            match &slot.group {
                Some(open) if open.number == group => {
                    if self.waiting.load(Ordering::SeqCst) == 0 || open.is_due() {
                        slot.end_group();
                        return;
                    }
                }
                _ => return,
            }
        }
    }
}

/// Counts a caller as waiting until its turn comes, its time is up, or it is dropped.
struct Waiting<'a> {
    count: &'a AtomicUsize,
    before: usize,
}

impl<'a> Waiting<'a> {
    fn join(count: &'a AtomicUsize) -> Self {
        Self { count, before: count.fetch_add(1, Ordering::SeqCst) }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Group {
    fn is_due(&self) -> bool {
        self.units >= LARGEST_GROUP || self.begun.elapsed() >= LONGEST_GROUP
    }
}

impl WriterSlot {
    fn begin_unit(&mut self, writer: &Arc<Writer>) -> Result<(), StoreError> {
        // A flusher ends early only if its runtime ends. Then the next unit commits the open group.
        if self.group.as_ref().is_some_and(|group| group.is_due() || group.flusher.is_finished()) {
            self.end_group();
        }
        if self.group.is_none() {
            self.begin_group(writer)?;
        }
        let began = self.run("SAVEPOINT unit");
        began.map_err(|_| {
            self.lose_group();
            StoreError::Unavailable
        })
    }

    fn begin_group(&mut self, writer: &Arc<Writer>) -> Result<(), StoreError> {
        self.opener.presence().require()?;
        if self.conn.is_none() {
            let opened = self.opener.writer().map_err(|error| {
                tracing::error!(%error, "cannot open the writer again");
                StoreError::Unavailable
            })?;
            self.conn = Some(opened);
        }
        // The runtime is needed before the transaction opens: without a flusher nobody would commit it.
        let runtime = Handle::try_current().map_err(|_| StoreError::Unavailable)?;
        // Takes the lock of the file immediately: a transaction that begins by reading could not write after another
        // process did.
        if let Err(error) = self.run("BEGIN IMMEDIATE") {
            let error = faults::store_error(&error);
            if error != StoreError::Busy {
                self.conn = None;
            }
            return Err(error);
        }
        self.groups_begun += 1;
        let number = self.groups_begun;
        let flusher = runtime.spawn(Arc::clone(writer).flush(number));
        self.group =
            Some(Group { number, units: 0, begun: Instant::now(), outcome: watch::Sender::new(None), flusher });
        Ok(())
    }

    /// Ends the current unit and returns a handle to the outcome of its group.
    fn end_unit(&mut self, sql: &'static str) -> Result<watch::Receiver<Option<GroupOutcome>>, StoreError> {
        if self.run(sql).is_ok()
            && let Some(group) = &mut self.group
        {
            group.units += 1;
            return Ok(group.outcome.subscribe());
        }
        self.lose_group();
        Err(StoreError::Unavailable)
    }

    fn end_group(&mut self) {
        let Some(group) = self.group.take() else { return };
        // The connection is taken out while it commits. If the commit panics, no connection remains that wrongly
        // seems to have no transaction.
        let committed = self.conn.take().is_some_and(|mut conn| {
            // If the file is gone from its place, the unit would be acknowledged and lost.
            let is_in_place = self.opener.presence().require().is_ok();
            let sql = if is_in_place { "COMMIT" } else { "ROLLBACK" };
            let ended = conn.batch_execute(sql).inspect_err(faults::note).is_ok();
            if ended {
                self.conn = Some(conn);
            }
            ended && is_in_place
        });
        group.outcome.send_replace(Some(if committed { GroupOutcome::Committed } else { GroupOutcome::Lost }));
    }

    /// Gives up the transaction and its connection: closing the connection rolls back whatever is open.
    fn lose_group(&mut self) {
        self.conn = None;
        if let Some(group) = self.group.take() {
            tracing::error!(units = group.units, "a transaction was lost; its units are refused");
            group.outcome.send_replace(Some(GroupOutcome::Lost));
        }
    }

    fn run(&mut self, sql: &'static str) -> diesel::QueryResult<()> {
        let conn = self.conn.as_mut().ok_or(diesel::result::Error::BrokenTransactionManager)?;
        conn.batch_execute(sql).inspect_err(faults::note)
    }
}

/// The writer slot, held by one unit. If this is dropped without an end, the unit is rolled back.
#[derive(Debug)]
pub struct UnitWriter {
    slot: Option<OwnedMutexGuard<WriterSlot>>,
    turn: Option<WriteTurn>,
}

const UNDO: &str = "ROLLBACK TO unit; RELEASE unit";

impl UnitWriter {
    /// Ends the turn together with the unit.
    pub fn in_turn(mut self, mut turn: WriteTurn) -> Self {
        turn.begin();
        self.turn = Some(turn);
        self
    }

    pub fn conn(&mut self) -> Option<&mut Conn> {
        self.slot.as_mut()?.conn.as_mut()
    }

    /// Returns once the change is durable.
    pub async fn commit(self) -> Result<(), StoreError> {
        self.end("RELEASE unit").await
    }

    /// Rolls the unit back. Returns once what it read is durable.
    pub async fn undo(self) -> Result<(), StoreError> {
        self.end(UNDO).await
    }

    async fn end(mut self, sql: &'static str) -> Result<(), StoreError> {
        let Some(mut slot) = self.slot.take() else { return Err(StoreError::Unavailable) };
        let mut outcome = slot.end_unit(sql)?;
        drop(slot);
        // Before the commit, which waits for the units of others.
        self.turn = None;
        // If the writer is dropped with an open group, the group's units never learn the outcome.
        match outcome.wait_for(Option::is_some).await.as_deref() {
            Ok(Some(GroupOutcome::Committed)) => Ok(()),
            Ok(_) | Err(_) => Err(StoreError::Unavailable),
        }
    }
}

impl Drop for UnitWriter {
    fn drop(&mut self) {
        if let Some(slot) = &mut self.slot {
            // Nobody waits for this result; after a failure the group is lost, and its other units learn that.
            let _ = slot.end_unit(UNDO);
        }
    }
}

#[cfg(test)]
#[path = "group_commit_tests.rs"]
mod tests;
