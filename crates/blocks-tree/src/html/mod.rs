//! Writing blocks as HTML, and reading HTML into blocks.
//!
//! The output contains text of users and tags of this crate, never tags of users. The input becomes blocks, which
//! cannot contain scripts: only known elements are accepted.

mod bomb;
mod presentation;
mod read;
mod text;
mod write;

#[cfg(test)]
mod tests;

pub use presentation::{FileUrl, PageLink, Presentation};
pub use text::escape;
pub use write::STYLE;

use crate::{
    Piece,
    refusal::{Budget, Refusal, check_cancelled},
};
use octavo_core_model::cancellation::Cancellation;
use presentation::Alone;

/// The longest text that `read` accepts, in bytes.
pub const MAX_BYTES: usize = 5 << 20;

/// A complete document without scripts, with an inline style sheet.
pub fn write(title: &str, pieces: &[Piece], file_url: FileUrl<'_>) -> String {
    write::document(title, pieces, &Alone(file_url), &Cancellation::default())
}

/// Like [`write()`], but can be cancelled: that is checked for each block.
pub fn export(
    title: &str,
    pieces: &[Piece],
    file_url: FileUrl<'_>,
    cancellation: &Cancellation,
) -> Result<String, Refusal> {
    let text = write::document(title, pieces, &Alone(file_url), cancellation);
    check_cancelled(cancellation).map(|()| text)
}

/// Like [`export`], but the blocks only, for an element of the class `content` in a document with [`STYLE`].
pub fn export_body(
    pieces: &[Piece],
    presentation: &dyn Presentation,
    cancellation: &Cancellation,
) -> Result<String, Refusal> {
    let text = write::body(pieces, presentation, cancellation);
    check_cancelled(cancellation).map(|()| text)
}

/// Parses a document. Its title is taken from its head or its first heading.
pub fn read(text: &str) -> Result<(Option<String>, Vec<Piece>), Refusal> {
    import(text, &Cancellation::default())
}

/// Like [`read`], but can be cancelled.
pub fn import(text: &str, cancellation: &Cancellation) -> Result<(Option<String>, Vec<Piece>), Refusal> {
    read::read(text, Budget::of(MAX_BYTES), cancellation).map(read::titled)
}

/// Parses a document that gets another title: headings stay where they are.
pub fn import_body(text: &str, cancellation: &Cancellation) -> Result<Vec<Piece>, Refusal> {
    read::read(text, Budget::of(MAX_BYTES), cancellation).map(|(_, pieces)| pieces)
}
