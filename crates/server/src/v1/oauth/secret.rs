//! `/workspaces/{workspaceId}/oauth/apps/{clientId}/secret`

use super::app::OauthSecretReply;
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, Path, routes},
    wire::{Data, Whole, body},
};
use octavo_app::{Call, Draft, access::RouteAccess, oauth::apps};
use octavo_core_model::{
    Fault,
    fault::{Conflict, Denial},
    id::ClientId,
    oauth::GRACE,
};
use std::time::Duration;

body! {
    /// How to replace the secret of an app.
    pub(crate) SecretRotationBody {
        /// For how many hours the old secret keeps working; 24 by default.
        grace_hours "graceHours": optional Whole<0, 168> = 24,
    }
}

routes! {
    /// Gives an app a new secret.
    ///
    /// For owners and admins in person. The answer shows the secret, once. The previous one works until the grace
    /// period ends, and older ones stop working: at most two secrets are valid.
    POST "/workspaces/{workspaceId}/oauth/apps/{clientId}/secret" as rotateAppSecret => rotate {
        caller: Inside(RouteAccess::MEMBERS_IN_PERSON),
        limits: [],
        takes: (id: Path<ClientId>, body: Body<SecretRotationBody>),
        answers: { 200: Data<OauthSecretReply> },
        refusals: [
            Fault::Forbidden(Denial::OauthRole),
            Fault::Forbidden(Denial::SessionRevoked),
            Fault::Conflict(Conflict::PublicApp),
        ],
        events: [OauthSecretRotated],
    }
}

async fn rotate(dispatcher: Dispatcher, call: Call, id: Draft<ClientId>, body: Draft<SecretRotationBody>) -> Answer {
    let grace = body.map(|body| body.grace_hours.map_or(GRACE, |hours| Duration::from_hours(hours.count().into())));
    let shape = |new| ok(OauthSecretReply::from(new));
    dispatcher.write(call, move |unit| Box::pin(apps::rotate_secret(unit, id, grace)), shape).await
}
