//! Blocks as Markdown, without loss either way.
//!
//! What `CommonMark` and GFM have a form for is written in it. For everything else there are directives: a line `:::type {json}` that
//! opens a block, with the keys of its content and its properties side by side, then its children, then a line `:::`.

mod bomb;
mod directive;
mod edit;
mod isolate;
mod read;
mod title;
mod write;

pub use edit::{Anchor, Edit, EditFault, EditIssue, edit};
pub use title::heading_as_title;

use crate::{
    Piece,
    refusal::{Budget, Refusal},
};
use octavo_core_model::cancellation::Cancellation;

/// The longest text that `read` accepts, in bytes.
pub const MAX_BYTES: usize = 1 << 20;

/// The longest text that `import` accepts, in bytes.
pub const MAX_IMPORT_BYTES: usize = 5 << 20;

/// The most edits that are to be made at once. Each costs as much as reading the page.
pub const MAX_EDITS: usize = 50;

/// Makes blocks of a text. No input is wrong: what means nothing is kept as text.
pub fn read(text: &str) -> Result<Vec<Piece>, Refusal> {
    read::read(text, Budget::of(MAX_BYTES), &Cancellation::default())
}

/// Makes blocks of a whole document, which may be longer than what is sent to a page.
pub fn import(text: &str, cancellation: &Cancellation) -> Result<Vec<Piece>, Refusal> {
    read::read(text, Budget::of(MAX_IMPORT_BYTES), cancellation)
}

/// Writes blocks so that `read` makes the same of it.
pub fn write(pieces: &[Piece]) -> String {
    write::write(pieces).text
}

#[cfg(test)]
pub(crate) mod tests;
