//! Members of workspaces.

use crate::{
    account::{AccountStatus, User},
    id::{MembershipId, TeamId, UserId, WorkspaceId},
    name::named,
    role::{Role, TeamRole},
    text::{Email, Name, SearchText, TeamName, WebAddress},
    time::Timestamp,
};

/// A user's membership of a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    pub id: MembershipId,
    pub workspace: WorkspaceId,
    pub user: UserId,
    pub role: Role,
    pub invited_by: Option<UserId>,
    pub joined_at: Timestamp,
}

/// The details of a user that others see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    pub id: UserId,
    pub name: Name,
    pub display_name: Name,
    pub email: Email,
    pub avatar_url: Option<WebAddress>,
    pub status: AccountStatus,
}

impl From<&User> for Person {
    fn from(user: &User) -> Self {
        Self {
            id: user.id,
            name: user.name.clone(),
            display_name: user.display_name.clone(),
            email: user.email.clone(),
            avatar_url: user.avatar_url.clone(),
            status: user.status,
        }
    }
}

/// A membership and its user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub membership: Membership,
    pub person: Person,
}

named! {
    /// Optional parts of a member in a reply.
    MemberDetail {
        Teams = "teams",
    }
}

/// Which members to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemberFilter {
    pub role: Option<Role>,
    /// A text in the name or the address, ignoring case.
    pub search: Option<SearchText>,
}

/// A team in the list of members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamOfMember {
    pub id: TeamId,
    pub name: TeamName,
    pub is_private: bool,
    pub role: TeamRole,
}

/// A user's place in a workspace, which every call reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub role: Role,
    pub is_personal: bool,
    /// The workspace is deleted and waits for its removal.
    pub is_deleting: bool,
}

impl Place {
    /// The place of every user in their personal workspace.
    pub const AT_HOME: Self = Self { role: Role::Owner, is_personal: true, is_deleting: false };
}
