//! The store of Octavo on SQLite and on PostgreSQL, from one source.
//!
//! The folder `engine` is compiled once for each engine, with that engine's backend, connection and dialect.
//! Everything else is compiled once: schema, rows, the meaning of errors, migrations. Nothing of diesel is visible
//! outside this crate.

mod error;
#[cfg(feature = "postgres")]
mod error_codes;
mod faults;
mod migrations;
mod observers;
mod open;
mod options;
mod owner_shares;
mod prepared;
mod rows;
mod schema;
mod stored;
mod timing;
mod write_turns;

pub use error::OpenError;
pub use migrations::MigrationStatus;
pub use observers::{OnQuery, OnStatement};
#[cfg(feature = "postgres")]
pub use open::{PostgresLogSignals, SingleNodeLock, hold_single_node_lock, owner_columns};
pub use open::{distribute, migrate, migration_status, open};
pub use options::{Durability, Options};

#[cfg(feature = "postgres")]
#[path = "engine"]
mod postgres {
    pub(crate) type Db = diesel::pg::Pg;
    pub(crate) use dialect::Conn;

    #[path = "dialect_postgres.rs"]
    pub(crate) mod dialect;
    #[path = "mod.rs"]
    mod engine;

    pub(crate) use engine::EngineStore;
}

#[cfg(feature = "sqlite")]
#[path = "engine"]
#[allow(clippy::duplicate_mod, reason = "one source for two engines")]
mod sqlite {
    pub(crate) type Db = diesel::sqlite::Sqlite;
    pub(crate) type Conn = diesel::SqliteConnection;

    #[path = "dialect_sqlite.rs"]
    pub(crate) mod dialect;
    #[path = "mod.rs"]
    mod engine;

    pub(crate) use engine::EngineStore;
}
