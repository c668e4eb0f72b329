//! Separate databases for each test, and builders for their content.
//!
//! The conformance tests that every engine of the store must pass are in `tests/store`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "for tests: what fails here fails the test, and the environment says which services there are"
)]

pub mod database;
pub mod log_recorder;
pub mod make;
pub mod one_owner;
pub mod wait;

pub use database::{Database, fresh_postgres, fresh_sqlite};
pub use log_recorder::LogRecorder;
