//! Kept versions of a page: the list, one of them, what is different, going back.

pub mod collection;
pub mod comparison;
pub mod restoration;
pub mod single;
mod version;
