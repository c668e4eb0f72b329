//! Who is on a page at the moment. It is not stored.

use crate::{
    id::{BlockId, PageId, UserId, WorkspaceId},
    name::named,
};
use serde::{Deserialize, Serialize};

/// Somebody is on a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Presence {
    /// The workspace of the page.
    pub workspace: WorkspaceId,
    /// The page.
    pub page: PageId,
    /// Who it is.
    pub user: UserId,
    /// The name of the user.
    pub name: String,
    /// The picture of the user.
    pub avatar_url: Option<String>,
    /// The block that the user is in.
    pub block: Option<BlockId>,
    /// The place in the text of the block.
    pub offset: Option<u32>,
    /// What the user does there.
    pub state: PresenceState,
}

named! {
    /// What somebody does on a page.
    PresenceState {
        Viewing = "viewing",
        Editing = "editing",
        /// They have gone, or were not heard of for a while.
        Left = "left",
    }
}
