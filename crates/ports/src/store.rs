//! The store: views that read, units that write.

use crate::{
    access_requests::{AccessRequestReads, AccessRequests},
    accounts::{AccountReads, Accounts},
    api_keys::{ApiKeyReads, ApiKeys},
    audit::{AuditReads, Audits},
    blocks::{BlockReads, Blocks, Histories, HistoryReads},
    browser_sessions::{BrowserSessionReads, BrowserSessions},
    charts::{ChartReads, Charts},
    chores::{ChoreReads, Chores},
    comments::{CommentReads, Comments},
    compute::WorkOwner,
    consumers::{ConsumerReads, Consumers},
    dashboards::{DashboardReads, Dashboards},
    databases::{DatabaseReads, Databases},
    events::EventReads,
    favorites::{FavoriteReads, Favorites},
    follows::{FollowReads, Follows},
    grants::{GrantReads, Grants},
    invitations::{InvitationReads, Invitations},
    jobs::{JobReads, Jobs},
    members::{MemberReads, Members},
    notifications::{NotificationReads, Notifications},
    oauth::{Oauth, OauthReads},
    origins::{OriginReads, Origins},
    pages::{PageReads, Pages},
    record_links::{RecordLinkReads, RecordLinks},
    records::{RecordReads, Records},
    replies::Replies,
    sealed::Sealed,
    sessions::{SessionReads, Sessions},
    share_links::{ShareLinkReads, ShareLinks},
    signing_keys::{SigningKeyReads, SigningKeys},
    stream_tickets::{StreamTicketReads, StreamTickets},
    sweeps::Sweeps,
    teams::{TeamReads, Teams},
    workspaces::{WorkspaceReads, Workspaces},
};
use async_trait::async_trait;
use octavo_core_model::{
    Timestamp,
    chore::Queue,
    consumer::ConsumerName,
    event::{AuditEntry, Event},
    id::WorkspaceId,
};
use std::{collections::BTreeSet, time::Duration};

pub use crate::store_result::StoreResult;

/// Everything that a view can read. Each statement sees what was committed before it started.
pub trait Reads: Send {
    fn access_requests(&mut self) -> &mut dyn AccessRequestReads;
    fn accounts(&mut self) -> &mut dyn AccountReads;
    fn api_keys(&mut self) -> &mut dyn ApiKeyReads;
    fn audits(&mut self) -> &mut dyn AuditReads;
    fn blocks(&mut self) -> &mut dyn BlockReads;
    fn browser_sessions(&mut self) -> &mut dyn BrowserSessionReads;
    fn chores(&mut self) -> &mut dyn ChoreReads;
    fn charts(&mut self) -> &mut dyn ChartReads;
    fn stream_tickets(&mut self) -> &mut dyn StreamTicketReads;
    fn comments(&mut self) -> &mut dyn CommentReads;
    fn consumers(&mut self) -> &mut dyn ConsumerReads;
    fn dashboards(&mut self) -> &mut dyn DashboardReads;
    fn databases(&mut self) -> &mut dyn DatabaseReads;
    fn events(&mut self) -> &mut dyn EventReads;
    fn favorites(&mut self) -> &mut dyn FavoriteReads;
    fn follows(&mut self) -> &mut dyn FollowReads;
    fn grants(&mut self) -> &mut dyn GrantReads;
    fn histories(&mut self) -> &mut dyn HistoryReads;
    fn invitations(&mut self) -> &mut dyn InvitationReads;
    fn jobs(&mut self) -> &mut dyn JobReads;
    fn members(&mut self) -> &mut dyn MemberReads;
    fn notifications(&mut self) -> &mut dyn NotificationReads;
    fn oauth(&mut self) -> &mut dyn OauthReads;
    fn origins(&mut self) -> &mut dyn OriginReads;
    fn pages(&mut self) -> &mut dyn PageReads;
    fn record_links(&mut self) -> &mut dyn RecordLinkReads;
    fn records(&mut self) -> &mut dyn RecordReads;
    fn sessions(&mut self) -> &mut dyn SessionReads;
    fn share_links(&mut self) -> &mut dyn ShareLinkReads;
    fn signing_keys(&mut self) -> &mut dyn SigningKeyReads;
    fn teams(&mut self) -> &mut dyn TeamReads;
    fn workspaces(&mut self) -> &mut dyn WorkspaceReads;
}

