//! Signals that the event log of a workspace has grown, on this node or another one, for calls that wait for events.

use octavo_core_model::id::WorkspaceId;
use octavo_ports::log_signals::LogSignal;
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

/// Hears of all logs.
#[derive(Debug)]
pub struct AllLogs(Receiver<LogSignal>);

impl AllLogs {
    /// Waits until a log has grown; `None` if it may have been any of them.
    pub async fn grown(&mut self) -> Option<WorkspaceId> {
        match self.0.recv().await {
            Ok(LogSignal::Grown(workspace)) => Some(workspace),
            Ok(LogSignal::Missed) | Err(RecvError::Lagged(_)) => None,
            Err(RecvError::Closed) => std::future::pending().await,
        }
    }
}

pub(crate) struct LogListener(Receiver<LogSignal>);

impl LogListener {
    /// Waits until the log of a workspace may have grown.
    pub(crate) async fn grown(&mut self, workspace: WorkspaceId) {
        loop {
            match self.0.recv().await {
                Ok(LogSignal::Grown(other)) if other != workspace => {}
                Ok(LogSignal::Grown(_) | LogSignal::Missed) | Err(RecvError::Lagged(_)) => return,
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
