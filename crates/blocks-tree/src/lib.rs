#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

mod arrange;
pub mod batch;
mod block;
mod body;
mod forest;
mod grid;
pub mod html;
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

pub use arrange::{Arrangement, arrange, pieces_of};
pub use block::{Block, BlockNode, Deletion};
pub use body::Body;
pub use kind::Kind;
pub use piece::Piece;
pub use reference::{Reference, TakenOut};
pub use refusal::Refusal;
pub use rich_text::{Mark, MarkKind, MentionKind, RichText};
pub use siblings::{hang, in_order};

/// How deep blocks may lie; one at the top of its page has the depth 1.
pub const MAX_DEPTH: usize = 50;

/// The most blocks that a page is to be made with, where they come as blocks.
pub const MAX_PIECES: usize = 1_000;

/// The most blocks that are made of one document: as many as a page holds.
pub const MAX_BLOCKS_READ: usize = octavo_core_model::page::MAX_BLOCKS;
