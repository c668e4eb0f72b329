//! Places for jobs that wait or run: a limited number in total and for each owner.

use octavo_ports::compute::WorkOwner;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// One owner may take one place of this many.
const SHARE: usize = 3;

#[derive(Debug)]
pub(super) struct Places {
    total: usize,
    taken: Mutex<BTreeMap<WorkOwner, usize>>,
}

/// A place that an owner has taken. It becomes free when it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    owner: WorkOwner,
    places: Arc<Places>,
}

impl Places {
    pub(super) fn new(total: usize) -> Arc<Self> {
        Arc::new(Self { total, taken: Mutex::default() })
    }

    /// `None` if all places, or all that this owner may have, are taken.
    pub(super) fn take_one(self: &Arc<Self>, owner: WorkOwner) -> Option<Place> {
        let mut taken = self.taken();
        let own = taken.get(&owner).copied().unwrap_or_default();
        if own >= self.most_of(owner) || taken.values().sum::<usize>() >= self.total {
            return None;
        }
        taken.insert(owner, own + 1);
        Some(Place { owner, places: Arc::clone(self) })
    }

    fn most_of(&self, owner: WorkOwner) -> usize {
        match owner {
            WorkOwner::User(_) | WorkOwner::Workspace(_) | WorkOwner::Network(_) | WorkOwner::Anonymous => {
                self.total.div_ceil(SHARE)
            }
            WorkOwner::Server => self.total,
        }
    }

    #[cfg(test)]
    pub(super) fn free(&self) -> usize {
        self.total - self.taken().values().sum::<usize>()
    }

    fn taken(&self) -> MutexGuard<'_, BTreeMap<WorkOwner, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.taken();
        if let Some(own) = taken.get_mut(&self.owner) {
            *own -= 1;
            if *own == 0 {
                taken.remove(&self.owner);
            }
        }
    }
}
