//! The event of a change of blocks. Only this event lists the changes of each block.

use super::pages::OnPage;
use crate::id::{BlockId, PageId, UserId, WorkspaceId};
use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BlocksChanged {
    /// The id of the actor.
    pub actor: Option<String>,
    pub workspace_id: WorkspaceId,
    pub changes: Vec<BlockChange>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BlockChange {
    pub op: BlockOp,
    pub block_id: BlockId,
    pub page_id: PageId,
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The old and the new place of a block that was moved.
    #[serde(flatten)]
    pub moved: Option<BlockMove>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum BlockOp {
    Insert,
    Update,
    Delete,
    Move,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BlockMove {
    pub from: BlockPlace,
    pub to: BlockPlace,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BlockPlace {
    pub parent_id: Option<BlockId>,
    pub position: String,
}

impl OnPage for BlocksChanged {
    fn example() -> Self {
        let change = |op, moved| BlockChange {
            op,
            block_id: BlockId::EXAMPLE,
            page_id: PageId::EXAMPLE,
            kind: "paragraph",
            moved,
        };
        let place = |position: &str| BlockPlace { parent_id: None, position: position.to_owned() };
        let moved = BlockMove { from: place("a0"), to: place("a2") };
        Self {
            actor: Some(UserId::EXAMPLE.to_string()),
            workspace_id: WorkspaceId::EXAMPLE,
            changes: vec![change(BlockOp::Move, Some(moved)), change(BlockOp::Insert, None)],
        }
    }
}
