//! The event of a change of blocks. Only this event lists the changes of each block.

pub use super::block_mention::BlockMention;

use super::pages::OnPage;
use crate::id::{BlockId, PageId, UserId, WorkspaceId};
use serde::Serialize;

/// Blocks of pages changed in one batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BlocksChanged {
    /// The id of the actor.
    pub actor: Option<String>,
    /// The workspace of the pages.
    pub workspace_id: WorkspaceId,
    /// What happened to each block, in its order; the first [`MAX_LISTED`](super::MAX_LISTED).
    pub changes: Vec<BlockChange>,
    /// How many changes there are, listed or not.
    pub change_count: u64,
    /// Whom blocks mention that did not mention them before; the first [`MAX_LISTED`](super::MAX_LISTED).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub new_mentions: Vec<BlockMention>,
}

/// What happened to one block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BlockChange {
    /// The kind of change.
    pub op: BlockOp,
    /// The block.
    pub block_id: BlockId,
    /// The page that contains the block.
    pub page_id: PageId,
    /// The type of the block.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The old and the new place of a block that was moved.
    #[serde(flatten)]
    pub moved: Option<BlockMove>,
}

/// A kind of change of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum BlockOp {
    /// It was created.
    Insert,
    /// Its type, content or properties changed.
    Update,
    /// It was deleted.
    Delete,
    /// It got another parent or another place.
    Move,
}

/// The way that a block moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BlockMove {
    /// Where it was.
    pub from: BlockPlace,
    /// Where it is now.
    pub to: BlockPlace,
}

/// The place of a block on its page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BlockPlace {
    /// The parent block; `None` at the top of the page.
    pub parent_id: Option<BlockId>,
    /// The key of its place among its siblings.
    pub position: String,
}

impl BlockChange {
    fn example(op: BlockOp, moved: Option<BlockMove>) -> Self {
        Self { op, block_id: BlockId::EXAMPLE, page_id: PageId::EXAMPLE, kind: "paragraph", moved }
    }
}

impl OnPage for BlocksChanged {
    fn example() -> Self {
        let place = |position: &str| BlockPlace { parent_id: None, position: position.to_owned() };
        let moved = BlockMove { from: place("a0"), to: place("a2") };
        Self {
            actor: Some(UserId::EXAMPLE.to_string()),
            workspace_id: WorkspaceId::EXAMPLE,
            changes: vec![
                BlockChange::example(BlockOp::Move, Some(moved)),
                BlockChange::example(BlockOp::Insert, None),
            ],
            change_count: 2,
            new_mentions: vec![BlockMention::example()],
        }
    }

    fn more_examples() -> Vec<Self> {
        let place = || BlockPlace { parent_id: Some(BlockId::EXAMPLE), position: "a0".to_owned() };
        let moved = BlockMove { from: place(), to: place() };
        let changes = vec![BlockChange::example(BlockOp::Move, Some(moved))];
        vec![Self { actor: None, changes, change_count: 1, new_mentions: Vec::new(), ..Self::example() }]
    }
}
