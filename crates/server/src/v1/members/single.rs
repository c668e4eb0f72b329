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
        /// The new role; only an owner makes owners.
        role "role": required Role = "ADMIN",
    }
}

routes! {
    /// Changes the role of a member.
    ///
    /// For owners, admins and API keys with the scope `ADMIN`. Only an owner makes or unmakes owners, and the last owner stays one. When the
    /// primary owner stops being an owner, whoever has been an owner longest takes the place.
    PATCH "/workspaces/{workspaceId}/members/{userId}" => update {
        caller: Inside(RouteAccess::ADMINS),
        limits: [],
        takes: (user: Path<UserId>, body: Body<MemberBody>),
        answers: { 200: Data<MemberReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresRole(Role::Owner)),
            Fault::Conflict(Conflict::LastOwner),
            Fault::Conflict(Conflict::PersonalWorkspace),
        ],
        events: [WorkspaceMemberUpdated, PermissionChanged],
    }

    /// Removes a member from a workspace.
    ///
    /// For owners, admins and API keys with the scope `ADMIN`; everybody may remove themselves. Only an owner removes owners, the last
    /// one stays, and nobody loses their personal workspace. What the member made stays; their places in teams end.
    DELETE "/workspaces/{workspaceId}/members/{userId}" => remove {
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
