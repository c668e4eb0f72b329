//! Counters of one process. They start empty.

mod log;
mod logs;

use crate::is_repeated;
use async_trait::async_trait;
use logs::Logs;
use octavo_core_model::Timestamp;
use octavo_ports::counters::{Counters, CountersDown, LimitDecision, LimitRequest, LimitState};
use parking_lot::Mutex;
use std::fmt;

/// Counts in the memory of this process.
///
/// One lock for all logs makes each call atomic, as "all or none" requires. It is held for a few microseconds.
#[derive(Default)]
pub struct MemoryCounters {
    logs: Mutex<Logs>,
}

impl MemoryCounters {
    /// Decides without waiting for anything; otherwise like the trait's method.
    pub fn charge_now(&self, charges: &[LimitRequest], now: Timestamp) -> LimitDecision {
        let mut logs = self.logs.lock();
        logs.sweep(now, 1);
        if charges.iter().any(|charge| logs.is_full(charge, now)) {
            return LimitDecision::Refused(charges.iter().map(|charge| logs.state(charge, now)).collect());
        }
        let states = charges.iter().enumerate().map(|(index, charge)| {
            if is_repeated(charges, index) { logs.state(charge, now) } else { logs.add(charge, now) }
        });
        LimitDecision::Admitted(states.collect())
    }

    /// Like the trait's method [`Counters::refund`], but waits for nothing.
    pub fn refund_now(&self, charges: &[LimitRequest], charged_at: Timestamp) -> Vec<LimitState> {
        let mut logs = self.logs.lock();
        for (index, charge) in charges.iter().enumerate() {
            if !is_repeated(charges, index) {
                logs.remove(charge, charged_at);
            }
        }
        charges.iter().map(|charge| logs.state(charge, charged_at)).collect()
    }

    pub fn peek_now(&self, charges: &[LimitRequest], now: Timestamp) -> Vec<LimitState> {
        let logs = self.logs.lock();
        charges.iter().map(|charge| logs.state(charge, now)).collect()
    }

    /// How many logs there are, including expired ones that were not removed yet.
    pub fn log_count(&self) -> usize {
        self.logs.lock().count()
    }
}

impl fmt::Debug for MemoryCounters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryCounters").field("logs", &self.log_count()).finish()
    }
}

#[async_trait]
impl Counters for MemoryCounters {
    async fn charge(&self, charges: &[LimitRequest], now: Timestamp) -> Result<LimitDecision, CountersDown> {
        Ok(self.charge_now(charges, now))
    }

    async fn refund(&self, charges: &[LimitRequest], charged_at: Timestamp) -> Result<Vec<LimitState>, CountersDown> {
        Ok(self.refund_now(charges, charged_at))
    }

    async fn peek(&self, charges: &[LimitRequest], now: Timestamp) -> Result<Vec<LimitState>, CountersDown> {
        Ok(self.peek_now(charges, now))
    }

    /// There are no shared counters that could be down.
    async fn is_shared_place_up(&self) -> bool {
        true
    }
}
