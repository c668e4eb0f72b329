//! The pages on which a user answers the request of an app.

use super::{
    page::{Choice, ConsentPage},
    respond::respond,
    retry_address, sign_in_for,
};
use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    refusal::Refusal,
    route::{Body, Redirect, Surface, routes},
    screen::{BoundForm, Browser, Card, Html, Screen},
    v1::{
        browser_sessions::{answer, logout},
        oauth::{authorization_body::authorization_body, authorization_query::AuthorizationQuery},
    },
    wire::Several,
};
use actix_web::http::StatusCode;
use maud::html;
use octavo_app::{
    Call, Draft,
    oauth::{
        authorization::Decision,
        consent::{self, ConsentQuestion, ConsentStep, Prompting},
    },
};
use octavo_core_model::{
    Secret,
    id::{RequestId, WorkspaceId},
    oauth::{AuthorizationFlaw, AuthorizationRequest, Verdict, written},
};
use std::time::Duration;

authorization_body! {
    /// The answer to a request, from the form on the page: the request as it was shown, and the user's choices.
    pub(crate) ConsentForm {
        example: {
            "response_type": "code",
            "client_id": "cli_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
            "redirect_uri": "https://timesheets.example/back",
            "decision": "approve",
            "csrf_token": "q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80"
        };
        /// The user's answer.
        decision "decision": required Verdict,
        /// The user's workspaces that the app may access.
        workspace_ids "workspaceIds": optional Several<WorkspaceId, 1, 100>,
        /// The value of this field in the page's form.
        csrf_token "csrf_token": optional Secret<String> = "q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
    }
}

routes! {
    /// Asks a user whether an app may act for them.
    ///
    /// For browsers, which apps redirect here. Users who are not signed in are redirected to the sign-in page first.
    /// If the app is unknown or the redirect address is not one of its own, a page of this service says so; any other
    /// flaw is reported to the app through a redirect with `error`, `error_description`, `state` and `iss`. Users who
    /// have already consented to everything that a confidential app requests are redirected back at once, with a code.
    /// With `response_mode=form_post` a page with a form takes the place of every redirect to the app. Browsers that
    /// come from a page of this service, as they say in `Sec-Fetch-Site` and `Sec-Fetch-Mode`, get a page that leads to
    /// the app in place of the redirect.
    GET "/oauth/authorize" as showConsent => authorize {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser, request: AuthorizationQuery),
        answers: { 200: Html, 302: Redirect },
        refusals: [],
        events: [OauthCodeIssued],
        surface: Surface::Screen,
    }

    /// Asks again even if the user has consented before.
    ///
    /// For browsers. Same parameters as `GET /oauth/authorize`.
    GET "/oauth/consent" as showConsentAgain => show {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser, request: AuthorizationQuery),
        answers: { 200: Html, 302: Redirect },
        refusals: [],
        events: [],
        surface: Surface::Screen,
    }

    /// Records the answer.
    ///
    /// Accepts the form of the page from that page only, with the request as it was shown. The browser is redirected
    /// to the app, with a code or with `error=access_denied`; with `response_mode=form_post` it shows a form that
    /// posts that to the app. Browsers that send `Sec-Fetch-Site: same-origin` and `Sec-Fetch-Mode: navigate` get a page
    /// that leads to the app in place of the redirect.
    POST "/oauth/consent" as submitConsent => decide {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser, form: Body<ConsentForm>),
        answers: { 200: Html, 303: Redirect },
        refusals: [],
        events: [OauthCodeIssued, OauthGrantCreated],
        surface: Surface::Screen,
    }
}

async fn authorize(dispatcher: Dispatcher, call: Call, browser: Browser, request: AuthorizationRequest) -> Answer {
    answer(ask(dispatcher, call, browser, request, Prompting::AsAsked).await)
}

async fn show(dispatcher: Dispatcher, call: Call, browser: Browser, request: AuthorizationRequest) -> Answer {
    answer(ask(dispatcher, call, browser, request, Prompting::Always).await)
}

async fn ask(
    dispatcher: Dispatcher,
    call: Call,
    mut browser: Browser,
    request: AuthorizationRequest,
    manner: Prompting,
) -> Result<Screen, Refusal> {
    let (id, life) = (call.request, dispatcher.rules().session_life);
    let (asking, cookie) = (request.clone(), browser.cookie().cloned());
    let asked = dispatcher
        .ask(call, move |engine, call| async move { consent::ask(&engine, call, asking, cookie, manner).await });
    match asked.await? {
        ConsentStep::Respond(response) => Ok(respond(&response, &browser, Screen::found)),
        ConsentStep::SignIn => Ok(Screen::found(sign_in_for(&request))),
        ConsentStep::Refused(flaw) => Ok(refused(&flaw, id)),
        ConsentStep::Consent(question) => render(&question, &request, life, None, &mut browser),
    }
}

async fn decide(dispatcher: Dispatcher, call: Call, browser: Browser, form: Draft<ConsentForm>) -> Answer {
    answer(try_decide(dispatcher, call, browser, form).await)
}

