#![doc = include_str!("../README.md")]

mod body;
mod kind;
mod piece;
pub mod rich_text;
mod shape;

pub use body::Body;
pub use kind::Kind;
pub use piece::Piece;
pub use rich_text::{Mark, MarkKind, MentionKind, RichText};
