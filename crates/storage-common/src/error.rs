//! Why a database cannot be opened or migrated.

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("{0}")]
    BadUrl(&'static str),
    #[error("there is no database at {}", .0.display())]
    Missing(PathBuf),
    /// May pass: the server does not answer, or another process has locked the file.
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    #[error(
        "the database server refuses the connection ({0}): check the user, the password and the name of the database in \
         OCTAVO_DATABASE_URL"
    )]
    Refused(String),
    #[error(
        "{path} is damaged or is no SQLite database ({reason}): move it, and the files beside it that end in -wal and \
         -shm, to another folder and put a backup in its place, or name another file in OCTAVO_DATABASE_URL"
    )]
    Damaged { path: String, reason: String },
    #[error(
        "{path} cannot be used as the database ({reason}): check that this user may read and write the file and its \
         folder, and that the disk has room"
    )]
    Unusable { path: String, reason: String },
    #[error(
        "{database} holds tables that are not Octavo's ({reason}): name another file or an empty database in \
         OCTAVO_DATABASE_URL"
    )]
    Foreign { database: String, reason: String },
    #[error("the database was migrated by a newer release, to {0}")]
    NewerSchema(String),
    #[error("the database is behind this release; pending: {}", .0.join(", "))]
    PendingMigrations(Vec<String>),
    #[error("a migration failed: {0}")]
    Migration(String),
    #[error("the citus extension is missing: run CREATE EXTENSION citus on the coordinator first")]
    NoCitus,
    #[error("the tables cannot be distributed: {0}")]
    Undistributable(String),
    #[error("another octavo server serves this database; several may do so with OCTAVO_NODES=several")]
    Held,
}

impl OpenError {
    pub fn migration(error: impl std::fmt::Display) -> Self {
        Self::Migration(error.to_string())
    }
}

impl From<diesel::ConnectionError> for OpenError {
    fn from(error: diesel::ConnectionError) -> Self {
        match error {
            diesel::ConnectionError::InvalidConnectionUrl(reason) => Self::Refused(reason),
            error => Self::Unreachable(error.to_string()),
        }
    }
}

impl From<diesel::result::Error> for OpenError {
    fn from(error: diesel::result::Error) -> Self {
        Self::Unreachable(error.to_string())
    }
}
