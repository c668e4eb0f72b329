//! What is specific to the store on PostgreSQL: its connections and migrations, row locks, writing many rows, the inbox
//! of events and its numbering task, Citus, and what nodes share through the database.
//!
//! The areas of the store are compiled with this crate in `octavo-storage-areas-postgres`, where they call it `dialect`.

mod alone;
mod bulk;
mod clauses;
mod connection;
mod connections;
mod distribute;
mod each_in_turn;
mod log;
mod log_signals;
mod migrations;
mod numbering;
mod pool;
mod reachability;
mod reply_keys;
mod scope_connection;
mod seals;
mod shared;
mod target;
mod touch;
mod watched;

use connections::Connections;
use each_in_turn::each_in_turn;
use octavo_ports::store::{NumberedEvents, StoreResult};
use octavo_storage_common::{
    OpenError, Options,
    write_turns::{TurnLimits, WriteTurn},
};
use std::sync::Arc;
use tokio::time::Instant;

pub use alone::{SingleNodeLock, hold_single_node_lock};
pub use bulk::{
    ROWS_AT_ONCE, insert_blocks, insert_grants, insert_notifications, insert_pages, insert_properties,
    insert_record_links, insert_records, insert_references, insert_views, move_blocks, move_pages, save_blocks,
    save_records,
};
pub use clauses::{
    IN_SUBQUERY, ListType, SKIPPING_LOCKED, UNNUMBERED_CHANGES, among, for_each_row, list, unnumbered_nodes,
};
pub use connection::Conn;
pub use diesel_async::{
    RunQueryDsl,
    methods::{ExecuteDsl, LoadQuery},
};
pub use distribute::{distribute, owner_columns};
pub use log::{insert_audit_entries, insert_events};
pub use log_signals::PostgresLogSignals;
pub use migrations::{migrate, migration_status};
pub use numbering::oldest_unnumbered_event;
pub use reply_keys::claim_key;
pub use scope_connection::ScopeConnection;
pub use seals::{lock_heads, move_heads, write_seals};
pub use touch::{touch_api_keys, touch_sessions};

/// Whether several units can run at the same time.
pub const UNITS_MEET: bool = true;

/// Events are swept like other rows.
pub const SWEEP_EVENTS: Option<&str> = None;

/// How many views of one owner run at the same time. They share connections, and an owner that uses all of them delays
/// others only a little.
pub const fn views_of_owner(options: &Options) -> usize {
    options.readers
}

/// How many snapshots there are at the same time, of all owners together. Each has one of the connections of units, so
/// they have a fifth of these.
pub fn snapshots(options: &Options) -> usize {
    (pool::connections_for_units(options) / 5).max(1)
}

/// How many units of one owner run at the same time, each on a connection of its own: so few that a handful of owners
/// cannot take all connections, and two at least, so that one slow unit does not stop its owner.
pub fn units_of_owner(options: &Options) -> usize {
    (options.pool_size / 5).max(2)
}

/// How many units that take turns run at the same time, of all owners together: half of the connections, so that short
/// units always find one. At most two of them are units that announced themselves as long: on a few cores, the
/// statements of more would slow each other down until all of them reach their time limit.
pub fn turn_limits(options: &Options) -> TurnLimits {
    let all = (pool::connections_for_units(options) / 2).max(1);
    TurnLimits { all, announced: all.min(2) }
}

/// Opens scopes.
#[derive(Debug)]
pub struct Engine {
    connections: Arc<Connections>,
}

impl Engine {
    pub fn open(url: &str, options: &Options) -> Result<Self, OpenError> {
        Ok(Self { connections: Arc::new(Connections::open(url, options)?) })
    }

    /// Finds out immediately whether the server can be reached.
    pub async fn view(&self) -> StoreResult<ScopeConnection> {
        let own = if self.connections.has_room().await? { None } else { Some(self.connections.own().await?) };
        Ok(ScopeConnection::of_view(own, Arc::clone(&self.connections)))
    }

    /// A view that sees one state of the database, on a connection of its own.
    pub async fn snapshot(&self) -> StoreResult<ScopeConnection> {
        ScopeConnection::of_snapshot(self.connections.own().await?).await
    }

    /// A unit of the deployment itself.
    pub async fn unit(&self) -> StoreResult<ScopeConnection> {
        ScopeConnection::of_unit(self.connections.own().await?).await
    }

    /// A unit that waits for a connection until the deadline at the latest.
    pub async fn unit_by(&self, deadline: Instant, turn: WriteTurn) -> StoreResult<ScopeConnection> {
        Ok(ScopeConnection::of_unit(self.connections.own_by(deadline).await?).await?.in_turn(turn))
    }

    /// Needs no check: if the server is gone, statements fail.
    #[allow(clippy::unused_self, clippy::unnecessary_wraps, reason = "the other engine looks at its file")]
    pub const fn require_in_place(&self) -> StoreResult<()> {
        Ok(())
    }

    /// How many connections are idle and how many are in use.
    pub fn connections(&self) -> (u32, u32) {
        self.connections.count()
    }

    pub async fn number_events(&self) -> StoreResult<NumberedEvents> {
        numbering::number_events(self).await
    }
}
