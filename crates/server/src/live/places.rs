//! How many streams may be open at the same time, on all nodes together.
//!
//! An open stream is an entry in the shared counters, which is renewed while the stream is open. If a node dies, its
//! entries are forgotten after the time of the window.

use super::LiveStreams;
use crate::refusal::Refusal;
use octavo_app::Caller;
use octavo_core_model::{Bucket, Fault, StoreError, Timestamp, id::WorkspaceId};
use octavo_ports::counters::{Counters, CountersDown, LimitDecision, LimitRequest};
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{runtime::Handle, task::JoinHandle, time::sleep};

const OF_USER: u32 = 10;
const OF_KEY: u32 = 50;
const OF_WORKSPACE: u32 = 1000;

/// How long an entry counts.
const WINDOW: Duration = Duration::from_mins(2);

/// How often the entry of an open stream is renewed.
const RENEWAL: Duration = Duration::from_mins(1);

/// When a caller may try again, in seconds. Nobody knows when a stream will end.
const RETRY_AFTER: u64 = 5;

/// The counters that a stream of this caller is an entry of.
#[derive(Clone, Debug)]
pub(crate) struct StreamPlaces {
    entries: [LimitRequest; 2],
    bucket: Bucket,
}

impl StreamPlaces {
    /// An app counts as its user.
    pub(crate) fn of(caller: &Caller, workspace: WorkspaceId) -> Self {
        let (subject, limit, bucket) = match caller {
            Caller::Key(presented) => (presented.key.id.to_string(), OF_KEY, Bucket::ApiKey),
            Caller::User(claims) => (claims.user.to_string(), OF_USER, Bucket::Generic),
            Caller::App(app) => (app.claims.user.to_string(), OF_USER, Bucket::Generic),
            Caller::Nobody | Caller::Job(_) | Caller::System => (String::new(), OF_USER, Bucket::Generic),
        };
        let entry = |subject, limit| LimitRequest { bucket: "open_streams", subject, limit, window: WINDOW };
        Self { entries: [entry(subject, limit), entry(workspace.to_string(), OF_WORKSPACE)], bucket }
    }

    /// Refuses if another stream would be too many.
    pub(crate) async fn require_room(&self, live: &LiveStreams) -> Result<(), Refusal> {
        let states = live.counters.peek(&self.entries, live.now()).await.map_err(down)?;
        if states.iter().any(|state| state.remaining == 0) { Err(self.refusal()) } else { Ok(()) }
    }

    /// Takes the place of one stream.
    pub(crate) async fn take(self, live: &LiveStreams) -> Result<Place, Refusal> {
        let now = live.now();
        match live.counters.charge(&self.entries, now).await.map_err(down)? {
            LimitDecision::Refused(_) => Err(self.refusal()),
            LimitDecision::Admitted(_) => Ok(Place::hold(live, self.entries, now)),
        }
    }

    fn refusal(&self) -> Refusal {
        Fault::TooManyStreams { bucket: self.bucket, retry_after: RETRY_AFTER }.into()
    }
}

fn down(CountersDown: CountersDown) -> Refusal {
    Fault::Store(StoreError::Unavailable).into()
}

/// The place of an open stream. It is free again when this is dropped.
pub(crate) struct Place {
    counters: Arc<dyn Counters>,
    entries: [LimitRequest; 2],
    entered: Arc<Mutex<Timestamp>>,
    runtime: Handle,
    renewal: JoinHandle<()>,
}

impl Place {
    fn hold(live: &LiveStreams, entries: [LimitRequest; 2], now: Timestamp) -> Self {
        let (counters, clock) = (Arc::clone(&live.counters), live.clock);
        let entered = Arc::new(Mutex::new(now));
        let renewal = {
            let (counters, entries, entered) = (Arc::clone(&counters), entries.clone(), Arc::clone(&entered));
            async move {
                loop {
                    sleep(RENEWAL).await;
                    let now = clock();
                    let before = std::mem::replace(&mut *entered.lock().unwrap_or_else(PoisonError::into_inner), now);
                    // If the counters are down, or somebody was faster, the stream goes on uncounted.
                    let _ = counters.refund(&entries, before).await;
                    let _ = counters.charge(&entries, now).await;
                }
            }
        };
        let runtime = live.executor.runtime().clone();
        Self { counters, entries, entered, renewal: runtime.spawn(renewal), runtime }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.renewal.abort();
        let (counters, entries) = (Arc::clone(&self.counters), self.entries.clone());
        let entered = *self.entered.lock().unwrap_or_else(PoisonError::into_inner);
        self.runtime.spawn(async move {
            let _ = counters.refund(&entries, entered).await;
        });
    }
}
