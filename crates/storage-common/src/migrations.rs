//! Which migrations of this release a database has.

use crate::OpenError;
use diesel::{
    backend::Backend,
    migration::{Migration, MigrationSource},
};
use diesel_migrations::EmbeddedMigrations;

/// The state of a database's schema.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MigrationStatus {
    /// Migrations of this release that are applied.
    pub applied: Vec<String>,
    /// Migrations of this release that are pending.
    pub pending: Vec<String>,
    /// Applied migrations that this release does not know: a newer release made them.
    pub unknown: Vec<String>,
}

impl MigrationStatus {
    pub fn compare<DB: Backend>(source: &EmbeddedMigrations, taken: Vec<String>) -> Result<Self, OpenError> {
        let mut status = Self::default();
        for version in versions::<DB>(source)? {
            let list = if taken.contains(&version) { &mut status.applied } else { &mut status.pending };
            list.push(version);
        }
        status.unknown = taken.into_iter().filter(|version| !status.applied.contains(version)).collect();
        Ok(status)
    }

    /// Whether this release can migrate the database: not if a newer one has.
    pub fn refuse_newer(&self) -> Result<(), OpenError> {
        match self.unknown.iter().max() {
            Some(version) => Err(OpenError::NewerSchema(version.clone())),
            None => Ok(()),
        }
    }

    /// Whether the database belongs to something else: a name is taken although no migration of ours was applied.
    pub fn is_foreign(&self, failure: &str) -> bool {
        self.applied.is_empty() && failure.contains("already exists")
    }

    /// Whether this release can serve the database as it is.
    pub fn refuse_different(&self) -> Result<(), OpenError> {
        self.refuse_newer()?;
        if self.pending.is_empty() { Ok(()) } else { Err(OpenError::PendingMigrations(self.pending.clone())) }
    }
}

fn versions<DB: Backend>(source: &EmbeddedMigrations) -> Result<Vec<String>, OpenError> {
    let steps: Vec<Box<dyn Migration<DB>>> = source.migrations().map_err(OpenError::migration)?;
    let mut versions: Vec<String> = steps.iter().map(|step| step.name().version().to_string()).collect();
    versions.sort();
    Ok(versions)
}

/// The last migration of this release.
#[derive(Debug)]
pub struct Expected(Option<String>);

impl Expected {
    pub fn of(status: &MigrationStatus) -> Self {
        Self(status.applied.iter().max().cloned())
    }

    /// Whether the database has at least this migration. It may be ahead: during a rolling update two releases use
    /// it.
    pub fn is_reached_by(&self, newest: Option<&str>) -> bool {
        newest >= self.0.as_deref()
    }
}
