//! Tests with examples and with random texts.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod excerpt;
mod matches;
mod query;
mod tokens;
