//! `POST /oauth/authorize`: consenting without a screen.

use crate::{
    answer::{Answer, ok},
    desk::Desk,
    route::{Body, routes},
    wire::{Data, Several, Text, body, reply},
};
use octavo_app::{
    Call, Draft,
    oauth::authorization::{self, Answered, Decision},
};
use octavo_core_model::{
    Fault,
    fault::{Denial, OauthFlaw},
    id::WorkspaceId,
    oauth::{AuthorizationRequest, Parameter, Verdict},
};

type Value = Text<0, 8000>;

body! {
    /// A request of an app, with the answer to it. Everything but the answer is as in the query of the page for consent.
    pub(crate) AuthorizeBody {
        /// `code`.
        response_type "response_type": optional Value = "code",
        /// The app.
        client_id "client_id": optional Value = "cli_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// Where to go on; one of the addresses of the app.
        redirect_uri "redirect_uri": optional Value = "https://timesheets.example/back",
        /// What the app asks for, parted by spaces; all of its scopes where it is left out.
        scope "scope": optional Value = "pages:read",
        /// Sent back as it came; at most 1024 characters.
        state "state": optional Value = "af0ifjsldkj",
        /// The SHA-256 of the verifier, in base64url; public apps have to send it.
        code_challenge "code_challenge": optional Value = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        /// `S256`.
        code_challenge_method "code_challenge_method": optional Value = "S256",
        /// The service the tokens are for: its origin, or the base of its API.
        resource "resource": optional Value = "https://octavo.example.com",
        /// What the app would have its user asked; nothing is asked here.
        prompt "prompt": optional Value = "consent",
        /// The user's answer.
        decision "decision": required Verdict,
        /// Into which of their workspaces the user lets the app. Where it is left out: the one of the app, if the user belongs there, else their own.
        workspace_ids "workspaceIds": optional Several<WorkspaceId, 1, 100>,
    }
}

reply! {
    /// Where to go on.
    pub(crate) AuthorizedReply {
        /// The address of the app, with `code`, or with `error` when the user declined; with `state` and `iss`.
        redirect_to "redirectTo": required String = "https://timesheets.example/back?code=oc_q83v&state=af0ifjsldkj&iss=https%3A%2F%2Foctavo.example.com",
    }
}

routes! {
    /// Answers the request of an app.
    ///
    /// Does without screens what the pages for consent do, for any app. What is wrong with the request is told here and not to the app. Pages of
    /// other origins cannot call it.
    POST "/oauth/authorize" => authorize {
        caller: SignedIn,
        limits: [],
        takes: (body: Body<AuthorizeBody>),
        answers: { 200: Data<AuthorizedReply> },
        refusals: [
            Fault::Oauth(OauthFlaw::InvalidClient),
            Fault::Oauth(OauthFlaw::InvalidScope),
            Fault::Forbidden(Denial::SessionRevoked),
            Fault::Forbidden(Denial::RequiresLogin),
        ],
        events: [OauthCodeIssued, OauthGrantCreated],
        cross_origin: false,
    }
}

async fn authorize(desk: Desk, call: Call, body: Draft<AuthorizeBody>) -> Answer {
    let rules = desk.rules();
    let answered = body.map(read);
    let shape = |redirect_to| ok(AuthorizedReply { redirect_to });
    desk.write(call, move |unit| Box::pin(authorization::authorize(unit, answered, rules)), shape).await
}

fn read(body: AuthorizeBody) -> Answered {
    let sent = [
        (Parameter::ResponseType, body.response_type),
        (Parameter::ClientId, body.client_id),
        (Parameter::RedirectUri, body.redirect_uri),
        (Parameter::Scope, body.scope),
        (Parameter::State, body.state),
        (Parameter::CodeChallenge, body.code_challenge),
        (Parameter::CodeChallengeMethod, body.code_challenge_method),
        (Parameter::Resource, body.resource),
        (Parameter::Prompt, body.prompt),
    ];
    let pairs = sent.into_iter().filter_map(|(parameter, value)| value.map(|Text(value)| (parameter.name(), value)));
    let decision = match body.decision {
        Verdict::Approve => Decision::Approve { workspaces: body.workspace_ids.map(|several| several.0) },
        Verdict::Deny => Decision::Deny,
    };
    Answered { request: AuthorizationRequest::from_pairs(pairs), decision }
}
