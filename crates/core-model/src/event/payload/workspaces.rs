//! Events about a workspace as a whole.

use super::{FieldChanges, Location, Payload};
use crate::{
    Timestamp,
    event::Resource,
    id::{UserId, WorkspaceId},
    text::{Name, Slug},
    workspace::Workspace,
};
use serde::Serialize;

/// A workspace was created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceCreated {
    #[serde(skip)]
    workspace: WorkspaceId,
    name: Name,
    slug: Slug,
    is_personal: bool,
    owner_id: UserId,
}

impl From<&Workspace> for WorkspaceCreated {
    fn from(workspace: &Workspace) -> Self {
        Self {
            workspace: workspace.id,
            name: workspace.name.clone(),
            slug: workspace.slug.clone(),
            is_personal: workspace.is_personal,
            owner_id: workspace.owner,
        }
    }
}

impl Payload for WorkspaceCreated {
    fn resource(&self) -> Resource {
        Resource::Workspace(self.workspace)
    }

    fn location(&self) -> Location {
        Location::WORKSPACE
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self {
            workspace: WorkspaceId::EXAMPLE,
            name: Name::from_stored("Ada Lovelace's workspace".to_owned()),
            slug: Slug::from_stored("ada-lovelace-s-workspace".to_owned()),
            is_personal: true,
            owner_id: UserId::EXAMPLE,
        }
    }
}

/// A workspace was deleted. It can be used no more and is removed later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceDeleted {
    /// The workspace.
    #[serde(skip)]
    pub workspace: WorkspaceId,
    /// When it is removed permanently.
    pub purge_at: Timestamp,
}

impl Payload for WorkspaceDeleted {
    fn resource(&self) -> Resource {
        Resource::Workspace(self.workspace)
    }

    fn location(&self) -> Location {
        Location::WORKSPACE
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self { workspace: WorkspaceId::EXAMPLE, purge_at: Timestamp::from_millis(1_797_845_400_000) }
    }
}

/// Name, description or icon was changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorkspaceUpdated {
    /// The workspace.
    #[serde(skip)]
    pub workspace: WorkspaceId,
    /// Which fields, with their old and new values.
    #[serde(flatten)]
    pub changes: FieldChanges,
}

impl Payload for WorkspaceUpdated {
    fn resource(&self) -> Resource {
        Resource::Workspace(self.workspace)
    }

    fn location(&self) -> Location {
        Location::WORKSPACE
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self { workspace: WorkspaceId::EXAMPLE, changes: FieldChanges::example("name", "Acme", "Acme Inc.") }
    }
}

/// Settings of a workspace changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SettingsUpdated {
    /// The workspace.
    #[serde(skip)]
    pub workspace: WorkspaceId,
    /// Which settings, with their old and new values.
    #[serde(flatten)]
    pub changes: FieldChanges,
}

impl Payload for SettingsUpdated {
    fn resource(&self) -> Resource {
        Resource::Workspace(self.workspace)
    }

    fn location(&self) -> Location {
        Location::WORKSPACE
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self { workspace: WorkspaceId::EXAMPLE, changes: FieldChanges::example("theme", "system", "dark") }
    }
}
