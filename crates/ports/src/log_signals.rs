//! Signals between nodes that the event logs of workspaces have grown, so that nobody has to poll.

use async_trait::async_trait;
use octavo_core_model::id::WorkspaceId;

/// A signal for those who wait for events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogSignal {
    /// The log of this workspace has grown.
    Grown(WorkspaceId),
    /// Signals may have been lost, so any log may have grown.
    Missed,
}

/// The other nodes cannot be reached at the moment. Those who wait for events have to poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignalsDown;

#[async_trait]
pub trait LogSignals: Send + Sync {
    /// Tells the other nodes that these logs have grown. The events must be readable before this is called.
    async fn send(&self, workspaces: &[WorkspaceId]) -> Result<(), SignalsDown>;

    /// Passes on signals from other nodes until the connection is lost. The first one is [`LogSignal::Missed`], as
    /// soon as the node listens.
    async fn listen(&self, heard: &(dyn Fn(LogSignal) + Send + Sync)) -> SignalsDown;
}

/// Identifies the signals of one process, so that it can ignore its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeTag(String);

impl NodeTag {
    /// `random` must be unique among processes.
    pub fn new(random: [u8; 8]) -> Self {
        Self(format!("{:016x}", u64::from_be_bytes(random)))
    }

    /// The text of a signal.
    pub fn signal(&self, workspace: WorkspaceId) -> String {
        format!("{workspace} {}", self.0)
    }

    /// Reads a signal of another node. Returns `None` for own signals and for texts that only a newer release
    /// understands.
    pub fn read(&self, text: &str) -> Option<LogSignal> {
        let (workspace, sender) = text.split_once(' ')?;
        if sender == self.0 { None } else { workspace.parse().ok().map(LogSignal::Grown) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_reads_the_signals_of_others_and_not_its_own() {
        let (here, there) = (NodeTag::new([1; 8]), NodeTag::new([2; 8]));
        let workspace = WorkspaceId::new(1, [3; 10]);
        assert_eq!(here.read(&there.signal(workspace)), Some(LogSignal::Grown(workspace)));
        assert_eq!(here.read(&here.signal(workspace)), None);
        for text in ["", "x", "wks_1 0000", &workspace.to_string()] {
            assert_eq!(here.read(text), None, "{text}");
        }
    }
}
