//! Workspaces, the tenants, and who belongs to them.

use crate::{
    id::{MembershipId, UserId, WorkspaceId},
    role::Role,
    text::{Name, Slug},
    time::Timestamp,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    pub id: WorkspaceId,
    pub name: Name,
    pub slug: Slug,
    pub is_personal: bool,
    pub owner: UserId,
    pub created_at: Timestamp,
}

/// That a user belongs to a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    pub id: MembershipId,
    pub workspace: WorkspaceId,
    pub user: UserId,
    pub role: Role,
    pub joined_at: Timestamp,
}

/// A workspace as one of its members lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnWorkspace {
    pub id: WorkspaceId,
    pub name: Name,
    pub is_personal: bool,
    pub role: Role,
}
