//! `POST /oauth/authorize`: consenting without a screen.

use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, CrossOrigin, routes},
    v1::oauth::authorization_body::authorization_body,
    wire::{Confidential, Data, Documented, JsonOf, Several, reply},
};
use octavo_app::{
    Call, Draft,
    oauth::authorization::{self, Answered, Decision},
};
use octavo_core_model::{
    Fault,
    fault::{Denial, Issue, OauthFlaw},
    id::WorkspaceId,
    oauth::{AuthorizationResponse, Verdict},
};
use serde_json::{Value, json};

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

/// The fields of a form, which are texts.
#[derive(Debug)]
pub(crate) struct FormFields;

impl Documented for FormFields {
    fn schema() -> Value {
        json!({ "type": "object", "additionalProperties": { "type": "string" } })
    }

    fn example() -> Value {
        json!({ "code": "oc_q83v", "state": "af0ifjsldkj", "iss": "https://octavo.example.com" })
    }
}

reply! {
    /// Where to continue.
    pub(crate) AuthorizedReply {
        /// The redirect address of the app with `code`, or with `error` if the user declined; and with `state` and
        /// `iss`.
        redirect_to "redirectTo": required Confidential<String> = "https://timesheets.example/back?code=oc_q83v&state=af0ifjsldkj&iss=https%3A%2F%2Foctavo.example.com",
        /// With `response_mode=form_post`: the fields of the form that the browser has to post to `redirectTo`, which
        /// then is the redirect address as it was registered or requested.
        form_fields "formFields": optional Confidential<JsonOf<FormFields>>,
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
            Fault::Oauth(OauthFlaw::InvalidClient { parameter: "client_id", issue: Issue::InvalidValue }),
            Fault::Oauth(OauthFlaw::InvalidScope),
            Fault::Forbidden(Denial::SessionRevoked),
            Fault::Forbidden(Denial::RequiresLogin),
        ],
        events: [OauthCodeIssued, OauthGrantCreated],
        cross_origin: CrossOrigin::Nobody,
    }
}

async fn authorize(dispatcher: Dispatcher, call: Call, body: Draft<AuthorizeBody>) -> Answer {
    let rules = dispatcher.rules();
    let answered = body.map(read);
    let shape = |response| ok(AuthorizedReply::from(response));
    dispatcher.write(call, move |unit| Box::pin(authorization::authorize(unit, answered, rules)), shape).await
}

impl From<AuthorizationResponse> for AuthorizedReply {
    fn from(response: AuthorizationResponse) -> Self {
        let object = |form: &[_]| Value::Object(form.iter().map(field).collect());
        Self {
            redirect_to: Confidential(response.address()),
            form_fields: response.form().map(|form| Confidential(object(form).into())),
        }
    }
}

fn field((name, value): &(&'static str, String)) -> (String, Value) {
    ((*name).to_owned(), value.as_str().into())
}

fn read(mut body: AuthorizeBody) -> Answered {
    let decision = match body.decision {
        Verdict::Approve => Decision::Approve { workspaces: body.workspace_ids.take().map(|several| several.0) },
        Verdict::Deny => Decision::Deny,
    };
    Answered { request: body.authorization_request(), decision }
}
