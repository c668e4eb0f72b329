//! `/workspaces/{workspaceId}/oauth/grants`: the apps that members have authorized for a workspace.

use super::grant::GrantReply;
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Nothing, Path, Query, routes},
    wire::{Data, Page, query},
};
use octavo_app::{
    Call, Draft, Reply,
    access::RouteAccess,
    oauth::grants::{self, GrantInWorkspace, GrantPage},
};
use octavo_core_model::id::GrantId;

query! {
    /// Which grants to list.
    pub(crate) WorkspaceGrantsQuery {
        page: GrantId, 20 up to 100;
    }
}

routes! {
    /// Lists the apps that members have authorized for the workspace.
    ///
    /// For owners and admins in person. Newest first, each with the member who authorized it; other workspaces in its
    /// reach are not shown.
    GET "/workspaces/{workspaceId}/oauth/grants" as listWorkspaceGrants => list {
        caller: Inside(RouteAccess::ADMINS_IN_PERSON),
        limits: [],
        takes: (query: Query<WorkspaceGrantsQuery>),
        answers: { 200: Page<GrantReply> },
        refusals: [],
        events: [],
    }

    /// Shows an app that a member has authorized for the workspace.
    ///
    /// For owners and admins in person, with the member who authorized it; other workspaces in its reach are not
    /// shown.
    GET "/workspaces/{workspaceId}/oauth/grants/{grantId}" as getWorkspaceGrant => get {
        caller: Inside(RouteAccess::ADMINS_IN_PERSON),
        limits: [],
        takes: (id: Path<GrantId>),
        answers: { 200: Data<GrantReply> },
        refusals: [],
        events: [],
    }

    /// Removes an app's access to the workspace.
    ///
    /// For owners and admins in person. Removes the workspace from the grant; a grant without any workspace is
    /// revoked.
    DELETE "/workspaces/{workspaceId}/oauth/grants/{grantId}" as revokeWorkspaceGrant => withdraw {
        caller: Inside(RouteAccess::ADMINS_IN_PERSON),
        limits: [],
        takes: (id: Path<GrantId>),
        answers: { 204: Nothing },
        refusals: [],
        events: [OauthGrantRevoked],
    }
}

async fn list(dispatcher: Dispatcher, call: Call, query: Draft<WorkspaceGrantsQuery>) -> Answer {
    let page = query.map(|query| GrantPage { before: query.page.after, limit: query.page.fetch() });
    dispatcher
        .list(
            call,
            move |view| Box::pin(grants::list_into(view, page)),
            |reaching: &GrantInWorkspace| reaching.grant.id,
            shape,
        )
        .await
}

async fn get(dispatcher: Dispatcher, call: Call, id: Draft<GrantId>) -> Answer {
    dispatcher.read(call, move |view| Box::pin(grants::get_into(view, id)), |reaching| ok(shape(reaching))).await
}

fn shape(reaching: GrantInWorkspace) -> GrantReply {
    GrantReply::seen_from(reaching.workspace, reaching.grant)
}

async fn withdraw(dispatcher: Dispatcher, call: Call, id: Draft<GrantId>) -> Answer {
    dispatcher.write(call, move |unit| Box::pin(grants::withdraw(unit, id)), |()| Reply::nothing()).await
}
