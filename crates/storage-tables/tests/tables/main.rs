//! The tests of the tables, their rows and their values.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

#[cfg(feature = "sqlite")]
mod prepared;
mod rows;
mod stored;
