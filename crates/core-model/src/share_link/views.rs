//! How often share links are opened.

use crate::{
    id::{ShareLinkId, WorkspaceId},
    time::Timestamp,
};

/// How often a link was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Views {
    /// How often.
    pub count: u64,
    /// When it was last opened; `None` if it never was.
    pub last_at: Option<Timestamp>,
}

/// How often a link was opened since its views were last stored, and when last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewed {
    /// The workspace of the link.
    pub workspace: WorkspaceId,
    /// The link.
    pub link: ShareLinkId,
    /// How often.
    pub count: u64,
    /// The last time.
    pub last_at: Timestamp,
}