async fn try_decide(
    dispatcher: Dispatcher,
    call: Call,
    mut browser: Browser,
    form: Draft<ConsentForm>,
) -> Result<Screen, Refusal> {
    let mut form = form?;
    let (workspaces, verdict, csrf_token) = (form.workspace_ids.take(), form.decision, form.csrf_token.take());
    let request = form.authorization_request();
    let (id, life) = (call.request, dispatcher.rules().session_life);
    let Some(cookie) = browser.cookie().cloned() else { return Err(Refusal::StaleForm) };
    // What the page would show now must be what it showed then.
    let (asking, with, asked_by) = (request.clone(), cookie.clone(), call.clone());
    let asked = dispatcher.ask(asked_by, move |engine, call| async move {
        consent::ask(&engine, call, asking, Some(with), Prompting::Always).await
    });
    let question = match asked.await? {
        ConsentStep::Consent(question) => question,
        ConsentStep::SignIn => return Ok(Screen::see_other(sign_in_for(&request))),
        ConsentStep::Respond(_) => return Err(Refusal::StaleForm),
        ConsentStep::Refused(flaw) => return Ok(refused(&flaw, id)),
    };
    let values = values_of_form(&question, &request, life);
    browser.check(consent_form(&as_str_pairs(&values)), csrf_token.as_ref())?;
    let decision = match (verdict, workspaces) {
        (Verdict::Deny, _) => Decision::Deny,
        (Verdict::Approve, Some(chosen)) => Decision::Approve { workspaces: Some(chosen.0) },
        (Verdict::Approve, None) => {
            let problem = Some("Choose at least one workspace, or deny.");
            return render(&question, &request, life, problem, &mut browser);
        }
    };
    // The app may have changed between the page and the answer.
    let request = request.asking_for(&question.examined.scopes);
    let answered = dispatcher
        .ask(call, move |engine, call| async move { consent::answer(&engine, call, request, cookie, decision).await });
    match answered.await? {
        ConsentStep::Respond(response) => Ok(respond(&response, &browser, Screen::see_other)),
        ConsentStep::Refused(flaw) => Ok(refused(&flaw, id)),
        // The session or the app was removed between the page and the answer.
        ConsentStep::SignIn | ConsentStep::Consent(_) => Err(Refusal::StaleForm),
    }
}

fn render(
    question: &ConsentQuestion,
    request: &AuthorizationRequest,
    life: Duration,
    problem: Option<&'static str>,
    browser: &mut Browser,
) -> Result<Screen, Refusal> {
    let values = values_of_form(question, request, life);
    let token = browser.token_for(consent_form(&as_str_pairs(&values)))?;
    let target = retry_address(request);
    let elsewhere = browser.token_for(logout::sign_out_form(&[("returnTo", &target)]))?;
    let parameters: Vec<_> = request.pairs().collect();
    let workspaces: Vec<_> = question
        .workspaces
        .iter()
        .map(|own| Choice { id: own.id, name: own.name.to_string(), is_chosen: own.id == question.preselected })
        .collect();
    let scopes: Vec<_> = question.examined.scopes.iter().copied().collect();
    let page = ConsentPage {
        app: question.examined.app.name.as_str(),
        publisher: publisher(question),
        host: question.examined.way_back.uri.host(),
        email: question.browser_user.user.email.as_str(),
        scopes: &scopes,
        days: days(life),
        workspaces: &workspaces,
        problem,
        parameters: &parameters,
        token: &token,
        elsewhere: (&target, &elsewhere),
    };
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    let origin = question.examined.way_back.uri.origin().to_owned();
    Ok(Screen::page(status, page.render()).with_form_origins(vec![origin]))
}

const fn consent_form<'a>(values: &'a [(&'a str, &'a str)]) -> BoundForm<'a> {
    BoundForm::new("consent", values)
}

/// Everything that the user's answer is based on: the request, and what the page showed.
fn values_of_form(
    question: &ConsentQuestion,
    request: &AuthorizationRequest,
    life: Duration,
) -> Vec<(&'static str, String)> {
    let examined = &question.examined;
    let answered = [
        ("user", question.browser_user.user.id.to_string()),
        ("app", examined.app.name.to_string()),
        ("publisher", publisher(question).to_owned()),
        ("scopes", written(&examined.scopes)),
        ("days", days(life).to_string()),
    ];
    request.pairs().map(|(name, value)| (name, value.to_owned())).chain(answered).collect()
}

fn as_str_pairs<'a>(values: &'a [(&'static str, String)]) -> Vec<(&'a str, &'a str)> {
    values.iter().map(|(name, value)| (*name, value.as_str())).collect()
}

fn publisher(question: &ConsentQuestion) -> &str {
    question.publisher.as_ref().map_or("a workspace that is gone", |name| name.as_str())
}

const fn days(life: Duration) -> u64 {
    life.as_secs().div_ceil(24 * 3600)
}

/// The page for a request that names no known app, or a redirect address that is not the app's. The browser is not
/// redirected.
fn refused(flaw: &AuthorizationFlaw, id: Option<RequestId>) -> Screen {
    let reason = match flaw {
        AuthorizationFlaw::Client => "The app that sent you here is not known to this service.",
        _ => "The app that sent you here wants to send you back to an address that it has not registered.",
    };
    let content = html! {
        h1 { "This link cannot be followed" }
        p { (reason) " To be safe, you are not sent back. Please tell the operator of the app." }
        @if let Some(id) = id { p .reference { "Request " code { (id) } } }
    };
    let card = Card { title: "This link cannot be followed".into(), is_error: true, content };
    Screen::page(StatusCode::BAD_REQUEST, card.into())
}
