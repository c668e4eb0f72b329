//! Wakes those who wait for a commit.

use octavo_app::CommitSignals;
use octavo_core_model::{
    chore::Queue,
    id::{JobId, WorkspaceId},
};
use octavo_server::{JobChanges, LogChanges};
use std::{
    collections::BTreeSet,
    mem,
    sync::{Mutex, PoisonError},
    time::Duration,
};
use tokio::{sync::Notify, time::timeout};

/// One signal for each queue, one for the event log and one for the audit trail.
#[derive(Debug, Default)]
pub(crate) struct Signals {
    mail: Notify,
    accounts: Notify,
    jobs: Notify,
    removals: Notify,
    notifications: Notify,
    digests: Notify,
    events: Notify,
    audits: Notify,
    job_changes: JobChanges,
    log_changes: LogChanges,
    /// The workspaces in which events were committed here since the numbering task last ran.
    grown: Mutex<BTreeSet<WorkspaceId>>,
}

impl Signals {
    const fn of(&self, queue: Queue) -> &Notify {
        match queue {
            Queue::Mail => &self.mail,
            Queue::Accounts => &self.accounts,
            Queue::Jobs => &self.jobs,
            Queue::Removals => &self.removals,
            Queue::Notifications => &self.notifications,
            Queue::Digests => &self.digests,
        }
    }

    /// Signals for calls that wait for jobs.
    pub(crate) const fn job_changes(&self) -> &JobChanges {
        &self.job_changes
    }

    /// Signals for calls that wait for events.
    pub(crate) const fn log_changes(&self) -> &LogChanges {
        &self.log_changes
    }

    /// Returns the workspaces in which events were committed here since the last call.
    pub(crate) fn take_grown(&self) -> BTreeSet<WorkspaceId> {
        mem::take(&mut self.grown.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits until a queue has a new chore, or for this long, because other processes send no signals here.
    pub(crate) async fn chore_or(&self, queue: Queue, longest: Duration) {
        // A timeout counts like a signal.
        let _ = timeout(longest, self.of(queue).notified()).await;
    }

    pub(crate) async fn events_or(&self, longest: Duration) {
        let _ = timeout(longest, self.events.notified()).await;
    }

    pub(crate) async fn audits_or(&self, longest: Duration) {
        let _ = timeout(longest, self.audits.notified()).await;
    }
}

impl CommitSignals for Signals {
    fn chore(&self, queue: Queue) {
        self.of(queue).notify_one();
    }

    fn job(&self, id: JobId) {
        self.job_changes.notify(id);
    }

    fn events(&self, workspaces: &BTreeSet<WorkspaceId>) {
        self.grown.lock().unwrap_or_else(PoisonError::into_inner).extend(workspaces);
        self.events.notify_one();
    }

    fn audits(&self) {
        self.audits.notify_one();
    }
}