/// Everything that a unit can do. A unit is one transaction and the only way to write.
///
/// Dropping it rolls everything back. An error of the store ends it: later statements are refused, and it cannot
/// commit.
#[async_trait]
pub trait Transaction: Send {
    fn access_requests(&mut self) -> &mut dyn AccessRequests;
    fn accounts(&mut self) -> &mut dyn Accounts;
    fn api_keys(&mut self) -> &mut dyn ApiKeys;
    fn audits(&mut self) -> &mut dyn Audits;
    fn blocks(&mut self) -> &mut dyn Blocks;
    fn browser_sessions(&mut self) -> &mut dyn BrowserSessions;
    fn chores(&mut self) -> &mut dyn Chores;
    fn charts(&mut self) -> &mut dyn Charts;
    fn comments(&mut self) -> &mut dyn Comments;
    fn consumers(&mut self) -> &mut dyn Consumers;
    fn dashboards(&mut self) -> &mut dyn Dashboards;
    fn databases(&mut self) -> &mut dyn Databases;
    fn events(&mut self) -> &mut dyn EventReads;
    fn favorites(&mut self) -> &mut dyn Favorites;
    fn follows(&mut self) -> &mut dyn Follows;
    fn grants(&mut self) -> &mut dyn Grants;
    fn histories(&mut self) -> &mut dyn Histories;
    fn invitations(&mut self) -> &mut dyn Invitations;
    fn jobs(&mut self) -> &mut dyn Jobs;
    fn members(&mut self) -> &mut dyn Members;
    fn notifications(&mut self) -> &mut dyn Notifications;
    fn oauth(&mut self) -> &mut dyn Oauth;
    fn origins(&mut self) -> &mut dyn Origins;
    fn pages(&mut self) -> &mut dyn Pages;
    fn record_links(&mut self) -> &mut dyn RecordLinks;
    fn records(&mut self) -> &mut dyn Records;
    fn replies(&mut self) -> &mut dyn Replies;
    fn sealed(&mut self) -> &mut dyn Sealed;
    fn sessions(&mut self) -> &mut dyn Sessions;
    fn share_links(&mut self) -> &mut dyn ShareLinks;
    fn signing_keys(&mut self) -> &mut dyn SigningKeys;
    fn stream_tickets(&mut self) -> &mut dyn StreamTickets;
    fn sweeps(&mut self) -> &mut dyn Sweeps;
    fn teams(&mut self) -> &mut dyn Teams;
    fn workspaces(&mut self) -> &mut dyn Workspaces;

    /// Declares that the unit runs again if it collides with another one. The store warns of other collisions only.
    fn expect_collisions(&mut self);

    /// Writes the events and audit entries as the last statements, then commits. Returns when the change is durable.
    async fn commit(self: Box<Self>, record: Record) -> StoreResult<()>;

    /// Rolls back. Returns when everything that the unit read is durable, because a refusal may be based on it.
    async fn abandon(self: Box<Self>) -> StoreResult<()>;
}

/// A unit reads like a view, so helpers accept any `T: Reads + ?Sized`. `Reads` is not a supertrait of `Transaction`,
/// because an accessor of both would be ambiguous on `dyn Transaction`.
impl Reads for dyn Transaction + '_ {
    fn access_requests(&mut self) -> &mut dyn AccessRequestReads {
        Transaction::access_requests(self)
    }

    fn accounts(&mut self) -> &mut dyn AccountReads {
        Transaction::accounts(self)
    }

    fn api_keys(&mut self) -> &mut dyn ApiKeyReads {
        Transaction::api_keys(self)
    }

    fn audits(&mut self) -> &mut dyn AuditReads {
        Transaction::audits(self)
    }

    fn blocks(&mut self) -> &mut dyn BlockReads {
        Transaction::blocks(self)
    }

    fn browser_sessions(&mut self) -> &mut dyn BrowserSessionReads {
        Transaction::browser_sessions(self)
    }

    fn chores(&mut self) -> &mut dyn ChoreReads {
        Transaction::chores(self)
    }

    fn charts(&mut self) -> &mut dyn ChartReads {
        Transaction::charts(self)
    }

    fn stream_tickets(&mut self) -> &mut dyn StreamTicketReads {
        Transaction::stream_tickets(self)
    }

    fn comments(&mut self) -> &mut dyn CommentReads {
        Transaction::comments(self)
    }

    fn consumers(&mut self) -> &mut dyn ConsumerReads {
        Transaction::consumers(self)
    }

    fn dashboards(&mut self) -> &mut dyn DashboardReads {
        Transaction::dashboards(self)
    }

    fn databases(&mut self) -> &mut dyn DatabaseReads {
        Transaction::databases(self)
    }

    fn events(&mut self) -> &mut dyn EventReads {
        Transaction::events(self)
    }

    fn favorites(&mut self) -> &mut dyn FavoriteReads {
        Transaction::favorites(self)
    }

    fn follows(&mut self) -> &mut dyn FollowReads {
        Transaction::follows(self)
    }

    fn grants(&mut self) -> &mut dyn GrantReads {
        Transaction::grants(self)
    }

    fn histories(&mut self) -> &mut dyn HistoryReads {
        Transaction::histories(self)
    }

    fn invitations(&mut self) -> &mut dyn InvitationReads {
        Transaction::invitations(self)
    }

    fn jobs(&mut self) -> &mut dyn JobReads {
        Transaction::jobs(self)
    }

    fn members(&mut self) -> &mut dyn MemberReads {
        Transaction::members(self)
    }

    fn notifications(&mut self) -> &mut dyn NotificationReads {
        Transaction::notifications(self)
    }

    fn oauth(&mut self) -> &mut dyn OauthReads {
        Transaction::oauth(self)
    }

    fn origins(&mut self) -> &mut dyn OriginReads {
        Transaction::origins(self)
    }

    fn pages(&mut self) -> &mut dyn PageReads {
        Transaction::pages(self)
    }

    fn record_links(&mut self) -> &mut dyn RecordLinkReads {
        Transaction::record_links(self)
    }

    fn records(&mut self) -> &mut dyn RecordReads {
        Transaction::records(self)
    }

    fn sessions(&mut self) -> &mut dyn SessionReads {
        Transaction::sessions(self)
    }

    fn share_links(&mut self) -> &mut dyn ShareLinkReads {
        Transaction::share_links(self)
    }

    fn signing_keys(&mut self) -> &mut dyn SigningKeyReads {
        Transaction::signing_keys(self)
    }

    fn teams(&mut self) -> &mut dyn TeamReads {
        Transaction::teams(self)
    }

    fn workspaces(&mut self) -> &mut dyn WorkspaceReads {
        Transaction::workspaces(self)
    }
}

