//! The store: views that read, units that write.

use crate::{
    access_requests::{AccessRequestReads, AccessRequests},
    accounts::{AccountReads, Accounts},
    api_keys::{ApiKeyReads, ApiKeys},
    audit::{AuditReads, Audits},
    blocks::{BlockReads, Blocks, Histories, HistoryReads},
    browser_sessions::{BrowserSessionReads, BrowserSessions},
    chores::{ChoreReads, Chores},
    events::EventReads,
    favorites::{FavoriteReads, Favorites},
    grants::{GrantReads, Grants},
    invitations::{InvitationReads, Invitations},
    jobs::{JobReads, Jobs},
    members::{MemberReads, Members},
    oauth::{Oauth, OauthReads},
    origins::{OriginReads, Origins},
    pages::{PageReads, Pages},
    replies::Replies,
    sealed::Sealed,
    sessions::{SessionReads, Sessions},
    share_links::{ShareLinkReads, ShareLinks},
    signing_keys::{SigningKeyReads, SigningKeys},
    sweeps::Sweeps,
    teams::{TeamReads, Teams},
    workspaces::{WorkspaceReads, Workspaces},
};
use async_trait::async_trait;
use octavo_core_model::{
    StoreError, Timestamp,
    chore::Queue,
    event::{AuditEntry, Event},
    id::WorkspaceId,
};
use std::collections::BTreeSet;

pub type StoreResult<T> = Result<T, StoreError>;

/// Everything a view can ask. Each statement sees what is committed when it starts.
pub trait Reads:
    AccessRequestReads
    + AccountReads
    + ApiKeyReads
    + AuditReads
    + BlockReads
    + BrowserSessionReads
    + ChoreReads
    + EventReads
    + FavoriteReads
    + GrantReads
    + HistoryReads
    + InvitationReads
    + JobReads
    + MemberReads
    + OauthReads
    + OriginReads
    + PageReads
    + SessionReads
    + ShareLinkReads
    + SigningKeyReads
    + TeamReads
    + WorkspaceReads
    + Send
{
}

/// Everything a unit can do: one transaction, the only way to write.
///
/// Dropping it undoes everything. An error of the store ends it: what follows is refused and it cannot commit.
#[async_trait]
pub trait Transaction:
    Reads
    + AccessRequests
    + Accounts
    + ApiKeys
    + Audits
    + Blocks
    + BrowserSessions
    + Chores
    + Favorites
    + Grants
    + Histories
    + Invitations
    + Jobs
    + Members
    + Oauth
    + Origins
    + Pages
    + Replies
    + Sealed
    + Sessions
    + ShareLinks
    + SigningKeys
    + Sweeps
    + Teams
    + Workspaces
{
    /// Writes the events and audit entries as the last statements, then commits.
    /// Returns when the change is durable.
    async fn commit(self: Box<Self>, record: Record) -> StoreResult<()>;

    /// Undoes. Returns when what was read is durable, for a refusal may rest on it.
    async fn abandon(self: Box<Self>) -> StoreResult<()>;
}

/// What a unit reports of its change.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub events: Vec<Event>,
    pub audits: Vec<AuditEntry>,
}

/// One of the checks a store can make of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreHealth {
    pub database: bool,
    /// The schema is the one this release was built for.
    pub migrations: bool,
    /// A small write went through, so that the disk is neither full nor read-only.
    pub writable: bool,
    /// How long ago the oldest event was written that readers cannot see yet, in milliseconds.
    pub event_lag_millis: u64,
    /// How long the oldest due chore has been waiting, in milliseconds.
    pub job_lag_millis: u64,
    /// How many chores each queue holds, in the order of `Queue::ALL`.
    pub jobs_queued: [u64; Queue::ALL.len()],
    pub connections_idle: u32,
    pub connections_used: u32,
}

/// What numbering events came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbered {
    /// How many events there were.
    pub events: usize,
    /// Whose logs have grown. Another node may have done a part of the work.
    pub workspaces: BTreeSet<WorkspaceId>,
}

#[async_trait]
pub trait Store: Send + Sync {
    async fn reader(&self) -> StoreResult<Box<dyn Reads>>;

    async fn writer(&self) -> StoreResult<Box<dyn Transaction>>;

    /// Numbers events that committed without a number and makes them readable. Safe to call from any number of nodes at once.
    async fn settle_events(&self) -> StoreResult<Numbered>;

    /// Seals committed audit entries, chain by chain, and returns how many there were.
    /// Safe to call from any number of nodes at once.
    async fn seal_audits(&self) -> StoreResult<usize>;

    async fn health(&self, now: Timestamp) -> StoreHealth;
}
