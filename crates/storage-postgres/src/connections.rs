//! The connections of a node to its database.

use super::{
    Conn, pool,
    reachability::Reachability,
    shared::{Place, Shared},
};
use deadpool::managed::Timeouts;
use diesel::ConnectionError;
use diesel_async::{
    AsyncPgConnection,
    pooled_connection::deadpool::{Pool, PoolError},
};
use octavo_core_model::StoreError;
use octavo_ports::store::StoreResult;
use octavo_storage_common::{OpenError, Options};
use std::{fmt, sync::Arc};
use tokio::time::Instant;

/// Each unit has a connection of its own, views share a few. If the shared ones have no room, a
/// view gets one of its own too.
pub(super) struct Connections {
    pool: Pool<AsyncPgConnection>,
    shared: Shared,
    reachability: Arc<Reachability>,
}

impl Connections {
    pub(super) fn open(url: &str, options: &Options) -> Result<Self, OpenError> {
        let reachability = Arc::new(Reachability::new());
        let shared = Shared::new(url, options, Arc::clone(&reachability))?;
        Ok(Self { pool: pool::build(url, options)?, shared, reachability })
    }

    /// A connection of the pool, for a unit or for a view without room on a shared one.
    pub(super) async fn own(&self) -> StoreResult<Conn> {
        self.pool.get().await.map(Conn::Own).map_err(|error| self.no_connection(&error))
    }

    /// Like [`Self::own`], for a unit that has waited already. Creating a connection has the time that it always has.
    pub(super) async fn own_by(&self, deadline: Instant) -> StoreResult<Conn> {
        let wait = deadline.saturating_duration_since(Instant::now());
        let timeouts = Timeouts { wait: Some(wait), ..self.pool.timeouts() };
        self.pool.timeout_get(&timeouts).await.map(Conn::Own).map_err(|error| self.no_connection(&error))
    }

    /// Whether a shared connection has room for the next statement of a view.
    pub(super) async fn has_room(&self) -> StoreResult<bool> {
        match self.shared.has_room().await {
            Ok(has_room) => Ok(has_room),
            Err(error) => self.require_idle(&error).map(|()| false),
        }
    }

    /// A slot for one statement of a view, if there is room.
    pub(super) async fn place(&self) -> StoreResult<Option<Place>> {
        match self.shared.place().await {
            Ok(place) => Ok(place),
            Err(error) => self.require_idle(&error).map(|()| None),
        }
    }

    /// If the server refuses another connection, it may still answer on those in the pool.
    fn require_idle(&self, error: &ConnectionError) -> StoreResult<()> {
        let refusal = self.unavailable(error);
        if self.pool.status().available > 0 { Ok(()) } else { Err(refusal) }
    }

    fn no_connection(&self, error: &PoolError) -> StoreError {
        match error {
            PoolError::Timeout(deadpool::managed::TimeoutType::Wait) => StoreError::Busy,
            error => self.unavailable(error),
        }
    }

    fn unavailable(&self, error: &impl fmt::Display) -> StoreError {
        self.reachability.lost(error);
        StoreError::Unavailable
    }

    /// How many connections are idle and how many are in use.
    pub(super) fn count(&self) -> (u32, u32) {
        let status = self.pool.status();
        let idle = u32::try_from(status.available).unwrap_or(u32::MAX);
        let used = u32::try_from(status.size).unwrap_or(u32::MAX).saturating_sub(idle);
        let (shared_idle, shared_used) = self.shared.count();
        (idle.saturating_add(shared_idle), used.saturating_add(shared_used))
    }
}

impl fmt::Debug for Connections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connections").field("pool", &self.pool.status()).finish_non_exhaustive()
    }
}
