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
    /// The id of the membership.
    pub id: MembershipId,
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The person.
    pub user: UserId,
    /// The role of the person there.
    pub role: Role,
    /// Who invited the person, if anybody did.
    pub invited_by: Option<UserId>,
    /// When the person joined.
    pub joined_at: Timestamp,
}

/// The details of a user that others see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The id of the account.
    pub id: UserId,
    /// The full name.
    pub name: Name,
    /// The name that others see.
    pub display_name: Name,
    /// The address.
    pub email: Email,
    /// The address of a picture of the person.
    pub avatar_url: Option<WebAddress>,
    /// Whether the account may act.
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
    /// The membership.
    pub membership: Membership,
    /// The person who holds it.
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
    /// Only members with this role.
    pub role: Option<Role>,
    /// A text in the name or the address, ignoring case.
    pub search: Option<SearchText>,
}

/// A team in the list of members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamOfMember {
    /// The id of the team.
    pub id: TeamId,
    /// The name of the team.
    pub name: TeamName,
    /// Whether only its members see it.
    pub is_private: bool,
    /// The role of the member in the team.
    pub role: TeamRole,
}

/// A user's place in a workspace, which every call reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The role of the user.
    pub role: Role,
    /// Whether it is somebody's personal workspace.
    pub is_personal: bool,
    /// The workspace is deleted and waits for its removal.
    pub is_deleting: bool,
}

impl Place {
    /// The place of every user in their personal workspace.
    pub const AT_HOME: Self = Self { role: Role::Owner, is_personal: true, is_deleting: false };
}
