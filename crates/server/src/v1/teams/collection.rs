//! `/workspaces/{workspaceId}/teams`

use super::team::TeamReply;
use crate::{
    answer::{Answer, created},
    dispatcher::Dispatcher,
    route::{Body, Located, Query, routes},
    v1::locations,
    wire::{Data, Page, body, query},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    teams::{self, NewTeam, TeamDetails, TeamPage},
};
use octavo_core_model::{
    Fault,
    fault::Conflict,
    position::Position,
    team::TeamPlace,
    text::{Color, Description, Slug, TeamName, WebAddress},
};

query! {
    /// Which teams to list.
    pub(crate) TeamsQuery {
        page: TeamPlace, 20 up to 100;
    }
}

body! {
    /// The properties of a new team.
    pub(crate) NewTeamBody {
        /// Its name.
        name "name": required TeamName,
        /// Its unique name within the workspace; by default derived from the name.
        slug "slug": optional Slug = "design",
        /// Its purpose.
        description "description": nullable Description,
        /// Its colour.
        color "color": nullable Color,
        /// The address of its icon.
        icon_url "iconUrl": nullable WebAddress = "https://example.com/design.png",
        /// Whether its pages are hidden from members who are not in it.
        is_private "isPrivate": optional bool = false,
        /// Its position among the teams; by default after the last one.
        position "position": optional Position,
    }
}

routes! {
    /// Lists the teams of a workspace.
    ///
    /// In their order. Private teams are shown to their members, to owners, admins and API keys; guests see only
    /// their own teams.
    GET "/workspaces/{workspaceId}/teams" as listTeams => list {
        caller: Inside(RouteAccess::ANYBODY),
        limits: [],
        takes: (query: Query<TeamsQuery>),
        answers: { 200: Page<TeamReply> },
        refusals: [],
        events: [],
    }

    /// Creates a team.
    ///
    /// For owners, admins and API keys with the scope `ADMIN`. It has no members at first, not even its creator. By
    /// default the slug is derived from the name, with a number appended if it is taken; a slug that is sent is used
    /// as it is or refused.
    POST "/workspaces/{workspaceId}/teams" as createTeam => create {
        caller: Inside(RouteAccess::ADMINS),
        limits: [],
        takes: (body: Body<NewTeamBody>),
        answers: { 201: Located<Data<TeamReply>> },
        refusals: [Fault::Conflict(Conflict::Taken("slug"))],
        events: [TeamCreated],
    }
}

async fn list(dispatcher: Dispatcher, call: Call, query: Draft<TeamsQuery>) -> Answer {
    let page = query.map(|query| TeamPage { limit: query.page.fetch(), after: query.page.after });
    let position = |shown: &TeamDetails| shown.team.place();
    dispatcher.list(call, move |view| Box::pin(teams::list(view, page)), position, TeamReply::from).await
}

async fn create(dispatcher: Dispatcher, call: Call, body: Draft<NewTeamBody>) -> Answer {
    let draft = body.map(|body| NewTeam {
        name: body.name,
        slug: body.slug,
        description: body.description.flatten(),
        color: body.color.flatten(),
        icon_url: body.icon_url.flatten(),
        position: body.position,
        is_private: body.is_private.unwrap_or(false),
    });
    let shape = |shown: TeamDetails| {
        let location = locations::team(shown.team.workspace, shown.team.id);
        created(TeamReply::from(shown)).at(location)
    };
    dispatcher.write(call, move |unit| Box::pin(teams::create(unit, draft)), shape).await
}
