//! Rows of both sides of a membership.

use super::{accounts::AccountStatusWord, workspaces::WorkspaceCopy};
use crate::{
    schema::{memberships, user_workspaces, users},
    stored::Stored,
};
use diesel::prelude::{AsChangeset, Insertable, Queryable, Selectable};
use octavo_core_model::{
    Role, Timestamp,
    id::{MembershipId, UserId, WorkspaceId},
    member::{Membership, Person, Place},
    text::{Email, Name, WebAddress},
    workspace::Workspace,
};

/// The workspace's side of a membership.
#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = memberships, treat_none_as_default_value = false)]
pub struct MembershipRow {
    workspace_id: Stored<WorkspaceId>,
    user_id: Stored<UserId>,
    id: Stored<MembershipId>,
    role: Stored<Role>,
    invited_by: Option<Stored<UserId>>,
    joined_at: i64,
}

impl From<&Membership> for MembershipRow {
    fn from(membership: &Membership) -> Self {
        Self {
            workspace_id: Stored(membership.workspace),
            user_id: Stored(membership.user),
            id: Stored(membership.id),
            role: Stored(membership.role),
            invited_by: membership.invited_by.map(Stored),
            joined_at: membership.joined_at.millis(),
        }
    }
}

impl From<MembershipRow> for Membership {
    fn from(row: MembershipRow) -> Self {
        Self {
            id: row.id.0,
            workspace: row.workspace_id.0,
            user: row.user_id.0,
            role: row.role.0,
            invited_by: row.invited_by.map(|user| user.0),
            joined_at: Timestamp::from_millis(row.joined_at),
        }
    }
}

/// A membership as written.
#[derive(Debug, Insertable)]
#[diesel(table_name = memberships, treat_none_as_default_value = false)]
pub struct NewMembershipRow {
    #[diesel(embed)]
    row: MembershipRow,
    role_since: i64,
    #[diesel(embed)]
    copy: PersonCopy,
}

impl NewMembershipRow {
    pub fn new(membership: &Membership, person: &Person) -> Self {
        Self { row: membership.into(), role_since: membership.joined_at.millis(), copy: person.into() }
    }
}

/// The fields of an account that others see.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = users)]
pub struct PersonRow {
    id: Stored<UserId>,
    name: Stored<Name>,
    display_name: Stored<Name>,
    email: Stored<Email>,
    avatar_url: Option<Stored<WebAddress>>,
    status: Stored<AccountStatusWord>,
    purge_at: Option<i64>,
}

impl From<PersonRow> for Person {
    fn from(row: PersonRow) -> Self {
        Self {
            id: row.id.0,
            name: row.name.0,
            display_name: row.display_name.0,
            email: row.email.0,
            avatar_url: row.avatar_url.map(|address| address.0),
            status: row.status.0.with_purge_at(Timestamp::from_millis(row.purge_at.unwrap_or_default())),
        }
    }
}

/// The person's values that a list of members copies for searching and for unique names.
#[derive(Debug, AsChangeset, Insertable)]
#[diesel(table_name = memberships, treat_none_as_default_value = false)]
pub struct PersonCopy {
    display_name: Stored<Name>,
    folded_name: String,
    search: String,
}

impl From<&Person> for PersonCopy {
    fn from(person: &Person) -> Self {
        Self {
            display_name: Stored(person.display_name.clone()),
            folded_name: fold(person.display_name.as_str()),
            // A name is one line, so a search never matches across the two.
            search: format!("{}\n{}", fold(person.name.as_str()), person.email),
        }
    }
}

/// The name in the text by which a member is searched.
pub fn searched_name(mut search: String) -> String {
    search.truncate(search.find('\n').unwrap_or(search.len()));
    search
}

/// A text in the form for comparisons, which ignores case.
pub fn fold(text: &str) -> String {
    text.to_lowercase()
}

/// The user's side of a membership.
#[derive(Debug, Insertable)]
#[diesel(table_name = user_workspaces, treat_none_as_default_value = false)]
pub struct UserWorkspaceRow {
    user_id: Stored<UserId>,
    workspace_id: Stored<WorkspaceId>,
    is_personal: bool,
    role: Stored<Role>,
    joined_at: i64,
    #[diesel(embed)]
    copy: WorkspaceCopy,
}

impl UserWorkspaceRow {
    pub fn new(membership: &Membership, workspace: &Workspace) -> Self {
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

/// The place of a user in a workspace.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = user_workspaces)]
pub struct PlaceRow {
    role: Stored<Role>,
    is_personal: bool,
    is_deleting: bool,
}

impl From<PlaceRow> for Place {
    fn from(row: PlaceRow) -> Self {
        Self { role: row.role.0, is_personal: row.is_personal, is_deleting: row.is_deleting }
    }
}