/// The events and audit entries that a unit reports.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub events: Vec<Event>,
    pub audits: Vec<AuditEntry>,
}

/// The results of the store's checks of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreHealth {
    pub database: bool,
    /// The schema is the one that this release needs.
    pub migrations: bool,
    /// A small write succeeded, so the disk is neither full nor read-only.
    pub writable: bool,
    /// The age of the oldest event that readers cannot see yet, in milliseconds.
    pub event_lag_millis: u64,
    /// How long the oldest due chore has been waiting, in milliseconds.
    pub job_lag_millis: u64,
    /// How many chores each queue contains, in the order of `Queue::ALL`.
    pub jobs_queued: [u64; Queue::ALL.len()],
    /// How old the oldest event is that each consumer has not handled, in milliseconds, in the order of
    /// `ConsumerName::ALL`.
    pub consumer_lag_millis: [u64; ConsumerName::ALL.len()],
    /// How many events each consumer could not handle.
    pub events_set_aside: [u64; ConsumerName::ALL.len()],
    pub connections_idle: u32,
    pub connections_used: u32,
}

/// The result of numbering events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NumberedEvents {
    /// How many events were numbered.
    pub events: usize,
    /// The workspaces whose logs have grown. Another node may have done a part of the work.
    pub workspaces: BTreeSet<WorkspaceId>,
}

/// Whether a transaction may keep others waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitLength {
    /// It takes a few milliseconds, as far as its caller knows.
    Short,
    /// It writes much, for example a large page.
    MayBeLong,
}

/// How long a view or a transaction may have to wait before it begins.
pub const LONGEST_WAIT: Duration = Duration::from_secs(5);

#[async_trait]
pub trait Store: Send + Sync {
    /// A view of this owner. If the owner has as many of them as its share, this waits for one of them to end.
    async fn reader_for(&self, owner: WorkOwner) -> StoreResult<Box<dyn Reads>>;

    /// A view of this owner whose statements all see the same state: what was committed before this returns. It has a
    /// connection of its own, and the store keeps that state for it, so it must not wait for others between statements.
    async fn snapshot_for(&self, owner: WorkOwner) -> StoreResult<Box<dyn Reads>>;

    /// A view of the deployment itself, which has no share.
    async fn reader(&self) -> StoreResult<Box<dyn Reads>> {
        self.reader_for(WorkOwner::Server).await
    }

    /// A transaction of this owner, which waits like [`Self::reader_for`]. Those that may be long take turns, and so do
    /// all of an owner that had a long one a while ago, so that they do not delay short ones of others. Of those that
    /// may be long, an owner has one at a time.
    async fn writer_for(&self, owner: WorkOwner, length: UnitLength) -> StoreResult<Box<dyn Transaction>>;

    /// A transaction of the deployment itself, which has no share.
    async fn writer(&self) -> StoreResult<Box<dyn Transaction>> {
        self.writer_for(WorkOwner::Server, UnitLength::Short).await
    }

    /// Assigns numbers to committed events that have none, which makes them readable. Any number of nodes may call it
    /// at the same time.
    async fn number_events(&self) -> StoreResult<NumberedEvents>;

    /// Seals committed audit entries, chain by chain, and returns their number. Any number of nodes may call it at
    /// the same time.
    async fn seal_audits(&self) -> StoreResult<usize>;

    async fn health(&self, now: Timestamp) -> StoreHealth;
}
