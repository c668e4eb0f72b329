//! The representation of a member.

use crate::wire::reply;
use octavo_app::members::MemberDetails;
use octavo_core_model::{
    Role, TeamRole, Timestamp,
    id::{MembershipId, TeamId, UserId},
    member::{Member, Person, TeamOfMember},
    text::{Email, Name, TeamName, WebAddress},
};

reply! {
    /// The details of an account that others in a workspace see.
    pub(crate) PersonReply {
        /// The id of the account.
        id "id": required UserId,
        /// The full name.
        name "name": required Name,
        /// The display name.
        display_name "displayName": required Name = "Ada",
        /// The address.
        email "email": required Email,
        /// The address of the picture.
        avatar_url "avatarUrl": nullable WebAddress,
        /// `ACTIVE`, `SUSPENDED` or `DELETING`.
        status "status": required &'static str | ["ACTIVE", "SUSPENDED", "DELETING", "DELETED"] = "ACTIVE",
    }
}

reply! {
    /// A team of a member.
    pub(crate) TeamOfMemberReply {
        /// The id of the team.
        id "id": required TeamId,
        /// Its name.
        name "name": required TeamName,
        /// The role in the team.
        role "role": required TeamRole = "MEMBER",
    }
}

reply! {
    /// A membership of a workspace.
    pub(crate) MemberReply {
        /// The id of the membership.
        id "id": required MembershipId,
        /// The member.
        user_id "userId": required UserId,
        /// The details of the member's account.
        user "user": required PersonReply,
        /// The role in the workspace.
        role "role": required Role = "MEMBER",
        /// The user who added or invited them; null for the creator of the workspace.
        invited_by "invitedBy": nullable UserId,
        /// When they became a member.
        joined_at "joinedAt": required Timestamp,
        /// When the membership was created.
        created_at "createdAt": required Timestamp,
        /// The teams of the member; only on request.
        teams "teams": optional Vec<TeamOfMemberReply>,
    }
}

impl From<Person> for PersonReply {
    fn from(person: Person) -> Self {
        Self {
            id: person.id,
            name: person.name,
            display_name: person.display_name,
            email: person.email,
            avatar_url: person.avatar_url,
            status: person.status.name(),
        }
    }
}

impl From<Member> for MemberReply {
    fn from(Member { membership, person }: Member) -> Self {
        Self {
            id: membership.id,
            user_id: membership.user,
            user: person.into(),
            role: membership.role,
            invited_by: membership.invited_by,
            joined_at: membership.joined_at,
            created_at: membership.joined_at,
            teams: None,
        }
    }
}

impl From<MemberDetails> for MemberReply {
    fn from(MemberDetails { member, teams }: MemberDetails) -> Self {
        let teams = teams.map(|teams| teams.into_iter().map(TeamOfMemberReply::from).collect());
        Self { teams, ..member.into() }
    }
}

impl From<TeamOfMember> for TeamOfMemberReply {
    fn from(TeamOfMember { id, name, role, .. }: TeamOfMember) -> Self {
        Self { id, name, role }
    }
}
