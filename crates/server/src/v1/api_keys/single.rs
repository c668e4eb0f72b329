//! `/workspaces/{workspaceId}/api-keys/{apiKeyId}`

use super::api_key::{ApiKeyReply, NewApiKeyReply};
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, Nothing, Path, routes},
    wire::{Data, Several, Unchangeable, Whole, body},
};
use octavo_app::{Call, Draft, Reply, access::RouteAccess, api_keys};
use octavo_core_model::{
    Fault, Timestamp,
    api_key::{ApiKeyChange, GRACE},
    fault::{Conflict, Denial},
    id::ApiKeyId,
    network::Network,
    text::Name,
};
use std::time::Duration;

body! {
    /// A change of a key. Fields that are left out stay as they are.
    pub(crate) ApiKeyBody {
        example: { "name": "Importer" };
        /// Its name.
        name "name": optional Name = "Importer",
        /// How many calls per minute it allows; null for the limit of the deployment.
        rate_limit "rateLimit": nullable Whole<1, 6000> = 300,
        /// When it expires; null for never.
        expires_at "expiresAt": nullable Timestamp = "2027-11-21T09:30:00.000Z",
        /// The addresses from which it may be used; null for any.
        allowed_ips "allowedIps": nullable Several<Network, 1, 50>,
        /// Scopes never change; sending them is refused.
        scopes "scopes": optional Unchangeable,
    }
}

body! {
    /// How to replace the secret of a key.
    pub(crate) RotationBody {
        /// How many hours the old key keeps working; 24 by default.
        grace_hours "graceHours": optional Whole<0, 168> = 24,
    }
}

routes! {
    /// Changes an API key.
    ///
    /// A merge patch of name, rate limit, expiry and addresses, for owners and admins in person. The scopes of a key
    /// never change, and a revoked key cannot be changed.
    PATCH "/workspaces/{workspaceId}/api-keys/{apiKeyId}" as updateApiKey => update {
        caller: Inside(RouteAccess::ADMINS_IN_PERSON),
        limits: [],
        takes: (id: Path<ApiKeyId>, body: Body<ApiKeyBody>),
        answers: { 200: Data<ApiKeyReply> },
        refusals: [
            Fault::Conflict(Conflict::Taken("name")),
            Fault::Conflict(Conflict::KeyRevoked),
            Fault::Conflict(Conflict::KeyLimit),
        ],
        events: [ApiKeyUpdated],
    }

    /// Gives an API key a new secret.
    ///
    /// For owners and admins in person. The answer shows the new key, once. The old one works until the grace period
    /// ends; keys from earlier rotations do not work longer than that.
    POST "/workspaces/{workspaceId}/api-keys/{apiKeyId}/rotate" as rotateApiKey => rotate {
        caller: Inside(RouteAccess::ADMINS_IN_PERSON),
        limits: [],
        takes: (id: Path<ApiKeyId>, body: Body<RotationBody>),
        answers: { 200: Data<NewApiKeyReply> },
        refusals: [Fault::Forbidden(Denial::SessionRevoked), Fault::Conflict(Conflict::KeyRevoked)],
        events: [ApiKeyRotated],
    }

    /// Revokes an API key.
    ///
    /// For owners and admins in person. The next call with it is refused. Repeating this changes nothing.
    DELETE "/workspaces/{workspaceId}/api-keys/{apiKeyId}" as revokeApiKey => revoke {
        caller: Inside(RouteAccess::ADMINS_IN_PERSON),
        limits: [],
        takes: (id: Path<ApiKeyId>),
        answers: { 204: Nothing },
        refusals: [],
        events: [ApiKeyRevoked],
    }
}

async fn update(dispatcher: Dispatcher, call: Call, id: Draft<ApiKeyId>, body: Draft<ApiKeyBody>) -> Answer {
    let draft = body.map(|body| match body.scopes {
        None => ApiKeyChange {
            name: body.name,
            rate_limit: body.rate_limit.map(|limit| limit.map(Whole::count)),
            expires_at: body.expires_at,
            allowed_networks: body.allowed_ips.map(|several| several.map(|several| several.0).unwrap_or_default()),
        },
        Some(never) => match never {},
    });
    let shape = |key| ok(ApiKeyReply::from(key));
    dispatcher.write(call, move |unit| Box::pin(api_keys::update(unit, id, draft)), shape).await
}

async fn rotate(dispatcher: Dispatcher, call: Call, id: Draft<ApiKeyId>, body: Draft<RotationBody>) -> Answer {
    let grace = body.map(|body| body.grace_hours.map_or(GRACE, |hours| Duration::from_hours(hours.count().into())));
    let shape = |issued| ok(NewApiKeyReply::from(issued));
    dispatcher.write(call, move |unit| Box::pin(api_keys::rotate(unit, id, grace)), shape).await
}

async fn revoke(dispatcher: Dispatcher, call: Call, id: Draft<ApiKeyId>) -> Answer {
    dispatcher.write(call, move |unit| Box::pin(api_keys::revoke(unit, id)), |()| Reply::nothing()).await
}
