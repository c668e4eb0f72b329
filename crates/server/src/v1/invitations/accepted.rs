//! The answer to accepting an invitation.

use crate::{
    answer::ok,
    v1::sessions::{expires_in, session::SessionExpiryReply},
    wire::reply,
};
use octavo_app::{Reply, invitations::accept::Accepted};
use octavo_core_model::{
    Role, Secret, Timestamp,
    id::{UserId, WorkspaceId},
    text::{Email, Name},
};
use octavo_ports::access_tokens::AccessTokens;

reply! {
    /// The new member.
    pub(crate) NewMemberReply {
        /// The id of the account.
        id "id": required UserId,
        /// Its address.
        email "email": required Email = "grace@example.com",
        /// Its name.
        name "name": required Name = "Grace Hopper",
    }
}

reply! {
    /// The workspace that a user has joined.
    pub(crate) JoinedWorkspaceReply {
        /// The id of the workspace.
        id "id": required WorkspaceId,
        /// Its name.
        name "name": required Name = "Acme",
    }
}

reply! {
    /// The new membership.
    pub(crate) NewMembershipReply {
        /// The role.
        role "role": required Role = "MEMBER",
        /// When the user joined.
        joined_at "joinedAt": required Timestamp,
    }
}

reply! {
    /// A new member and their session.
    pub(crate) AcceptedReply {
        /// The account.
        user "user": required NewMemberReply,
        /// The workspace that was joined.
        workspace "workspace": required JoinedWorkspaceReply,
        /// The membership.
        membership "membership": required NewMembershipReply,
        /// Authorizes calls for 15 minutes. Calls that name no workspace use the one that was joined.
        access_token "accessToken": required Secret<String> = "eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl",
        /// Gets the next pair of tokens, once.
        refresh_token "refreshToken": required Secret<String> = "rft_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// Seconds until the access token expires.
        expires_in "expiresIn": required i64 = 900,
        /// The new session.
        session "session": required SessionExpiryReply,
    }
}

pub(super) fn shape(signer: &dyn AccessTokens, accepted: Accepted) -> Reply {
    let Accepted { signed_in, workspace, membership } = accepted;
    ok(AcceptedReply {
        access_token: Secret::new(signer.sign(&signed_in.claims)),
        refresh_token: Secret::new(signed_in.refresh_token.reveal().to_owned()),
        expires_in: expires_in(),
        session: SessionExpiryReply { id: signed_in.session.id, expires_at: signed_in.session.expires_at },
        user: NewMemberReply { id: signed_in.user.id, email: signed_in.user.email, name: signed_in.user.name },
        workspace: JoinedWorkspaceReply { id: workspace.id, name: workspace.name },
        membership: NewMembershipReply { role: membership.role, joined_at: membership.joined_at },
    })
}
