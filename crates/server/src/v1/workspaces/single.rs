//! `/workspaces/{workspaceId}`

use super::workspace::WorkspaceReply;
use crate::{
    answer::{Answer, accepted, ok},
    dispatcher::Dispatcher,
    route::{Body, Confirmation, routes},
    wire::{Data, Unchangeable, body, reply},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    workspaces::{self, deletion},
};
use octavo_core_model::{
    Fault, Timestamp,
    fault::Conflict,
    text::{Description, Name, WebAddress},
    workspace::WorkspaceChange,
};

body! {
    /// A change of a workspace. Fields that are left out stay as they are.
    pub(crate) WorkspaceBody {
        example: { "name": "Acme" };
        /// Its name.
        name "name": optional Name = "Acme",
        /// Its purpose; null removes it.
        description "description": nullable Description,
        /// The address of its icon; null removes it.
        icon_url "iconUrl": nullable WebAddress = "https://example.com/acme.png",
        /// Cannot be changed; sending it is refused.
        slug "slug": optional Unchangeable,
    }
}

reply! {
    /// A workspace that is being deleted.
    pub(crate) WorkspaceDeletionReply {
        /// `deleting`.
        status "status": required &'static str | ["deleting"] = "deleting",
        /// When it is removed permanently.
        scheduled_purge_at "scheduledPurgeAt": required Timestamp,
    }
}

routes! {
    /// Shows a workspace.
    ///
    /// With the caller's role and how much of its limits it uses.
    GET "/workspaces/{workspaceId}" as getWorkspace => get {
        caller: Inside(RouteAccess::ANYBODY),
        limits: [],
        takes: (),
        answers: { 200: Data<WorkspaceReply> },
        refusals: [],
        events: [],
    }

    /// Changes a workspace.
    ///
    /// A merge patch of name, description and icon, for owners, admins and API keys with the scope `ADMIN`. The slug
    /// cannot be changed.
    PATCH "/workspaces/{workspaceId}" as updateWorkspace => update {
        caller: Inside(RouteAccess::ADMINS),
        limits: [],
        takes: (body: Body<WorkspaceBody>),
        answers: { 200: Data<WorkspaceReply> },
        refusals: [],
        events: [WorkspaceUpdated],
    }

    /// Deletes a workspace.
    ///
    /// Requires an owner in person and the header `X-Confirm: DELETE <workspaceId>`. Its members lose access at once,
    /// and it is removed permanently after 30 days. A personal workspace exists for as long as its account.
    DELETE "/workspaces/{workspaceId}" as deleteWorkspace => schedule {
        caller: Inside(RouteAccess::OWNERS_IN_PERSON),
        limits: [],
        takes: (confirmation: Confirmation),
        answers: { 202: Data<WorkspaceDeletionReply> },
        refusals: [Fault::Conflict(Conflict::PersonalWorkspace)],
        events: [WorkspaceDeleted],
    }
}

async fn get(dispatcher: Dispatcher, call: Call) -> Answer {
    let rules = dispatcher.rules();
    let shape = move |(shown, usage)| ok(WorkspaceReply::of(shown, &rules).with_usage(usage));
    dispatcher.read(call, |view| Box::pin(workspaces::get(view)), shape).await
}

async fn update(dispatcher: Dispatcher, call: Call, body: Draft<WorkspaceBody>) -> Answer {
    let draft = body.map(|body| match body.slug {
        None => WorkspaceChange { name: body.name, description: body.description, icon_url: body.icon_url },
        Some(never) => match never {},
    });
    let rules = dispatcher.rules();
    let shape = move |shown| ok(WorkspaceReply::of(shown, &rules));
    dispatcher.write(call, move |unit| Box::pin(workspaces::update(unit, draft)), shape).await
}

async fn schedule(dispatcher: Dispatcher, call: Call, confirmation: Option<String>) -> Answer {
    let shape = |scheduled_purge_at| accepted(WorkspaceDeletionReply { status: "deleting", scheduled_purge_at });
    dispatcher.write(call, move |unit| Box::pin(deletion::schedule(unit, confirmation)), shape).await
}
