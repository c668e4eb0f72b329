//! The index of texts on each node, which searches read.
//!
//! It is one index of `tantivy` for all workspaces, in a folder of its own. A unit (a page, a record with its page, a
//! database, a thread) is one document; its texts are not stored. How far the log of a workspace was followed is a
//! document too, so it changes in the same commit as the units.

mod collector;
mod columns;
mod document;
mod find;
mod folder;
mod index;
mod keys;
mod listing;
mod open_index;
mod rows;
mod schema;
mod stop;
#[cfg(test)]
mod tests;
mod tokenizer;
mod waiting;
mod words;

pub use index::TextIndex;

use std::io;
use tantivy::TantivyError;

/// Why something could not be done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("cancelled")]
    Cancelled,
    #[error("the index is not open")]
    Closed,
    #[error(transparent)]
    Index(#[from] TantivyError),
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It panicked, which it does on some damages of its files.
    #[error("it broke off")]
    Panicked,
}

pub(crate) type Result<T> = std::result::Result<T, Failure>;
