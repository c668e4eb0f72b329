//! Imports of large tables: the file is stored first, and a job adds its rows to a database.
//!
//! The job reads the file twice: once to learn its columns and to count its rows, and again to write them. Each portion
//! of rows and how far the job has come are written in one unit, so a job that is interrupted goes on exactly behind the
//! last portion.

mod file;
mod gathering;
mod run;
mod start;
mod survey;

pub(crate) use run::Import;
pub use start::{Intake, LONGEST_ARRIVAL, WantedImport, admit, discard, start};

use crate::access::{AppRequirement, RouteAccess};

/// How many bytes a file has at most.
pub const MAX_FILE: usize = 100 << 20;

/// How many rows a file has at most.
pub const MAX_ROWS: u32 = 1_000_000;

/// What starting such a job requires. No app scope opens it, because none lets an app read jobs.
pub const STARTING: RouteAccess = RouteAccess { app: AppRequirement::NoScope, ..RouteAccess::DATABASES_CHANGE };
