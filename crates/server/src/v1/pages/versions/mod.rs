//! Saved versions of a page: the list, single versions, comparing, restoring.

pub mod collection;
pub mod comparison;
pub mod restoration;
pub mod single;
mod version;
