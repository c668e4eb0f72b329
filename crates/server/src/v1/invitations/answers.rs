//! `/invitations`: what the holder of a token can do with an invitation.

use super::accepted::{AcceptedReply, shape};
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, routes},
    wire::{Data, body, reply},
};
use octavo_app::{
    Call, Draft,
    invitations::{
        accept::{self, Acceptance, Acceptor},
        decline::{self, Declined},
        preview::{self, Preview},
    },
};
use octavo_core_model::{
    Fault, Role, Secret, Timestamp,
    fault::{Conflict, Denial, Issue, Violation},
    id::InvitationId,
    invitation::{InvitationState, InvitationStatus},
    text::{Email, Name, NewPassword, WebAddress},
};

body! {
    /// The token of an invitation.
    pub(crate) InvitationTokenBody {
        /// The token in the link.
        token "token": required Secret<String> = "itn_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
    }
}

body! {
    /// An acceptance: `password` and `name` for a new account, otherwise `email` or an access token.
    pub(crate) AcceptBody {
        /// The token in the link.
        token "token": required Secret<String> = "itn_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// The password of the new account: 8 to 128 characters with an upper-case letter, a lower-case letter and a
        /// digit.
        password "password": optional NewPassword,
        /// The full name of the new account.
        name "name": optional Name = "Grace Hopper",
        /// The address of the account that accepts, for a caller that is not signed in.
        email "email": optional Email = "grace@example.com",
    }
}

body! {
    /// The invitation to decline: one of the two.
    pub(crate) DeclineBody {
        example: { "token": "itn_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80" };
        /// The token in the link.
        token "token": optional Secret<String> = "itn_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// An invitation to the caller, whose address must be verified.
        invitation_id "invitationId": optional InvitationId,
    }
}

reply! {
    /// The workspace of an invitation.
    pub(crate) InvitingWorkspaceReply {
        /// Its name.
        name "name": required Name = "Acme",
        /// The address of the icon.
        icon_url "iconUrl": nullable WebAddress = "https://example.com/acme.png",
    }
}

reply! {
    /// The inviter, as shown to a possible stranger.
    pub(crate) InviterNameReply {
        /// The name.
        name "name": required Name = "Ada Lovelace",
    }
}

reply! {
    /// An invitation as the holder of its token sees it.
    pub(crate) PreviewReply {
        /// The workspace.
        workspace "workspace": required InvitingWorkspaceReply,
        /// The inviter.
        inviter "inviter": nullable InviterNameReply,
        /// The invited address, with most of the part before the `@` hidden.
        email_masked "emailMasked": required String = "g***@example.com",
        /// The offered role.
        role "role": required Role = "MEMBER",
        /// When the invitation expires.
        expires_at "expiresAt": required Timestamp,
        /// Whether the address has an account.
        account_exists "accountExists": required bool = false,
    }
}

reply! {
    /// An invitation that was declined.
    pub(crate) DeclinedReply {
        /// The id of the invitation.
        id "id": required InvitationId,
        /// `DECLINED`.
        status "status": required InvitationStatus = "DECLINED",
    }
}

