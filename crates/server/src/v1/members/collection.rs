//! `/workspaces/{workspaceId}/members`

use super::member::MemberReply;
use crate::{
    answer::{Answer, created},
    dispatcher::Dispatcher,
    route::{Body, Query, routes},
    wire::{Data, Listed, Page, body, query},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    members::{self, MemberDetails, MemberPage, NewMember},
};
use octavo_core_model::{
    Fault, Role,
    fault::{Conflict, Denial},
    id::{MembershipId, UserId},
    member::{MemberDetail, MemberFilter},
    text::SearchText,
};

query! {
    /// Which members to list.
    pub(crate) MembersQuery {
        page: MembershipId, 50 up to 100;
        /// Only members with this role.
        role "role": optional Role = "ADMIN",
        /// Only members with this text in their name or address, ignoring case.
        q "q": optional SearchText = "ada",
        /// Additional parts to show, separated by commas: `teams`.
        include "include": optional Listed<MemberDetail> = ["teams"],
    }
}

body! {
    /// The user to add.
    pub(crate) NewMemberBody {
        /// The account.
        user_id "userId": required UserId,
        /// The role; only an owner can make owners.
        role "role": required Role = "MEMBER",
    }
}

routes! {
    /// Lists the members of a workspace.
    ///
    /// Newest first, with the present details of their accounts. For every member and every API key. Teams are shown
    /// as far as the caller may see them.
    GET "/workspaces/{workspaceId}/members" as listMembers => list {
        caller: Inside(RouteAccess::ANYBODY),
        limits: [],
        takes: (query: Query<MembersQuery>),
        answers: { 200: Page<MemberReply> },
        refusals: [],
        events: [],
    }

    /// Adds a member to a workspace.
    ///
    /// For owners, admins and API keys with the scope `ADMIN`. The user is not asked; an invitation asks them. Only
    /// an owner can make owners.
    POST "/workspaces/{workspaceId}/members" as addMember => add {
        caller: Inside(RouteAccess::ADMINS),
        limits: [],
        takes: (body: Body<NewMemberBody>),
        answers: { 201: Data<MemberReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresRole(Role::Owner)),
            Fault::Forbidden(Denial::MemberQuota),
            Fault::Forbidden(Denial::SessionRevoked),
            Fault::Conflict(Conflict::Taken("userId")),
        ],
        events: [WorkspaceMemberAdded],
    }
}

async fn list(dispatcher: Dispatcher, call: Call, query: Draft<MembersQuery>) -> Answer {
    let page = query.map(|query| MemberPage {
        before: query.page.after,
        limit: query.page.fetch(),
        filter: MemberFilter { role: query.role, search: query.q },
        with_teams: query.include.is_some_and(|include| include.0.contains(&MemberDetail::Teams)),
    });
    let position = |shown: &MemberDetails| shown.member.membership.id;
    dispatcher.list(call, move |view| Box::pin(members::list(view, page)), position, MemberReply::from).await
}

async fn add(dispatcher: Dispatcher, call: Call, body: Draft<NewMemberBody>) -> Answer {
    let draft = body.map(|body| NewMember { user: body.user_id, role: body.role });
    let limits = dispatcher.rules().limits;
    let shape = |member| created(MemberReply::from(member));
    dispatcher.write(call, move |unit| Box::pin(members::add(unit, draft, limits)), shape).await
}
