//! Who owns a job.

use crate::id::{UserId, WorkspaceId};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The owner of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum JobOwner {
    /// Those who run this workspace.
    Workspace(WorkspaceId),
    /// Only this user sees the job.
    User(UserId),
}

/// The text is not the owner of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownOwner;

impl JobOwner {
    /// The workspace, unless it belongs to a person.
    pub const fn workspace(self) -> Option<WorkspaceId> {
        match self {
            Self::Workspace(id) => Some(id),
            Self::User(_) => None,
        }
    }
}

impl fmt::Display for JobOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Workspace(id) => id.fmt(f),
            Self::User(id) => id.fmt(f),
        }
    }
}

impl FromStr for JobOwner {
    type Err = UnknownOwner;

    fn from_str(text: &str) -> Result<Self, UnknownOwner> {
        let workspace = text.parse().map(Self::Workspace).ok();
        workspace.or_else(|| text.parse().map(Self::User).ok()).ok_or(UnknownOwner)
    }
}
