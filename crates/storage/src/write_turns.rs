//! Whose turn it is to run a long unit.
//!
//! Units that may take long take turns, and so do all units of owners whose recent unit took long. On SQLite one of
//! them at a time queues at the writer, so everybody else waits for one long unit at most, however many owners write
//! long ones. On PostgreSQL they have a part of the connections, so the rest is left for short units.

use octavo_core_model::StoreError;
use octavo_ports::{compute::WorkOwner, store::UnitLength};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, timeout_at},
};

/// A unit that takes longer is a long one. Short ones take a few milliseconds.
const LONG_UNIT: Duration = Duration::from_millis(100);

/// For how many times the length of a long unit its owner takes turns, and for how long at most. Somebody who imports
/// one document is soon as free as before.
const REMEMBERED_FACTOR: u32 = 200;
const LONGEST_REMEMBERED: Duration = Duration::from_mins(10);

#[derive(Debug)]
pub(crate) struct WriteTurns {
    /// As many permits as long units may run, or queue at the writer, at the same time.
    permits: Arc<Semaphore>,
    /// The owners of long units, and until when each of them takes turns.
    taking_turns_until: Mutex<BTreeMap<WorkOwner, Instant>>,
}

/// Permission to get the writer or a connection, and a measure of how long the unit then holds it.
#[derive(Debug)]
pub(crate) struct WriteTurn {
    turns: Arc<WriteTurns>,
    owner: WorkOwner,
    permit: Option<OwnedSemaphorePermit>,
    /// When the unit got the writer or its connection.
    began: Option<Instant>,
}

impl WriteTurns {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { permits: Arc::new(Semaphore::new(most)), taking_turns_until: Mutex::default() })
    }

    /// Waits until the unit may go on, at the latest until the deadline. Short units of most owners need not wait.
    pub(crate) async fn wait(
        self: &Arc<Self>,
        owner: WorkOwner,
        length: UnitLength,
        deadline: Instant,
    ) -> Result<WriteTurn, StoreError> {
        let permit = if length == UnitLength::MayBeLong || self.takes_turns(owner) {
            let turn = timeout_at(deadline, Arc::clone(&self.permits).acquire_owned()).await;
            Some(turn.ok().and_then(Result::ok).ok_or(StoreError::Busy)?)
        } else {
            None
        };
        Ok(WriteTurn { turns: Arc::clone(self), owner, permit, began: None })
    }

    fn takes_turns(&self, owner: WorkOwner) -> bool {
        self.lock_owners().get(&owner).is_some_and(|until| Instant::now() < *until)
    }

    fn lock_owners(&self) -> MutexGuard<'_, BTreeMap<WorkOwner, Instant>> {
        self.taking_turns_until.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl WriteTurn {
    /// Whether the unit has waited for its turn: it may be a long one.
    #[cfg(feature = "sqlite")]
    pub(crate) const fn takes_turns(&self) -> bool {
        self.permit.is_some()
    }

    /// Notes that the unit has the writer or its connection now.
    pub(crate) fn begin(&mut self) {
        self.began = Some(Instant::now());
    }
}

impl Drop for WriteTurn {
    /// Remembers the owner of a long unit, however the unit ended.
    fn drop(&mut self) {
        let length = self.began.map_or(Duration::ZERO, |began| began.elapsed());
        // The work of the deployment itself comes in small parts, and must not wait behind its users. Many people may
        // share a network.
        let takes_part = matches!(self.owner, WorkOwner::User(_) | WorkOwner::Workspace(_));
        if length < LONG_UNIT || !takes_part {
            return;
        }
        let now = Instant::now();
        let mut all = self.turns.lock_owners();
        all.retain(|_, until| now < *until);
        let until = now + (length * REMEMBERED_FACTOR).min(LONGEST_REMEMBERED);
        let known = all.entry(self.owner).or_insert(until);
        *known = until.max(*known);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use futures_util::FutureExt;
    use octavo_core_model::id::UserId;
    use tokio::time::advance;

    fn person(number: u8) -> WorkOwner {
        WorkOwner::User(UserId::new(0, [number; 10]))
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(5)
    }

    async fn write(turns: &Arc<WriteTurns>, owner: WorkOwner, length: Duration) {
        let mut turn = turns.wait(owner, UnitLength::Short, soon()).await.unwrap();
        turn.begin();
        advance(length).await;
    }

    #[tokio::test(start_paused = true)]
    async fn owners_of_long_units_wait_for_each_other_and_nobody_waits_for_two() {
        let turns = WriteTurns::new(1);
        write(&turns, person(1), LONG_UNIT).await;
        write(&turns, person(2), LONG_UNIT).await;
        write(&turns, person(3), LONG_UNIT / 2).await;
        let first = turns.wait(person(1), UnitLength::Short, soon()).await.unwrap();
        let mut second = Box::pin(turns.wait(person(2), UnitLength::Short, soon()));
        assert!(second.as_mut().now_or_never().is_none());
        turns.wait(person(3), UnitLength::Short, soon()).await.unwrap();
        turns.wait(person(4), UnitLength::Short, soon()).await.unwrap();
        drop(first);
        second.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_unit_that_may_be_long_takes_its_turn_whoever_its_owner_is() {
        let turns = WriteTurns::new(2);
        let long = |owner| turns.wait(owner, UnitLength::MayBeLong, soon());
        let first = long(person(1)).await.unwrap();
        let _second = long(person(2)).await.unwrap();
        let mut third = Box::pin(long(person(3)));
        assert!(third.as_mut().now_or_never().is_none());
        turns.wait(person(3), UnitLength::Short, soon()).await.unwrap();
        turns.wait(person(1), UnitLength::Short, soon()).await.unwrap();
        drop(first);
        third.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_turn_comes_within_seconds_or_is_refused() {
        let turns = WriteTurns::new(1);
        write(&turns, person(1), LONG_UNIT).await;
        let _first = turns.wait(person(1), UnitLength::Short, soon()).await.unwrap();
        assert_eq!(turns.wait(person(1), UnitLength::Short, soon()).await.unwrap_err(), StoreError::Busy);
    }

    #[tokio::test(start_paused = true)]
    async fn a_long_unit_is_forgotten_after_a_while() {
        let turns = WriteTurns::new(1);
        write(&turns, person(1), LONG_UNIT).await;
        let _first = turns.wait(person(1), UnitLength::Short, soon()).await.unwrap();
        advance(LONG_UNIT * REMEMBERED_FACTOR).await;
        turns.wait(person(1), UnitLength::Short, soon()).await.unwrap();
        write(&turns, person(2), Duration::from_mins(1)).await;
        advance(LONGEST_REMEMBERED).await;
        write(&turns, person(3), LONG_UNIT).await;
        assert_eq!(turns.lock_owners().len(), 1, "the others are forgotten");
    }

    #[tokio::test(start_paused = true)]
    async fn only_the_time_in_which_a_unit_writes_counts() {
        let turns = WriteTurns::new(1);
        let mut waited = turns.wait(person(1), UnitLength::Short, soon()).await.unwrap();
        advance(LONG_UNIT).await;
        waited.begin();
        drop(waited);
        write(&turns, WorkOwner::Server, LONG_UNIT).await;
        write(&turns, WorkOwner::Anonymous, LONG_UNIT).await;
        assert!(turns.lock_owners().is_empty());
    }
}
