//! Blocks as HTML, and what is left of HTML as blocks.
//!
//! What is written is text of people and tags of ours, never tags of theirs. What is read becomes blocks, which cannot hold a script: only what
//! is known here comes through.

mod bomb;
mod read;
mod text;
mod write;

#[cfg(test)]
mod tests;

pub use write::STYLE;

use crate::{
    Piece,
    refusal::{Budget, Refusal},
};
use octavo_core_model::{cancellation::Cancellation, id::FileId};

/// The longest text that `read` accepts, in bytes.
pub const MAX_BYTES: usize = 5 << 20;

/// Where the bytes of a file are; nothing where the reader may not have them.
pub type FileUrl<'a> = &'a dyn Fn(FileId) -> Option<String>;

/// One document without scripts, with its style in it.
pub fn write(title: &str, pieces: &[Piece], file_url: FileUrl<'_>) -> String {
    write::document(title, pieces, file_url)
}

/// The blocks alone, as part of a document that brings a style of its own.
pub fn body(pieces: &[Piece], file_url: FileUrl<'_>) -> String {
    write::body(pieces, file_url)
}

/// Makes blocks of a document, and takes its title out of its head or its first heading.
pub fn read(text: &str) -> Result<(Option<String>, Vec<Piece>), Refusal> {
    import(text, &Cancellation::default())
}

/// The same, until nobody waits for it any more.
pub fn import(text: &str, cancellation: &Cancellation) -> Result<(Option<String>, Vec<Piece>), Refusal> {
    read::read(text, Budget::of(MAX_BYTES), cancellation).map(read::titled)
}

/// Makes blocks of a document that is given another title: headings stay where they are.
pub fn import_body(text: &str, cancellation: &Cancellation) -> Result<Vec<Piece>, Refusal> {
    read::read(text, Budget::of(MAX_BYTES), cancellation).map(|(_, pieces)| pieces)
}
