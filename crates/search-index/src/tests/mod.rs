//! Tests of the index.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod damage;
mod filters;
mod finding;
mod pages;
mod reference;
mod sources;
mod support;
mod writing;
