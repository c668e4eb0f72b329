//! The caller's own invitations: `/users/me/invitations` and `/invitations/{invitationId}/accept`

use super::{
    accepted::{AcceptedReply, shape},
    answers::InvitingWorkspaceReply,
    invitation::{InvitationReply, InviterReply},
};
use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    route::{Path, Query, routes},
    wire::{Data, Page, query, reply},
};
use octavo_app::{
    Call, Draft,
    invitations::{
        Listed, accept,
        preview::{self, OwnPage},
    },
};
use octavo_core_model::{
    Fault, Role, Timestamp,
    fault::{Conflict, Denial},
    id::{InvitationId, WorkspaceId},
    invitation::{InvitationState, InvitationStatus},
    text::Email,
    workspace::Workspace,
};

query! {
    /// Which of the caller's invitations to list.
    pub(crate) OwnInvitationsQuery {
        page: InvitationId, 20 up to 100;
    }
}

reply! {
    /// An open invitation to the caller.
    pub(crate) OwnInvitationReply {
        /// The id of the invitation.
        id "id": required InvitationId,
        /// The workspace.
        workspace_id "workspaceId": required WorkspaceId,
        /// The public part of the workspace.
        workspace "workspace": required InvitingWorkspaceReply,
        /// The caller's address.
        email "email": required Email = "grace@example.com",
        /// The offered role.
        role "role": required Role = "MEMBER",
        /// The inviter.
        invited_by "invitedBy": optional InviterReply,
        /// When it expires.
        expires_at "expiresAt": required Timestamp,
        /// `PENDING`.
        status "status": required InvitationStatus,
        /// When it was first sent.
        created_at "createdAt": required Timestamp,
    }
}

routes! {
    /// Lists the caller's open invitations.
    ///
    /// Newest first. The list is empty while the caller's address is unverified.
    GET "/users/me/invitations" as listOwnInvitations => list {
        caller: SignedIn,
        limits: [],
        takes: (query: Query<OwnInvitationsQuery>),
        answers: { 200: Page<OwnInvitationReply> },
        refusals: [],
        events: [],
    }

    /// Accepts an invitation to the caller.
    ///
    /// The invitation must have been sent to the caller's address, which must be verified. The answer is the same as
    /// for accepting with a token.
    POST "/invitations/{invitationId}/accept" as acceptOwnInvitation => accept {
        caller: SignedIn,
        limits: [],
        takes: (id: Path<InvitationId>),
        answers: { 200: Data<AcceptedReply> },
        refusals: [
            Fault::NotFound,
            Fault::Forbidden(Denial::EmailUnverified),
            Fault::Forbidden(Denial::MemberQuota),
            Fault::Forbidden(Denial::SessionRevoked),
            Fault::Conflict(Conflict::Taken("userId")),
            Fault::Conflict(Conflict::InvitationAnswered(InvitationState::Accepted)),
            Fault::Conflict(Conflict::InvitationAnswered(InvitationState::Declined)),
            Fault::Conflict(Conflict::InvitationAnswered(InvitationState::Revoked)),
            Fault::TokenExpired,
        ],
        events: [WorkspaceInvitationAccepted, WorkspaceMemberAdded],
    }
}

async fn list(dispatcher: Dispatcher, call: Call, query: Draft<OwnInvitationsQuery>) -> Answer {
    let page = query.map(|query| OwnPage { before: query.page.after, limit: query.page.fetch() });
    let now = call.now;
    let position = |(listed, _): &(Listed, Workspace)| listed.invitation.id;
    let shape = move |(listed, workspace)| OwnInvitationReply::of(listed, workspace, now);
    dispatcher.list(call, move |view| Box::pin(preview::list_own(view, page)), position, shape).await
}

async fn accept(dispatcher: Dispatcher, call: Call, id: Draft<InvitationId>) -> Answer {
    let signer = dispatcher.signer();
    dispatcher
        .flow(call, move |engine, call| async move {
            accept::accept_by_id(&engine, call, id, move |accepted| shape(&*signer, accepted)).await
        })
        .await
}

impl OwnInvitationReply {
    fn of(listed: Listed, workspace: Workspace, now: Timestamp) -> Self {
        let InvitationReply { id, workspace_id, email, role, invited_by, expires_at, status, created_at, .. } =
            InvitationReply::listed(listed, now);
        let workspace = InvitingWorkspaceReply { name: workspace.name, icon_url: workspace.icon_url };
        Self { id, workspace_id, workspace, email, role, invited_by, expires_at, status, created_at }
    }
}
