//! `/oauth/grants`: the caller's grants to apps.

use super::grant::GrantReply;
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, Nothing, Path, Query, routes},
    wire::{Data, Page, Several, body, query},
};
use octavo_app::{
    Call, Draft, Reply,
    oauth::grants::{self, GrantPage, RemainingAccess},
};
use octavo_core_model::{
    AppScope, Fault,
    fault::Denial,
    id::{GrantId, WorkspaceId},
    oauth::Grant,
};

query! {
    /// Which grants to list.
    pub(crate) GrantsQuery {
        page: GrantId, 20 up to 100;
    }
}

body! {
    /// What remains of a grant. Fields that are left out stay as they are.
    pub(crate) GrantBody {
        example: { "scopes": ["pages:read"] };
        /// The scopes that the app keeps.
        scopes "scopes": optional Several<AppScope, 1, 6>,
        /// The workspaces that it may still access.
        workspace_ids "workspaceIds": optional Several<WorkspaceId, 1, 100>,
    }
}

routes! {
    /// Lists the caller's grants to apps.
    ///
    /// Newest first. There is one grant for each app: consenting again extends it.
    GET "/oauth/grants" as listGrants => list {
        caller: SignedIn,
        limits: [],
        takes: (query: Query<GrantsQuery>),
        answers: { 200: Page<GrantReply> },
        refusals: [Fault::Forbidden(Denial::RequiresLogin)],
        events: [],
    }

    /// Shows one of the caller's grants to apps.
    ///
    /// A grant that was revoked or has expired is not found.
    GET "/oauth/grants/{grantId}" as getGrant => get {
        caller: SignedIn,
        limits: [],
        takes: (id: Path<GrantId>),
        answers: { 200: Data<GrantReply> },
        refusals: [Fault::NotFound, Fault::Forbidden(Denial::RequiresLogin)],
        events: [],
    }

    /// Reduces what an app may do.
    ///
    /// Removes scopes or workspaces, at once and also from existing tokens. To get more, the app must ask the user
    /// again; existing tokens do not get back what they lost.
    PATCH "/oauth/grants/{grantId}" as reduceGrant => narrow {
        caller: SignedIn,
        limits: [],
        takes: (id: Path<GrantId>, body: Body<GrantBody>),
        answers: { 200: Data<GrantReply> },
        refusals: [Fault::NotFound, Fault::GrantWidened("scopes"), Fault::Forbidden(Denial::RequiresLogin)],
        events: [OauthGrantRevoked],
    }

    /// Revokes a grant.
    ///
    /// The app's tokens stop working. Repeating this changes nothing.
    DELETE "/oauth/grants/{grantId}" as revokeGrant => revoke {
        caller: SignedIn,
        limits: [],
        takes: (id: Path<GrantId>),
        answers: { 204: Nothing },
        refusals: [Fault::NotFound, Fault::Forbidden(Denial::RequiresLogin)],
        events: [OauthGrantRevoked],
    }
}

async fn list(dispatcher: Dispatcher, call: Call, query: Draft<GrantsQuery>) -> Answer {
    let page = query.map(|query| GrantPage { before: query.page.after, limit: query.page.fetch() });
    dispatcher
        .list(call, move |view| Box::pin(grants::list(view, page)), |grant: &Grant| grant.id, GrantReply::from)
        .await
}

async fn get(dispatcher: Dispatcher, call: Call, id: Draft<GrantId>) -> Answer {
    dispatcher.read(call, move |view| Box::pin(grants::get(view, id)), |grant| ok(GrantReply::from(grant))).await
}

async fn narrow(dispatcher: Dispatcher, call: Call, id: Draft<GrantId>, body: Draft<GrantBody>) -> Answer {
    let less = body.map(|body| RemainingAccess {
        scopes: body.scopes.map(|several| several.0.into_iter().collect()),
        workspaces: body.workspace_ids.map(|several| several.0),
    });
    let shape = |grant| ok(GrantReply::from(grant));
    dispatcher.write(call, move |unit| Box::pin(grants::narrow(unit, id, less)), shape).await
}

async fn revoke(dispatcher: Dispatcher, call: Call, id: Draft<GrantId>) -> Answer {
    dispatcher.write(call, move |unit| Box::pin(grants::revoke(unit, id)), |()| Reply::nothing()).await
}
