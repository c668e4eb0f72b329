//! `/workspaces/{workspaceId}/invitations`

use super::invitation::{InvitationReply, SentInvitationReply};
use crate::{
    answer::{Answer, created},
    dispatcher::Dispatcher,
    route::{Body, Query, routes},
    wire::{Data, Page, Whole, body, query},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    invitations::{self, InvitationPage, Listed, NewInvitation},
};
use octavo_core_model::{
    Fault, Role,
    fault::{Conflict, Denial},
    id::InvitationId,
    invitation::{DEFAULT_DAYS, InvitationStatus},
    text::Email,
};

query! {
    /// Which invitations to list.
    pub(crate) InvitationsQuery {
        page: InvitationId, 20 up to 100;
        /// The state of the invitations.
        status "status": optional InvitationStatus = "PENDING",
    }
}

body! {
    /// The address to invite.
    pub(crate) NewInvitationBody {
        /// The address.
        email "email": required Email = "grace@example.com",
        /// The role they will have; `MEMBER` by default. Only an owner can invite owners.
        role "role": optional Role = "MEMBER",
        /// After how many days the invitation expires; 7 by default.
        expires_in_days "expiresInDays": optional Whole<1, 30> = 7,
    }
}

routes! {
    /// Lists the invitations of a workspace.
    ///
    /// Newest first; without `status` only open ones. For owners, admins and API keys with the scope `ADMIN`.
    GET "/workspaces/{workspaceId}/invitations" as listInvitations => list {
        caller: Inside(RouteAccess::ADMINS),
        limits: [],
        takes: (query: Query<InvitationsQuery>),
        answers: { 200: Page<InvitationReply> },
        refusals: [],
        events: [],
    }

    /// Invites an address to a workspace.
    ///
    /// For owners, admins and API keys with the scope `ADMIN`. The address is mailed a link. The answer contains
    /// another link to pass on, which works too but does not verify the address. Using one makes both invalid.
    /// Nothing is mailed while the inviter's own address is unverified. An address can have one open invitation for
    /// each role. One whose inviter could not send it any more does not count: it is revoked and replaced.
    POST "/workspaces/{workspaceId}/invitations" as createInvitation => create {
        caller: Inside(RouteAccess::ADMINS),
        limits: [Invitation],
        takes: (body: Body<NewInvitationBody>),
        answers: { 201: Data<SentInvitationReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresRole(Role::Owner)),
            Fault::Forbidden(Denial::SessionRevoked),
            Fault::Conflict(Conflict::Taken("email")),
        ],
        events: [WorkspaceInvitationSent, WorkspaceInvitationRevoked],
    }
}

async fn list(dispatcher: Dispatcher, call: Call, query: Draft<InvitationsQuery>) -> Answer {
    let page = query.map(|query| InvitationPage {
        status: query.status.unwrap_or(InvitationStatus::Pending),
        before: query.page.after,
        limit: query.page.fetch(),
    });
    let now = call.now;
    let position = |listed: &Listed| listed.invitation.id;
    let shape = move |listed| InvitationReply::listed(listed, now);
    dispatcher.list(call, move |view| Box::pin(invitations::list(view, page)), position, shape).await
}

async fn create(dispatcher: Dispatcher, call: Call, body: Draft<NewInvitationBody>) -> Answer {
    let draft = body.map(|body| NewInvitation {
        email: body.email,
        role: body.role.unwrap_or(Role::Member),
        expires_in_days: body.expires_in_days.and_then(|days| u32::try_from(days.0).ok()).unwrap_or(DEFAULT_DAYS),
    });
    let (now, pages) = (call.now, dispatcher.backend().settings.pages_origin.clone());
    let shape = move |sent| created(SentInvitationReply::of(sent, &pages, now));
    dispatcher.write(call, move |unit| Box::pin(invitations::create(unit, draft)), shape).await
}
