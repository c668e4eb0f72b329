//! Removing what nobody can ask for any more.

use crate::store::StoreResult;
use async_trait::async_trait;
use octavo_core_model::Timestamp;

/// How many rows of each kind went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    pub sessions: u64,
    pub refresh_tokens: u64,
    pub browser_sessions: u64,
    pub one_time_tokens: u64,
    pub replies: u64,
    pub origins: u64,
    pub events: u64,
    /// Codes and refresh tokens of apps, ids of revoked access tokens, retired client secrets.
    pub app_tokens: u64,
    /// Grants with their families of tokens, on both sides.
    pub grants: u64,
    pub jobs: u64,
    pub api_keys: u64,
}

impl std::ops::AddAssign for Swept {
    fn add_assign(&mut self, more: Self) {
        self.sessions += more.sessions;
        self.refresh_tokens += more.refresh_tokens;
        self.browser_sessions += more.browser_sessions;
        self.one_time_tokens += more.one_time_tokens;
        self.replies += more.replies;
        self.origins += more.origins;
        self.events += more.events;
        self.app_tokens += more.app_tokens;
        self.grants += more.grants;
        self.jobs += more.jobs;
        self.api_keys += more.api_keys;
    }
}

/// Before which time things are gone.
#[derive(Clone, Copy, Debug)]
pub struct Horizons {
    /// Replies, and whatever else is of no use from its end on, that ended before.
    pub replies: Timestamp,
    /// Tokens, sessions, grants and API keys that ended before.
    pub credentials: Timestamp,
    /// Origins not seen since.
    pub origins: Timestamp,
    /// Events that occurred before.
    pub events: Timestamp,
    /// Jobs that ended before.
    pub jobs: Timestamp,
}

/// How much waits to be removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Due {
    /// Deleted accounts whose restore window ended.
    pub accounts: u64,
    /// Deleted workspaces whose time is over.
    pub workspaces: u64,
    /// Pages thrown away whose time in the trash is over, each with what is below it.
    pub pages: u64,
    /// Expired invitations whose addresses hold grants that no other invitation justifies.
    pub address_grants: u64,
    /// Jobs whose results have been kept long enough.
    pub job_results: u64,
    /// Entries of audit trails that are older than they are kept.
    pub audit_entries: u64,
    /// What a sweep would remove, batch by batch.
    pub rows: Swept,
}

#[async_trait]
pub trait Sweeps: Send {
    /// Removes at most `limit` rows of each kind, so that others need not wait long.
    async fn sweep(&mut self, horizons: Horizons, limit: u32) -> StoreResult<Swept>;

    /// Counts what is past its time and removes nothing. Trails are not in it: each has an age of its own.
    async fn count_due(&mut self, horizons: Horizons, now: Timestamp) -> StoreResult<Due>;
}
