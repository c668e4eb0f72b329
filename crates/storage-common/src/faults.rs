//! What an error of an engine means to the use cases.

use diesel::result::{DatabaseErrorKind, Error};
use octavo_core_model::StoreError;

/// The message of our own deadline when it stops a SQLite statement.
pub const OUT_OF_TIME: &str = "octavo: the statement ran out of time";

/// Logs an error for the operator and maps it to the errors that use cases know.
pub fn refusal(error: &Error) -> StoreError {
    note(error);
    store_error(error)
}

/// Except for violated constraints, diesel passes on neither the SQLSTATE of PostgreSQL nor the result code of
/// SQLite. PostgreSQL connections are watched for the codes; where that is not possible, and on SQLite, errors are
/// recognised by their English text.
pub fn store_error(error: &Error) -> StoreError {
    let Error::DatabaseError(kind, report) = error else { return StoreError::Unavailable };
    #[cfg(feature = "postgres")]
    if let Some(meaning) = crate::error_codes::meaning_of(report.message()) {
        return meaning;
    }
    match (kind, report.message()) {
        // If a foreign key is violated, a row that was found before is gone. Another attempt says what is missing.
        (DatabaseErrorKind::SerializationFailure | DatabaseErrorKind::ForeignKeyViolation, _)
        | (_, "deadlock detected") => StoreError::Collision,
        (_, "database is locked" | "database table is locked" | "canceling statement due to lock timeout") => {
            StoreError::Busy
        }
        (_, OUT_OF_TIME | "canceling statement due to statement timeout") => StoreError::Timeout,
        _ => StoreError::Unavailable,
    }
}

/// Logs an error for the operator. Only the message of a failed statement is logged: it names tables and rules, while
/// its details could name people.
///
/// That a connection was lost is logged once, where connections are opened, and not for each statement that was under
/// way.
pub fn note(error: &Error) {
    match error {
        lost if is_lost_connection(lost) => tracing::debug!(%error, "a statement lost its connection"),
        Error::DatabaseError(kind, report) => {
            tracing::warn!(?kind, report = report.message(), "a statement of the store failed");
        }
        other => tracing::warn!(error = %other, "a statement of the store failed"),
    }
}

/// The same for a collision after which the unit runs again: it concerns nobody, so it is no warning.
fn note_expected(collision: &Error) {
    tracing::debug!(report = %collision, "a unit collided with another one and runs again");
}

/// The driver's messages, and those of a server that stops. If a server speaks another language, its messages are
/// logged like other errors.
fn is_lost_connection(error: &Error) -> bool {
    const LOST: [&str; 4] = [
        "connection closed",
        "error communicating with the server",
        "terminating connection due to administrator command",
        "terminating connection because of crash of another server process",
    ];
    match error {
        Error::DatabaseError(_, report) => LOST.iter().any(|lost| report.message().starts_with(lost)),
        Error::RollbackErrorOnCommit { commit_error, .. } => is_lost_connection(commit_error),
        // A unit that goes on after an error, which was logged.
        Error::BrokenTransactionManager => true,
        _ => false,
    }
}

/// Whether a scope may still use its connection.
#[derive(Debug, Default)]
pub struct ConnectionHealth {
    /// A statement was sent and its answer not received yet: it is running, or its future was dropped.
    is_statement_running: bool,
    broken: Option<StoreError>,
    /// Whether the unit runs again if it collides with another one.
    expects_collisions: bool,
}

impl ConnectionHealth {
    /// The unit runs again if it collides with another one.
    pub const fn expect_collisions(&mut self) {
        self.expects_collisions = true;
    }

    /// Called before a statement. After an error, or a statement whose future was dropped, no more statements run: on
    /// SQLite, once the transaction is lost, they would commit by themselves.
    pub fn begin_statement(&mut self) -> Result<(), StoreError> {
        if let Some(error) = self.broken {
            return Err(error);
        }
        if std::mem::replace(&mut self.is_statement_running, true) {
            self.broken = Some(StoreError::Unavailable);
            return Err(StoreError::Unavailable);
        }
        Ok(())
    }

    /// Called after a statement.
    pub fn end_statement<T>(&mut self, answer: Result<T, Error>) -> Result<T, StoreError> {
        self.is_statement_running = false;
        answer.map_err(|error| {
            let meaning = store_error(&error);
            if self.expects_collisions && meaning == StoreError::Collision {
                note_expected(&error);
            } else {
                note(&error);
            }
            self.broken = Some(meaning);
            meaning
        })
    }

    /// The error that ended the scope, if one did.
    pub fn check(&self) -> Result<(), StoreError> {
        match self.broken {
            Some(error) => Err(error),
            None if self.is_statement_running => Err(StoreError::Unavailable),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database_error(message: &str) -> Error {
        Error::DatabaseError(DatabaseErrorKind::Unknown, Box::new(message.to_owned()))
    }

    #[test]
    fn errors_are_distinguished_by_what_a_caller_can_do() {
        for (message, expected) in [
            ("database is locked", StoreError::Busy),
            ("deadlock detected", StoreError::Collision),
            ("canceling statement due to lock timeout", StoreError::Busy),
            ("canceling statement due to statement timeout", StoreError::Timeout),
            ("database or disk is full", StoreError::Unavailable),
            ("disk I/O error", StoreError::Unavailable),
        ] {
            assert_eq!(store_error(&database_error(message)), expected, "{message}");
        }
        let gone = Error::DatabaseError(DatabaseErrorKind::ForeignKeyViolation, Box::new("any language".to_owned()));
        assert_eq!(store_error(&gone), StoreError::Collision);
        assert_eq!(store_error(&Error::BrokenTransactionManager), StoreError::Unavailable);
    }

    #[test]
    fn lost_connections_are_told_apart_from_failed_statements() {
        for message in ["connection closed", "terminating connection due to administrator command"] {
            assert!(is_lost_connection(&database_error(message)), "{message}");
            let in_commit = Error::RollbackErrorOnCommit {
                rollback_error: Box::new(Error::BrokenTransactionManager),
                commit_error: Box::new(database_error(message)),
            };
            assert!(is_lost_connection(&in_commit), "{message}");
        }
        for message in ["terminating connection due to idle-in-transaction timeout", "error serializing parameter 1"] {
            assert!(!is_lost_connection(&database_error(message)), "{message}");
        }
    }

    #[test]
    fn nothing_follows_an_error() {
        let mut health = ConnectionHealth::default();
        assert_eq!(health.begin_statement(), Ok(()));
        assert_eq!(health.end_statement::<()>(Err(database_error("deadlock detected"))), Err(StoreError::Collision));
        assert_eq!(health.begin_statement(), Err(StoreError::Collision));
        assert_eq!(health.check(), Err(StoreError::Collision));
    }

    #[test]
    fn nothing_follows_a_statement_that_was_dropped_halfway() {
        let mut health = ConnectionHealth::default();
        assert_eq!(health.begin_statement(), Ok(()));
        assert_eq!(health.check(), Err(StoreError::Unavailable));
        assert_eq!(health.begin_statement(), Err(StoreError::Unavailable));
    }
}
