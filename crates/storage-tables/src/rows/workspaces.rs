//! Rows of workspaces.

use crate::{
    schema::{user_workspaces, workspaces},
    stored::Stored,
};
use diesel::prelude::{AsChangeset, Insertable, Queryable, Selectable};
use octavo_core_model::{
    Role, Timestamp,
    id::{UserId, WorkspaceId},
    settings::Settings,
    text::{Description, Name, Slug, WebAddress},
    workspace::{Limit, OwnLimits, OwnWorkspace, Workspace, WorkspaceStatus},
};

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = workspaces, treat_none_as_null = true, treat_none_as_default_value = false)]
#[diesel(primary_key(id, slug, is_personal, created_at))] // what saving leaves alone
pub struct WorkspaceRow {
    id: Stored<WorkspaceId>,
    slug: Stored<Slug>,
    is_personal: bool,
    created_at: i64,
    name: Stored<Name>,
    owner_id: Stored<UserId>,
    description: Option<Stored<Description>>,
    icon_url: Option<Stored<WebAddress>>,
    settings: Stored<Settings>,
    limit_members: Option<i64>,
    limit_databases: Option<i64>,
    limit_storage_bytes: Option<i64>,
    purge_at: Option<i64>,
    updated_at: i64,
}

fn count(limit: Option<Limit>) -> Option<i64> {
    limit.map(|limit| i64::try_from(limit.to_count()).unwrap_or(i64::MAX))
}

fn limit(count: Option<i64>) -> Option<Limit> {
    count.map(|count| Limit::from_count(count.unsigned_abs()))
}

impl From<&Workspace> for WorkspaceRow {
    fn from(workspace: &Workspace) -> Self {
        let purge_at = match workspace.status {
            WorkspaceStatus::Active => None,
            WorkspaceStatus::Deleting { purge_at } => Some(purge_at.millis()),
        };
        Self {
            id: Stored(workspace.id),
            slug: Stored(workspace.slug.clone()),
            is_personal: workspace.is_personal,
            created_at: workspace.created_at.millis(),
            name: Stored(workspace.name.clone()),
            owner_id: Stored(workspace.owner),
            description: workspace.description.clone().map(Stored),
            icon_url: workspace.icon_url.clone().map(Stored),
            settings: Stored(workspace.settings.clone()),
            limit_members: count(workspace.limits.members),
            limit_databases: count(workspace.limits.databases),
            limit_storage_bytes: count(workspace.limits.storage_bytes),
            purge_at,
            updated_at: workspace.updated_at.millis(),
        }
    }
}

impl From<WorkspaceRow> for Workspace {
    fn from(row: WorkspaceRow) -> Self {
        let purge_at = row.purge_at.map(Timestamp::from_millis);
        Self {
            id: row.id.0,
            name: row.name.0,
            slug: row.slug.0,
            description: row.description.map(|text| text.0),
            icon_url: row.icon_url.map(|address| address.0),
            is_personal: row.is_personal,
            owner: row.owner_id.0,
            settings: row.settings.0,
            limits: OwnLimits {
                members: limit(row.limit_members),
                databases: limit(row.limit_databases),
                storage_bytes: limit(row.limit_storage_bytes),
            },
            status: purge_at.map_or(WorkspaceStatus::Active, |purge_at| WorkspaceStatus::Deleting { purge_at }),
            created_at: Timestamp::from_millis(row.created_at),
            updated_at: Timestamp::from_millis(row.updated_at),
        }
    }
}

/// The fields of a workspace that a user's list shows.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = user_workspaces)]
pub struct OwnWorkspaceRow {
    workspace_id: Stored<WorkspaceId>,
    name: Stored<Name>,
    is_personal: bool,
    role: Stored<Role>,
}

impl From<OwnWorkspaceRow> for OwnWorkspace {
    fn from(row: OwnWorkspaceRow) -> Self {
        Self { id: row.workspace_id.0, name: row.name.0, is_personal: row.is_personal, role: row.role.0 }
    }
}

/// The workspace's values that the lists of its members copy.
#[derive(Debug, AsChangeset, Insertable)]
#[diesel(table_name = user_workspaces, treat_none_as_default_value = false)]
pub struct WorkspaceCopy {
    name: Stored<Name>,
    is_deleting: bool,
    session_timeout_days: i32,
}

impl From<&Workspace> for WorkspaceCopy {
    fn from(workspace: &Workspace) -> Self {
        Self {
            name: Stored(workspace.name.clone()),
            is_deleting: workspace.status != WorkspaceStatus::Active,
            session_timeout_days: i32::try_from(workspace.settings.session_timeout_days()).unwrap_or(i32::MAX),
        }
    }
}
