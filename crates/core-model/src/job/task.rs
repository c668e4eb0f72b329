//! What jobs do, and from where an interrupted one continues.

use super::{DatabaseImport, ImportCheckpoint, JobKind, Pieces};
use crate::{audit::AuditSearch, name::named};
use serde::{Deserialize, Serialize};

/// The task of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Task {
    /// Write an audit trail into a file.
    AuditExport(AuditExport),
    /// Add the rows of a table to a database.
    DatabaseImport(DatabaseImport),
}

impl Task {
    /// What kind of job this is.
    pub const fn kind(&self) -> JobKind {
        match self {
            Self::AuditExport(_) => JobKind::AuditExport,
            Self::DatabaseImport(_) => JobKind::DatabaseImport,
        }
    }

    /// Who may download the result.
    pub const fn result_audience(&self) -> ResultAudience {
        match self {
            // The starter of an export may have lost the right to read the trail since. An import has nothing to download.
            Self::AuditExport(_) | Self::DatabaseImport(_) => ResultAudience::InCharge,
        }
    }

    /// Whether it reads bytes that were stored for it and are of no use once it has ended.
    pub const fn reads_bytes(&self) -> bool {
        match self {
            Self::AuditExport(_) => false,
            Self::DatabaseImport(_) => true,
        }
    }
}

/// Who may download the result of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultAudience {
    /// Owners and admins of the workspace, and API keys with the scope `admin`.
    InCharge,
}

/// Which entries of an audit trail to export, and the format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditExport {
    /// How to write them.
    pub format: ExportFormat,
    /// Which entries.
    pub search: AuditSearch,
}

named! {
    /// The format of an export.
    ExportFormat {
        Ndjson = "ndjson",
        Csv = "csv",
    }
}

/// How far a job had come when it was last written down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Checkpoint {
    /// Writing an audit trail.
    AuditExport {
        /// The number up to which the trail was read, and the number at which the export ends.
        through: i64,
        /// The number of the newest entry to write.
        last: i64,
        /// How many entries were written.
        rows: u64,
        /// The pieces that were stored.
        pieces: Pieces,
    },
    /// Adding the rows of a table to a database.
    DatabaseImport(ImportCheckpoint),
}
