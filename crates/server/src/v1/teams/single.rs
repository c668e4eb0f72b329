//! `/workspaces/{workspaceId}/teams/{teamId}`

use super::team::TeamReply;
use crate::{
    answer::{Answer, accepted, ok},
    dispatcher::Dispatcher,
    route::{Body, Path, routes},
    wire::{Data, body, reply},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    teams::{self, TeamDeletion},
};
use octavo_core_model::{
    Fault, Role,
    fault::{Conflict, Denial},
    id::TeamId,
    position::Position,
    team::TeamChange,
    text::{Color, Description, Slug, TeamName, WebAddress},
};

body! {
    /// A change of a team. Fields that are left out stay as they are.
    pub(crate) TeamBody {
        example: { "name": "Design" };
        /// Its name.
        name "name": optional TeamName,
        /// Its unique name within the workspace.
        slug "slug": optional Slug = "design",
        /// Its purpose; null removes it.
        description "description": nullable Description,
        /// Its colour; null removes it.
        color "color": nullable Color,
        /// The address of its icon; null removes it.
        icon_url "iconUrl": nullable WebAddress = "https://example.com/design.png",
        /// Whether its pages are hidden from members who are not in it.
        is_private "isPrivate": optional bool = false,
        /// Its position among the teams.
        position "position": optional Position,
    }
}

reply! {
    /// A team that is being deleted.
    pub(crate) TeamDeletionReply {
        /// `deleting`.
        status "status": required &'static str | ["deleting"] = "deleting",
        /// How many pages no longer belong to a team.
        unassigned_page_count "unassignedPageCount": required u64 = 0,
    }
}

routes! {
    /// Shows a team.
    ///
    /// With its newest members and its root pages. A private team can be seen by its members, by owners, admins and
    /// API keys.
    GET "/workspaces/{workspaceId}/teams/{teamId}" as getTeam => get {
        caller: Inside(RouteAccess::ANYBODY),
        limits: [],
        takes: (team: Path<TeamId>),
        answers: { 200: Data<TeamReply> },
        refusals: [],
        events: [],
    }

    /// Changes a team.
    ///
    /// For owners, admins and API keys with the scope `ADMIN`. Members of a public team who are not guests may change
    /// everything except whether it is private.
    PATCH "/workspaces/{workspaceId}/teams/{teamId}" as updateTeam => update {
        caller: Inside(RouteAccess::MEMBERS),
        limits: [],
        takes: (team: Path<TeamId>, body: Body<TeamBody>),
        answers: { 200: Data<TeamReply> },
        refusals: [Fault::Forbidden(Denial::RequiresRole(Role::Admin)), Fault::Conflict(Conflict::Taken("slug"))],
        events: [TeamUpdated],
    }

    /// Deletes a team.
    ///
    /// For owners, admins and API keys with the scope `ADMIN`. Its pages stay without a team, and all grants to the
    /// team end.
    DELETE "/workspaces/{workspaceId}/teams/{teamId}" as deleteTeam => delete {
        caller: Inside(RouteAccess::ADMINS),
        limits: [],
        takes: (team: Path<TeamId>),
        answers: { 202: Data<TeamDeletionReply> },
        refusals: [],
        events: [TeamDeleted, PermissionChanged],
    }
}

async fn get(dispatcher: Dispatcher, call: Call, team: Draft<TeamId>) -> Answer {
    dispatcher.read(call, move |view| Box::pin(teams::get(view, team)), |portrait| ok(TeamReply::from(portrait))).await
}

async fn update(dispatcher: Dispatcher, call: Call, team: Draft<TeamId>, body: Draft<TeamBody>) -> Answer {
    let draft = body.map(|body| TeamChange {
        name: body.name,
        slug: body.slug,
        description: body.description,
        color: body.color,
        icon_url: body.icon_url,
        position: body.position,
        is_private: body.is_private,
    });
    let shape = |shown| ok(TeamReply::from(shown));
    dispatcher.write(call, move |unit| Box::pin(teams::update(unit, team, draft)), shape).await
}

async fn delete(dispatcher: Dispatcher, call: Call, team: Draft<TeamId>) -> Answer {
    let shape = |TeamDeletion { unassigned_pages }| {
        accepted(TeamDeletionReply { status: "deleting", unassigned_page_count: unassigned_pages })
    };
    dispatcher.write_repeatably(call, move |unit| Box::pin(teams::delete(unit, team.clone())), shape).await
}
