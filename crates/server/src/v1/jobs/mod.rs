//! `/jobs`: work in the background.

pub(crate) mod collection;
pub(crate) mod job;
pub(crate) mod single;
pub(crate) mod wait;
