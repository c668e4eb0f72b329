//! Scopes: one connection each, for a view or for a unit.

use super::{Conn, dialect, dialect::Link};
use crate::{
    faults::Pulse,
    rows::log::{AuditEntryRow, EventRow},
};
use async_trait::async_trait;
use diesel::QueryResult;
use octavo_ports::store::{Reads, Record, StoreResult, Transaction};

/// A view or a unit. Views are handed out as `Reads`, so that nobody writes through one.
///
/// Every statement goes `let answer = statement(self.conn()?).await; self.judge(answer)`.
///
/// Look-ups by key ask for `get_result`. `first` would add a bound LIMIT, for which SQLite compiles the statement anew each time it runs:
/// five times the cost of the look-up.
pub(crate) struct Scope {
    link: Link,
    pulse: Pulse,
}

impl Scope {
    pub(super) fn new(link: Link) -> Self {
        Self { link, pulse: Pulse::default() }
    }

    /// The connection, for one statement.
    pub(super) fn conn(&mut self) -> StoreResult<&mut Conn> {
        self.pulse.ask()?;
        self.link.conn()
    }

    /// What a statement was answered. An error is the last word of its scope.
    pub(super) fn judge<T>(&mut self, answer: QueryResult<T>) -> StoreResult<T> {
        let answer = self.pulse.answer(answer)?;
        self.link.answered_well();
        Ok(answer)
    }

    async fn write_record(&mut self, record: Record) -> StoreResult<()> {
        if !record.events.is_empty() {
            let rows = record.events.into_iter().map(EventRow::from).collect();
            let answer = dialect::insert_events(self.conn()?, rows).await;
            self.judge(answer)?;
        }
        if !record.audits.is_empty() {
            let rows = record.audits.into_iter().map(AuditEntryRow::from).collect();
            let answer = dialect::insert_audit_entries(self.conn()?, rows).await;
            self.judge(answer)?;
        }
        self.pulse.verdict()
    }
}

impl Reads for Scope {}

#[async_trait]
impl Transaction for Scope {
    async fn commit(mut self: Box<Self>, record: Record) -> StoreResult<()> {
        if let Err(error) = self.write_record(record).await {
            // The error says it all; where undoing fails too, the link is closed.
            let _ = self.link.undo().await;
            return Err(error);
        }
        self.link.commit().await
    }

    async fn abandon(self: Box<Self>) -> StoreResult<()> {
        self.link.undo().await
    }
}
