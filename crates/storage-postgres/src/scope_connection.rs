//! The connection of one scope, and how units begin and end.

use super::{Conn, connections::Connections, shared::Place};
use diesel::QueryResult;
use diesel_async::{
    AnsiTransactionManager, AsyncPgConnection, SimpleAsyncConnection, TransactionManager,
    pooled_connection::deadpool::Object,
};
use octavo_core_model::StoreError;
use octavo_ports::store::StoreResult;
use octavo_storage_common::{faults, write_turns::WriteTurn};
use std::sync::Arc;

/// The connection of a scope. If a connection of the pool is dropped in the middle of a unit or a statement, it is
/// closed, which rolls the unit back. If it were returned to the pool, it would keep its locks until somebody used
/// it.
pub struct ScopeConnection {
    conn: Option<Conn>,
    /// The slot of the statement that runs on a shared connection.
    place: Option<Place>,
    /// Where the statements of a view get their connections.
    connections: Option<Arc<Connections>>,
    in_unit: bool,
    sound: bool,
    /// The turn of a unit. It ends when the connection is free.
    turn: Option<WriteTurn>,
}

impl ScopeConnection {
    /// The connection of a view; `own` is its first one if the shared ones have no room.
    pub(super) fn of_view(own: Option<Conn>, connections: Arc<Connections>) -> Self {
        Self { conn: own, place: None, connections: Some(connections), in_unit: false, sound: true, turn: None }
    }

    /// The connection of a unit, which begins here.
    pub(super) async fn of_unit(own: Conn) -> StoreResult<Self> {
        let mut connection =
            Self { conn: Some(own), place: None, connections: None, in_unit: true, sound: true, turn: None };
        let begun = AnsiTransactionManager::begin_transaction(connection.unit_conn()?).await;
        connection.check(begun)?;
        Ok(connection)
    }

    /// The connection of a view whose statements all see the same state. It is closed afterwards, like that of a unit
    /// that did not end. The server fixes the state with the first query.
    pub(super) async fn of_snapshot(own: Conn) -> StoreResult<Self> {
        let mut connection =
            Self { conn: Some(own), place: None, connections: None, in_unit: true, sound: true, turn: None };
        let statements = "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1";
        let begun = connection.unit_conn()?.batch_execute(statements).await;
        connection.check(begun)?;
        Ok(connection)
    }

    /// Ends the turn together with the unit.
    pub(super) fn in_turn(mut self, mut turn: WriteTurn) -> Self {
        turn.begin();
        self.turn = Some(turn);
        self
    }

    /// The connection for the next statement. A view may get a different one each time, so it survives if a shared
    /// connection closes between two of its statements.
    pub async fn conn(&mut self) -> StoreResult<&mut Conn> {
        self.sound = false;
        if let Some(connections) = &self.connections
            && !matches!(self.conn, Some(Conn::Own(_)))
        {
            let place = connections.place().await?;
            self.conn = Some(match &place {
                Some(place) => Conn::Shared(place.client()),
                None => connections.own().await?,
            });
            self.place = place;
        }
        self.conn.as_mut().ok_or(StoreError::Unavailable)
    }

    fn unit_conn(&mut self) -> StoreResult<&mut AsyncPgConnection> {
        self.sound = false;
        match &mut self.conn {
            Some(Conn::Own(object)) => Ok(object),
            Some(Conn::Shared(_)) | None => Err(StoreError::Unavailable),
        }
    }

    /// Notes that the last statement succeeded.
    pub fn statement_succeeded(&mut self) {
        self.sound = true;
        if let Some(place) = self.place.take() {
            place.statement_succeeded();
            // A retired connection closes when nobody uses it any more.
            self.conn = None;
        }
    }

    pub async fn commit(mut self) -> StoreResult<()> {
        if !self.in_unit {
            return Ok(());
        }
        let committed = AnsiTransactionManager::commit_transaction(self.unit_conn()?).await;
        self.check(committed)?;
        self.in_unit = false;
        Ok(())
    }

    pub async fn undo(mut self) -> StoreResult<()> {
        if !self.in_unit {
            return Ok(());
        }
        let undone = AnsiTransactionManager::rollback_transaction(self.unit_conn()?).await;
        self.check(undone)?;
        self.in_unit = false;
        Ok(())
    }

    fn check(&mut self, answer: QueryResult<()>) -> StoreResult<()> {
        answer.map_err(|error| faults::refusal(&error))?;
        self.sound = true;
        Ok(())
    }
}

impl Drop for ScopeConnection {
    fn drop(&mut self) {
        if (self.in_unit || !self.sound)
            && let Some(Conn::Own(object)) = self.conn.take()
        {
            drop(Object::take(object));
        }
    }
}
