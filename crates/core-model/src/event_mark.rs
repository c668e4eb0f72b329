//! A place in the event log of a workspace.

use crate::id::EventId;

/// The id and the number of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventMark {
    /// The id of the event.
    pub id: EventId,
    /// Its number in the log of its workspace.
    pub sequence: i64,
}
