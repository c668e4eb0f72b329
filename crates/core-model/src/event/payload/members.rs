//! Events about the members of a workspace and about invitations.

use super::{FieldChanges, Location, Payload};
use crate::{
    Role, Timestamp,
    event::Resource,
    id::{InvitationId, MembershipId, UserId},
    invitation::Invitation,
    member::Membership,
    text::Email,
};
use serde::Serialize;

/// Somebody became a member of the workspace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MemberAdded {
    #[serde(skip)]
    membership: MembershipId,
    user_id: UserId,
    role: Role,
}

impl From<&Membership> for MemberAdded {
    fn from(membership: &Membership) -> Self {
        Self { membership: membership.id, user_id: membership.user, role: membership.role }
    }
}

impl Payload for MemberAdded {
    fn resource(&self) -> Resource {
        Resource::Member(self.membership)
    }

    fn location(&self) -> Location {
        Location::WORKSPACE
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self { membership: MembershipId::EXAMPLE, user_id: UserId::EXAMPLE, role: Role::Member }
    }
}

/// Somebody left the workspace or was removed from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MemberRemoved {
    /// The membership that ended.
    #[serde(skip)]
    pub membership: MembershipId,
    /// The person.
    pub user_id: UserId,
    /// The role that the person had.
    pub role: Role,
    /// The new primary owner of the workspace, if this member was the old one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner_id: Option<UserId>,
}

impl Payload for MemberRemoved {
    fn resource(&self) -> Resource {
        Resource::Member(self.membership)
    }

    fn location(&self) -> Location {
        Location::WORKSPACE
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self {
            membership: MembershipId::EXAMPLE,
            user_id: UserId::EXAMPLE,
            role: Role::Owner,
            owner_id: Some(UserId::EXAMPLE),
        }
    }

    fn more_examples() -> Vec<Self> {
        vec![Self { role: Role::Member, owner_id: None, ..Self::example() }]
    }
}

/// The role of a member changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MemberUpdated {
    /// The membership.
    #[serde(skip)]
    pub membership: MembershipId,
    /// The member.
    pub user_id: UserId,
    /// The old and the new role.
    #[serde(flatten)]
    pub changes: FieldChanges,
    /// The new primary owner of the workspace, if this member was the old one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner_id: Option<UserId>,
}

impl Payload for MemberUpdated {
    fn resource(&self) -> Resource {
        Resource::Member(self.membership)
    }

    fn location(&self) -> Location {
        Location::WORKSPACE
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self {
            membership: MembershipId::EXAMPLE,
            user_id: UserId::EXAMPLE,
            changes: FieldChanges::example("role", "OWNER", "ADMIN"),
            owner_id: Some(UserId::EXAMPLE),
        }
    }

    fn more_examples() -> Vec<Self> {
        let changes = FieldChanges::example("role", "MEMBER", "ADMIN");
        vec![Self { changes, owner_id: None, ..Self::example() }]
    }
}

/// Somebody was invited, or the invitation was sent again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InvitationSent {
    #[serde(skip)]
    invitation: InvitationId,
    email: Email,
    role: Role,
    expires_at: Timestamp,
}

impl From<&Invitation> for InvitationSent {
    fn from(invitation: &Invitation) -> Self {
        Self {
            invitation: invitation.id,
            email: invitation.email.clone(),
            role: invitation.role,
            expires_at: invitation.expires_at,
        }
    }
}

impl Payload for InvitationSent {
    fn resource(&self) -> Resource {
        Resource::Invitation(self.invitation)
    }

    fn location(&self) -> Location {
        Location::WORKSPACE
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self {
            invitation: InvitationId::EXAMPLE,
            email: Email::from_stored("ada@example.com".to_owned()),
            role: Role::Member,
            expires_at: Timestamp::from_millis(1_795_858_200_000),
        }
    }
}

/// Somebody joined by an invitation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InvitationAccepted {
    #[serde(skip)]
    invitation: InvitationId,
    email: Email,
    user_id: UserId,
    role: Role,
}

impl InvitationAccepted {
    /// The event of this invitation, accepted by this account.
    pub fn new(invitation: &Invitation, user: UserId) -> Self {
        Self { invitation: invitation.id, email: invitation.email.clone(), user_id: user, role: invitation.role }
    }
}

impl Payload for InvitationAccepted {
    fn resource(&self) -> Resource {
        Resource::Invitation(self.invitation)
    }

    fn location(&self) -> Location {
        Location::WORKSPACE
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self {
            invitation: InvitationId::EXAMPLE,
            email: Email::from_stored("ada@example.com".to_owned()),
            user_id: UserId::EXAMPLE,
            role: Role::Member,
        }
    }
}

/// An invitation was revoked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InvitationRevoked {
    #[serde(skip)]
    invitation: InvitationId,
    email: Email,
}

impl From<&Invitation> for InvitationRevoked {
    fn from(invitation: &Invitation) -> Self {
        Self { invitation: invitation.id, email: invitation.email.clone() }
    }
}

impl Payload for InvitationRevoked {
    fn resource(&self) -> Resource {
        Resource::Invitation(self.invitation)
    }

    fn location(&self) -> Location {
        Location::WORKSPACE
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self { invitation: InvitationId::EXAMPLE, email: Email::from_stored("ada@example.com".to_owned()) }
    }
}
