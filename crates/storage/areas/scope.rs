//! Scopes: one connection each, for a view or for a unit.

use super::{
    Conn, dialect,
    dialect::{ExecuteDsl, LoadQuery, RunQueryDsl, ScopeConnection},
};
use crate::{
    faults::ConnectionHealth,
    owner_shares::{OwnerPermit, SnapshotPlace},
    rows::log::{AuditEntryRow, EventRow},
};
use async_trait::async_trait;
use diesel::{OptionalExtension, QueryResult};
use futures_util::future::BoxFuture;
use octavo_ports::{
    access_requests::{AccessRequestReads, AccessRequests},
    accounts::{AccountReads, Accounts},
    api_keys::{ApiKeyReads, ApiKeys},
    audit::{AuditReads, Audits},
    blocks::{BlockReads, Blocks, Histories, HistoryReads},
    browser_sessions::{BrowserSessionReads, BrowserSessions},
    charts::{ChartReads, Charts},
    chores::{ChoreReads, Chores},
    comments::{CommentReads, Comments},
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
    store::{Reads, Record, StoreResult, Transaction},
    stream_tickets::{StreamTicketReads, StreamTickets},
    sweeps::Sweeps,
    teams::{TeamReads, Teams},
    workspaces::{WorkspaceReads, Workspaces},
};

/// A view or a unit. Views are passed on as `Reads`, so that nobody can write through one.
///
/// Statements go through [`Scope::all`], [`Scope::one`], [`Scope::optional`] and [`Scope::execute`]. Their futures
/// are boxed, so that the compiler proves once per helper, and not once per statement, that they can move between
/// threads.
pub(crate) struct Scope {
    connection: ScopeConnection,
    health: ConnectionHealth,
    /// Dropped after the connection is free.
    _permit: OwnerPermit,
    /// The place of a snapshot.
    _place: Option<SnapshotPlace>,
}

impl Scope {
    pub(super) fn new(connection: ScopeConnection, permit: OwnerPermit) -> Self {
        Self { connection, health: ConnectionHealth::default(), _permit: permit, _place: None }
    }

    pub(super) fn in_place(self, place: SnapshotPlace) -> Self {
        Self { _place: Some(place), ..self }
    }

    /// All rows that a query finds or a statement returns.
    pub(super) fn all<'a, R, Q>(&'a mut self, query: Q) -> BoxFuture<'a, StoreResult<Vec<R>>>
    where
        R: Send + 'a,
        Q: LoadQuery<'a, Conn, R> + Send + 'a,
    {
        Box::pin(async move {
            let answer = RunQueryDsl::load(query, self.conn().await?).await;
            self.checked(answer)
        })
    }

    /// The only row of a query that always finds one.
    pub(super) fn one<'a, R, Q>(&'a mut self, query: Q) -> BoxFuture<'a, StoreResult<R>>
    where
        R: Send + 'a,
        Q: LoadQuery<'a, Conn, R> + Send + 'a,
    {
        Box::pin(async move {
            let answer = RunQueryDsl::get_result(query, self.conn().await?).await;
            self.checked(answer)
        })
    }

    /// The row of a lookup by key, if it exists. Diesel's `first` would add a bound LIMIT, and SQLite would then
    /// compile the statement each time it runs, which costs five times the lookup.
    pub(super) fn optional<'a, R, Q>(&'a mut self, query: Q) -> BoxFuture<'a, StoreResult<Option<R>>>
    where
        R: Send + 'a,
        Q: LoadQuery<'a, Conn, R> + Send + 'a,
    {
        Box::pin(async move {
            let answer = RunQueryDsl::get_result(query, self.conn().await?).await.optional();
            self.checked(answer)
        })
    }

    /// How many rows a statement wrote.
    pub(super) fn execute<'a, Q>(&'a mut self, statement: Q) -> BoxFuture<'a, StoreResult<usize>>
    where
        Q: ExecuteDsl<Conn> + Send + 'a,
    {
        Box::pin(async move {
            let answer = RunQueryDsl::execute(statement, self.conn().await?).await;
            self.checked(answer)
        })
    }

    /// The connection, for one statement of a dialect. Pass the result to [`Scope::checked`].
    pub(super) async fn conn(&mut self) -> StoreResult<&mut Conn> {
        self.health.begin_statement()?;
        self.connection.conn().await
    }

    /// Records the result of a statement. After an error the scope runs no more statements.
    pub(super) fn checked<T>(&mut self, answer: QueryResult<T>) -> StoreResult<T> {
        let answer = self.health.end_statement(answer)?;
        self.connection.statement_succeeded();
        Ok(answer)
    }

    async fn write_record(&mut self, record: Record) -> StoreResult<()> {
        if !record.events.is_empty() {
            let rows = record.events.into_iter().map(EventRow::from).collect();
            let answer = dialect::insert_events(self.conn().await?, rows).await;
            self.checked(answer)?;
        }
        if !record.audits.is_empty() {
            let rows = record.audits.into_iter().map(AuditEntryRow::from).collect();
            let answer = dialect::insert_audit_entries(self.conn().await?, rows).await;
            self.checked(answer)?;
        }
        self.health.check()
    }
}

impl Reads for Scope {
    fn access_requests(&mut self) -> &mut dyn AccessRequestReads {
        self
    }

    fn accounts(&mut self) -> &mut dyn AccountReads {
        self
    }

    fn api_keys(&mut self) -> &mut dyn ApiKeyReads {
        self
    }

    fn audits(&mut self) -> &mut dyn AuditReads {
        self
    }

    fn blocks(&mut self) -> &mut dyn BlockReads {
        self
    }

