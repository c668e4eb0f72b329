//! `/jobs`: work that goes on behind its call.

pub(crate) mod collection;
pub(crate) mod job;
pub(crate) mod single;
pub(crate) mod wait;
