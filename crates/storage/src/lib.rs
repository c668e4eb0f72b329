//! The store of Octavo on SQLite and on PostgreSQL, from one source.
//!
//! The folder `areas` is compiled once for each engine, by a crate of its own with that engine's backend, connection and
//! dialect. Everything else is compiled once: schema, rows, the meaning of errors, migrations. Nothing of diesel is
//! visible outside the crates of the store.

mod location;

use location::Location;
use octavo_ports::store::Store;
#[cfg(feature = "postgres")]
use octavo_storage_areas_postgres as postgres_areas;
#[cfg(feature = "sqlite")]
use octavo_storage_areas_sqlite as sqlite_areas;
#[cfg(feature = "postgres")]
use octavo_storage_postgres as postgres;
#[cfg(feature = "sqlite")]
use octavo_storage_sqlite as sqlite;
use std::sync::Arc;

pub use octavo_storage_common::{Durability, OnQuery, OnStatement, OpenError, Options, migrations::MigrationStatus};
#[cfg(feature = "postgres")]
pub use octavo_storage_postgres::{PostgresLogSignals, SingleNodeLock, hold_single_node_lock, owner_columns};

/// Opens a database that is up to date.
pub async fn open(url: &str, options: &Options) -> Result<Arc<dyn Store>, OpenError> {
    match Location::parse(url)? {
        #[cfg(feature = "sqlite")]
        Location::Sqlite(path) => sqlite_areas::open(&path, options),
        #[cfg(feature = "postgres")]
        Location::Postgres(url) => postgres_areas::open(&url, options).await,
        #[cfg(not(all(feature = "sqlite", feature = "postgres")))]
        _ => Err(OpenError::BadUrl(NOT_BUILT_IN)),
    }
}

/// Applies the pending migrations and returns their names. Creates the SQLite file if it does not exist. Several nodes
/// may do this at once.
pub async fn migrate(url: &str) -> Result<Vec<String>, OpenError> {
    match Location::parse(url)? {
        #[cfg(feature = "sqlite")]
        Location::Sqlite(path) => sqlite::migrate(&path),
        #[cfg(feature = "postgres")]
        Location::Postgres(url) => postgres::migrate(&url).await,
        #[cfg(not(all(feature = "sqlite", feature = "postgres")))]
        _ => Err(OpenError::BadUrl(NOT_BUILT_IN)),
    }
}

/// Declares the tables to Citus that it does not know yet, so that all rows of an owner are on one of its nodes.
/// Returns the statements; with `dry_run` none of them runs.
pub async fn distribute(url: &str, dry_run: bool) -> Result<Vec<String>, OpenError> {
    match Location::parse(url)? {
        #[cfg(feature = "postgres")]
        Location::Postgres(url) => postgres::distribute(&url, dry_run).await,
        _ => Err(OpenError::BadUrl("only a PostgreSQL database with the citus extension can be distributed")),
    }
}

/// The state of the schema. Changes nothing.
pub async fn migration_status(url: &str) -> Result<MigrationStatus, OpenError> {
    match Location::parse(url)? {
        #[cfg(feature = "sqlite")]
        Location::Sqlite(path) => sqlite::migration_status(&path),
        #[cfg(feature = "postgres")]
        Location::Postgres(url) => postgres::migration_status(&url).await,
        #[cfg(not(all(feature = "sqlite", feature = "postgres")))]
        _ => Err(OpenError::BadUrl(NOT_BUILT_IN)),
    }
}

#[cfg(not(all(feature = "sqlite", feature = "postgres")))]
const NOT_BUILT_IN: &str = "this build does not know the engine of the database URL";