    fn browser_sessions(&mut self) -> &mut dyn BrowserSessionReads {
        self
    }

    fn chores(&mut self) -> &mut dyn ChoreReads {
        self
    }

    fn charts(&mut self) -> &mut dyn ChartReads {
        self
    }

    fn stream_tickets(&mut self) -> &mut dyn StreamTicketReads {
        self
    }

    fn comments(&mut self) -> &mut dyn CommentReads {
        self
    }

    fn consumers(&mut self) -> &mut dyn ConsumerReads {
        self
    }

    fn dashboards(&mut self) -> &mut dyn DashboardReads {
        self
    }

    fn databases(&mut self) -> &mut dyn DatabaseReads {
        self
    }

    fn events(&mut self) -> &mut dyn EventReads {
        self
    }

    fn favorites(&mut self) -> &mut dyn FavoriteReads {
        self
    }

    fn follows(&mut self) -> &mut dyn FollowReads {
        self
    }

    fn grants(&mut self) -> &mut dyn GrantReads {
        self
    }

    fn histories(&mut self) -> &mut dyn HistoryReads {
        self
    }

    fn invitations(&mut self) -> &mut dyn InvitationReads {
        self
    }

    fn jobs(&mut self) -> &mut dyn JobReads {
        self
    }

    fn members(&mut self) -> &mut dyn MemberReads {
        self
    }

    fn notifications(&mut self) -> &mut dyn NotificationReads {
        self
    }

    fn oauth(&mut self) -> &mut dyn OauthReads {
        self
    }

    fn origins(&mut self) -> &mut dyn OriginReads {
        self
    }

    fn pages(&mut self) -> &mut dyn PageReads {
        self
    }

    fn record_links(&mut self) -> &mut dyn RecordLinkReads {
        self
    }

    fn records(&mut self) -> &mut dyn RecordReads {
        self
    }

    fn sessions(&mut self) -> &mut dyn SessionReads {
        self
    }

    fn share_links(&mut self) -> &mut dyn ShareLinkReads {
        self
    }

    fn signing_keys(&mut self) -> &mut dyn SigningKeyReads {
        self
    }

    fn teams(&mut self) -> &mut dyn TeamReads {
        self
    }

    fn workspaces(&mut self) -> &mut dyn WorkspaceReads {
        self
    }
}

#[async_trait]
impl Transaction for Scope {
    fn access_requests(&mut self) -> &mut dyn AccessRequests {
        self
    }

    fn accounts(&mut self) -> &mut dyn Accounts {
        self
    }

    fn api_keys(&mut self) -> &mut dyn ApiKeys {
        self
    }

    fn audits(&mut self) -> &mut dyn Audits {
        self
    }

    fn blocks(&mut self) -> &mut dyn Blocks {
        self
    }

    fn browser_sessions(&mut self) -> &mut dyn BrowserSessions {
        self
    }

    fn chores(&mut self) -> &mut dyn Chores {
        self
    }

    fn charts(&mut self) -> &mut dyn Charts {
        self
    }

    fn comments(&mut self) -> &mut dyn Comments {
        self
    }

    fn consumers(&mut self) -> &mut dyn Consumers {
        self
    }

    fn dashboards(&mut self) -> &mut dyn Dashboards {
        self
    }

    fn databases(&mut self) -> &mut dyn Databases {
        self
    }

    fn events(&mut self) -> &mut dyn EventReads {
        self
    }

    fn favorites(&mut self) -> &mut dyn Favorites {
        self
    }

    fn follows(&mut self) -> &mut dyn Follows {
        self
    }

    fn grants(&mut self) -> &mut dyn Grants {
        self
    }

    fn histories(&mut self) -> &mut dyn Histories {
        self
    }

    fn invitations(&mut self) -> &mut dyn Invitations {
        self
    }

    fn jobs(&mut self) -> &mut dyn Jobs {
        self
    }

    fn members(&mut self) -> &mut dyn Members {
        self
    }

    fn notifications(&mut self) -> &mut dyn Notifications {
        self
    }

    fn oauth(&mut self) -> &mut dyn Oauth {
        self
    }

    fn origins(&mut self) -> &mut dyn Origins {
        self
    }

    fn pages(&mut self) -> &mut dyn Pages {
        self
    }

    fn record_links(&mut self) -> &mut dyn RecordLinks {
        self
    }

    fn records(&mut self) -> &mut dyn Records {
        self
    }

    fn replies(&mut self) -> &mut dyn Replies {
        self
    }

    fn sealed(&mut self) -> &mut dyn Sealed {
        self
    }

    fn sessions(&mut self) -> &mut dyn Sessions {
        self
    }

    fn share_links(&mut self) -> &mut dyn ShareLinks {
        self
    }

    fn signing_keys(&mut self) -> &mut dyn SigningKeys {
        self
    }

    fn stream_tickets(&mut self) -> &mut dyn StreamTickets {
        self
    }

    fn sweeps(&mut self) -> &mut dyn Sweeps {
        self
    }

    fn teams(&mut self) -> &mut dyn Teams {
        self
    }

    fn workspaces(&mut self) -> &mut dyn Workspaces {
        self
    }

    fn expect_collisions(&mut self) {
        self.health.expect_collisions();
    }

    async fn commit(mut self: Box<Self>, record: Record) -> StoreResult<()> {
        if let Err(error) = self.write_record(record).await {
            // The first error is the one to report; if the rollback fails too, the connection is closed.
            let _ = self.connection.undo().await;
            return Err(error);
        }
        self.connection.commit().await
    }

    async fn abandon(self: Box<Self>) -> StoreResult<()> {
        self.connection.undo().await
    }
}
