//! Follows: how much a user wants to hear about a page, a database or a thread.

use crate::{
    id::{CommentId, InvalidId, UserId, WorkspaceId},
    name::named,
    page::ResourceId,
    time::Timestamp,
};
use std::{fmt, str::FromStr};

named! {
    /// How much of what happens somewhere somebody is told of.
    FollowMode {
        /// Comments and changes.
        All = "ALL",
        /// Comments.
        Comments = "COMMENTS",
        /// Only what is meant for them in person.
        Muted = "MUTED",
    }
}

/// What can be followed: a page or database with what lies below it, or a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FollowTarget {
    /// A page or a database.
    Node(ResourceId),
    /// A thread.
    Thread(CommentId),
}

impl fmt::Display for FollowTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Node(id) => id.fmt(f),
            Self::Thread(id) => id.fmt(f),
        }
    }
}

impl FromStr for FollowTarget {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        text.parse().map(Self::Node).or_else(|_| text.parse().map(Self::Thread)).map_err(|_| InvalidId)
    }
}

/// What somebody decided about a page, a database or a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Follow {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The person.
    pub user: UserId,
    /// What they follow.
    pub target: FollowTarget,
    /// How much of it they are told of.
    pub mode: FollowMode,
    /// When they began.
    pub created_at: Timestamp,
}

/// The place of a follow in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FollowPlace {
    /// When it began.
    pub created_at: Timestamp,
    /// What is followed.
    pub target: FollowTarget,
}

impl fmt::Display for FollowPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.created_at.millis(), self.target)
    }
}

impl FromStr for FollowPlace {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let (at, target) = text.split_once(' ').ok_or(InvalidId)?;
        let created_at = Timestamp::from_millis(at.parse().map_err(|_| InvalidId)?);
        Ok(Self { created_at, target: target.parse()? })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::id::{DatabaseId, PageId};

    #[test]
    fn pages_databases_and_threads_can_be_followed() {
        for id in [PageId::EXAMPLE.to_string(), DatabaseId::EXAMPLE.to_string(), CommentId::EXAMPLE.to_string()] {
            assert_eq!(id.parse::<FollowTarget>().unwrap().to_string(), id);
        }
        assert_eq!(UserId::EXAMPLE.to_string().parse::<FollowTarget>(), Err(InvalidId));
    }

    #[test]
    fn a_place_reads_back() {
        let place =
            FollowPlace { created_at: Timestamp::from_millis(7), target: FollowTarget::Thread(CommentId::EXAMPLE) };
        assert_eq!(place.to_string().parse(), Ok(place));
        assert_eq!("7".parse::<FollowPlace>(), Err(InvalidId));
    }
}
