//! `/workspaces`

use super::workspace::WorkspaceReply;
use crate::{
    answer::{Answer, created},
    dispatcher::Dispatcher,
    route::{Body, Located, Query, routes},
    v1::locations,
    wire::{Data, Page, body, query},
};
use octavo_app::{
    Call, Draft,
    workspaces::{self, NewWorkspace, WorkspaceDetails, WorkspacePage},
};
use octavo_core_model::{
    Fault,
    fault::{Conflict, Denial},
    id::WorkspaceId,
    text::{Description, Name, Slug, WebAddress},
};

query! {
    /// Which workspaces to list.
    pub(crate) WorkspacesQuery {
        page: WorkspaceId, 20 up to 100;
    }
}

body! {
    /// The properties of a new workspace.
    pub(crate) NewWorkspaceBody {
        /// Its name.
        name "name": required Name = "Acme",
        /// Its permanent name in addresses; by default derived from the name.
        slug "slug": optional Slug = "acme",
        /// Its purpose.
        description "description": nullable Description,
        /// The address of its icon.
        icon_url "iconUrl": nullable WebAddress = "https://example.com/acme.png",
    }
}

routes! {
    /// Lists the caller's workspaces.
    ///
    /// Newest first, each with the caller's role. An API key sees its own workspace, a session from an invitation
    /// only that of the invitation.
    GET "/workspaces" as listWorkspaces => list {
        caller: Known,
        limits: [],
        takes: (query: Query<WorkspacesQuery>),
        answers: { 200: Page<WorkspaceReply> },
        refusals: [],
        events: [],
    }

    /// Creates a workspace.
    ///
    /// The caller becomes its owner. By default the slug is derived from the name, with a number appended if it is
    /// taken; a slug that is sent is used as it is or refused.
    POST "/workspaces" as createWorkspace => create {
        caller: SignedIn,
        limits: [WorkspaceCreate],
        takes: (body: Body<NewWorkspaceBody>),
        answers: { 201: Located<Data<WorkspaceReply>> },
        refusals: [
            Fault::Forbidden(Denial::WorkspaceQuota),
            Fault::Conflict(Conflict::Taken("slug")),
            Fault::Conflict(Conflict::Reserved("slug")),
        ],
        events: [WorkspaceCreated, WorkspaceMemberAdded],
    }
}

async fn list(dispatcher: Dispatcher, call: Call, query: Draft<WorkspacesQuery>) -> Answer {
    let page = query.map(|query| WorkspacePage { before: query.page.after, limit: query.page.fetch() });
    let rules = dispatcher.rules();
    let position = |shown: &WorkspaceDetails| shown.workspace.id;
    let shape = move |shown| WorkspaceReply::of(shown, &rules);
    dispatcher.list(call, move |view| Box::pin(workspaces::list(view, page)), position, shape).await
}

async fn create(dispatcher: Dispatcher, call: Call, body: Draft<NewWorkspaceBody>) -> Answer {
    let draft = body.map(|body| NewWorkspace {
        name: body.name,
        slug: body.slug,
        description: body.description.flatten(),
        icon_url: body.icon_url.flatten(),
    });
    let rules = dispatcher.rules();
    let owned = rules.owned_workspaces;
    let shape = move |shown: WorkspaceDetails| {
        let location = locations::workspace(shown.workspace.id);
        created(WorkspaceReply::of(shown, &rules)).at(location)
    };
    dispatcher.write(call, move |unit| Box::pin(workspaces::create(unit, draft, owned)), shape).await
}
