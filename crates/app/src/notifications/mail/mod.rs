//! Mails about notifications: at once, or once a day.
//!
//! The unit that notifies somebody decides whether and when they get a mail, and queues it. Whether they still want it,
//! and what it says, is decided when it is sent.

mod digests;
mod letters;
mod queued;

pub use digests::queue_due_digests;
pub(crate) use digests::{digest, move_digest};
pub(crate) use letters::letter_at_once;
pub(super) use queued::queue_mails;
