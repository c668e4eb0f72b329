//! Opening and migrating the database that a URL names.

use crate::{OpenError, migrations::MigrationStatus, options::Options};
use octavo_ports::store::Store;
use std::{path::PathBuf, sync::Arc};

#[cfg(feature = "postgres")]
mod alone;
#[cfg(feature = "postgres")]
mod distribute;
#[cfg(feature = "sqlite")]
mod file_fault;
#[cfg(feature = "postgres")]
mod log_signals;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(all(test, feature = "sqlite"))]
mod sqlite_plans;

#[cfg(feature = "postgres")]
pub use alone::{SingleNodeLock, hold_single_node_lock};
#[cfg(feature = "postgres")]
pub use log_signals::PostgresLogSignals;

/// The engine, and where its database is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Location {
    Sqlite(PathBuf),
    Postgres(String),
}

impl Location {
    /// `sqlite:relative/file`, `sqlite:/absolute/file` or `sqlite:///absolute/file`; `postgres://...`.
    fn parse(url: &str) -> Result<Self, OpenError> {
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            return Ok(Self::Postgres(url.to_owned()));
        }
        let rest = url
            .strip_prefix("sqlite:")
            .ok_or(OpenError::BadUrl("a database URL begins with sqlite: or postgres://"))?;
        let path = rest.strip_prefix("//").unwrap_or(rest);
        if path.is_empty() || path.ends_with('/') || path.starts_with(":memory:") {
            return Err(OpenError::BadUrl("a sqlite: URL names a file"));
        }
        if path.contains(['?', '\0']) {
            return Err(OpenError::BadUrl("a sqlite: URL has no parameters"));
        }
        Ok(Self::Sqlite(PathBuf::from(path)))
    }
}

/// Opens a database that is up to date.
pub async fn open(url: &str, options: &Options) -> Result<Arc<dyn Store>, OpenError> {
    match Location::parse(url)? {
        #[cfg(feature = "sqlite")]
        Location::Sqlite(path) => sqlite::open(&path, options),
        #[cfg(feature = "postgres")]
        Location::Postgres(url) => postgres::open(&url, options).await,
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
        Location::Postgres(url) => distribute::distribute(&url, dry_run).await,
        _ => Err(OpenError::BadUrl("only a PostgreSQL database with the citus extension can be distributed")),
    }
}

/// The tables of a PostgreSQL database, each with the column that contains the owner of a row.
#[cfg(feature = "postgres")]
pub async fn owner_columns(url: &str) -> Result<Vec<(String, String)>, OpenError> {
    distribute::owner_columns(url).await
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_form_of_a_file_is_read() {
        for (url, path) in [
            ("sqlite:octavo.db", "octavo.db"),
            ("sqlite:data/octavo.db", "data/octavo.db"),
            ("sqlite:/srv/octavo.db", "/srv/octavo.db"),
            ("sqlite:///srv/a b%20c.db", "/srv/a b%20c.db"),
        ] {
            assert!(matches!(Location::parse(url), Ok(Location::Sqlite(found)) if found == Path::new(path)), "{url}");
        }
    }

    #[test]
    fn what_is_no_database_is_refused() {
        for url in
            ["", "sqlite:", "sqlite://", "sqlite:dir/", "sqlite::memory:", "sqlite:a.db?mode=ro", "mysql://x", "a.db"]
        {
            assert!(matches!(Location::parse(url), Err(OpenError::BadUrl(_))), "{url}");
        }
    }
}
