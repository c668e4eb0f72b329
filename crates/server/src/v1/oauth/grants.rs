//! `/oauth/grants`: what the caller lets apps do.

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
    /// What is to be left of a grant. What is left out stays.
    pub(crate) GrantBody {
        /// What the app may still do.
        scopes "scopes": optional Several<AppScope, 1, 6>,
        /// The workspaces it may still do that in.
        workspace_ids "workspaceIds": optional Several<WorkspaceId, 1, 100>,
    }
}

routes! {
    /// Lists what the caller lets apps do.
    ///
    /// Newest first. One grant for each app: consenting again widens the one there is.
    GET "/oauth/grants" => list {
        caller: SignedIn,
        limits: [],
        takes: (query: Query<GrantsQuery>),
        answers: { 200: Page<GrantReply> },
        refusals: [Fault::Forbidden(Denial::RequiresLogin)],
        events: [],
    }

    /// Shows what the caller lets an app do.
    ///
    /// One that was revoked or ran out is not there any more.
    GET "/oauth/grants/{grantId}" => get {
        caller: SignedIn,
        limits: [],
        takes: (id: Path<GrantId>),
        answers: { 200: Data<GrantReply> },
        refusals: [Fault::NotFound, Fault::Forbidden(Denial::RequiresLogin)],
        events: [],
    }

    /// Lets an app do less.
    ///
    /// Takes scopes or workspaces away, at once and from tokens that were issued before. To let the app do more, it has to ask.
    PATCH "/oauth/grants/{grantId}" => narrow {
        caller: SignedIn,
        limits: [],
        takes: (id: Path<GrantId>, body: Body<GrantBody>),
        answers: { 200: Data<GrantReply> },
        refusals: [Fault::NotFound, Fault::GrantWidened("scopes"), Fault::Forbidden(Denial::RequiresLogin)],
        events: [OauthGrantRevoked],
    }

    /// Lets an app do nothing any more.
    ///
    /// Its tokens stop to work. Revoking again changes nothing.
    DELETE "/oauth/grants/{grantId}" => revoke {
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
