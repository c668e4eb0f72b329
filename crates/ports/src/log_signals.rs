//! Signals between nodes: that the event logs of workspaces have grown, so that nobody has to poll, and who is on which
//! page, which is not stored.

use async_trait::async_trait;
use octavo_core_model::{id::WorkspaceId, presence::Presence};
use std::sync::Arc;

/// A signal for those who follow a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogSignal {
    /// The log of this workspace has grown.
    Grown(WorkspaceId),
    /// Somebody is on a page.
    Present(Arc<Presence>),
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

    /// Tells the other nodes who is on a page.
    async fn send_presence(&self, presence: &Presence) -> Result<(), SignalsDown>;

    /// Passes on signals from other nodes until the connection is lost. The first one is [`LogSignal::Missed`], as
    /// soon as the node listens.
    async fn listen(&self, heard: &(dyn Fn(LogSignal) + Send + Sync)) -> SignalsDown;
}

/// The first word of signals about somebody on a page.
const PRESENCE: &str = "presence";

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

    /// The text of a signal about somebody on a page. Its first word is no workspace, so releases that do not know it
    /// ignore it.
    pub fn presence(&self, presence: &Presence) -> String {
        // Plain data with text keys: writing it cannot fail.
        format!("{PRESENCE} {} {}", self.0, serde_json::to_string(presence).unwrap_or_default())
    }

    /// Reads a signal of another node. Returns `None` for own signals and for texts that only a newer release
    /// understands.
    pub fn read(&self, text: &str) -> Option<LogSignal> {
        let (workspace, sender) = text.split_once(' ')?;
        if workspace == PRESENCE {
            let (sender, presence) = sender.split_once(' ')?;
            let presence =
                || serde_json::from_str(presence).ok().map(|presence| LogSignal::Present(Arc::new(presence)));
            return if sender == self.0 { None } else { presence() };
        }
        if sender == self.0 { None } else { workspace.parse().ok().map(LogSignal::Grown) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_core_model::{
        id::{PageId, UserId},
        presence::PresenceState,
    };

    #[test]
    fn a_node_reads_the_signals_of_others_and_not_its_own() {
        let (here, there) = (NodeTag::new([1; 8]), NodeTag::new([2; 8]));
        let workspace = WorkspaceId::new(1, [3; 10]);
        assert_eq!(here.read(&there.signal(workspace)), Some(LogSignal::Grown(workspace)));
        assert_eq!(here.read(&here.signal(workspace)), None);
        let presence = Presence {
            workspace,
            page: PageId::EXAMPLE,
            user: UserId::new(1, [4; 10]),
            name: "Ada Lovelace".to_owned(),
            avatar_url: None,
            block: None,
            offset: Some(7),
            state: PresenceState::Editing,
        };
        let text = there.presence(&presence);
        assert_eq!(here.read(&text), Some(LogSignal::Present(Arc::new(presence))));
        assert_eq!(there.read(&text), None);
        for text in ["", "x", "presence", "presence 0000", "presence 0000 {}", "wks_1 0000", &workspace.to_string()] {
            assert_eq!(here.read(text), None, "{text}");
        }
    }
}