routes! {
    /// Shows an invitation to the holder of its token.
    ///
    /// Only while it is open.
    POST "/invitations/preview" as previewInvitation => preview {
        caller: Anyone,
        limits: [],
        takes: (body: Body<InvitationTokenBody>),
        answers: { 200: Data<PreviewReply> },
        refusals: [
            Fault::NotFound,
            Fault::Conflict(Conflict::InvitationAnswered(InvitationState::Accepted)),
            Fault::Conflict(Conflict::InvitationAnswered(InvitationState::Declined)),
            Fault::Conflict(Conflict::InvitationAnswered(InvitationState::Revoked)),
            Fault::Conflict(Conflict::TokenRevoked),
            Fault::TokenExpired,
            Fault::WorkspaceDeleting,
        ],
        events: [],
    }

    /// Accepts an invitation.
    ///
    /// With `password` and `name`, creates an account; the token that was sent by mail verifies its address. An
    /// existing account accepts with an access token, or with the link and its `email` alone: the latter opens a
    /// session that reaches the workspace only and ends after 24 hours, and the owner is notified by mail. If the
    /// mailed token is the first proof of an address, everything that the account had before is removed: sessions and
    /// password. An invitation counts as revoked while its inviter could not send it any more: a former admin, for
    /// example, or a revoked API key.
    POST "/invitations/accept" as acceptInvitation => accept {
        caller: Optional,
        limits: [],
        takes: (body: Body<AcceptBody>),
        answers: { 200: Data<AcceptedReply> },
        refusals: [
            Fault::Forbidden(Denial::EmailMismatch),
            Fault::Forbidden(Denial::SignupClosed),
            Fault::Forbidden(Denial::MemberQuota),
            Fault::Forbidden(Denial::SessionRevoked),
            Fault::Conflict(Conflict::Taken("email")),
            Fault::Conflict(Conflict::InvitationAnswered(InvitationState::Accepted)),
            Fault::Conflict(Conflict::InvitationAnswered(InvitationState::Declined)),
            Fault::Conflict(Conflict::InvitationAnswered(InvitationState::Revoked)),
            Fault::Conflict(Conflict::TokenRevoked),
            Fault::TokenExpired,
            Fault::HasherBusy,
        ],
        events: [UserRegistered, WorkspaceCreated, WorkspaceInvitationAccepted, WorkspaceMemberAdded],
    }

    /// Declines an invitation.
    ///
    /// By its token, or by its id for the account it was sent to, whose address must be verified. Both tokens become
    /// invalid. Repeating this changes nothing.
    POST "/invitations/decline" as declineInvitation => decline {
        caller: Optional,
        limits: [],
        takes: (body: Body<DeclineBody>),
        answers: { 200: Data<DeclinedReply> },
        refusals: [
            Fault::NotFound,
            Fault::Forbidden(Denial::EmailUnverified),
            Fault::Conflict(Conflict::InvitationAnswered(InvitationState::Accepted)),
            Fault::Conflict(Conflict::InvitationAnswered(InvitationState::Revoked)),
            Fault::Conflict(Conflict::TokenRevoked),
            Fault::TokenExpired,
        ],
        events: [WorkspaceInvitationDeclined],
    }
}

async fn preview(dispatcher: Dispatcher, call: Call, body: Draft<InvitationTokenBody>) -> Answer {
    let token = body.map(|body| body.token);
    let shape = |preview| ok(PreviewReply::from(preview));
    dispatcher.read(call, move |view| Box::pin(preview::preview(view, token)), shape).await
}

async fn accept(dispatcher: Dispatcher, call: Call, body: Draft<AcceptBody>) -> Answer {
    let signer = dispatcher.signer();
    let draft = body.and_then(AcceptBody::acceptance);
    dispatcher
        .flow(call, move |engine, call| async move {
            accept::accept(&engine, call, draft, move |accepted| shape(&*signer, accepted)).await
        })
        .await
}

async fn decline(dispatcher: Dispatcher, call: Call, body: Draft<DeclineBody>) -> Answer {
    let draft = body.and_then(|body| match (body.token, body.invitation_id) {
        (Some(token), _) => Ok(Declined::Token(token)),
        (None, Some(id)) => Ok(Declined::Own(id)),
        (None, None) => Err(Violation::new("token", Issue::Required).into()),
    });
    let shape = |id| ok(DeclinedReply { id, status: InvitationStatus::Declined });
    dispatcher.write(call, move |unit| Box::pin(decline::decline(unit, draft)), shape).await
}

impl AcceptBody {
    fn acceptance(self) -> Draft<Acceptance> {
        let by = match (self.password, self.name, self.email) {
            (Some(password), Some(name), _) => Acceptor::Newcomer { password, name },
            (None, Some(_), _) => return Err(Violation::new("password", Issue::Required).into()),
            (Some(_), None, _) => return Err(Violation::new("name", Issue::Required).into()),
            (None, None, Some(email)) => Acceptor::Address(email),
            (None, None, None) => Acceptor::Caller,
        };
        Ok(Acceptance { token: self.token, by })
    }
}

impl From<Preview> for PreviewReply {
    fn from(preview: Preview) -> Self {
        let Preview { invitation, workspace, inviter, account_exists } = preview;
        Self {
            workspace: InvitingWorkspaceReply { name: workspace.name, icon_url: workspace.icon_url },
            inviter: inviter.map(|inviter| InviterNameReply { name: inviter.name }),
            email_masked: invitation.email.masked(),
            role: invitation.role,
            expires_at: invitation.expires_at,
            account_exists,
        }
    }
}
