#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

mod excerpt;
mod letters;
mod matches;
mod query;
#[cfg(test)]
mod tests;
mod tokens;

pub use excerpt::{Excerpt, MAX_EXCERPT, MAX_EXCERPTS, excerpt, excerpts};
pub use matches::{Class, Field, Fields};
pub use query::{MAX_QUERY, NoTerm, Query, Term};
pub use tokens::{MAX_TOKEN, Token, each_token, normalize, tokens};
