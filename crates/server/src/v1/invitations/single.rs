//! `/workspaces/{workspaceId}/invitations/{invitationId}`

use super::invitation::InvitationReply;
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
    /// Takes an invitation back.
    ///
    /// Its links stop working. For owners, admins, API keys with the scope `ADMIN` and whoever invited. An invitation that was answered, taken
    /// back or not answered in time stays as it is.
    DELETE "/workspaces/{workspaceId}/invitations/{invitationId}" => revoke {
        caller: Inside(RouteAccess::MEMBERS),
        limits: [],
        takes: (id: Path<InvitationId>),
        answers: { 204: Nothing },
        refusals: [Fault::Forbidden(Denial::RequiresRole(Role::Admin))],
        events: [WorkspaceInvitationRevoked],
    }

    /// Sends an invitation again.
    ///
    /// With a new link by mail and a new one in the answer; the earlier ones die. Until when it can be accepted stays as it is. For owners,
    /// admins and whoever invited, in person; the invitation of an owner for owners only. Where whoever invited an owner is no owner any more,
    /// the invitation counts as taken back.
    POST "/workspaces/{workspaceId}/invitations/{invitationId}/resend" => resend {
        caller: Inside(RouteAccess::MEMBERS_IN_PERSON),
        limits: [InvitationResend],
        takes: (id: Path<InvitationId>),
        answers: { 200: Data<InvitationReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresRole(Role::Admin)),
            Fault::Forbidden(Denial::RequiresRole(Role::Owner)),
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
    let (now, origin) = (call.now, dispatcher.backend().settings.origin.clone());
    let shape = move |sent| ok(InvitationReply::sent(sent, &origin, now));
    dispatcher.write(call, move |unit| Box::pin(manage::resend(unit, id)), shape).await
}
