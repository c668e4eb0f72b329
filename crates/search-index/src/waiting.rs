//! Calls that wait until the index has come up to an event.

use octavo_core_model::id::WorkspaceId;
use parking_lot::Mutex;
use std::{collections::BTreeSet, mem};
use tokio::sync::{Notify, watch};

/// Who waits, and for which logs.
pub(crate) struct Waiting {
    wanted: Mutex<BTreeSet<WorkspaceId>>,
    asked: Notify,
    changed: watch::Sender<()>,
}

impl Waiting {
    pub(crate) fn new() -> Self {
        Self { wanted: Mutex::default(), asked: Notify::new(), changed: watch::channel(()).0 }
    }

    /// Asks for a log to be followed now.
    pub(crate) fn ask(&self, workspace: WorkspaceId) {
        self.wanted.lock().insert(workspace);
        self.asked.notify_one();
    }

    /// Waits until a log is asked for.
    pub(crate) async fn asked(&self) -> BTreeSet<WorkspaceId> {
        loop {
            let wanted = mem::take(&mut *self.wanted.lock());
            if !wanted.is_empty() {
                return wanted;
            }
            self.asked.notified().await;
        }
    }

    /// Wakes everybody that waits for changes.
    pub(crate) fn note_change(&self) {
        self.changed.send_replace(());
    }

    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }
}
