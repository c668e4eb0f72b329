//! Whose turn it is to run a long unit.
//!
//! Units that may take long take turns, and so do all units of owners whose recent unit took long. On SQLite one of
//! them at a time queues at the writer, so everybody else waits for one long unit at most, however many owners write
//! long ones. On PostgreSQL they have a part of the connections, so the rest is left for short units.
//!
//! Units that announce themselves as long have two more limits. On PostgreSQL at most two of them run at the same time:
//! on a few cores, several heavy statements would all reach their time limit. And each owner has one of them that runs
//! or queues. The owner's next one joins the end of the queue afterwards, so others wait for one of each owner at most.

use crate::owner_shares::{OwnerPermit, OwnerShares};
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

/// How many units may have a turn at the same time.
#[derive(Clone, Copy, Debug)]
pub struct TurnLimits {
    pub all: usize,
    /// Those among them that announced themselves as long.
    pub announced: usize,
}

#[derive(Debug)]
pub struct WriteTurns {
    /// As many permits as units may have a turn at the same time.
    all: Arc<Semaphore>,
    /// As many permits as announced units may have a turn at the same time.
    announced: Arc<Semaphore>,
    /// One announced unit of each owner.
    announced_of_owners: Arc<OwnerShares>,
    /// The owners of long units, and until when each of them takes turns.
    taking_turns_until: Mutex<BTreeMap<WorkOwner, Instant>>,
}

/// The turn of a unit among the units of its owner.
#[derive(Debug)]
pub struct OwnTurn {
    owner: WorkOwner,
    /// None if the unit did not announce itself as long.
    announced: Option<OwnerPermit>,
}

/// Permission to get the writer or a connection, and a measure of how long the unit then holds it.
#[derive(Debug)]
pub struct WriteTurn {
    turns: Arc<WriteTurns>,
    own: OwnTurn,
    permit: Option<OwnedSemaphorePermit>,
    _announced: Option<OwnedSemaphorePermit>,
    /// When the unit got the writer or its connection.
    began: Option<Instant>,
}

impl WriteTurns {
    pub fn new(limits: TurnLimits) -> Arc<Self> {
        Arc::new(Self {
            all: Arc::new(Semaphore::new(limits.all)),
            announced: Arc::new(Semaphore::new(limits.announced)),
            announced_of_owners: OwnerShares::new(1),
            taking_turns_until: Mutex::default(),
        })
    }

    /// Waits until no other announced unit of the owner runs or queues, at the latest until the deadline. This comes
    /// before the unit has a part of its owner's share, so that short units of the owner need not wait too.
    pub async fn wait_for_own(
        &self,
        owner: WorkOwner,
        length: UnitLength,
        deadline: Instant,
    ) -> Result<OwnTurn, StoreError> {
        let announced = match length {
            UnitLength::Short => None,
            UnitLength::MayBeLong => Some(self.announced_of_owners.wait(owner, deadline).await?),
        };
        Ok(OwnTurn { owner, announced })
    }

    /// Waits until the unit may go on, at the latest until the deadline. Short units of most owners need not wait.
    pub async fn wait(self: &Arc<Self>, own: OwnTurn, deadline: Instant) -> Result<WriteTurn, StoreError> {
        let is_announced = own.announced.is_some();
        let announced = if is_announced { Some(acquire(&self.announced, deadline).await?) } else { None };
        let takes_turns = is_announced || self.takes_turns(own.owner);
        let permit = if takes_turns { Some(acquire(&self.all, deadline).await?) } else { None };
        Ok(WriteTurn { turns: Arc::clone(self), own, permit, _announced: announced, began: None })
    }

    fn takes_turns(&self, owner: WorkOwner) -> bool {
        self.lock_owners().get(&owner).is_some_and(|until| Instant::now() < *until)
    }

    fn lock_owners(&self) -> MutexGuard<'_, BTreeMap<WorkOwner, Instant>> {
        self.taking_turns_until.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn acquire(permits: &Arc<Semaphore>, deadline: Instant) -> Result<OwnedSemaphorePermit, StoreError> {
    let permit = timeout_at(deadline, Arc::clone(permits).acquire_owned()).await;
    permit.ok().and_then(Result::ok).ok_or(StoreError::Busy)
}

impl WriteTurn {
    /// Whether the unit has waited for its turn: it may be a long one.
    pub const fn takes_turns(&self) -> bool {
        self.permit.is_some()
    }

