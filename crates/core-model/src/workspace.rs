//! Workspaces, the tenants.

use crate::{
    id::{UserId, WorkspaceId},
    role::Role,
    settings::Settings,
    text::{Description, Name, Slug, WebAddress},
    time::{Timestamp, days},
};
use std::time::Duration;

/// How long a deleted workspace is kept before it is removed permanently.
pub const RETENTION: Duration = days(30);

/// A workspace: people, what they write, and the settings for both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// The id of the workspace.
    pub id: WorkspaceId,
    /// The name.
    pub name: Name,
    /// Its name in addresses.
    pub slug: Slug,
    /// What it is for.
    pub description: Option<Description>,
    /// The address of its icon.
    pub icon_url: Option<WebAddress>,
    /// Whether it was made with an account and goes with it.
    pub is_personal: bool,
    /// The primary owner: the creator, later the longest-serving owner.
    pub owner: UserId,
    /// What was set.
    pub settings: Settings,
    /// The limits that the operator set for it.
    pub limits: OwnLimits,
    /// Whether it is in use.
    pub status: WorkspaceStatus,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Whether a workspace is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkspaceStatus {
    /// It is in use.
    Active,
    /// An owner deleted it; its members have lost access, and it is removed at the given time.
    Deleting {
        /// When it is removed.
        purge_at: Timestamp,
    },
}

/// The operator's limits for one workspace. The others follow the deployment's settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnLimits {
    /// How many members it may have.
    pub members: Option<Limit>,
    /// How many databases it may have.
    pub databases: Option<Limit>,
    /// How many bytes its files may take.
    pub storage_bytes: Option<Limit>,
}

/// A limit on something in a workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// As much as there is room for.
    None,
    /// So much.
    AtMost(u64),
}

impl Limit {
    /// From settings and columns, in which zero means no limit.
    pub const fn from_count(count: u64) -> Self {
        if count == 0 { Self::None } else { Self::AtMost(count) }
    }

    /// The count that `from_count` reads.
    pub const fn to_count(self) -> u64 {
        match self {
            Self::None => 0,
            Self::AtMost(count) => count,
        }
    }

    /// Whether the limit allows one more if there are `held` already.
    pub const fn admits_another(self, held: u64) -> bool {
        match self {
            Self::None => true,
            Self::AtMost(most) => held < most,
        }
    }
}

/// The limits that apply to a workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many members it may have.
    pub members: Limit,
    /// How many databases it may have.
    pub databases: Limit,
    /// How many bytes its files may take.
    pub storage_bytes: Limit,
}

impl Limits {
    /// These limits, overridden by those of the workspace itself.
    #[must_use]
    pub fn overridden_by(self, own: OwnLimits) -> Self {
        Self {
            members: own.members.unwrap_or(self.members),
            databases: own.databases.unwrap_or(self.databases),
            storage_bytes: own.storage_bytes.unwrap_or(self.storage_bytes),
        }
    }
}

/// How much of its limits a workspace uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// How many members it has.
    pub members: u64,
    /// How many databases it has.
    pub databases: u64,
    /// How many bytes its files take.
    pub storage_bytes: u64,
}

/// A workspace in a member's own list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnWorkspace {
    /// The id of the workspace.
    pub id: WorkspaceId,
    /// The name.
    pub name: Name,
    /// Whether it is the member's personal workspace.
    pub is_personal: bool,
    /// The role of the member there.
    pub role: Role,
}

/// A change of a workspace; fields that are `None` stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkspaceChange {
    /// The new name.
    pub name: Option<Name>,
    /// The new description; `Some(None)` removes it.
    pub description: Option<Option<Description>>,
    /// The address of the new icon; `Some(None)` removes it.
    pub icon_url: Option<Option<WebAddress>>,
}

impl Workspace {
    /// A new workspace with default settings.
    pub fn create(id: WorkspaceId, name: Name, slug: Slug, owner: UserId, now: Timestamp) -> Self {
        Self {
            id,
            name,
            slug,
            description: None,
            icon_url: None,
            is_personal: false,
            owner,
            settings: Settings::default(),
            limits: OwnLimits::default(),
            status: WorkspaceStatus::Active,
            created_at: now,
            updated_at: now,
        }
    }

    /// Applies the change and returns the names of the changed fields.
    pub fn apply(&mut self, change: WorkspaceChange, now: Timestamp) -> Vec<&'static str> {
        let mut changed = Vec::new();
        if let Some(name) = change.name.filter(|name| *name != self.name) {
            self.name = name;
            changed.push("name");
        }
        if let Some(description) = change.description.filter(|description| *description != self.description) {
            self.description = description;
            changed.push("description");
        }
        if let Some(icon_url) = change.icon_url.filter(|icon_url| *icon_url != self.icon_url) {
            self.icon_url = icon_url;
            changed.push("iconUrl");
        }
        if !changed.is_empty() {
            self.updated_at = now;
        }
        changed
    }

    /// Schedules the removal and returns its time.
    pub fn schedule_removal(&mut self, now: Timestamp) -> Timestamp {
        let purge_at = now.plus(RETENTION);
        self.status = WorkspaceStatus::Deleting { purge_at };
        self.updated_at = now;
        purge_at
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    fn workspace() -> Workspace {
        let name = Name::parse("Acme").unwrap();
        let (id, owner) = (WorkspaceId::new(1, [1; 10]), UserId::new(1, [2; 10]));
        Workspace::create(id, name, Slug::from_name("acme", "workspace"), owner, Timestamp::from_millis(5))
    }

    #[test]
    fn a_change_names_only_what_became_different() {
        let mut workspace = workspace();
        let later = Timestamp::from_millis(9);
        let same = WorkspaceChange { name: Some(workspace.name.clone()), description: Some(None), icon_url: None };
        assert!(workspace.apply(same, later).is_empty());
        assert_eq!(workspace.updated_at, workspace.created_at);
        let text = Some(Description::parse("Rockets").unwrap());
        let change = WorkspaceChange { description: Some(text.clone()), ..WorkspaceChange::default() };
        assert_eq!(workspace.apply(change, later), ["description"]);
        assert_eq!((workspace.description, workspace.updated_at), (text, later));
    }

    #[test]
    fn the_limit_of_a_workspace_overrides_that_of_the_deployment() {
        let general = Limits { members: Limit::AtMost(2), databases: Limit::AtMost(3), storage_bytes: Limit::None };
        let own = OwnLimits { members: Some(Limit::None), ..OwnLimits::default() };
        let limits = general.overridden_by(own);
        assert!(limits.members.admits_another(1_000_000));
        assert!(limits.databases.admits_another(2) && !limits.databases.admits_another(3));
    }
}
