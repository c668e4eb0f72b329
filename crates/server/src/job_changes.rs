//! Signals that jobs have changed, for calls that wait for one.

use octavo_core_model::id::JobId;
use tokio::sync::broadcast::{Receiver, Sender, channel, error::RecvError};

/// A listener that falls further behind queries the store.
const KEPT: usize = 256;

/// Wakes waiters within this process. They also have to poll, because changes by other processes are not signalled
/// here.
#[derive(Clone, Debug)]
pub struct JobChanges(Sender<JobId>);

impl Default for JobChanges {
    fn default() -> Self {
        Self(channel(KEPT).0)
    }
}

impl JobChanges {
    pub fn notify(&self, id: JobId) {
        // It is fine if nobody listens.
        let _ = self.0.send(id);
    }

    /// Subscribes to all signals from now on.
    pub(crate) fn listen(&self) -> Listener {
        Listener(self.0.subscribe())
    }
}

pub(crate) struct Listener(Receiver<JobId>);

impl Listener {
    /// Waits for a signal about a job. There can be false alarms.
    pub(crate) async fn hears_of(&mut self, id: JobId) {
        loop {
            match self.0.recv().await {
                Ok(changed) if changed != id => {}
                Ok(_) | Err(RecvError::Lagged(_)) => return,
                Err(RecvError::Closed) => return std::future::pending().await,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    fn id(number: u8) -> JobId {
        JobId::new(1, [number; 10])
    }

    #[tokio::test]
    async fn a_change_before_the_wait_is_noticed() {
        let changes = JobChanges::default();
        changes.notify(id(1));
        let mut listener = changes.listen();
        assert_eq!(listener.hears_of(id(1)).now_or_never(), None, "that was before it listened");
        changes.notify(id(2));
        changes.notify(id(1));
        assert_eq!(listener.hears_of(id(1)).now_or_never(), Some(()));
        assert_eq!(listener.hears_of(id(1)).now_or_never(), None);
    }

    #[tokio::test]
    async fn a_listener_that_missed_changes_is_notified() {
        let changes = JobChanges::default();
        let mut listener = changes.listen();
        (0..=KEPT).for_each(|_| changes.notify(id(2)));
        assert_eq!(listener.hears_of(id(1)).now_or_never(), Some(()));
    }
}
