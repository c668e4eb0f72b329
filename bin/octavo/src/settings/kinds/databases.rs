//! The address of the database.

use super::{Flaw, Kind, has_blank_or_control};
use octavo_core_model::Secret;
use std::path::PathBuf;

/// The database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseUrl {
    Sqlite(PathBuf),
    /// The whole address; it may contain a password.
    Postgres(Secret<String>),
}

/// `sqlite:` and a file, or `postgres://`.
pub(in crate::settings) struct DatabaseKind;

impl Kind for DatabaseKind {
    type Value = DatabaseUrl;

    fn wants(&self) -> String {
        "sqlite:FILE or postgres://[user:password@]host[:port]/database".to_owned()
    }

    fn parse(&self, text: &str) -> Result<DatabaseUrl, Flaw> {
        if let Some(rest) = text.strip_prefix("sqlite:") {
            return sqlite_file(rest).map(DatabaseUrl::Sqlite);
        }
        let rest = ["postgres://", "postgresql://"].iter().find_map(|scheme| text.strip_prefix(scheme));
        match rest {
            // The driver parses the rest: it supports several hosts, sockets and options.
            Some(rest) if !rest.is_empty() && !has_blank_or_control(rest) => {
                Ok(DatabaseUrl::Postgres(Secret::new(text.to_owned())))
            }
            _ => Err(Flaw::Malformed),
        }
    }
}

fn sqlite_file(rest: &str) -> Result<PathBuf, Flaw> {
    if rest.contains(":memory:") || rest.contains("mode=memory") {
        return Err(Flaw::because("a database in memory is not supported: name a file"));
    }
    let path = match rest.strip_prefix("//") {
        Some(path) if path.starts_with('/') => path,
        Some(_) => {
            return Err(Flaw::because("write sqlite:FILE for a relative path, sqlite:/FILE for an absolute one"));
        }
        None => rest,
    };
    if path.is_empty() || path.ends_with('/') || path.contains(['\0', '?', '#']) {
        return Err(Flaw::Malformed);
    }
    Ok(PathBuf::from(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sqlite_names_a_file() {
        let file = |path: &str| Ok(DatabaseUrl::Sqlite(PathBuf::from(path)));
        assert_eq!(DatabaseKind.parse("sqlite:octavo.db"), file("octavo.db"));
        assert_eq!(DatabaseKind.parse("sqlite:/srv/o.db"), file("/srv/o.db"));
        assert_eq!(DatabaseKind.parse("sqlite:///srv/o.db"), file("/srv/o.db"));
        for wrong in ["sqlite:", "sqlite://o.db", "sqlite::memory:", "sqlite:/srv/", "sqlite:o.db?mode=ro"] {
            assert!(DatabaseKind.parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn postgres_is_known_by_its_scheme() {
        for right in ["postgres://h/db", "postgresql://u:p@h1:5432,h2/db?sslmode=require", "postgres://%2Frun%2Fpg/db"]
        {
            assert_eq!(DatabaseKind.parse(right), Ok(DatabaseUrl::Postgres(Secret::new(right.to_owned()))));
        }
        for wrong in ["postgres://", "postgres:h/db", "mysql://h/db", "octavo.db", "", "postgres://h /db"] {
            assert_eq!(DatabaseKind.parse(wrong), Err(Flaw::Malformed), "{wrong:?}");
        }
    }
}
