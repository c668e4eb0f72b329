//! Scopes: one connection each, for a view or for a unit.

use super::{
    Conn, dialect,
    dialect::{ExecuteDsl, LoadQuery, RunQueryDsl, ScopeConnection},
};
use crate::{
    faults::ConnectionHealth,
    rows::log::{AuditEntryRow, EventRow},
};
use async_trait::async_trait;
use diesel::{OptionalExtension, QueryResult};
use futures_util::future::BoxFuture;
use octavo_ports::store::{Reads, Record, StoreResult, Transaction};

/// A view or a unit. Views are handed out as `Reads`, so that nobody writes through one.
///
/// Statements go through [`Scope::all`], [`Scope::one`], [`Scope::optional`] and [`Scope::execute`]. Their futures are boxed, so that the
/// compiler proves once per helper, and not once per statement, that they may change threads.
pub(crate) struct Scope {
    connection: ScopeConnection,
    health: ConnectionHealth,
}

impl Scope {
    pub(super) fn new(connection: ScopeConnection) -> Self {
        Self { connection, health: ConnectionHealth::default() }
    }

    /// Every row that a query finds or that a statement returns.
    pub(super) fn all<'a, R, Q>(&'a mut self, query: Q) -> BoxFuture<'a, StoreResult<Vec<R>>>
    where
        R: Send + 'a,
        Q: LoadQuery<'a, Conn, R> + Send + 'a,
    {
        Box::pin(async move {
            let answer = RunQueryDsl::load(query, self.conn()?).await;
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
            let answer = RunQueryDsl::get_result(query, self.conn()?).await;
            self.checked(answer)
        })
    }

    /// The row of a look-up by key, if there is one. Diesel's `first` would add a bound LIMIT, for which SQLite compiles the statement
    /// anew each time it runs: five times the cost of the look-up.
    pub(super) fn optional<'a, R, Q>(&'a mut self, query: Q) -> BoxFuture<'a, StoreResult<Option<R>>>
    where
        R: Send + 'a,
        Q: LoadQuery<'a, Conn, R> + Send + 'a,
    {
        Box::pin(async move {
            let answer = RunQueryDsl::get_result(query, self.conn()?).await.optional();
            self.checked(answer)
        })
    }

    /// How many rows a statement wrote.
    pub(super) fn execute<'a, Q>(&'a mut self, statement: Q) -> BoxFuture<'a, StoreResult<usize>>
    where
        Q: ExecuteDsl<Conn> + Send + 'a,
    {
        Box::pin(async move {
            let answer = RunQueryDsl::execute(statement, self.conn()?).await;
            self.checked(answer)
        })
    }

    /// The connection, for one statement of a dialect. What it is answered goes to [`Scope::checked`].
    pub(super) fn conn(&mut self) -> StoreResult<&mut Conn> {
        self.health.ask()?;
        self.connection.conn()
    }

    /// What a statement was answered. An error is the last word of its scope.
    pub(super) fn checked<T>(&mut self, answer: QueryResult<T>) -> StoreResult<T> {
        let answer = self.health.answer(answer)?;
        self.connection.answered_well();
        Ok(answer)
    }

    async fn write_record(&mut self, record: Record) -> StoreResult<()> {
        if !record.events.is_empty() {
            let rows = record.events.into_iter().map(EventRow::from).collect();
            let answer = dialect::insert_events(self.conn()?, rows).await;
            self.checked(answer)?;
        }
        if !record.audits.is_empty() {
            let rows = record.audits.into_iter().map(AuditEntryRow::from).collect();
            let answer = dialect::insert_audit_entries(self.conn()?, rows).await;
            self.checked(answer)?;
        }
        self.health.verdict()
    }
}

impl Reads for Scope {}

#[async_trait]
impl Transaction for Scope {
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
