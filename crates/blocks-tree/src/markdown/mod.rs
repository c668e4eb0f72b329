//! Blocks as Markdown, without loss in either direction.
//!
//! Whatever `CommonMark` and GFM can express is written in their syntax. Everything else is written as a directive: a
//! line `:::type {json}` that opens a block, with the keys of its content and properties in one object, then its
//! children, then a line `:::`.

mod bomb;
mod code_lines;
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

/// How many edits can be applied at once. Each costs as much as parsing the page.
pub const MAX_EDITS: usize = 50;

/// Parses a text. No syntax is wrong: whatever has no meaning stays as text.
pub fn read(text: &str) -> Result<Vec<Piece>, Refusal> {
    read_cancellable(text, &Cancellation::default())
}

/// Like [`read()`], but can be cancelled.
pub fn read_cancellable(text: &str, cancellation: &Cancellation) -> Result<Vec<Piece>, Refusal> {
    read::read(text, Budget::of(MAX_BYTES), cancellation)
}

/// Parses a whole document, which may be longer than a text for an existing page.
pub fn import(text: &str, cancellation: &Cancellation) -> Result<Vec<Piece>, Refusal> {
    read::read(text, Budget::of(MAX_IMPORT_BYTES), cancellation)
}

/// Writes blocks so that `read` returns the same blocks.
pub fn write(pieces: &[Piece]) -> String {
    // Nobody can cancel this.
    export(pieces, &Cancellation::default()).unwrap_or_default()
}

/// Like [`write()`], but can be cancelled: that is checked for each block.
pub fn export(pieces: &[Piece], cancellation: &Cancellation) -> Result<String, Refusal> {
    write::write(pieces, cancellation).map(|written| written.text)
}

#[cfg(test)]
pub(crate) mod tests;
