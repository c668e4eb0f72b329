//! Which database a URL names.

use octavo_storage_common::OpenError;
use std::path::PathBuf;

/// The engine, and where its database is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    Sqlite(PathBuf),
    Postgres(String),
}

impl Location {
    /// `sqlite:relative/file`, `sqlite:/absolute/file` or `sqlite:///absolute/file`; `postgres://...`.
    pub(crate) fn parse(url: &str) -> Result<Self, OpenError> {
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
