//! The guarantees of this crate: case by case, as tables for review, and compared with a literal reading of the
//! definition.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod app_scopes;
mod callers;
mod lasting;
mod level_table;
mod literal_walk;
mod rule_table;
mod worked_cases;

/// The folder of the reviewed tables, whose changes must be accepted.
const SNAPSHOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots");
