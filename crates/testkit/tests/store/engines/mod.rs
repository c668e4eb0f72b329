//! Tests of one engine, each with the reason why they do not apply to the other.

mod postgres;
mod public_pages;
mod schema_locks;
mod sqlite;
