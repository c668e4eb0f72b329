//! `/oauth/token`

use super::client::{BasicClient, proof};
use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    route::{Bodies, Body, Duplicates, RouteReply, routes},
    v1::sessions::expires_in,
    wire::{Text, Written, body, reply},
};
use octavo_app::{
    Call, Draft, Reply,
    oauth::{
        client::ClientProof,
        token::{self, Issued, TokenRequest},
    },
};
use octavo_core_model::{
    Fault, Secret,
    fault::{Issue, OauthFlaw, Violation},
    oauth::written,
};
use octavo_ports::access_tokens::AccessTokens;

type Value = Text<0, 8000>;

body! {
    /// A request for tokens.
    pub(crate) OauthTokenBody {
        example: {
            "grant_type": "authorization_code",
            "code": "oc_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
            "redirect_uri": "https://timesheets.example/back",
            "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
            "client_id": "cli_01KAHQ5ZJ8T3M6N9P2R4S7V0WX"
        };
        /// `authorization_code` or `refresh_token`.
        grant_type "grant_type": required Value = "authorization_code",
        /// The code, for `authorization_code`.
        code "code": optional Secret<String> = "oc_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// The address to which the code was sent, for `authorization_code`.
        redirect_uri "redirect_uri": optional Value = "https://timesheets.example/back",
        /// The verifier of the code challenge, if there was one.
        code_verifier "code_verifier": optional Secret<String> = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
        /// The refresh token, for `refresh_token`. It works once.
        refresh_token "refresh_token": optional Secret<String> = "rft_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// A subset of the granted scopes, for the next access token; for `refresh_token`.
        scope "scope": optional Value = "pages:read",
        /// The app; by default the one that the code or refresh token belongs to.
        client_id "client_id": optional Value = "cli_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The secret of a confidential app, unless it is in the header.
        client_secret "client_secret": optional Secret<String> = "ocs_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
    }
}

reply! {
    /// The tokens of an app.
    pub(crate) TokenReply {
        /// Authorizes calls for 15 minutes.
        access_token "access_token": required Secret<String> = "eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2lnbmF0dXJl",
        /// `Bearer`.
        token_type "token_type": required String | ["Bearer"] = "Bearer",
        /// Seconds until the access token expires.
        expires_in "expires_in": required i64 = 900,
        /// Gets the next pair of tokens, once.
        refresh_token "refresh_token": required Secret<String> = "rft_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// The scopes of the access token, separated by spaces.
        scope "scope": required String = "pages:read pages:write",
    }
}

impl RouteReply for TokenReply {}

routes! {
    /// Issues tokens to an app for a code or a refresh token.
    ///
    /// Bodies are JSON, with the errors of this API, or forms, with those of RFC 6749. A code works once, with the
    /// app, the address and the verifier that it was issued for; a refresh token works once too. Using either again
    /// revokes all tokens that came of it. To be safe against lost answers, send an `Idempotency-Key`: the same key
    /// gets the same tokens until the new refresh token is used.
    POST "/oauth/token" as issueToken => issue {
        caller: Anyone,
        limits: [OauthToken],
        takes: (basic: BasicClient, body: Body<OauthTokenBody>),
        answers: { 200: TokenReply },
        refusals: [
            Fault::Oauth(OauthFlaw::InvalidGrant { parameter: "code", issue: Issue::InvalidValue }),
            Fault::Oauth(OauthFlaw::InvalidClient { parameter: "client_secret", issue: Issue::InvalidValue }),
            Fault::Oauth(OauthFlaw::InvalidScope),
        ],
        events: [OauthTokenIssued, OauthTokenRevoked],
        duplicates: Duplicates::Wait,
        bodies: Bodies::JsonOrForm,
    }
}

async fn issue(
    dispatcher: Dispatcher,
    call: Call,
    basic: Draft<Option<ClientProof>>,
    body: Draft<OauthTokenBody>,
) -> Answer {
    let signer = dispatcher.signer();
    let (proof, request) = match read(basic, body) {
        Ok((proof, request)) => (proof, Ok(request)),
        Err(fault) => (ClientProof::default(), Err(fault)),
    };
    let shape = move |issued| shape(&*signer, &issued);
    dispatcher
        .write_repeatably(call, move |unit| Box::pin(token::issue(unit, proof.clone(), request.clone())), shape)
        .await
}

fn read(basic: Draft<Option<ClientProof>>, body: Draft<OauthTokenBody>) -> Draft<(ClientProof, TokenRequest)> {
    let body = body?;
    let proof = proof(basic, body.client_id.map(|Text(id)| id), body.client_secret)?;
    let missing = |field| Fault::from(Violation::new(field, Issue::Required));
    let request = match body.grant_type.0.as_str() {
        "authorization_code" => TokenRequest::Code {
            code: body.code.ok_or_else(|| missing("code"))?,
            redirect_uri: body.redirect_uri.ok_or_else(|| missing("redirect_uri"))?.0,
            verifier: body.code_verifier,
        },
        "refresh_token" => TokenRequest::Refresh {
            token: body.refresh_token.ok_or_else(|| missing("refresh_token"))?,
            scope: body.scope.map(|Text(scope)| scope),
        },
        "" => return Err(missing("grant_type")),
        _ => return Err(Fault::Oauth(OauthFlaw::UnsupportedGrantType)),
    };
    Ok((proof, request))
}

fn shape(signer: &dyn AccessTokens, issued: &Issued) -> Reply {
    let reply = TokenReply {
        access_token: Secret::new(signer.sign_for_app(&issued.claims)),
        token_type: "Bearer".to_owned(),
        expires_in: expires_in(),
        refresh_token: Secret::new(issued.refresh_token.reveal().to_owned()),
        scope: written(&issued.claims.scopes.iter().copied().collect()),
    };
    Reply::json(200, &Written(&reply))
}
