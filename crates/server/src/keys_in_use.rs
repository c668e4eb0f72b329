//! The idempotency keys that are in use now.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::OwnedMutexGuard;

type Locks = HashMap<[u8; 32], Arc<tokio::sync::Mutex<()>>>;

/// The keys of calls that are running on this node. The store decides about keys across nodes and restarts; this
/// recognises a duplicate of a running call before it waits for that call's locks.
#[derive(Clone, Debug, Default)]
pub struct KeysInUse(Arc<Mutex<Locks>>);

/// What happens to a call if another call with the same idempotency key is still running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duplicates {
    Refused,
    /// It waits and gets the same answer.
    Wait,
}

/// A key in use. Dropping this frees it.
#[derive(Debug)]
pub struct KeyLease {
    registry: KeysInUse,
    name: [u8; 32],
    guard: Option<OwnedMutexGuard<()>>,
}

impl KeysInUse {
    fn locks(&self) -> MutexGuard<'_, Locks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks a key as used by this call. Returns `None` if another call uses it, unless duplicates wait for that one
    /// to end.
    pub async fn lease(&self, principal: &str, key: &str, duplicates: Duplicates) -> Option<KeyLease> {
        let name = name(principal, key);
        let lock = Arc::clone(self.locks().entry(name).or_default());
        // Created before the wait, so that a caller that stops waiting leaves nothing behind.
        let mut lease = KeyLease { registry: self.clone(), name, guard: None };
        lease.guard = Some(match duplicates {
            Duplicates::Refused => lock.try_lock_owned().ok()?,
            Duplicates::Wait => lock.lock_owned().await,
        });
        Some(lease)
    }
}

impl Drop for KeyLease {
    fn drop(&mut self) {
        let mut locks = self.registry.locks();
        self.guard = None;
        // Every waiter holds the lock too; the last one removes it.
        if locks.get(&self.name).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            locks.remove(&self.name);
        }
    }
}

fn name(principal: &str, key: &str) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&(principal.len() as u64).to_le_bytes()).update(principal.as_bytes()).update(key.as_bytes());
    hasher.finalize().into()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[tokio::test]
    async fn one_call_holds_a_key_and_a_duplicate_is_refused_or_waits() {
        let registry = KeysInUse::default();
        let first = registry.lease("usr_1", "k", Duplicates::Refused).await.unwrap();
        assert!(registry.lease("usr_1", "k", Duplicates::Refused).await.is_none());
        assert!(registry.lease("usr_2", "k", Duplicates::Refused).await.is_some());
        let waiting = tokio::spawn({
            let registry = registry.clone();
            async move { registry.lease("usr_1", "k", Duplicates::Wait).await.is_some() }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        drop(first);
        assert!(waiting.await.unwrap());
        assert!(registry.locks().is_empty(), "a key that nobody uses takes no memory");
    }
}
