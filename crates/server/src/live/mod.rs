//! Live streams: events of a workspace as they happen.
//!
//! One task for each workspace that has streams reads the log of that workspace, once for all of them. It encodes an event
//! once, checks once for each caller who may see it, and puts the same bytes into the queues of all streams that want them.
//! A client that reads too slowly fills its own queue and loses its own stream.

mod body;
mod callers;
mod close_reason;
mod feed;
mod frame;
mod frame_queue;
mod places;
mod present;
mod subscription;

pub(crate) use body::StreamBody;
pub(crate) use places::StreamPlaces;

use crate::{executor::Executor, log_changes::LogChanges, settings::StreamTimes, wiring::Wiring};
use feed::Feed;
use octavo_app::Engine;
use octavo_core_model::{Timestamp, id::WorkspaceId};
use octavo_ports::counters::Counters;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use subscription::Subscription;

/// The workspaces that have streams here.
pub(crate) struct LiveStreams {
    feeds: Mutex<BTreeMap<WorkspaceId, Arc<Feed>>>,
    engine: Arc<Engine>,
    executor: Arc<Executor>,
    counters: Arc<dyn Counters>,
    log_changes: LogChanges,
    times: StreamTimes,
    clock: fn() -> Timestamp,
}

impl LiveStreams {
    pub(crate) fn new(wiring: &Wiring, executor: &Arc<Executor>) -> Arc<Self> {
        Arc::new(Self {
            feeds: Mutex::default(),
            engine: Arc::clone(&wiring.engine),
            executor: Arc::clone(executor),
            counters: Arc::clone(&wiring.counters),
            log_changes: wiring.log_changes.clone(),
            times: wiring.settings.streams,
            clock: wiring.clock,
        })
    }

    fn now(&self) -> Timestamp {
        (self.clock)()
    }

    fn feeds(&self) -> MutexGuard<'_, BTreeMap<WorkspaceId, Arc<Feed>>> {
        self.feeds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a stream. From here on it gets every event behind the number that its feed has reached, which is at least
    /// `newest` if it is the first one.
    fn join(self: &Arc<Self>, subscription: &Arc<Subscription>, newest: i64) -> Arc<Feed> {
        let mut feeds = self.feeds();
        if let Some(feed) = feeds.get(&subscription.workspace) {
            feed.add(Arc::clone(subscription));
            return Arc::clone(feed);
        }
        let feed = Arc::new(Feed::new(subscription.workspace, newest));
        feed.add(Arc::clone(subscription));
        feeds.insert(subscription.workspace, Arc::clone(&feed));
        self.executor.spawn(Arc::clone(&feed).run(Arc::clone(self)));
        feed
    }

    /// Removes a feed without streams. Returns false if it got one meanwhile.
    fn leave(&self, feed: &Feed) -> bool {
        let mut feeds = self.feeds();
        if feed.has_streams() {
            return false;
        }
        feeds.remove(&feed.workspace);
        true
    }
}
