//! `/workspaces/{workspaceId}/teams/{teamId}/members`

use super::team::TeamMemberReply;
use crate::{
    answer::{Answer, created, ok},
    dispatcher::Dispatcher,
    route::{Body, Nothing, Path, Query, routes},
    wire::{Data, Page, body, query},
};
use octavo_app::{
    Call, Draft, Reply,
    access::RouteAccess,
    teams::members::{self, InTeam, NewTeamMember, TeamMemberPage},
};
use octavo_core_model::{
    Fault, Role, TeamRole,
    fault::{Conflict, Denial},
    id::{TeamId, TeamMembershipId, UserId},
};

query! {
    /// Which members of a team to list.
    pub(crate) TeamMembersQuery {
        page: TeamMembershipId, 20 up to 100;
    }
}

body! {
    /// The user to add to a team.
    pub(crate) NewTeamMemberBody {
        /// A member of the workspace.
        user_id "userId": required UserId,
        /// The role in the team; `MEMBER` by default.
        role "role": optional TeamRole = "MEMBER",
    }
}

body! {
    /// A change of a team membership.
    pub(crate) TeamMemberBody {
        /// The new role.
        role "role": required TeamRole = "ADMIN",
    }
}

routes! {
    /// Lists the members of a team.
    ///
    /// Newest first. Open to everybody who may see the team.
    GET "/workspaces/{workspaceId}/teams/{teamId}/members" as listTeamMembers => list {
        caller: Inside(RouteAccess::ANYBODY),
        limits: [],
        takes: (team: Path<TeamId>, query: Query<TeamMembersQuery>),
        answers: { 200: Page<TeamMemberReply> },
        refusals: [],
        events: [],
    }

    /// Adds a member to a team.
    ///
    /// The user must be a member of the workspace. For owners, admins, API keys with the scope `ADMIN` and members of
    /// the team who are not guests; plain members of the team cannot give the role `ADMIN`.
    POST "/workspaces/{workspaceId}/teams/{teamId}/members" as addTeamMember => add {
        caller: Inside(RouteAccess::MEMBERS),
        limits: [],
        takes: (team: Path<TeamId>, body: Body<NewTeamMemberBody>),
        answers: { 201: Data<TeamMemberReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresRole(Role::Admin)),
            Fault::NoMember,
            Fault::Conflict(Conflict::Taken("userId")),
        ],
        events: [TeamMemberAdded],
    }

    /// Changes a member's role in a team.
    ///
    /// For owners, admins, API keys with the scope `ADMIN` and members with the team role `ADMIN`.
    PATCH "/workspaces/{workspaceId}/teams/{teamId}/members/{userId}" as updateTeamMember => update {
        caller: Inside(RouteAccess::MEMBERS),
        limits: [],
        takes: (team: Path<TeamId>, user: Path<UserId>, body: Body<TeamMemberBody>),
        answers: { 200: Data<TeamMemberReply> },
        refusals: [Fault::Forbidden(Denial::RequiresRole(Role::Admin))],
        events: [TeamMemberUpdated],
    }

    /// Removes a member from a team.
    ///
    /// For owners, admins, API keys with the scope `ADMIN` and members with the team role `ADMIN`; all members may
    /// leave.
    DELETE "/workspaces/{workspaceId}/teams/{teamId}/members/{userId}" as removeTeamMember => remove {
        caller: Inside(RouteAccess::MEMBERS),
        limits: [],
        takes: (team: Path<TeamId>, user: Path<UserId>),
        answers: { 204: Nothing },
        refusals: [Fault::Forbidden(Denial::RequiresRole(Role::Admin))],
        events: [TeamMemberRemoved],
    }
}

async fn list(dispatcher: Dispatcher, call: Call, team: Draft<TeamId>, query: Draft<TeamMembersQuery>) -> Answer {
    let page = query.map(|query| TeamMemberPage { before: query.page.after, limit: query.page.fetch() });
    let position = |shown: &InTeam| shown.membership.id;
    dispatcher.list(call, move |view| Box::pin(members::list(view, team, page)), position, TeamMemberReply::from).await
}

async fn add(dispatcher: Dispatcher, call: Call, team: Draft<TeamId>, body: Draft<NewTeamMemberBody>) -> Answer {
    let draft = body.map(|body| NewTeamMember { user: body.user_id, role: body.role.unwrap_or(TeamRole::Member) });
    let shape = |shown| created(TeamMemberReply::from(shown));
    dispatcher.write(call, move |unit| Box::pin(members::add(unit, team, draft)), shape).await
}

async fn update(
    dispatcher: Dispatcher,
    call: Call,
    team: Draft<TeamId>,
    user: Draft<UserId>,
    body: Draft<TeamMemberBody>,
) -> Answer {
    let draft = body.map(|body| body.role);
    let shape = |shown| ok(TeamMemberReply::from(shown));
    dispatcher.write(call, move |unit| Box::pin(members::update(unit, team, user, draft)), shape).await
}

async fn remove(dispatcher: Dispatcher, call: Call, team: Draft<TeamId>, user: Draft<UserId>) -> Answer {
    dispatcher.write(call, move |unit| Box::pin(members::remove(unit, team, user)), |()| Reply::nothing()).await
}
