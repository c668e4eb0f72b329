//! The events of a workspace: the log and the activity feed.

pub mod activity;
pub mod log;
pub mod stream;
pub mod tickets;
