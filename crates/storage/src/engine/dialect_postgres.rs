//! What is specific to PostgreSQL: its connections, row locks, writing many rows, the inbox of events and its
//! numbering task.

#[path = "postgres/bulk.rs"]
mod bulk;
#[path = "postgres/clauses.rs"]
mod clauses;
#[path = "postgres/connection.rs"]
mod connection;
#[path = "postgres/connections.rs"]
mod connections;
#[path = "postgres/each_in_turn.rs"]
mod each_in_turn;
#[path = "postgres/log.rs"]
mod log;
#[path = "postgres/numbering.rs"]
mod numbering;
#[path = "postgres/pool.rs"]
mod pool;
#[path = "postgres/reachability.rs"]
mod reachability;
#[path = "postgres/reply_keys.rs"]
mod reply_keys;
#[path = "postgres/scope_connection.rs"]
mod scope_connection;
#[path = "postgres/seals.rs"]
mod seals;
#[path = "postgres/shared.rs"]
mod shared;
#[path = "postgres/target.rs"]
mod target;
#[path = "postgres/touch.rs"]
mod touch;
#[path = "postgres/watched.rs"]
mod watched;

use crate::{
    OpenError,
    options::Options,
    write_turns::{TurnLimits, WriteTurn},
};
use connections::Connections;
use each_in_turn::each_in_turn;
use octavo_ports::store::{NumberedEvents, StoreResult};
use std::sync::Arc;
use tokio::time::Instant;

pub(crate) use bulk::{
    ROWS_AT_ONCE, insert_blocks, insert_grants, insert_pages, insert_properties, insert_record_links, insert_records,
    insert_references, insert_views, move_blocks, move_pages, save_blocks, save_records,
};
pub(crate) use clauses::{
    IN_SUBQUERY, ListType, SKIPPING_LOCKED, UNNUMBERED_CHANGES, among, for_each_row, list, locked, locked_shared,
    one_of, skipping_locked,
};
pub(crate) use connection::Conn;
pub(crate) use diesel_async::{
    RunQueryDsl,
    methods::{ExecuteDsl, LoadQuery},
};
pub(crate) use log::{insert_audit_entries, insert_events};
pub(crate) use numbering::oldest_unnumbered_event;
pub(crate) use reply_keys::claim_key;
pub(crate) use scope_connection::ScopeConnection;
pub(crate) use seals::{lock_heads, move_heads, write_seals};
pub(crate) use target::{Target, unreachable};
pub(crate) use touch::{touch_api_keys, touch_sessions};

/// Whether several units can run at the same time.
pub(crate) const UNITS_MEET: bool = true;

/// Events are swept like other rows.
pub(crate) const SWEEP_EVENTS: Option<&str> = None;

/// How many views of one owner run at the same time. They share connections, and an owner that uses all of them delays
/// others only a little.
pub(crate) const fn views_of_owner(options: &Options) -> usize {
    options.readers
}

/// How many snapshots there are at the same time, of all owners together. Each has one of the connections of units, so
/// they have a fifth of these.
pub(crate) fn snapshots(options: &Options) -> usize {
    (pool::connections_for_units(options) / 5).max(1)
}

/// How many units of one owner run at the same time, each on a connection of its own: so few that a handful of owners
/// cannot take all connections, and two at least, so that one slow unit does not stop its owner.
pub(crate) fn units_of_owner(options: &Options) -> usize {
    (options.pool_size / 5).max(2)
}

/// How many units that take turns run at the same time, of all owners together: half of the connections, so that short
/// units always find one. At most two of them are units that announced themselves as long: on a few cores, the
/// statements of more would slow each other down until all of them reach their time limit.
pub(crate) fn turn_limits(options: &Options) -> TurnLimits {
    let all = (pool::connections_for_units(options) / 2).max(1);
    TurnLimits { all, announced: all.min(2) }
}

/// Opens scopes.
#[derive(Debug)]
pub(crate) struct Engine {
    connections: Arc<Connections>,
}

impl Engine {
    pub(crate) fn open(url: &str, options: &Options) -> Result<Self, OpenError> {
        Ok(Self { connections: Arc::new(Connections::open(url, options)?) })
    }

    /// Finds out immediately whether the server can be reached.
    pub(crate) async fn view(&self) -> StoreResult<ScopeConnection> {
        let own = if self.connections.has_room().await? { None } else { Some(self.connections.own().await?) };
        Ok(ScopeConnection::of_view(own, Arc::clone(&self.connections)))
    }

    /// A view that sees one state of the database, on a connection of its own.
    pub(crate) async fn snapshot(&self) -> StoreResult<ScopeConnection> {
        ScopeConnection::of_snapshot(self.connections.own().await?).await
    }

    /// A unit of the deployment itself.
    pub(crate) async fn unit(&self) -> StoreResult<ScopeConnection> {
        ScopeConnection::of_unit(self.connections.own().await?).await
    }

    /// A unit that waits for a connection until the deadline at the latest.
    pub(crate) async fn unit_by(&self, deadline: Instant, turn: WriteTurn) -> StoreResult<ScopeConnection> {
        Ok(ScopeConnection::of_unit(self.connections.own_by(deadline).await?).await?.in_turn(turn))
    }

    /// Needs no check: if the server is gone, statements fail.
    #[allow(clippy::unused_self, clippy::unnecessary_wraps, reason = "the other engine looks at its file")]
    pub(crate) const fn require_in_place(&self) -> StoreResult<()> {
        Ok(())
    }

    /// How many connections are idle and how many are in use.
    pub(crate) fn connections(&self) -> (u32, u32) {
        self.connections.count()
    }

    pub(crate) async fn number_events(&self) -> StoreResult<NumberedEvents> {
        numbering::number_events(self).await
    }
}
