//! Signals to other nodes that event logs have grown.
//!
//! A separate task sends them: the numbering must not wait for a Redis that does not answer.

use octavo_core_model::id::WorkspaceId;
use octavo_ports::log_signals::LogSignals;
use std::{collections::BTreeSet, sync::Arc};
use tokio::sync::mpsc::{self, Receiver, Sender};

/// How many rounds of the numbering may wait to be announced. Further rounds are not announced: callers that wait for
/// events also poll.
const WAITING: usize = 16;

/// Where the numbering leaves what is to be announced.
#[derive(Clone, Debug)]
pub(super) struct Announcements(Sender<BTreeSet<WorkspaceId>>);

impl Announcements {
    pub(super) fn new() -> (Self, Receiver<BTreeSet<WorkspaceId>>) {
        let (sender, receiver) = mpsc::channel(WAITING);
        (Self(sender), receiver)
    }

    /// Never waits.
    pub(super) fn announce(&self, grown: BTreeSet<WorkspaceId>) {
        let _ = self.0.try_send(grown);
    }
}

/// Sends what is to be announced, everything that waits at once.
pub(super) async fn send(others: Arc<dyn LogSignals>, mut announced: Receiver<BTreeSet<WorkspaceId>>) {
    while let Some(mut grown) = announced.recv().await {
        while let Ok(more) = announced.try_recv() {
            grown.extend(more);
        }
        let grown: Vec<_> = grown.into_iter().collect();
        // Nodes that are not reached poll.
        let _ = others.send(&grown).await;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use async_trait::async_trait;
    use octavo_core_model::presence::Presence;
    use octavo_ports::log_signals::{LogSignal, SignalsDown};
    use tokio::sync::{Mutex, Semaphore};

    /// Other nodes that are reached only when the test lets a signal through.
    struct Hanging {
        passes: Semaphore,
        sent: Mutex<Vec<Vec<WorkspaceId>>>,
    }

    #[async_trait]
    impl LogSignals for Hanging {
        async fn send(&self, workspaces: &[WorkspaceId]) -> Result<(), SignalsDown> {
            self.sent.lock().await.push(workspaces.to_vec());
            self.passes.acquire().await.map_err(|_| SignalsDown)?.forget();
            Ok(())
        }

        async fn send_presence(&self, _: &Presence) -> Result<(), SignalsDown> {
            Ok(())
        }

        async fn listen(&self, _: &(dyn Fn(LogSignal) + Send + Sync)) -> SignalsDown {
            SignalsDown
        }
    }

    #[tokio::test]
    async fn a_hanging_node_delays_nobody_and_gets_the_rest_later() {
        let others = Arc::new(Hanging { passes: Semaphore::new(0), sent: Mutex::default() });
        let (announcements, waiting) = Announcements::new();
        let sending = tokio::spawn(send(others.clone(), waiting));
        let workspaces: Vec<_> = (0..=u8::MAX).map(|number| WorkspaceId::new(1, [number; 10])).collect();
        announcements.announce([workspaces[0]].into());
        while others.sent.lock().await.is_empty() {
            tokio::task::yield_now().await;
        }
        for workspace in &workspaces[1..] {
            announcements.announce([*workspace].into());
        }
        drop(announcements);
        others.passes.add_permits(2);
        sending.await.unwrap();
        let sent = others.sent.lock().await;
        assert_eq!(*sent, [workspaces[..1].to_vec(), workspaces[1..=WAITING].to_vec()]);
    }
}
