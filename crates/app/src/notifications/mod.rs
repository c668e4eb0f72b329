//! Notifications about what other people did.
//!
//! They follow from the event log alone. A consumer finds out whom an event concerns, and in which way (`occasion`,
//! `audience`); a rule without side effects decides who is told and with which type (`core_model::notification::told`).
//! What a notification reveals is decided when it is read (`shown`).

mod audience;
mod consumer;
mod deliver;
mod list;
mod live;
mod mail;
mod mark;
mod occasion;
mod preferences;
mod shown;

pub use consumer::NOTIFICATIONS;
pub(crate) use deliver::notify;
pub use list::{Listed, NotificationList, list};
pub use live::{list_known, list_recent, show};
pub use mail::queue_due_digests;
pub(crate) use mail::{digest, letter_at_once, move_digest};
pub use mark::{MarkChange, mark, mark_all};
pub use preferences::{PreferencesChange, change_preferences, find_preferences};
pub use shown::{NotificationActor, ShownNotification};
