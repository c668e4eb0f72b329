//! Consumers of the event log: what follows a change by itself.
//!
//! A consumer reads the log of each workspace in batches. A batch is one unit: its effect and the new cursor are
//! committed together, so each event has its effect once, whatever node is killed when. The lock of the cursor is the
//! right to go on, so any number of nodes may work at the same time.

mod batch;
mod failure;
mod replay;
mod step;

pub use batch::Batch;
pub use failure::note_failure;
pub use replay::{Rewound, rewind};
pub use step::{Advance, advance, list_behind, list_failed};

use crate::{engine::Fut, scope::Unit};
use octavo_core_model::{consumer::ConsumerName, event::EventType};

/// Something that follows the log.
pub trait Consumer: Send + Sync {
    fn name(&self) -> ConsumerName;

    /// Whether it handles events of this type. Others are skipped.
    fn wants(&self, kind: EventType) -> bool;

    /// Handles a batch of events, or a part of it, in one unit, which should not keep others waiting: an effect of more
    /// than about a thousand rows is spread over several units.
    fn handle<'a>(&'a self, unit: &'a mut Unit, batch: &'a Batch) -> Fut<'a, Handled>;
}

/// How much of a batch was handled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Handled {
    Everything,
    /// This many events, and of the next one what is before the place. The next batch begins with that event and has the
    /// place.
    Until {
        events: usize,
        place: Option<String>,
    },
}
