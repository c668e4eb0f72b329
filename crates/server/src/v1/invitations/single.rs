//! `/workspaces/{workspaceId}/invitations/{invitationId}`

use super::invitation::SentInvitationReply;
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Nothing, Path, routes},
    wire::Data,
};
use octavo_app::{Call, Draft, Reply, access::RouteAccess, invitations::manage};
use octavo_core_model::{
    Fault, Role,
    fault::{Conflict, Denial},
    id::InvitationId,
    invitation::InvitationState,
};

routes! {
    /// Revokes an invitation.
    ///
    /// Its links stop working. For owners, admins, API keys with the scope `ADMIN` and the inviter. An invitation
    /// that was answered or revoked or has expired stays as it is.
    DELETE "/workspaces/{workspaceId}/invitations/{invitationId}" as revokeInvitation => revoke {
        caller: Inside(RouteAccess::MEMBERS),
        limits: [],
        takes: (id: Path<InvitationId>),
        answers: { 204: Nothing },
        refusals: [Fault::Forbidden(Denial::RequiresRole(Role::Admin))],
        events: [WorkspaceInvitationRevoked],
    }

    /// Sends an invitation again.
    ///
    /// With a new link by mail and another new one in the answer; the earlier ones become invalid. Its expiry does
    /// not change. For owners and admins in person; an invitation as owner can be sent again by owners only. The caller
    /// becomes the inviter, so that an invitation whose inviter has left counts again.
    POST "/workspaces/{workspaceId}/invitations/{invitationId}/resend" as resendInvitation => resend {
        caller: Inside(RouteAccess::MEMBERS_IN_PERSON),
        limits: [InvitationResend],
        takes: (id: Path<InvitationId>),
        answers: { 200: Data<SentInvitationReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresRole(Role::Admin)),
            Fault::Forbidden(Denial::RequiresRole(Role::Owner)),
            Fault::Forbidden(Denial::SessionRevoked),
            Fault::Conflict(Conflict::InvitationAnswered(InvitationState::Accepted)),
            Fault::Conflict(Conflict::InvitationAnswered(InvitationState::Declined)),
            Fault::Conflict(Conflict::InvitationAnswered(InvitationState::Revoked)),
            Fault::TokenExpired,
        ],
        events: [],
    }
}

async fn revoke(dispatcher: Dispatcher, call: Call, id: Draft<InvitationId>) -> Answer {
    dispatcher.write(call, move |unit| Box::pin(manage::revoke(unit, id)), |()| Reply::nothing()).await
}

async fn resend(dispatcher: Dispatcher, call: Call, id: Draft<InvitationId>) -> Answer {
    let (now, pages) = (call.now, dispatcher.backend().settings.pages_origin.clone());
    let shape = move |sent| ok(SentInvitationReply::of(sent, &pages, now));
    dispatcher.write(call, move |unit| Box::pin(manage::resend(unit, id)), shape).await
}
