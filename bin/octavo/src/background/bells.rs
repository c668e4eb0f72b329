//! Wakes those who wait for a commit.

use octavo_app::Bell;
use octavo_core_model::job::Lane;
use std::time::Duration;
use tokio::{sync::Notify, time::timeout};

/// One bell for each lane, one for the event log and one for the audit trail.
#[derive(Debug, Default)]
pub(crate) struct Bells {
    mail: Notify,
    accounts: Notify,
    events: Notify,
    audits: Notify,
}

impl Bells {
    const fn of(&self, lane: Lane) -> &Notify {
        match lane {
            Lane::Mail => &self.mail,
            Lane::Accounts => &self.accounts,
        }
    }

    /// Waits until a lane has a new job, or for that long: other processes ring no bell here.
    pub(crate) async fn job_or(&self, lane: Lane, longest: Duration) {
        // Time running out is as good as the bell.
        let _ = timeout(longest, self.of(lane).notified()).await;
    }

    pub(crate) async fn events_or(&self, longest: Duration) {
        let _ = timeout(longest, self.events.notified()).await;
    }

    pub(crate) async fn audits_or(&self, longest: Duration) {
        let _ = timeout(longest, self.audits.notified()).await;
    }
}

impl Bell for Bells {
    fn job(&self, lane: Lane) {
        self.of(lane).notify_one();
    }

    fn events(&self) {
        self.events.notify_one();
    }

    fn audits(&self) {
        self.audits.notify_one();
    }
}
