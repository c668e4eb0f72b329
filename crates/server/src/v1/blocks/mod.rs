//! Blocks: the content of a page, batches of changes, and single blocks.

mod batch_body;
pub mod batches;
pub mod block;
mod change_schemas;
pub(super) mod known_fields;
pub mod markdown;
mod operations;
pub mod page;
pub mod pieces;
mod schema;
#[cfg(test)]
mod schema_tests;
pub mod sent;
pub mod single;
