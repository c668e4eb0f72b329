//! A limited amount that owners share, such as places in a queue or bytes of memory.

use octavo_ports::compute::WorkOwner;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// An owner may take one of this many parts.
pub(crate) const PARTS: u64 = 3;

/// The whole amount, and how much of it each owner has taken. Only the server itself may take all of it.
#[derive(Debug)]
pub struct Quota {
    total: u64,
    /// How much one owner may take.
    part: u64,
    taken: Mutex<BTreeMap<WorkOwner, u64>>,
}

/// An amount that an owner has taken. Dropping it returns it.
#[derive(Debug)]
pub struct QuotaShare {
    owner: WorkOwner,
    amount: u64,
    quota: Arc<Quota>,
}

impl Quota {
    pub fn new(total: u64) -> Arc<Self> {
        Self::with_part(total, total.div_ceil(PARTS))
    }

    /// A quota of which each owner may take `part`.
    pub(crate) fn with_part(total: u64, part: u64) -> Arc<Self> {
        Arc::new(Self { total, part, taken: Mutex::default() })
    }

    /// Takes an amount, or nothing if that would be more than is left for this owner. An owner that has taken nothing may
    /// exceed its part, and anybody may exceed the whole quota while nothing is taken: otherwise a larger amount could
    /// never be taken.
    pub fn take(self: &Arc<Self>, owner: WorkOwner, amount: u64) -> Option<QuotaShare> {
        let mut taken = self.taken();
        let own = taken.get(&owner).copied().unwrap_or_default();
        if !self.fits(owner, own, sum(&taken), amount) {
            return None;
        }
        taken.insert(owner, own.saturating_add(amount));
        Some(QuotaShare { owner, amount, quota: Arc::clone(self) })
    }

    /// Replaces the amount that an owner has taken by this one. A smaller amount always fits. If a larger one does not
    /// fit, nothing changes, and this returns false. What is held must be of the same owner and quota.
    pub fn exchange(self: &Arc<Self>, held: &mut Option<QuotaShare>, owner: WorkOwner, amount: u64) -> bool {
        if let Some(share) = held {
            debug_assert_eq!(share.owner, owner, "an amount stays with the owner that took it");
            debug_assert!(Arc::ptr_eq(&share.quota, self), "an amount stays in its quota");
            return share.change_to(amount);
        }
        *held = self.take(owner, amount);
        held.is_some()
    }

    /// Whether there is room for this amount beside what the owner and all owners together have taken.
    const fn fits(&self, owner: WorkOwner, own: u64, all: u64, amount: u64) -> bool {
        let fits_owner = own == 0 || own.saturating_add(amount) <= self.most_of(owner);
        let fits_all = all == 0 || all.saturating_add(amount) <= self.total;
        fits_owner && fits_all
    }

    /// How much all owners together have taken.
    pub fn used(&self) -> u64 {
        sum(&self.taken())
    }

    const fn most_of(&self, owner: WorkOwner) -> u64 {
        match owner {
            WorkOwner::User(_) | WorkOwner::Workspace(_) | WorkOwner::Network(_) | WorkOwner::Anonymous => self.part,
            WorkOwner::Server => self.total,
        }
    }

    fn taken(&self) -> MutexGuard<'_, BTreeMap<WorkOwner, u64>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl QuotaShare {
    pub(crate) const fn amount(&self) -> u64 {
        self.amount
    }

    fn change_to(&mut self, amount: u64) -> bool {
        let mut taken = self.quota.taken();
        let others = taken.get(&self.owner).copied().unwrap_or_default().saturating_sub(self.amount);
        let all = sum(&taken).saturating_sub(self.amount);
        if amount > self.amount && !self.quota.fits(self.owner, others, all, amount) {
            return false;
        }
        taken.insert(self.owner, others.saturating_add(amount));
        self.amount = amount;
        true
    }
}

fn sum(taken: &BTreeMap<WorkOwner, u64>) -> u64 {
    taken.values().fold(0, |sum, amount| sum.saturating_add(*amount))
}

impl Drop for QuotaShare {
    fn drop(&mut self) {
        let mut taken = self.quota.taken();
        if let Some(own) = taken.get_mut(&self.owner) {
            *own = own.saturating_sub(self.amount);
            if *own == 0 {
                taken.remove(&self.owner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use octavo_core_model::id::UserId;
    use proptest::prelude::*;

    fn person(number: u8) -> WorkOwner {
        WorkOwner::User(UserId::new(0, [number; 10]))
    }

    #[test]
    fn one_owner_gets_a_third_and_the_server_everything() {
        let quota = Quota::new(9);
        let first = [quota.take(person(1), 2), quota.take(person(1), 1)];
        assert!(first.iter().all(Option::is_some));
        assert!(quota.take(person(1), 1).is_none());
        let others = quota.take(WorkOwner::Server, 6);
        assert!(others.is_some() && quota.take(person(2), 1).is_none(), "all is taken");
        drop(first);
        assert!(quota.take(person(2), 3).is_some());
    }

    #[test]
    fn a_larger_amount_can_be_taken_if_nothing_else_is() {
        let quota = Quota::new(9);
        let large = quota.take(person(1), 5);
        assert!(large.is_some(), "more than a third");
        assert!(quota.take(person(1), 1).is_none());
        assert!(quota.take(person(2), 10).is_none(), "more than everything");
        drop(large);
        let whole = quota.take(person(2), 10);
        assert!(whole.is_some() && quota.take(person(1), 1).is_none());
    }

    #[test]
    fn an_amount_can_always_shrink_but_grows_only_into_free_room() {
        let quota = Quota::new(9);
        let mut first = quota.take(person(1), 8).unwrap();
        let second = quota.take(person(2), 1).unwrap();
        assert!(!first.change_to(9));
        assert_eq!(quota.used(), 9);
        assert!(first.change_to(5), "still more than a third");
        assert!(first.change_to(6), "it is all that this person has");
        assert_eq!(quota.used(), 7);
        drop(first);
        assert_eq!(quota.used(), 1);
        drop(second);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_or_taken_twice(steps in prop::collection::vec((0..4u8, 0..40u64, any::<bool>()), 1..80)) {
            let quota = Quota::new(90);
            let mut held = Vec::new();
            for (owner, amount, gives_back) in steps {
                if gives_back && !held.is_empty() {
                    held.remove(usize::from(owner) % held.len());
                } else {
                    held.extend(quota.take(person(owner), amount));
                }
                let used = held.iter().map(|share: &QuotaShare| share.amount).sum::<u64>();
                prop_assert_eq!(quota.used(), used);
                prop_assert!(used <= 90);
                for owner in 0..4 {
                    let own: Vec<_> = held.iter().filter(|share| share.owner == person(owner)).collect();
                    let sum = own.iter().map(|share| share.amount).sum::<u64>();
                    let above_zero = own.iter().filter(|share| share.amount > 0).count();
                    prop_assert!(sum <= 30 || above_zero == 1);
                }
            }
            held.clear();
            prop_assert_eq!(quota.used(), 0);
        }
    }
}
