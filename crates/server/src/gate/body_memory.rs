//! The memory for bodies that are collected before they are parsed.

use crate::metrics::Metrics;
use octavo_app::{Quota, QuotaShare};
use octavo_ports::compute::WorkOwner;
use std::sync::Arc;

/// Bodies are counted in steps of this size, so that few chunks change the quota. The first step is not counted: most
/// bodies are smaller, and they must pass even if large ones have taken everything.
const STEP: usize = 16 << 10;

/// The memory of one body. It grows with the bytes that have arrived, so a length that is only announced takes none.
#[derive(Debug)]
pub(super) struct BodyMemory<'a> {
    quota: &'a Arc<Quota>,
    metrics: &'a Metrics,
    owner: WorkOwner,
    counted: u64,
    share: Option<QuotaShare>,
}

impl<'a> BodyMemory<'a> {
    pub(super) const fn new(quota: &'a Arc<Quota>, metrics: &'a Metrics, owner: WorkOwner) -> Self {
        Self { quota, metrics, owner, counted: 0, share: None }
    }

    /// Takes memory for the bytes that have arrived so far. If there is no room for them, this counts a refused body
    /// and returns false.
    pub(super) fn grow_to(&mut self, arrived: usize) -> bool {
        let amount = counted(arrived);
        if amount == self.counted {
            return true;
        }
        let fits = self.quota.exchange(&mut self.share, self.owner, amount);
        if fits {
            self.counted = amount;
        } else {
            self.metrics.body_refused();
        }
        fits
    }

    /// The memory that the body has taken, to be kept for as long as the body or what was parsed from it is in use.
    pub(super) fn into_share(self) -> Option<QuotaShare> {
        self.share
    }
}

/// How many bytes of the quota a body takes once this many bytes have arrived.
const fn counted(arrived: usize) -> u64 {
    if arrived <= STEP { 0 } else { arrived.next_multiple_of(STEP) as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    fn network(number: u8) -> WorkOwner {
        WorkOwner::network_of(IpAddr::from([192, 0, 2, number]))
    }

    #[test]
    fn a_body_counts_in_steps_once_it_is_larger_than_one() {
        let (quota, metrics) = (Quota::new(30 * STEP as u64), Metrics::default());
        let mut memory = BodyMemory::new(&quota, &metrics, network(1));
        for (arrived, steps) in [(1, 0), (STEP, 0), (STEP + 1, 2), (2 * STEP, 2), (2 * STEP + 1, 3), (9 * STEP, 9)] {
            assert!(memory.grow_to(arrived), "{arrived}");
            assert_eq!(quota.used(), steps * STEP as u64, "{arrived}");
        }
        let share = memory.into_share();
        assert_eq!(quota.used(), 9 * STEP as u64, "the body is still in use");
        drop(share);
        assert_eq!(quota.used(), 0);
    }

    #[test]
    fn a_network_has_a_third_and_small_bodies_always_fit() {
        let (quota, metrics) = (Quota::new(6 * STEP as u64), Metrics::default());
        let memory_of = |owner| BodyMemory::new(&quota, &metrics, owner);
        let [mut first, mut second] = [(); 2].map(|()| memory_of(network(1)));
        assert!(first.grow_to(STEP + 1));
        assert!(second.grow_to(STEP));
        assert!(!second.grow_to(STEP + 1));
        assert_eq!(quota.used(), 2 * STEP as u64);
        assert!(memory_of(network(2)).grow_to(STEP + 1));
        drop(first);
        assert!(second.grow_to(STEP + 1));
        assert_eq!(metrics.bodies_refused(), 1);
    }
}
