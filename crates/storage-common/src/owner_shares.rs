//! How many views, and how many units, of one owner run at the same time.
//!
//! The store serves them in the order of their arrival. Without shares, somebody who sends many slow calls at once
//! would make everybody else wait for all of them.

use octavo_core_model::StoreError;
use octavo_ports::compute::WorkOwner;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, timeout_at},
};

/// How many views, and how many units, of one owner may wait. Their calls have places in the executor, which has
/// places for all owners together.
const MOST_WAITING: usize = 128;

type Owners = BTreeMap<WorkOwner, Arc<Semaphore>>;

/// Limits how many scopes of one owner run at the same time. Further ones wait, without a thread or a connection. The
/// work of the deployment itself has no limit: it comes in small parts, and must not wait behind itself.
#[derive(Debug)]
pub struct OwnerShares {
    most: usize,
    /// The owners with scopes that run now.
    owners: Mutex<Owners>,
}

/// Permission to run. The next scope of the same owner begins when this is dropped.
#[derive(Debug)]
pub struct OwnerPermit {
    permit: Option<OwnedSemaphorePermit>,
    owner: WorkOwner,
    shares: Arc<OwnerShares>,
}

/// Permission to have a snapshot: the one of its owner, and a place among those of all owners.
#[derive(Debug)]
pub struct SnapshotPlace {
    _own: OwnerPermit,
    _place: OwnedSemaphorePermit,
}

impl SnapshotPlace {
    pub const fn new(own: OwnerPermit, place: OwnedSemaphorePermit) -> Self {
        Self { _own: own, _place: place }
    }
}

impl OwnerShares {
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, owners: Mutex::default() })
    }

    /// Waits until the owner may run another scope. Refuses at once if too many of the owner are waiting.
    pub async fn wait(self: &Arc<Self>, owner: WorkOwner, deadline: Instant) -> Result<OwnerPermit, StoreError> {
        if owner == WorkOwner::Server {
            return Ok(OwnerPermit { permit: None, owner, shares: Arc::clone(self) });
        }
        let semaphore = {
            let mut owners = self.owners();
            let semaphore = owners.entry(owner).or_insert_with(|| Arc::new(Semaphore::new(self.most)));
            // One reference is that of the map; each scope that waits or runs has another one.
            if Arc::strong_count(semaphore) > self.most + MOST_WAITING {
                return Err(StoreError::Busy);
            }
            Arc::clone(semaphore)
        };
        // Created first, so that it also cleans up if this future is dropped while it waits.
        let mut running = OwnerPermit { permit: None, owner, shares: Arc::clone(self) };
        match timeout_at(deadline, semaphore.acquire_owned()).await {
            Ok(Ok(permit)) => running.permit = Some(permit),
            Ok(Err(_)) | Err(_) => return Err(StoreError::Busy),
        }
        Ok(running)
    }

    fn owners(&self) -> MutexGuard<'_, Owners> {
        self.owners.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OwnerPermit {
    fn drop(&mut self) {
        self.permit = None;
        let mut owners = self.shares.owners();
        // Each scope that waits or runs has another reference.
        if owners.get(&self.owner).is_some_and(|semaphore| Arc::strong_count(semaphore) == 1) {
            owners.remove(&self.owner);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use futures_util::FutureExt;
    use octavo_core_model::id::UserId;
    use std::time::Duration;

    fn person(number: u8) -> WorkOwner {
        WorkOwner::User(UserId::new(0, [number; 10]))
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(5)
    }

    #[tokio::test]
    async fn calls_beyond_the_share_of_an_owner_wait_and_others_do_not() {
        let shares = OwnerShares::new(2);
        let first = shares.wait(person(1), soon()).await.unwrap();
        let second = shares.wait(person(1), soon()).await.unwrap();
        let mut third = Box::pin(shares.wait(person(1), soon()));
        assert!(third.as_mut().now_or_never().is_none());
        let other = shares.wait(person(2), soon()).await.unwrap();
        drop(first);
        let third = third.await.unwrap();
        assert_eq!(shares.owners().len(), 2);
        drop((second, third, other));
        assert!(shares.owners().is_empty(), "nothing is kept for owners without calls");
    }

    #[tokio::test]
    async fn so_many_calls_of_an_owner_wait_and_no_more() {
        let shares = OwnerShares::new(1);
        let _first = shares.wait(person(1), soon()).await.unwrap();
        let mut waiting: Vec<_> = (0..MOST_WAITING).map(|_| Box::pin(shares.wait(person(1), soon()))).collect();
        assert!(waiting.iter_mut().all(|wait| wait.as_mut().now_or_never().is_none()));
        assert_eq!(shares.wait(person(1), soon()).await.unwrap_err(), StoreError::Busy);
        shares.wait(person(2), soon()).await.unwrap();
    }

    #[tokio::test]
    async fn a_call_that_is_given_up_leaves_nothing_behind() {
        let shares = OwnerShares::new(1);
        let first = shares.wait(person(1), soon()).await.unwrap();
        let mut second = Box::pin(shares.wait(person(1), soon()));
        assert!(second.as_mut().now_or_never().is_none());
        drop(first);
        drop(second);
        assert!(shares.owners().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_waits_until_its_deadline() {
        let shares = OwnerShares::new(1);
        let _first = shares.wait(person(1), soon()).await.unwrap();
        let deadline = soon();
        assert_eq!(shares.wait(person(1), deadline).await.unwrap_err(), StoreError::Busy);
        assert!(Instant::now() >= deadline);
    }

    #[tokio::test]
    async fn the_server_itself_has_no_limit() {
        let shares = OwnerShares::new(1);
        let _first = shares.wait(WorkOwner::Server, soon()).await.unwrap();
        shares.wait(WorkOwner::Server, soon()).now_or_never().unwrap().unwrap();
    }
}
