//! Full-text search: keeping the index of a node up to date.

pub mod indexing;
