//! How many reads, and how many writes, of one owner run at the same time.
//!
//! The store serves them in the order of their arrival. Without shares, somebody who sends many slow ones at once would
//! make everybody else wait for all of them.

use octavo_core_model::StoreError;
use octavo_ports::compute::WorkOwner;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

/// How long a call waits for others of the same owner.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// How many calls of one owner may wait. Each of them has a place in the executor, which has places for all owners
/// together.
const MOST_WAITING: usize = 128;

type Owners = BTreeMap<WorkOwner, Arc<Semaphore>>;

/// Limits how many calls of one owner run at the same time. Further ones wait, without a thread or a connection.
#[derive(Debug)]
pub(crate) struct OwnerShares {
    most: usize,
    /// The owners with calls that run now.
    owners: Mutex<Owners>,
}

/// Permission to run. The next call of the same owner begins when this is dropped.
#[derive(Debug)]
pub(crate) struct OwnerPermit {
    permit: Option<OwnedSemaphorePermit>,
    owner: WorkOwner,
    shares: Arc<OwnerShares>,
}

impl OwnerShares {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, owners: Mutex::default() })
    }

    /// Waits until the owner may run another call. Refuses at once if too many calls of the owner are waiting.
    pub(crate) async fn wait(self: &Arc<Self>, owner: WorkOwner) -> Result<OwnerPermit, StoreError> {
        let semaphore = {
            let mut owners = self.owners();
            let semaphore = owners.entry(owner).or_insert_with(|| Arc::new(Semaphore::new(self.most)));
            // One reference is that of the map; each call that waits or runs has another one.
            if Arc::strong_count(semaphore) > self.most + MOST_WAITING {
                return Err(StoreError::Busy);
            }
            Arc::clone(semaphore)
        };
        // Created first, so that it also cleans up if this future is dropped while it waits.
        let mut running = OwnerPermit { permit: None, owner, shares: Arc::clone(self) };
        match timeout(LONGEST_WAIT, semaphore.acquire_owned()).await {
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
        // Each call that waits or runs has another reference.
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

    fn person(number: u8) -> WorkOwner {
        WorkOwner::User(UserId::new(0, [number; 10]))
    }

    #[tokio::test]
    async fn calls_beyond_the_share_of_an_owner_wait_and_others_do_not() {
        let shares = OwnerShares::new(2);
        let first = shares.wait(person(1)).await.unwrap();
        let second = shares.wait(person(1)).await.unwrap();
        let mut third = Box::pin(shares.wait(person(1)));
        assert!(third.as_mut().now_or_never().is_none());
        let other = shares.wait(person(2)).await.unwrap();
        drop(first);
        let third = third.await.unwrap();
        assert_eq!(shares.owners().len(), 2);
        drop((second, third, other));
        assert!(shares.owners().is_empty(), "nothing is kept for owners without calls");
    }

    #[tokio::test]
    async fn so_many_calls_of_an_owner_wait_and_no_more() {
        let shares = OwnerShares::new(1);
        let _first = shares.wait(person(1)).await.unwrap();
        let mut waiting: Vec<_> = (0..MOST_WAITING).map(|_| Box::pin(shares.wait(person(1)))).collect();
        assert!(waiting.iter_mut().all(|wait| wait.as_mut().now_or_never().is_none()));
        assert_eq!(shares.wait(person(1)).await.unwrap_err(), StoreError::Busy);
        shares.wait(person(2)).await.unwrap();
    }

    #[tokio::test]
    async fn a_call_that_is_given_up_leaves_nothing_behind() {
        let shares = OwnerShares::new(1);
        let first = shares.wait(person(1)).await.unwrap();
        let mut second = Box::pin(shares.wait(person(1)));
        assert!(second.as_mut().now_or_never().is_none());
        drop(first);
        drop(second);
        assert!(shares.owners().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_does_not_wait_for_ever() {
        let shares = OwnerShares::new(1);
        let _first = shares.wait(person(1)).await.unwrap();
        assert_eq!(shares.wait(person(1)).await.unwrap_err(), StoreError::Busy);
    }
}
