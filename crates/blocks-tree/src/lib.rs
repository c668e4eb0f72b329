#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

mod arrange;
pub mod batch;
mod block;
mod body;
mod forest;
#[cfg(test)]
mod fuzz;
mod grid;
pub mod html;
pub mod json;
mod kind;
pub mod markdown;
mod piece;
mod reference;
mod refusal;
pub mod rich_text;
mod run;
mod shape;
mod siblings;
pub mod versions;

/// The checks shared with the fuzz targets refer to this crate by its name.
#[cfg(test)]
extern crate self as octavo_blocks_tree;

pub use arrange::{Arrangement, arrange, pieces_of};
pub use block::{Block, BlockNode, Deletion};
pub use body::{Body, Fields};
pub use kind::Kind;
pub use piece::Piece;
pub use reference::{CopiedIds, Reference, RemovedReferences};
pub use refusal::Refusal;
pub use rich_text::{Mark, MarkKind, MentionKind, RichText};
pub use shape::{known_keys, schema};
pub use siblings::{hang, in_order};

/// How deep blocks may be nested; a top-level block has the depth 1.
pub const MAX_DEPTH: usize = 50;

/// How many blocks a page may be created with, if they are sent as blocks.
pub const MAX_PIECES: usize = 1_000;

/// How many blocks one document may become: as many as a page may have.
pub const MAX_BLOCKS_READ: usize = octavo_core_model::page::MAX_BLOCKS;
