//! `POST /oauth/authorize`: consenting without a screen.

use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, routes},
    v1::oauth::asking_body::asking_body,
    wire::{Data, Several, reply},
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

asking_body! {
    /// A request of an app, with the answer to it. Everything but the answer is as in the query of the page for consent.
    pub(crate) AuthorizeBody {
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

async fn authorize(dispatcher: Dispatcher, call: Call, body: Draft<AuthorizeBody>) -> Answer {
    let rules = dispatcher.rules();
    let answered = body.map(read);
    let shape = |redirect_to| ok(AuthorizedReply { redirect_to });
    dispatcher.write(call, move |unit| Box::pin(authorization::authorize(unit, answered, rules)), shape).await
}

fn read(mut body: AuthorizeBody) -> Answered {
    let decision = match body.decision {
        Verdict::Approve => Decision::Approve { workspaces: body.workspace_ids.take().map(|several| several.0) },
        Verdict::Deny => Decision::Deny,
    };
    Answered { request: body.asking(), decision }
}
