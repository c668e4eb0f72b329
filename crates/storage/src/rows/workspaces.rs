//! Rows of workspaces and of both sides of a membership.

use crate::{
    schema::{memberships, user_workspaces, workspaces},
    stored::Stored,
};
use diesel::prelude::{Insertable, Queryable, Selectable};
use octavo_core_model::{
    Role,
    id::{MembershipId, UserId, WorkspaceId},
    text::{Name, Slug},
    workspace::{Membership, OwnWorkspace, Workspace},
};

#[derive(Debug, Insertable)]
#[diesel(table_name = workspaces, treat_none_as_default_value = false)]
pub(crate) struct WorkspaceRow {
    id: Stored<WorkspaceId>,
    name: Stored<Name>,
    slug: Stored<Slug>,
    is_personal: bool,
    owner_id: Stored<UserId>,
    created_at: i64,
}

impl From<&Workspace> for WorkspaceRow {
    fn from(workspace: &Workspace) -> Self {
        Self {
            id: Stored(workspace.id),
            name: Stored(workspace.name.clone()),
            slug: Stored(workspace.slug.clone()),
            is_personal: workspace.is_personal,
            owner_id: Stored(workspace.owner),
            created_at: workspace.created_at.millis(),
        }
    }
}

/// The workspace's side of a membership.
#[derive(Debug, Insertable)]
#[diesel(table_name = memberships, treat_none_as_default_value = false)]
pub(crate) struct MembershipRow {
    workspace_id: Stored<WorkspaceId>,
    user_id: Stored<UserId>,
    id: Stored<MembershipId>,
    role: Stored<Role>,
    display_name: Stored<Name>,
    folded_name: String,
    joined_at: i64,
}

impl MembershipRow {
    pub(crate) fn new(membership: &Membership, display_name: &Name) -> Self {
        Self {
            workspace_id: Stored(membership.workspace),
            user_id: Stored(membership.user),
            id: Stored(membership.id),
            role: Stored(membership.role),
            display_name: Stored(display_name.clone()),
            folded_name: fold(display_name),
            joined_at: membership.joined_at.millis(),
        }
    }
}

/// A name as it is compared: without regard to case.
pub(crate) fn fold(name: &Name) -> String {
    name.as_str().to_lowercase()
}

/// The user's side of a membership.
#[derive(Debug, Insertable)]
#[diesel(table_name = user_workspaces, treat_none_as_default_value = false)]
pub(crate) struct UserWorkspaceRow {
    user_id: Stored<UserId>,
    workspace_id: Stored<WorkspaceId>,
    name: Stored<Name>,
    is_personal: bool,
    role: Stored<Role>,
    joined_at: i64,
}

impl UserWorkspaceRow {
    pub(crate) fn new(membership: &Membership, workspace: &Workspace) -> Self {
        Self {
            user_id: Stored(membership.user),
            workspace_id: Stored(membership.workspace),
            name: Stored(workspace.name.clone()),
            is_personal: workspace.is_personal,
            role: Stored(membership.role),
            joined_at: membership.joined_at.millis(),
        }
    }
}

/// What a user's list shows of a workspace.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = user_workspaces)]
pub(crate) struct OwnWorkspaceRow {
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
