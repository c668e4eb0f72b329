//! What the crate promises, case by case, as tables to review, and against a literal reading of the definition.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod app_scopes;
mod callers;
mod lasting;
mod level_table;
mod literal_walk;
mod rule_table;
mod worked_cases;

/// The folder of the tables that a change may not alter unseen.
const SNAPSHOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots");
