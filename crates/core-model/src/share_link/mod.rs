//! Share links: addresses that show a page to their holders.

mod change;
mod password;
mod views;

pub use change::ShareChange;
pub use password::{SharePassword, UNLOCKED_FOR};
pub use views::{Viewed, Views};

use crate::{
    id::{PageId, ShareLinkId, UserId, WorkspaceId},
    level::Level,
    name::named,
    page::Step,
    secret::Secret,
    time::Timestamp,
    token::TokenHash,
};
use std::collections::BTreeSet;

/// How many links a page may have, not counting revoked ones.
pub const MAX_LINKS: u32 = 20;

named! {
    /// The level for users who join through the link. Other holders can only read.
    ShareLevel {
        View = "VIEW",
        Comment = "COMMENT",
        Edit = "EDIT",
    }
}

impl ShareLevel {
    /// The level on pages that it stands for.
    pub const fn level(self) -> Level {
        match self {
            Self::View => Level::View,
            Self::Comment => Level::Comment,
            Self::Edit => Level::Edit,
        }
    }
}

named! {
    /// The state of a link.
    ShareStatus {
        Active = "ACTIVE",
        Expired = "EXPIRED",
        Revoked = "REVOKED",
    }
}

/// A link and what it allows its holders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareLink {
    /// The id of the link.
    pub id: ShareLinkId,
    /// The workspace of the page.
    pub workspace: WorkspaceId,
    /// The page that it shows.
    pub page: PageId,
    /// The token in its address.
    pub token: LinkToken,
    /// The level for people who join through it.
    pub level: ShareLevel,
    /// Whether it includes the descendants of the page.
    pub include_children: bool,
    /// The hash of its password.
    pub password: Option<Secret<String>>,
    /// When it stops showing anything; `None` if it does not.
    pub expires_at: Option<Timestamp>,
    /// Whether its holders may copy what it shows.
    pub allow_duplicate: bool,
    /// Whether search engines may list it.
    pub allow_indexing: bool,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// How often it was opened.
    pub views: Views,
    /// Who made it.
    pub created_by: UserId,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// The stored form of the token in the address of a link. Managers of the link can read the token again, so it is
/// encrypted and not only hashed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkToken {
    /// The hash that a visitor's token is compared with.
    pub hash: TokenHash,
    /// The token itself, sealed.
    pub sealed: Vec<u8>,
}

impl ShareLink {
    /// Whether the link shows anything at this time.
    pub fn status(&self, now: Timestamp) -> ShareStatus {
        if self.revoked_at.is_some() {
            ShareStatus::Revoked
        } else if self.expires_at.is_some_and(|end| end <= now) {
            ShareStatus::Expired
        } else {
            ShareStatus::Active
        }
    }

    /// The part of a path from the root that the link shows: from its page to the end of the path. `None` if the end
    /// is neither its page nor below it, or if the link does not reach the end because a page in between does not
    /// inherit or excludes somebody.
    pub fn shown_part<'a>(&self, path: &'a [Step], excluding: &BTreeSet<PageId>) -> Option<&'a [Step]> {
        let start = path.iter().position(|step| step.id == self.page)?;
        let (_, below) = path[start..].split_first()?;
        let lets_through = |step: &Step| step.inherit && !excluding.contains(&step.id);
        let reaches = below.is_empty() || (self.include_children && below.iter().all(lets_through));
        reaches.then(|| &path[start..])
    }
}

#[cfg(test)]
mod tests;
