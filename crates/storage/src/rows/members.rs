//! Rows of both sides of a membership.

use super::workspaces::WorkspaceCopy;
use crate::{
    schema::{memberships, user_workspaces},
    stored::Stored,
};
use diesel::prelude::{AsChangeset, Insertable, Queryable, Selectable};
use octavo_core_model::{
    Role,
    id::{MembershipId, UserId, WorkspaceId},
    member::{Membership, Person, Place},
    text::Name,
    workspace::Workspace,
};

/// The workspace's side of a membership.
#[derive(Debug, Insertable)]
#[diesel(table_name = memberships, treat_none_as_default_value = false)]
pub(crate) struct MembershipRow {
    workspace_id: Stored<WorkspaceId>,
    user_id: Stored<UserId>,
    id: Stored<MembershipId>,
    role: Stored<Role>,
    invited_by: Option<Stored<UserId>>,
    joined_at: i64,
    #[diesel(embed)]
    copy: PersonCopy,
}

impl MembershipRow {
    pub(crate) fn new(membership: &Membership, person: &Person) -> Self {
        Self {
            workspace_id: Stored(membership.workspace),
            user_id: Stored(membership.user),
            id: Stored(membership.id),
            role: Stored(membership.role),
            invited_by: membership.invited_by.map(Stored),
            joined_at: membership.joined_at.millis(),
            copy: person.into(),
        }
    }
}

/// What a list of members copies of a person, to be searched and kept unique by.
#[derive(Debug, AsChangeset, Insertable)]
#[diesel(table_name = memberships, treat_none_as_default_value = false)]
pub(crate) struct PersonCopy {
    display_name: Stored<Name>,
    folded_name: String,
    search: String,
}

impl From<&Person> for PersonCopy {
    fn from(person: &Person) -> Self {
        Self {
            display_name: Stored(person.display_name.clone()),
            folded_name: fold(&person.display_name),
            // A name is one line, so a search for part of either never meets both.
            search: format!("{}\n{}", fold(&person.name), person.email),
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
    is_personal: bool,
    role: Stored<Role>,
    joined_at: i64,
    #[diesel(embed)]
    copy: WorkspaceCopy,
}

impl UserWorkspaceRow {
    pub(crate) fn new(membership: &Membership, workspace: &Workspace) -> Self {
        Self {
            user_id: Stored(membership.user),
            workspace_id: Stored(membership.workspace),
            is_personal: workspace.is_personal,
            role: Stored(membership.role),
            joined_at: membership.joined_at.millis(),
            copy: workspace.into(),
        }
    }
}

/// Where a user stands in a workspace.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = user_workspaces)]
pub(crate) struct PlaceRow {
    role: Stored<Role>,
    is_personal: bool,
    is_deleting: bool,
}

impl From<PlaceRow> for Place {
    fn from(row: PlaceRow) -> Self {
        Self { role: row.role.0, is_personal: row.is_personal, is_deleting: row.is_deleting }
    }
}
