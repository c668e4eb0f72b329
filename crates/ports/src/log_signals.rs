//! Word between nodes that the event logs of workspaces have grown, so that nobody has to poll.

use async_trait::async_trait;
use octavo_core_model::id::WorkspaceId;

/// Word that somebody who waits for events should look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogSignal {
    /// The log of this workspace has grown.
    Grown(WorkspaceId),
    /// Signals may have been lost: any log may have grown.
    Missed,
}

/// The other nodes cannot be reached at present. Whoever waits for events finds them by looking now and then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignalsDown;

#[async_trait]
pub trait LogSignals: Send + Sync {
    /// Tells the other nodes that these logs have grown. Events can be read before this is called.
    async fn send(&self, workspaces: &[WorkspaceId]) -> Result<(), SignalsDown>;

    /// Hands over what other nodes send, until the connection is lost. The first signal is [`LogSignal::Missed`], as soon as the node listens.
    async fn listen(&self, heard: &(dyn Fn(LogSignal) + Send + Sync)) -> SignalsDown;
}

/// Sets the signals of one process apart from those of others: a process has no use for its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeTag(String);

impl NodeTag {
    /// `random` are bits that no other process has drawn.
    pub fn new(random: [u8; 8]) -> Self {
        Self(format!("{:016x}", u64::from_be_bytes(random)))
    }

    /// The text of a signal.
    pub fn signal(&self, workspace: WorkspaceId) -> String {
        format!("{workspace} {}", self.0)
    }

    /// Reads a signal of another node. Own signals, and texts that only a newer release understands, are `None`.
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
