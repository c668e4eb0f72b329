//! `/workspaces/{workspaceId}/members/{userId}`

use super::member::MemberReply;
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, Nothing, Path, routes},
    wire::{Data, body},
};
use octavo_app::{Call, Draft, Reply, access::RouteAccess, members};
use octavo_core_model::{
    Fault, Role,
    fault::{Conflict, Denial},
    id::UserId,
};

body! {
    /// A change of a membership.
    pub(crate) MemberBody {
        /// The new role; only an owner can make owners.
        role "role": required Role = "ADMIN",
    }
}

routes! {
    /// Changes the role of a member.
    ///
    /// For owners, admins and API keys with the scope `ADMIN`. Only an owner can give or take the role of an owner,
    /// and the last owner must keep it. If the primary owner stops being an owner, the member who has been an owner
    /// for longest takes that place. API keys that the member created keep their scopes.
    PATCH "/workspaces/{workspaceId}/members/{userId}" as updateMember => update {
        caller: Inside(RouteAccess::ADMINS),
        limits: [],
        takes: (user: Path<UserId>, body: Body<MemberBody>),
        answers: { 200: Data<MemberReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresRole(Role::Owner)),
            Fault::Forbidden(Denial::SessionRevoked),
            Fault::Conflict(Conflict::LastOwner),
            Fault::Conflict(Conflict::PersonalWorkspace),
        ],
        events: [WorkspaceMemberUpdated, PermissionChanged],
    }

    /// Removes a member from a workspace.
    ///
    /// For owners, admins and API keys with the scope `ADMIN`; all members may remove themselves. Only an owner can
    /// remove owners, the last owner cannot be removed, and nobody loses their personal workspace. What the member
    /// created stays, API keys included; their memberships in teams end.
    DELETE "/workspaces/{workspaceId}/members/{userId}" as removeMember => remove {
        caller: Inside(RouteAccess::MEMBERS),
        limits: [],
        takes: (user: Path<UserId>),
        answers: { 204: Nothing },
        refusals: [
            Fault::Forbidden(Denial::RequiresRole(Role::Admin)),
            Fault::Forbidden(Denial::RequiresRole(Role::Owner)),
            Fault::Conflict(Conflict::LastOwner),
            Fault::Conflict(Conflict::PersonalWorkspace),
        ],
        events: [WorkspaceMemberRemoved, PermissionChanged],
    }
}

async fn update(dispatcher: Dispatcher, call: Call, user: Draft<UserId>, body: Draft<MemberBody>) -> Answer {
    let draft = body.map(|body| body.role);
    let shape = |member| ok(MemberReply::from(member));
    dispatcher.write(call, move |unit| Box::pin(members::update(unit, user, draft)), shape).await
}

async fn remove(dispatcher: Dispatcher, call: Call, user: Draft<UserId>) -> Answer {
    dispatcher.write(call, move |unit| Box::pin(members::remove(unit, user)), |()| Reply::nothing()).await
}
