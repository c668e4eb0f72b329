//! What one stream wants, for whom, and the frames that wait for it.

use super::{callers::Identity, frame_queue::FrameQueue};
use octavo_app::{
    Call,
    events::{EventFilter, ReadEvent},
};
use octavo_core_model::id::{PageId, WorkspaceId};
use std::collections::{BTreeMap, BTreeSet};

/// The pages and databases above each page and database, with itself.
pub(super) type Paths = BTreeMap<PageId, BTreeSet<PageId>>;

/// One stream, as its feed knows it.
#[derive(Debug)]
pub(super) struct Subscription {
    pub(super) workspace: WorkspaceId,
    pub(super) identity: Identity,
    pub(super) call: Call,
    pub(super) filter: EventFilter,
    pub(super) queue: FrameQueue,
}

impl Subscription {
    pub(super) fn new(workspace: WorkspaceId, call: Call, filter: EventFilter) -> Self {
        Self { workspace, identity: Identity::of(&call), call, filter, queue: FrameQueue::default() }
    }

    /// Whether the stream is about a page and all pages below it.
    pub(super) const fn needs_paths(&self) -> bool {
        self.filter.page.is_some() && self.filter.subtree
    }

    /// Whether the event is among those that the stream is about.
    pub(super) fn wants(&self, event: &ReadEvent, paths: &Paths) -> bool {
        let location = &event.logged.location;
        let is_inside = match self.filter.page {
            None => true,
            Some(wanted) if location.page == Some(wanted) => true,
            Some(wanted) if self.filter.subtree => {
                location.nodes().filter_map(|node| paths.get(&node)).any(|above| above.contains(&wanted))
            }
            Some(_) => false,
        };
        is_inside && self.filter.covers(&event.logged)
    }
}