    /// Notes that the unit has the writer or its connection now.
    pub fn begin(&mut self) {
        self.began = Some(Instant::now());
    }
}

impl Drop for WriteTurn {
    /// Remembers the owner of a long unit, however the unit ended.
    fn drop(&mut self) {
        let length = self.began.map_or(Duration::ZERO, |began| began.elapsed());
        // The work of the deployment itself comes in small parts, and must not wait behind its users. Many people may
        // share a network.
        let takes_part = matches!(self.own.owner, WorkOwner::User(_) | WorkOwner::Workspace(_));
        if length < LONG_UNIT || !takes_part {
            return;
        }
        let now = Instant::now();
        let mut all = self.turns.lock_owners();
        all.retain(|_, until| now < *until);
        let until = now + (length * REMEMBERED_FACTOR).min(LONGEST_REMEMBERED);
        let known = all.entry(self.own.owner).or_insert(until);
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

    /// Turns for one unit after the other, as on SQLite.
    fn one_by_one() -> Arc<WriteTurns> {
        WriteTurns::new(TurnLimits { all: 1, announced: 1 })
    }

    async fn turn(turns: &Arc<WriteTurns>, owner: WorkOwner, length: UnitLength) -> Result<WriteTurn, StoreError> {
        let own = turns.wait_for_own(owner, length, soon()).await?;
        turns.wait(own, soon()).await
    }

    async fn short(turns: &Arc<WriteTurns>, owner: WorkOwner) -> Result<WriteTurn, StoreError> {
        turn(turns, owner, UnitLength::Short).await
    }

    async fn announced(turns: &Arc<WriteTurns>, owner: WorkOwner) -> Result<WriteTurn, StoreError> {
        turn(turns, owner, UnitLength::MayBeLong).await
    }

    async fn write(turns: &Arc<WriteTurns>, owner: WorkOwner, length: Duration) {
        let mut turn = short(turns, owner).await.unwrap();
        turn.begin();
        advance(length).await;
    }

    #[tokio::test(start_paused = true)]
    async fn owners_of_long_units_wait_for_each_other_and_nobody_waits_for_two() {
        let turns = one_by_one();
        write(&turns, person(1), LONG_UNIT).await;
        write(&turns, person(2), LONG_UNIT).await;
        write(&turns, person(3), LONG_UNIT / 2).await;
        let first = short(&turns, person(1)).await.unwrap();
        let mut second = Box::pin(short(&turns, person(2)));
        assert!(second.as_mut().now_or_never().is_none());
        short(&turns, person(3)).await.unwrap();
        short(&turns, person(4)).await.unwrap();
        drop(first);
        second.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_unit_that_may_be_long_takes_its_turn_whoever_its_owner_is() {
        let turns = WriteTurns::new(TurnLimits { all: 2, announced: 2 });
        let first = announced(&turns, person(1)).await.unwrap();
        let _second = announced(&turns, person(2)).await.unwrap();
        let mut third = Box::pin(announced(&turns, person(3)));
        assert!(third.as_mut().now_or_never().is_none());
        short(&turns, person(3)).await.unwrap();
        short(&turns, person(1)).await.unwrap();
        drop(first);
        third.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn announced_units_leave_turns_to_owners_whose_unit_was_long() {
        let turns = WriteTurns::new(TurnLimits { all: 2, announced: 1 });
        write(&turns, person(1), LONG_UNIT).await;
        let first = announced(&turns, person(2)).await.unwrap();
        let mut second = Box::pin(announced(&turns, person(3)));
        assert!(second.as_mut().now_or_never().is_none());
        let _short = short(&turns, person(1)).now_or_never().unwrap().unwrap();
        drop(first);
        second.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn an_owner_with_many_announced_units_has_one_at_a_time() {
        let turns = WriteTurns::new(TurnLimits { all: 2, announced: 2 });
        let first = announced(&turns, person(1)).await.unwrap();
        let mut next = Box::pin(announced(&turns, person(1)));
        assert!(next.as_mut().now_or_never().is_none());
        let _other = announced(&turns, person(2)).now_or_never().unwrap().unwrap();
        drop(first);
        next.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn other_owners_wait_for_one_announced_unit_of_an_owner_with_many() {
        let turns = one_by_one();
        let first = announced(&turns, person(1)).await.unwrap();
        let mut next: Vec<_> = (0..3).map(|_| Box::pin(announced(&turns, person(1)))).collect();
        assert!(next.iter_mut().all(|unit| unit.as_mut().now_or_never().is_none()));
        let mut other = Box::pin(announced(&turns, person(2)));
        assert!(other.as_mut().now_or_never().is_none());
        drop(first);
        assert!(next.iter_mut().all(|unit| unit.as_mut().now_or_never().is_none()));
        drop(other.now_or_never().unwrap().unwrap());
        assert!(next.iter_mut().any(|unit| unit.as_mut().now_or_never().is_some()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_turn_comes_within_seconds_or_is_refused() {
        let turns = one_by_one();
        write(&turns, person(1), LONG_UNIT).await;
        let _first = short(&turns, person(1)).await.unwrap();
        assert_eq!(short(&turns, person(1)).await.unwrap_err(), StoreError::Busy);
    }

    #[tokio::test(start_paused = true)]
    async fn an_announced_unit_waits_until_its_deadline() {
        let turns = one_by_one();
        let _first = announced(&turns, person(1)).await.unwrap();
        for owner in [person(1), person(2)] {
            let deadline = soon();
            assert_eq!(announced(&turns, owner).await.unwrap_err(), StoreError::Busy);
            assert!((deadline..deadline + Duration::from_secs(1)).contains(&Instant::now()));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_long_unit_is_forgotten_after_a_while() {
        let turns = one_by_one();
        write(&turns, person(1), LONG_UNIT).await;
        let _first = short(&turns, person(1)).await.unwrap();
        advance(LONG_UNIT * REMEMBERED_FACTOR).await;
        short(&turns, person(1)).await.unwrap();
        write(&turns, person(2), Duration::from_mins(1)).await;
        advance(LONGEST_REMEMBERED).await;
        write(&turns, person(3), LONG_UNIT).await;
        assert_eq!(turns.lock_owners().len(), 1, "the others are forgotten");
    }

    #[tokio::test(start_paused = true)]
    async fn only_the_time_in_which_a_unit_writes_counts() {
        let turns = one_by_one();
        let mut waited = short(&turns, person(1)).await.unwrap();
        advance(LONG_UNIT).await;
        waited.begin();
        drop(waited);
        write(&turns, WorkOwner::Server, LONG_UNIT).await;
        write(&turns, WorkOwner::Anonymous, LONG_UNIT).await;
        assert!(turns.lock_owners().is_empty());
    }
}
