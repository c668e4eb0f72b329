//! Counters that survive an outage of Redis: shared while it is up, local to the process while it is down.

use crate::{MemoryCounters, RedisCounters, RedisOutage};
use async_trait::async_trait;
use octavo_core_model::Timestamp;
use octavo_ports::counters::{Counters, CountersDown, LimitDecision, LimitRequest, LimitState};
use std::{
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// How often a Redis that is down is checked.
const PROBE_EVERY: Duration = Duration::from_millis(500);

/// Counts in Redis, and in memory while Redis is down. Limits always apply.
#[derive(Debug)]
pub struct FallbackCounters {
    shared: Arc<Shared>,
    own: MemoryCounters,
}

#[derive(Debug)]
struct Shared {
    redis: RedisCounters,
    /// Set by the first failure, so that later calls do not wait for a timeout too.
    down: AtomicBool,
    outage: Arc<RedisOutage>,
}

impl FallbackCounters {
    pub fn new(redis: RedisCounters, memory: MemoryCounters, outage: Arc<RedisOutage>) -> Self {
        Self { shared: Arc::new(Shared { redis, down: AtomicBool::new(false), outage }), own: memory }
    }

    /// Whether Redis answers.
    pub async fn ping(&self) -> bool {
        self.shared.redis.ping().await
    }

    /// Redis, unless it is known to be down.
    fn shared(&self) -> Option<&RedisCounters> {
        (!self.shared.down.load(Ordering::Relaxed)).then_some(&self.shared.redis)
    }

    fn note_failure(&self) {
        if !self.shared.down.swap(true, Ordering::Relaxed) {
            self.shared.outage.failed();
            let watch = Watch { shared: Arc::downgrade(&self.shared) };
            tokio::spawn(async move { watch.wait().await });
        }
    }
}

/// Waits for Redis to come back. If the watch ends, for example with its runtime, the next call tries Redis again.
struct Watch {
    shared: Weak<Shared>,
}

impl Watch {
    async fn wait(&self) {
        loop {
            tokio::time::sleep(PROBE_EVERY).await;
            let Some(shared) = self.shared.upgrade() else { return };
            if shared.redis.ping().await {
                shared.outage.answered();
                return;
            }
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(shared) = self.shared.upgrade() {
            shared.down.store(false, Ordering::Relaxed);
        }
    }
}

#[async_trait]
impl Counters for FallbackCounters {
    async fn charge(&self, charges: &[LimitRequest], now: Timestamp) -> Result<LimitDecision, CountersDown> {
        if let Some(redis) = self.shared() {
            match redis.charge(charges, now).await {
                Ok(decision) => return Ok(decision),
                Err(CountersDown) => self.note_failure(),
            }
        }
        Ok(self.own.charge_now(charges, now))
    }

    async fn refund(&self, charges: &[LimitRequest], charged_at: Timestamp) -> Result<Vec<LimitState>, CountersDown> {
        if let Some(redis) = self.shared() {
            match redis.refund(charges, charged_at).await {
                Ok(states) => return Ok(states),
                Err(CountersDown) => self.note_failure(),
            }
        }
        Ok(self.own.refund_now(charges, charged_at))
    }

    async fn peek(&self, charges: &[LimitRequest], now: Timestamp) -> Result<Vec<LimitState>, CountersDown> {
        if let Some(redis) = self.shared() {
            match redis.peek(charges, now).await {
                Ok(states) => return Ok(states),
                Err(CountersDown) => self.note_failure(),
            }
        }
        Ok(self.own.peek_now(charges, now))
    }

    async fn is_shared_place_up(&self) -> bool {
        self.ping().await
    }
}
