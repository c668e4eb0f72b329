//! `POST /oauth/authorize`: consenting without a screen.

use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, routes},
    v1::oauth::authorization_body::authorization_body,
    wire::{Confidential, Data, Several, reply},
};
use octavo_app::{
    Call, Draft,
    oauth::authorization::{self, Answered, Decision},
};
use octavo_core_model::{
    Fault,
    fault::{Denial, OauthFlaw},
    id::WorkspaceId,
    oauth::Verdict,
};

authorization_body! {
    /// A request of an app together with the answer. All fields except the answer are the same as in the query of the
    /// consent page.
    pub(crate) AuthorizeBody {
        example: {
            "response_type": "code",
            "client_id": "cli_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
            "redirect_uri": "https://timesheets.example/back",
            "decision": "approve"
        };
        /// The user's answer.
        decision "decision": required Verdict,
        /// The user's workspaces that the app may access. By default that of the app if the user belongs to it,
        /// otherwise the user's personal one.
        workspace_ids "workspaceIds": optional Several<WorkspaceId, 1, 100>,
    }
}

reply! {
    /// Where to continue.
    pub(crate) AuthorizedReply {
        /// The redirect address of the app with `code`, or with `error` if the user declined; and with `state` and
        /// `iss`.
        redirect_to "redirectTo": required Confidential<String> = "https://timesheets.example/back?code=oc_q83v&state=af0ifjsldkj&iss=https%3A%2F%2Foctavo.example.com",
    }
}

routes! {
    /// Answers the request of an app.
    ///
    /// Does the same as the consent pages, without screens and for any app. Flaws of the request are reported to the
    /// caller, not to the app. Pages of other origins cannot call it.
    POST "/oauth/authorize" as authorizeApp => authorize {
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

async fn authorize(dispatcher: Dispatcher, call: Call, body: Draft<AuthorizeBody>) -> Answer {
    let rules = dispatcher.rules();
    let answered = body.map(read);
    let shape = |redirect_to| ok(AuthorizedReply { redirect_to: Confidential(redirect_to) });
    dispatcher.write(call, move |unit| Box::pin(authorization::authorize(unit, answered, rules)), shape).await
}

fn read(mut body: AuthorizeBody) -> Answered {
    let decision = match body.decision {
        Verdict::Approve => Decision::Approve { workspaces: body.workspace_ids.take().map(|several| several.0) },
        Verdict::Deny => Decision::Deny,
    };
    Answered { request: body.authorization_request(), decision }
}
