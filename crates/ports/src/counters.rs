//! Rate counters: exact sliding logs.

use async_trait::async_trait;
use octavo_core_model::Timestamp;
use std::time::Duration;

/// One log that a call is charged to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitRequest {
    /// Identifies the log together with `subject`.
    pub bucket: &'static str,
    /// The user, network address or email address whose calls are counted.
    pub subject: String,
    /// How many calls are allowed in any interval as long as the window; at least 1.
    pub limit: u32,
    pub window: Duration,
}

/// The state of a log after a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitState {
    pub remaining: u32,
    /// When the oldest counted call leaves the window; now if none is counted.
    pub oldest_leaves_at: Timestamp,
}

/// The decision on a call, with the state of each log in the requested order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LimitDecision {
    Admitted(Vec<LimitState>),
    /// At least one log was full, so nothing was charged. A full log has `remaining` 0 and frees its next place at
    /// `oldest_leaves_at`.
    Refused(Vec<LimitState>),
}

/// The counters cannot be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountersDown;

#[async_trait]
pub trait Counters: Send + Sync {
    /// Charges a call to all logs or to none.
    async fn charge(&self, charges: &[LimitRequest], now: Timestamp) -> Result<LimitDecision, CountersDown>;

    /// Takes back the charge of a call that was made at this time, and returns the state of the logs. A log that does
    /// not hold the charge any more stays as it is.
    async fn refund(&self, charges: &[LimitRequest], charged_at: Timestamp) -> Result<Vec<LimitState>, CountersDown>;

    /// Reads the state of the logs without charging.
    async fn peek(&self, charges: &[LimitRequest], now: Timestamp) -> Result<Vec<LimitState>, CountersDown>;

    /// Whether the counters that all nodes share can be reached. Counters that fall back to local ones in the
    /// meantime return false as well.
    async fn is_shared_place_up(&self) -> bool;
}
