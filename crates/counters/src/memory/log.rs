//! One log: the times of the admitted calls.

use crate::millis;
use octavo_core_model::Timestamp;
use octavo_ports::counters::{LimitRequest, LimitState};
use std::collections::VecDeque;

/// Times in order, oldest first.
#[derive(Default)]
pub(super) struct Log {
    times: VecDeque<i64>,
    expires_at: i64,
}

/// The state of a log at one moment.
#[derive(Clone, Copy)]
struct View {
    moment: i64,
    /// How many entries at the front have expired.
    gone: usize,
}

impl Log {
    fn view(&self, now: Timestamp, window: i64) -> View {
        let now = now.millis();
        match self.times.back() {
            Some(newest) if newest.saturating_sub(now) > window => View { moment: now, gone: self.times.len() },
            newest => {
                let moment = newest.map_or(now, |newest| now.max(*newest));
                let gone = self.times.partition_point(|time| *time <= moment.saturating_sub(window));
                View { moment, gone }
            }
        }
    }

    pub(super) fn is_full(&self, charge: &LimitRequest, now: Timestamp) -> bool {
        let View { gone, .. } = self.view(now, millis(charge.window));
        self.times.len() - gone >= charge.limit as usize
    }

    pub(super) fn add(&mut self, charge: &LimitRequest, now: Timestamp) -> LimitState {
        let window = millis(charge.window);
        let View { moment, gone } = self.view(now, window);
        self.times.drain(..gone);
        self.times.push_back(moment);
        self.expires_at = moment.saturating_add(window);
        self.state(charge, now)
    }

    /// Removes the entry of one call; those of later calls stay.
    pub(super) fn remove(&mut self, charged_at: Timestamp) {
        // In a log that was ahead of the call's clock, its entry has a later time.
        let place = self.times.partition_point(|time| *time < charged_at.millis());
        self.times.remove(place);
    }

    pub(super) fn state(&self, charge: &LimitRequest, now: Timestamp) -> LimitState {
        let window = millis(charge.window);
        let gone = self.view(now, window).gone;
        let counted = self.times.len() - gone;
        let limit = charge.limit as usize;
        // The entry whose expiry frees the next place: the oldest one, or a later one if the limit was lowered
        // meanwhile.
        let next_to_go = self.times.get(gone + counted.saturating_sub(limit));
        LimitState {
            remaining: u32::try_from(limit.saturating_sub(counted)).unwrap_or(u32::MAX),
            oldest_leaves_at: next_to_go.map_or(now, |time| Timestamp::from_millis(time.saturating_add(window))),
        }
    }

    pub(super) fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at <= now.millis()
    }
}
