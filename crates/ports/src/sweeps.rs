//! Removing rows that nobody can ask for any more.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::Timestamp;

/// How many rows of each kind were removed.
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
    /// Grants with their token families, on both sides.
    pub grants: u64,
    pub jobs: u64,
    pub api_keys: u64,
    pub notifications: u64,
    pub stream_tickets: u64,
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
        self.notifications += more.notifications;
        self.stream_tickets += more.stream_tickets;
    }
}

/// The time before which each kind of row is removed.
#[derive(Clone, Copy, Debug)]
pub struct Horizons {
    /// Replies that expired before, and other rows that are useless once they have ended.
    pub replies: Timestamp,
    /// Tokens, sessions, grants and API keys that ended before.
    pub credentials: Timestamp,
    /// Origins that were not seen since.
    pub origins: Timestamp,
    /// Events that occurred before.
    pub events: Timestamp,
    /// Jobs that ended before.
    pub jobs: Timestamp,
    /// Notifications that were read, and last changed before.
    pub read_notifications: Timestamp,
    /// Other notifications that last changed before.
    pub unread_notifications: Timestamp,
}

/// How many things are due for removal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Due {
    /// Deleted accounts whose grace period is over.
    pub accounts: u64,
    /// Deleted workspaces whose grace period is over.
    pub workspaces: u64,
    /// Trashed roots whose time in the trash is over, each with its subtree.
    pub pages: u64,
    /// Expired invitations whose addresses have grants that no other invitation justifies.
    pub address_grants: u64,
    /// Jobs whose results have expired.
    pub job_results: u64,
    /// Audit entries that have exceeded their retention.
    pub audit_entries: u64,
    /// What sweeping would remove, batch by batch.
    pub rows: Swept,
}

#[async_trait]
pub trait Sweeps: Send {
    /// Removes at most `limit` rows of each kind, so that other writers do not wait long.
    async fn sweep(&mut self, horizons: Horizons, limit: u32) -> StoreResult<Swept>;

    /// Counts what is due and removes nothing. Audit trails are not included, because each has a retention of its
    /// own.
    async fn count_due(&mut self, horizons: Horizons, now: Timestamp) -> StoreResult<Due>;
}
