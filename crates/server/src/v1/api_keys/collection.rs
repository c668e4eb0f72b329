//! `/workspaces/{workspaceId}/api-keys`

use super::api_key::{ApiKeyReply, NewApiKeyReply};
use crate::{
    answer::{Answer, created},
    dispatcher::Dispatcher,
    route::{Body, Query, routes},
    wire::{Data, Page, Several, Whole, body, query},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    api_keys::{self, ApiKeyPage, NewApiKey},
};
use octavo_core_model::{
    Fault, KeyScope, Timestamp,
    api_key::ListedKey,
    fault::{Conflict, Denial},
    id::ApiKeyId,
    network::Network,
    text::Name,
};
use std::sync::Arc;

query! {
    /// Which keys to list.
    pub(crate) ApiKeysQuery {
        page: ApiKeyId, 20 up to 100;
    }
}

body! {
    /// The properties of a new key.
    pub(crate) NewApiKeyBody {
        /// Its name, unique among the keys of the workspace that are not revoked.
        name "name": required Name = "Importer",
        /// The scopes; each includes those before it. They do not depend on the later role of the key's creator.
        scopes "scopes": required Several<KeyScope, 1, 3>,
        /// How many calls a minute it allows; by default the deployment's limit.
        rate_limit "rateLimit": nullable Whole<1, 6000> = 300,
        /// When it expires; by default never.
        expires_at "expiresAt": nullable Timestamp = "2027-11-21T09:30:00.000Z",
        /// The addresses from which it may be used; by default any.
        allowed_ips "allowedIps": nullable Several<Network, 1, 50>,
    }
}

routes! {
    /// Lists the API keys of a workspace.
    ///
    /// For owners and admins in person. Newest first, including revoked and expired ones. The keys themselves are
    /// never shown again. A key outlives the role and the membership of its creator, so when owners or admins step
    /// down or leave, revoke or rotate the keys that they may still know.
    GET "/workspaces/{workspaceId}/api-keys" as listApiKeys => list {
        caller: Inside(RouteAccess::ADMINS_IN_PERSON),
        limits: [],
        takes: (query: Query<ApiKeysQuery>),
        answers: { 200: Page<ApiKeyReply> },
        refusals: [],
        events: [],
    }

    /// Creates an API key.
    ///
    /// For owners and admins in person. The answer shows the key itself, once; only its hash is stored. A workspace
    /// can have at most 100 keys that are not revoked. A key keeps its scopes when its creator loses the role of an
    /// admin, is suspended or leaves: an `ADMIN` key manages the workspace until it is revoked or expires.
    POST "/workspaces/{workspaceId}/api-keys" as createApiKey => create {
        caller: Inside(RouteAccess::ADMINS_IN_PERSON),
        limits: [],
        takes: (body: Body<NewApiKeyBody>),
        answers: { 201: Data<NewApiKeyReply> },
        refusals: [
            Fault::Forbidden(Denial::SessionRevoked),
            Fault::Conflict(Conflict::Taken("name")),
            Fault::Conflict(Conflict::KeyLimit),
        ],
        events: [ApiKeyCreated],
    }
}

async fn list(dispatcher: Dispatcher, call: Call, query: Draft<ApiKeysQuery>) -> Answer {
    let page = query.map(|query| ApiKeyPage { before: query.page.after, limit: query.page.fetch() });
    let backend = Arc::clone(dispatcher.backend());
    let shape = move |listed| ApiKeyReply::listed(listed, &backend.activity);
    dispatcher
        .list(call, move |view| Box::pin(api_keys::list(view, page)), |listed: &ListedKey| listed.key.id, shape)
        .await
}

async fn create(dispatcher: Dispatcher, call: Call, body: Draft<NewApiKeyBody>) -> Answer {
    let draft = body.map(|body| NewApiKey {
        name: body.name,
        scopes: body.scopes.0.into_iter().collect(),
        rate_limit: body.rate_limit.flatten().map(Whole::count),
        expires_at: body.expires_at.flatten(),
        allowed_networks: body.allowed_ips.flatten().map(|several| several.0).unwrap_or_default(),
    });
    let shape = |issued| created(NewApiKeyReply::from(issued));
    dispatcher.write(call, move |unit| Box::pin(api_keys::create(unit, draft)), shape).await
}
