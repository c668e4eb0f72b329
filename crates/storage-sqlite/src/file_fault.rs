//! Why a SQLite file cannot be opened or migrated, and whether waiting helps.

use diesel::{ConnectionError, result::Error};
use octavo_core_model::StoreError;
use octavo_storage_common::{OpenError, faults::store_error, migrations::MigrationStatus};
use std::{fmt, io, path::Path};

/// SQLite's messages about a file whose content is broken. Diesel passes on no result codes.
const DAMAGE: [&str; 4] = [
    "file is not a database",
    "database disk image is malformed",
    "malformed database schema",
    "unsupported file format",
];

/// What went wrong, before the file is named.
#[derive(Debug)]
pub(super) enum FileFault {
    /// Already described: a pending migration, for example.
    Described(OpenError),
    /// Another process has locked the file, which passes.
    Locked(String),
    /// SQLite or the system cannot use the file, which does not pass.
    Failed(String),
    /// The file is a database of something else.
    Foreign(String),
}

impl FileFault {
    /// A migration failed on a database with this status.
    pub(super) fn migration(error: impl fmt::Display, before: &MigrationStatus) -> Self {
        match error.to_string() {
            reason if is_damage(&reason) => Self::Failed(reason),
            reason if before.is_foreign(&reason) => Self::Foreign(reason),
            reason => Self::Described(OpenError::migration(reason)),
        }
    }

    /// The error for the operator.
    pub(super) fn of(self, path: &Path) -> OpenError {
        let path = path.display().to_string();
        match self {
            Self::Described(error) => error,
            Self::Locked(reason) => OpenError::Unreachable(format!("{path}: {reason}")),
            Self::Failed(reason) if is_damage(&reason) => OpenError::Damaged { path, reason },
            Self::Failed(reason) => OpenError::Unusable { path, reason },
            Self::Foreign(reason) => OpenError::Foreign { database: path, reason },
        }
    }
}

fn is_damage(reason: &str) -> bool {
    DAMAGE.iter().any(|message| reason.contains(message))
}

impl From<OpenError> for FileFault {
    fn from(error: OpenError) -> Self {
        Self::Described(error)
    }
}

impl From<Error> for FileFault {
    fn from(error: Error) -> Self {
        let reason = error.to_string();
        if store_error(&error) == StoreError::Busy { Self::Locked(reason) } else { Self::Failed(reason) }
    }
}

impl From<ConnectionError> for FileFault {
    fn from(error: ConnectionError) -> Self {
        match error {
            ConnectionError::CouldntSetupConfiguration(error) => error.into(),
            error => Self::Failed(error.to_string()),
        }
    }
}

impl From<io::Error> for FileFault {
    fn from(error: io::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use diesel::result::DatabaseErrorKind;

    fn reported(message: &str) -> OpenError {
        let error = Error::DatabaseError(DatabaseErrorKind::Unknown, Box::new(message.to_owned()));
        FileFault::from(error).of(Path::new("/srv/octavo.db"))
    }

    fn failed(message: &str, before: &MigrationStatus) -> OpenError {
        FileFault::migration(format!("Failed to run 2026 with: {message}"), before).of(Path::new("/srv/octavo.db"))
    }

    #[test]
    fn only_a_lock_is_waited_for() {
        assert!(matches!(reported("database is locked"), OpenError::Unreachable(_)));
        for message in
            ["file is not a database", "database disk image is malformed", "malformed database schema (users)"]
        {
            assert!(matches!(reported(message), OpenError::Damaged { .. }), "{message}");
        }
        for message in ["unable to open database file", "attempt to write a readonly database", "disk I/O error"] {
            assert!(matches!(reported(message), OpenError::Unusable { .. }), "{message}");
        }
        let refused = FileFault::from(io::Error::from(io::ErrorKind::PermissionDenied)).of(Path::new("/srv/octavo.db"));
        assert!(matches!(refused, OpenError::Unusable { .. }), "{refused}");
    }

    #[test]
    fn a_report_names_the_file_the_reason_and_what_to_do() {
        let report = reported("file is not a database").to_string();
        for part in ["/srv/octavo.db", "file is not a database", "backup", "OCTAVO_DATABASE_URL"] {
            assert!(report.contains(part), "{part}: {report}");
        }
        assert!(!report.contains('\n'), "{report}");
    }

    #[test]
    fn a_migration_that_meets_damage_is_reported_as_damage() {
        let met = failed("database disk image is malformed", &MigrationStatus::default());
        assert!(matches!(met, OpenError::Damaged { .. }), "{met}");
        let failed = failed("no such table: users", &MigrationStatus::default());
        assert!(matches!(failed, OpenError::Migration(_)), "{failed}");
    }

    #[test]
    fn a_first_migration_that_meets_a_table_has_met_a_foreign_one() {
        let met = failed("table users already exists", &MigrationStatus::default());
        assert!(matches!(&met, OpenError::Foreign { database, .. } if database == "/srv/octavo.db"), "{met}");
        let ours = MigrationStatus { applied: vec!["2026".to_owned()], ..MigrationStatus::default() };
        let later = failed("table teams already exists", &ours);
        assert!(matches!(later, OpenError::Migration(_)), "{later}");
    }
}
