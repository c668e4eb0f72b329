//! All logs of a process, and the removal of expired ones.

use super::log::Log;
use octavo_core_model::Timestamp;
use octavo_ports::counters::{LimitRequest, LimitState};
use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
    time::Duration,
};

/// How many logs are checked for each new one. With two, at most half of all logs are expired in the long run.
const SWEPT_PER_NEW_LOG: usize = 2;

/// How long an expired log is kept. Callers read the clock before they take the lock, so some are slightly late and
/// still need entries that counted then.
const GRACE: Duration = Duration::from_secs(1);

#[derive(Default)]
pub(super) struct Logs {
    /// By bucket, then by subject, so that a look-up needs no combined key.
    buckets: HashMap<&'static str, HashMap<Arc<str>, Log>>,
    /// Every log once, in the order in which they are checked.
    rounds: VecDeque<(&'static str, Arc<str>)>,
}

impl Logs {
    pub(super) fn is_full(&self, charge: &LimitRequest, now: Timestamp) -> bool {
        // A limit of 0, which callers should not use, admits nothing.
        self.find(charge).map_or(charge.limit == 0, |log| log.is_full(charge, now))
    }

    pub(super) fn state(&self, charge: &LimitRequest, now: Timestamp) -> LimitState {
        let empty = LimitState { remaining: charge.limit, oldest_leaves_at: now };
        self.find(charge).map_or(empty, |log| log.state(charge, now))
    }

    /// Adds a call and returns the state of its log.
    pub(super) fn add(&mut self, charge: &LimitRequest, now: Timestamp) -> LimitState {
        let bucket = self.buckets.entry(charge.bucket).or_default();
        if let Some(log) = bucket.get_mut(charge.subject.as_str()) {
            return log.add(charge, now);
        }
        let subject: Arc<str> = charge.subject.as_str().into();
        self.rounds.push_back((charge.bucket, Arc::clone(&subject)));
        let state = bucket.entry(subject).or_default().add(charge, now);
        self.sweep(now, SWEPT_PER_NEW_LOG);
        state
    }

    /// Removes a call from its log, if it is still there.
    pub(super) fn remove(&mut self, charge: &LimitRequest, charged_at: Timestamp) {
        let log = self.buckets.get_mut(charge.bucket).and_then(|bucket| bucket.get_mut(charge.subject.as_str()));
        if let Some(log) = log {
            log.remove(charged_at);
        }
    }

    /// Checks the next few logs and removes expired ones.
    pub(super) fn sweep(&mut self, now: Timestamp, count: usize) {
        for _ in 0..count {
            let Some((bucket, subject)) = self.rounds.pop_front() else { return };
            let logs = self.buckets.entry(bucket).or_default();
            if logs.get(&subject).is_some_and(|log| !log.is_expired(now.minus(GRACE))) {
                self.rounds.push_back((bucket, subject));
            } else {
                logs.remove(&subject);
                give_back(logs.len(), logs.capacity(), |room| logs.shrink_to(room));
                give_back(self.rounds.len(), self.rounds.capacity(), |room| self.rounds.shrink_to(room));
            }
        }
    }

    pub(super) fn count(&self) -> usize {
        self.rounds.len()
    }

    fn find(&self, charge: &LimitRequest) -> Option<&Log> {
        self.buckets.get(charge.bucket)?.get(charge.subject.as_str())
    }
}

/// Frees memory after a burst. This is rare: the removals since the last time pay for the copying.
fn give_back(length: usize, capacity: usize, shrink_to: impl FnOnce(usize)) {
    const WORTH_IT: usize = 1024;
    if capacity > WORTH_IT && length * 8 < capacity {
        shrink_to(length * 2);
    }
}
