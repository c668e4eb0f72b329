//! Full-text search.
//!
//! A search is a flow. A view checks the caller's rights, and reads what the caller may view and how the tree of pages has
//! changed. The index is searched on the compute pool; it asks for each candidate whether the caller may view it, which is
//! decided in memory. A second view reads what is shown of the results, and leaves out what is gone or hidden by then.

mod doubtful;
mod filter;
mod find;
mod follow;
mod found;
mod highlights;
pub mod indexing;
mod place;
mod request;

pub use find::search;
pub use found::{FoundAncestor, FoundUnit, Highlight, SearchPage, Total};
pub use place::SearchPlace;
pub use request::{Person, SearchRequest};
