//! The representation of invitations.

use crate::wire::reply;
use octavo_app::invitations::{Listed, Sent};
use octavo_core_model::{
    Role, Secret, Timestamp,
    id::{InvitationId, UserId, WorkspaceId},
    invitation::{Invitation, InvitationStatus, Inviter},
    mail::INVITATION_PAGE,
    text::{Email, Name},
};

reply! {
    /// The inviter.
    pub(crate) InviterReply {
        /// The id of the account.
        id "id": required UserId,
        /// Its name.
        name "name": required Name = "Ada Lovelace",
        /// Its address; null if the account no longer exists.
        email "email": nullable Email,
    }
}

reply! {
    /// An invitation to a workspace, without a link that accepts it.
    pub(crate) InvitationReply {
        /// The id of the invitation.
        id "id": required InvitationId,
        /// The workspace.
        workspace_id "workspaceId": required WorkspaceId,
        /// The invited address.
        email "email": required Email = "grace@example.com",
        /// The role they will have.
        role "role": required Role = "MEMBER",
        /// The inviter; for an API key, the user who created the key.
        invited_by_id "invitedById": required UserId,
        /// The inviter; only in lists.
        invited_by "invitedBy": optional InviterReply,
        /// When it expires.
        expires_at "expiresAt": required Timestamp,
        /// The state of the invitation.
        status "status": required InvitationStatus,
        /// When it was first sent.
        created_at "createdAt": required Timestamp,
    }
}

// A type of its own, so that answers without the secret can be compressed.
reply! {
    /// An invitation that was sent, with a link.
    pub(crate) SentInvitationReply {
        /// The id of the invitation.
        id "id": required InvitationId,
        /// The workspace.
        workspace_id "workspaceId": required WorkspaceId,
        /// The invited address.
        email "email": required Email = "grace@example.com",
        /// The role they will have.
        role "role": required Role = "MEMBER",
        /// The inviter; for an API key, the user who created the key.
        invited_by_id "invitedById": required UserId,
        /// A link that accepts the invitation, to pass on; shown only here. It does not verify the address, so its
        /// holder reaches this workspace only.
        accept_url "acceptUrl": required Secret<String> = "https://octavo.example.com/accept-invitation?token=itn_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// When it expires.
        expires_at "expiresAt": required Timestamp,
        /// The state of the invitation.
        status "status": required InvitationStatus,
        /// When it was first sent.
        created_at "createdAt": required Timestamp,
    }
}

impl InvitationReply {
    fn of(invitation: Invitation, now: Timestamp) -> Self {
        Self {
            status: invitation.status(now),
            id: invitation.id,
            workspace_id: invitation.workspace,
            email: invitation.email,
            role: invitation.role,
            invited_by_id: invitation.invited_by,
            invited_by: None,
            expires_at: invitation.expires_at,
            created_at: invitation.created_at,
        }
    }

    pub(crate) fn listed(listed: Listed, now: Timestamp) -> Self {
        Self { invited_by: listed.inviter.map(InviterReply::from), ..Self::of(listed.invitation, now) }
    }
}

impl SentInvitationReply {
    /// `pages` is the origin of the page to which the link leads.
    pub(crate) fn of(sent: Sent, pages: &str, now: Timestamp) -> Self {
        let link = format!("{pages}/{INVITATION_PAGE}?token={}", sent.link_token.reveal());
        let InvitationReply { id, workspace_id, email, role, invited_by_id, expires_at, status, created_at, .. } =
            InvitationReply::of(sent.invitation, now);
        let accept_url = Secret::new(link);
        Self { id, workspace_id, email, role, invited_by_id, accept_url, expires_at, status, created_at }
    }
}

impl From<Inviter> for InviterReply {
    fn from(inviter: Inviter) -> Self {
        Self { id: inviter.id, name: inviter.name, email: inviter.email }
    }
}
