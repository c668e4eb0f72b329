//! `/oauth/login`: signing in on a page.

use super::{
    FormText, answer, browser_user, is_sign_up_open,
    login_page::{LoginPage, SignInProblem},
};
use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    refusal::Refusal,
    route::{Body, Query, Redirect, Surface, routes},
    screen::{BoundForm, Browser, Cookie, Html, ReturnTarget, Screen},
    v1::{
        oauth::authorization_query::request_of,
        screen_paths::{LOGIN, api_address},
    },
    wire::{body, query},
};
use actix_web::http::StatusCode;
use octavo_app::{Call, Draft, Engine, browser_sessions, oauth::consent::destination, sessions::login::Login};
use octavo_core_model::{
    Fault, Secret,
    fault::{Denial, Unknown},
    text::Email,
};
use std::sync::Arc;

query! {
    /// Where to continue afterwards.
    pub(crate) LoginQuery {
        /// A path of this origin. Anything else is ignored.
        return_to "returnTo": optional FormText = "/api/v1/oauth/authorize?client_id=cli_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
    }
}

body! {
    /// An address and its password, from the form on the page.
    pub(crate) LoginForm {
        example: { "email": "ada@example.com", "password": "Correct-Horse-7", "csrf_token": "q83vEjRWeJq83vEjRWeJq8" };
        /// The address of the account.
        email "email": optional FormText = "ada@example.com",
        /// The password, compared as it was sent.
        password "password": optional Secret<String> = "Correct-Horse-7",
        /// The path of this origin at which to continue.
        return_to "returnTo": optional FormText = "/api/v1/oauth/authorize?client_id=cli_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The value of this field in the page's form.
        csrf_token "csrf_token": optional Secret<String> = "q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
    }
}

routes! {
    /// Shows the sign-in page.
    ///
    /// For browsers. The page works without scripts.
    GET "/oauth/login" as showLogin => show {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser, query: Query<LoginQuery>),
        answers: { 200: Html },
        refusals: [],
        events: [],
        surface: Surface::Screen,
    }

    /// Signs a browser in.
    ///
    /// Accepts the form of the page from that page only, and sets a cookie for 12 hours. The cookie is valid for the
    /// pages of the service only; no other route reads it. The result is a session like any other: its user sees it
    /// in the list and may revoke it.
    POST "/oauth/login" as submitLogin => sign_in {
        caller: Anyone,
        limits: [Screens, Credentials, Login],
        takes: (browser: Browser, form: Body<LoginForm>),
        answers: { 303: Redirect },
        refusals: [
            Fault::Unauthenticated(Unknown::Login),
            Fault::Forbidden(Denial::AccountSuspended),
            Fault::Forbidden(Denial::AccountDeleting),
            Fault::TooManyFailures { retry_after: 900 },
            Fault::HasherBusy,
        ],
        events: [UserLogin, UserLoginFailed, UserNewDevice],
        surface: Surface::Screen,
    }
}

async fn show(dispatcher: Dispatcher, call: Call, browser: Browser, query: Draft<LoginQuery>) -> Answer {
    answer(render(dispatcher, call, browser, query).await)
}

async fn render(
    dispatcher: Dispatcher,
    call: Call,
    mut browser: Browser,
    query: Draft<LoginQuery>,
) -> Result<Screen, Refusal> {
    let target = query?.return_to.and_then(|text| ReturnTarget::parse(&text.0));
    let browser_user = browser_user(&dispatcher, &call, &browser).await?;
    let origins = form_origins(&dispatcher, &call, target.as_ref()).await?;
    let page =
        LoginPage { target, browser_user, is_sign_up_open: is_sign_up_open(&dispatcher), ..LoginPage::default() };
    Ok(page.screen(StatusCode::OK, &mut browser)?.with_form_origins(origins))
}

/// Other origins that the form may redirect to: that of the app which sent the user, if they have consented before.
pub(crate) async fn form_origins(
    dispatcher: &Dispatcher,
    call: &Call,
    target: Option<&ReturnTarget>,
) -> Result<Vec<String>, Refusal> {
    let Some(request) = target.and_then(request_of) else { return Ok(Vec::new()) };
    let rules = dispatcher.rules();
    let find = |engine: Arc<Engine>, call| async move {
        engine.read(call, move |view| Box::pin(async move { destination(view, &request, &rules).await })).await
    };
    let uri = dispatcher.ask(call.clone(), find).await?;
    Ok(uri.iter().map(|uri| uri.origin().to_owned()).collect())
}

async fn sign_in(dispatcher: Dispatcher, call: Call, browser: Browser, form: Draft<LoginForm>) -> Answer {
    answer(try_sign_in(dispatcher, call, browser, form).await)
}

async fn try_sign_in(
    dispatcher: Dispatcher,
    call: Call,
    mut browser: Browser,
    form: Draft<LoginForm>,
) -> Result<Screen, Refusal> {
    let form = form?;
    let target = form.return_to.and_then(|text| ReturnTarget::parse(&text.0));
    let shown = [("returnTo", target.as_ref().map_or("", ReturnTarget::as_str))];
    browser.check(BoundForm::new("login", &shown), form.csrf_token.as_ref())?;

    let email = form.email.map(|email| email.0).unwrap_or_default();
    let origins = form_origins(&dispatcher, &call, target.as_ref()).await?;
    let is_sign_up_open = is_sign_up_open(&dispatcher);
    let again = |problem, status, browser: &mut Browser| {
        let page = LoginPage {
            target: target.clone(),
            email: email.clone(),
            problem: Some(problem),
            browser_user: None,
            is_sign_up_open,
        };
        Ok(page.screen(status, browser)?.with_form_origins(origins.clone()))
    };
    let login = match read(&email, form.password) {
        Ok(login) => login,
        Err(problem) => return again(problem, StatusCode::BAD_REQUEST, &mut browser),
    };
    let before = browser.cookie().cloned();
    let signed_in = dispatcher.ask(call, move |engine, call| async move {
        browser_sessions::sign_in(&engine, call, Ok(login), before).await
    });
    match signed_in.await {
        Ok(cookie) => {
            let address = target.map_or_else(|| api_address(LOGIN), ReturnTarget::into_string);
            Ok(Screen::see_other(address).with_cookie(Some(Cookie::SignedIn(cookie))))
        }
        Err(refusal) => match SignInProblem::of(&refusal) {
            Some(problem) => again(problem, refusal.problem().status, &mut browser),
            None => Err(refusal),
        },
    }
}

/// The entered address and password, or what is wrong with them.
fn read(email: &str, password: Option<Secret<String>>) -> Result<Login, SignInProblem> {
    let email = Email::parse(email.trim()).map_err(|_| SignInProblem::Email)?;
    let password = password.filter(|password| !password.expose().is_empty()).ok_or(SignInProblem::Password)?;
    Ok(Login { email, password })
}
