//! Whom a block mentions, as events list it.

use crate::{
    comment::MentionType,
    id::{BlockId, UserId},
};
use serde::Serialize;

/// A user or a team that a block mentions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BlockMention {
    /// The block.
    pub block_id: BlockId,
    /// Whether the block is something to do.
    pub is_todo: bool,
    /// `user` or `team`.
    #[serde(rename = "type")]
    pub kind: MentionType,
    /// The id of the user or team.
    pub id: String,
}

impl BlockMention {
    pub(super) fn example() -> Self {
        Self { block_id: BlockId::EXAMPLE, is_todo: true, kind: MentionType::User, id: UserId::EXAMPLE.to_string() }
    }
}
