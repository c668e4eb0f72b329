//! Comments: threads, replies, reactions.

pub(crate) mod collection;
mod comment;
pub(crate) mod reactions;
pub(crate) mod replies;
mod sent;
pub(crate) mod single;
