//! `/oauth/revoke` and `/oauth/introspect`

use super::client::{BasicClient, proof};
use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    route::{Bodies, Body, RouteReply, routes},
    wire::{Json, Text, Written, body, reply},
};
use octavo_app::{
    Call, Draft, Reply,
    oauth::{
        client::ClientProof,
        revocation::{self, SubmittedToken, ValidToken},
    },
};
use octavo_core_model::{Secret, Timestamp, oauth::written};
use octavo_ports::access_tokens::{AccessToken, AccessTokens};
use serde_json::{Map, Value};

type Hint = Text<0, 8000>;

body! {
    /// A token, and the app that asks.
    pub(crate) GivenTokenBody {
        /// An access token or a refresh token of an app.
        token "token": required Secret<String> = "rft_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// Ignored: the kind of a token is known from the token itself.
        token_type_hint "token_type_hint": optional Hint = "refresh_token",
        /// The app; by default the one that the token belongs to.
        client_id "client_id": optional Hint = "cli_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The secret of a confidential app, unless it is in the header.
        client_secret "client_secret": optional Secret<String> = "ocs_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
    }
}

/// An empty object.
impl RouteReply for Json {}

reply! {
    /// The properties of a token (RFC 7662).
    pub(crate) IntrospectionReply {
        /// Whether it is valid. If not, there are no other fields.
        active "active": required bool = true,
        /// Its scopes, separated by spaces.
        scope "scope": optional String = "pages:read",
        /// The app it was issued to.
        client_id "client_id": optional String = "cli_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// `Bearer` for access tokens, `refresh_token` for the others.
        token_type "token_type": optional String | ["Bearer", "refresh_token"] = "Bearer",
        /// When it expires, in Unix seconds.
        exp "exp": optional i64 = 1795340700,
        /// When it was issued, in Unix seconds; for a refresh token, when the app first got one.
        iat "iat": optional i64 = 1795339800,
        /// The user that the app acts for.
        sub "sub": optional String = "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The issuer.
        iss "iss": optional String = "https://octavo.example.com",
        /// The audience.
        aud "aud": optional String = "https://octavo.example.com",
        /// The id of an access token.
        jti "jti": optional String = "jti_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
    }
}

impl RouteReply for IntrospectionReply {}

routes! {
    /// Revokes a token of an app.
    ///
    /// An access token is revoked alone; a refresh token together with all tokens that follow from the same code. The
    /// answer is always 200: if a token is unknown or belongs to another app, or a confidential app does not
    /// authenticate, nothing is revoked.
    POST "/oauth/revoke" as revokeToken => revoke {
        caller: Anyone,
        limits: [OauthRevoke],
        takes: (basic: BasicClient, body: Body<GivenTokenBody>),
        answers: { 200: Json },
        refusals: [],
        events: [OauthTokenRevoked],
        bodies: Bodies::JsonOrForm,
    }

    /// Shows the properties of a token.
    ///
    /// For confidential apps, about their own tokens; everything else is answered with `active` false.
    POST "/oauth/introspect" as introspectToken => introspect {
        caller: Anyone,
        limits: [OauthRevoke],
        takes: (basic: BasicClient, body: Body<GivenTokenBody>),
        answers: { 200: IntrospectionReply },
        refusals: [],
        events: [],
        bodies: Bodies::JsonOrForm,
    }
}

async fn revoke(
    dispatcher: Dispatcher,
    call: Call,
    basic: Draft<Option<ClientProof>>,
    body: Draft<GivenTokenBody>,
) -> Answer {
    let (proof, given) = read(&*dispatcher.signer(), call.now, basic, body);
    let shape = |()| Reply::json(200, &Written(&Json(Value::Object(Map::new()))));
    dispatcher.write(call, move |unit| Box::pin(revocation::revoke(unit, proof, given)), shape).await
}

async fn introspect(
    dispatcher: Dispatcher,
    call: Call,
    basic: Draft<Option<ClientProof>>,
    body: Draft<GivenTokenBody>,
) -> Answer {
    let (proof, given) = read(&*dispatcher.signer(), call.now, basic, body);
    let origin = dispatcher.rules().origin.clone();
    let shape = move |live| Reply::json(200, &Written(&shape(live, &origin)));
    dispatcher.read(call, move |view| Box::pin(revocation::introspect(view, proof, given)), shape).await
}

/// Apps that fail to authenticate always get the same error on these routes.
fn read(
    signer: &dyn AccessTokens,
    now: Timestamp,
    basic: Draft<Option<ClientProof>>,
    body: Draft<GivenTokenBody>,
) -> (ClientProof, Draft<SubmittedToken>) {
    let body = match body {
        Ok(body) => body,
        Err(fault) => return (ClientProof::default(), Err(fault)),
    };
    // The kind of a token is known from the token itself.
    drop(body.token_type_hint);
    let text = body.token.expose().as_str();
    let given = match signer.read(text, now) {
        Ok(AccessToken::App(claims)) => SubmittedToken::Access(claims),
        Ok(AccessToken::Login(_)) | Err(_) => SubmittedToken::read(text),
    };
    match proof(basic, body.client_id.map(|Text(id)| id), body.client_secret) {
        Ok(proof) => (proof, Ok(given)),
        Err(_) => (ClientProof::default(), Ok(SubmittedToken::Other)),
    }
}

fn shape(live: Option<ValidToken>, origin: &str) -> IntrospectionReply {
    let inactive = IntrospectionReply {
        active: false,
        scope: None,
        client_id: None,
        token_type: None,
        exp: None,
        iat: None,
        sub: None,
        iss: None,
        aud: None,
        jti: None,
    };
    let active = |scopes| IntrospectionReply {
        active: true,
        scope: Some(written(&scopes)),
        iss: Some(origin.to_owned()),
        aud: Some(origin.to_owned()),
        ..inactive.clone()
    };
    match live {
        None => inactive,
        Some(ValidToken::Access { claims, scopes }) => IntrospectionReply {
            client_id: Some(claims.client.to_string()),
            token_type: Some("Bearer".to_owned()),
            exp: Some(claims.expires_at_seconds()),
            iat: Some(claims.issued_at.seconds()),
            sub: Some(claims.user.to_string()),
            jti: Some(claims.id.to_string()),
            ..active(scopes)
        },
        Some(ValidToken::Refresh { user, client, scopes, issued_at, expires_at }) => IntrospectionReply {
            client_id: Some(client.to_string()),
            token_type: Some("refresh_token".to_owned()),
            exp: Some(expires_at.seconds()),
            iat: Some(issued_at.seconds()),
            sub: Some(user.to_string()),
            ..active(scopes)
        },
    }
}
