//! Removing what nobody can ask for any more.

use crate::store::StoreResult;
use async_trait::async_trait;
use octavo_core_model::Timestamp;

/// How many rows of each kind went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    pub sessions: u64,
    pub refresh_tokens: u64,
    pub one_time_tokens: u64,
    pub replies: u64,
    pub origins: u64,
    pub events: u64,
}

/// Before which time things are gone.
#[derive(Clone, Copy, Debug)]
pub struct Horizons {
    /// Replies that expired before.
    pub replies: Timestamp,
    /// Tokens and sessions that ended before.
    pub credentials: Timestamp,
    /// Origins not seen since.
    pub origins: Timestamp,
    /// Events that occurred before.
    pub events: Timestamp,
}

#[async_trait]
pub trait Sweeps: Send {
    /// Removes at most `limit` rows of each kind, so that others need not wait long.
    async fn sweep(&mut self, horizons: Horizons, limit: u32) -> StoreResult<Swept>;
}
