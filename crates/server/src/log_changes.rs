//! Signals that the event log of a workspace has grown, on this node or another one, for calls that wait for events.

use octavo_core_model::{id::WorkspaceId, presence::Presence};
use octavo_ports::log_signals::LogSignal;
use std::sync::Arc;
use tokio::sync::broadcast::{Receiver, Sender, channel, error::RecvError};

/// A listener that falls further behind queries the store.
const KEPT: usize = 1024;

/// Passes signals on within this process.
#[derive(Clone, Debug)]
pub struct LogChanges(Sender<LogSignal>);

impl Default for LogChanges {
    fn default() -> Self {
        Self(channel(KEPT).0)
    }
}

impl LogChanges {
    pub fn notify(&self, signal: LogSignal) {
        // It is fine if nobody listens.
        let _ = self.0.send(signal);
    }

    /// Subscribes to the signals of all workspaces from now on.
    pub fn listen_to_all(&self) -> AllLogs {
        AllLogs(self.0.subscribe())
    }

    /// Subscribes to all signals from now on.
    pub(crate) fn listen(&self) -> LogListener {
        LogListener(self.0.subscribe())
    }
}

/// A listener for the logs of all workspaces.
#[derive(Debug)]
pub struct AllLogs(Receiver<LogSignal>);

impl AllLogs {
    /// Waits until a log has grown; `None` if it may have been any of them.
    pub async fn grown(&mut self) -> Option<WorkspaceId> {
        loop {
            match self.0.recv().await {
                Ok(LogSignal::Grown(workspace)) => return Some(workspace),
                Ok(LogSignal::Present(_)) => {}
                Ok(LogSignal::Missed) | Err(RecvError::Lagged(_)) => return None,
                Err(RecvError::Closed) => return std::future::pending().await,
            }
        }
    }
}

/// What a listener hears about its workspace.
#[derive(Debug)]
pub(crate) enum Heard {
    /// The log may have grown.
    Grown,
    Present(Arc<Presence>),
}

pub(crate) struct LogListener(Receiver<LogSignal>);

impl LogListener {
    /// Waits until the log of a workspace may have grown.
    pub(crate) async fn grown(&mut self, workspace: WorkspaceId) {
        while let Heard::Present(_) = self.next(workspace).await {}
    }

    /// Waits for the next signal about a workspace.
    pub(crate) async fn next(&mut self, workspace: WorkspaceId) -> Heard {
        loop {
            match self.0.recv().await {
                Ok(LogSignal::Grown(other)) if other != workspace => {}
                Ok(LogSignal::Present(presence)) if presence.workspace != workspace => {}
                Ok(LogSignal::Present(presence)) => return Heard::Present(presence),
                Ok(LogSignal::Grown(_) | LogSignal::Missed) | Err(RecvError::Lagged(_)) => return Heard::Grown,
                Err(RecvError::Closed) => return std::future::pending().await,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    fn workspace(number: u8) -> WorkspaceId {
        WorkspaceId::new(1, [number; 10])
    }

    #[tokio::test]
    async fn a_listener_hears_of_its_workspace_and_of_what_was_missed() {
        let changes = LogChanges::default();
        let mut listener = changes.listen();
        changes.notify(LogSignal::Grown(workspace(2)));
        assert_eq!(listener.grown(workspace(1)).now_or_never(), None, "of another workspace");
        changes.notify(LogSignal::Grown(workspace(1)));
        assert_eq!(listener.grown(workspace(1)).now_or_never(), Some(()));
        assert_eq!(listener.grown(workspace(1)).now_or_never(), None);
        changes.notify(LogSignal::Missed);
        assert_eq!(listener.grown(workspace(1)).now_or_never(), Some(()));
        (0..=KEPT).for_each(|_| changes.notify(LogSignal::Grown(workspace(2))));
        assert_eq!(listener.grown(workspace(1)).now_or_never(), Some(()), "it fell behind");
    }
}
