//! Blocks: the content of a page, batches of changes, and single blocks.

mod batch_body;
pub mod batches;
pub mod block;
mod known_fields;
pub mod markdown;
mod operations;
pub mod page;
pub mod pieces;
pub mod sent;
pub mod single;
