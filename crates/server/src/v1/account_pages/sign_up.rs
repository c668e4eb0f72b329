//! `/sign-up`: creating an account on a page.

use super::{
    new_account,
    sign_up_page::{SignUpPage, SignUpProblem, closed_page, mail_sent_page, welcome_page},
};
use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    refusal::Refusal,
    route::{Body, CREDENTIAL_BODY, Place, Query, Redirect, Surface, routes},
    screen::{Browser, Cookie, Html, ReturnTarget, Screen},
    v1::browser_sessions::{FormText, answer, is_sign_up_open, login::form_origins},
    wire::{body, query},
};
use actix_web::http::StatusCode;
use octavo_app::{
    Call, Draft, Engine,
    accounts::register::{self, Registration},
};
use octavo_core_model::{Fault, Secret, fault::Conflict, text::Email};
use std::sync::Arc;

query! {
    /// Where to continue afterwards.
    pub(crate) SignUpQuery {
        /// A path of this origin. Anything else is ignored.
        return_to "returnTo": optional FormText = "/api/v1/oauth/authorize?client_id=cli_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
    }
}

body! {
    /// The data of a new account, from the form on the page.
    pub(crate) SignUpForm {
        example: {
            "email": "ada@example.com",
            "name": "Ada Lovelace",
            "password": "Correct-Horse-7",
            "csrf_token": "q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80"
        };
        /// The address to sign in with.
        email "email": optional FormText = "ada@example.com",
        /// The full name.
        name "name": optional FormText = "Ada Lovelace",
        /// 8 to 128 characters with an upper-case letter, a lower-case letter and a digit.
        password "password": optional Secret<String> = "Correct-Horse-7",
        /// The path of this origin at which to continue.
        return_to "returnTo": optional FormText = "/api/v1/oauth/authorize?client_id=cli_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The value of this field in the page's form.
        csrf_token "csrf_token": optional Secret<String> = "q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
    }
}

routes! {
    /// Shows the page for creating an account.
    ///
    /// For browsers. 404 unless everybody may create an account.
    GET "/sign-up" as showSignUp => show {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser, query: Query<SignUpQuery>),
        answers: { 200: Html },
        refusals: [Fault::NotFound],
        events: [],
        place: Place::Origin,
        surface: Surface::Screen,
    }

    /// Creates an account and signs the browser in.
    ///
    /// Accepts the form of the page from that page only. The account is the same as one that is created through the
    /// API. Deployments that conceal registration show the same page whether or not the address was known, and sign
    /// nobody in.
    POST "/sign-up" as submitSignUp => sign_up {
        caller: Anyone,
        limits: [Screens, Credentials, Register],
        takes: (browser: Browser, form: Body<SignUpForm>),
        answers: { 200: Html, 303: Redirect },
        refusals: [Fault::NotFound, Fault::Conflict(Conflict::Taken("email")), Fault::HasherBusy],
        events: [UserRegistered, WorkspaceCreated],
        place: Place::Origin,
        surface: Surface::Screen,
        max_body: Some(CREDENTIAL_BODY),
    }
}

async fn show(dispatcher: Dispatcher, call: Call, browser: Browser, query: Draft<SignUpQuery>) -> Answer {
    answer(render(dispatcher, call, browser, query).await)
}

async fn render(
    dispatcher: Dispatcher,
    call: Call,
    mut browser: Browser,
    query: Draft<SignUpQuery>,
) -> Result<Screen, Refusal> {
    if !is_sign_up_open(&dispatcher) {
        return Ok(Screen::page(StatusCode::NOT_FOUND, closed_page()));
    }
    let target = query?.return_to.and_then(|text| ReturnTarget::parse(&text.0));
    let origins = form_origins(&dispatcher, &call, target.as_ref()).await?;
    let page = SignUpPage { target, ..SignUpPage::default() };
    Ok(screen(&page, StatusCode::OK, &mut browser)?.with_form_origins(origins))
}

fn screen(page: &SignUpPage, status: StatusCode, browser: &mut Browser) -> Result<Screen, Refusal> {
    let token = browser.token_for(SignUpPage::bound_form(&[("returnTo", path_of(page.target.as_ref()))]))?;
    Ok(Screen::page(status, page.render(&token)).with_cookie(browser.fresh_cookie()))
}

fn path_of(target: Option<&ReturnTarget>) -> &str {
    target.map_or("", ReturnTarget::as_str)
}

async fn sign_up(dispatcher: Dispatcher, call: Call, browser: Browser, form: Draft<SignUpForm>) -> Answer {
    answer(try_sign_up(dispatcher, call, browser, form).await)
}

async fn try_sign_up(
    dispatcher: Dispatcher,
    call: Call,
    mut browser: Browser,
    form: Draft<SignUpForm>,
) -> Result<Screen, Refusal> {
    if !is_sign_up_open(&dispatcher) {
        return Ok(Screen::page(StatusCode::NOT_FOUND, closed_page()));
    }
    let form = form?;
    let target = form.return_to.and_then(|text| ReturnTarget::parse(&text.0));
    browser.check(SignUpPage::bound_form(&[("returnTo", path_of(target.as_ref()))]), form.csrf_token.as_ref())?;

    let email = form.email.map(|email| email.0).unwrap_or_default();
    let name = form.name.map(|name| name.0).unwrap_or_default();
    let entered = read(&email, &name, form.password.as_ref());
    let origins = form_origins(&dispatcher, &call, target.as_ref()).await?;
    let mut page = SignUpPage { target, email, name, problem: None };
    let registration = match entered {
        Ok(registration) => registration,
        Err(problem) => {
            page.problem = Some(problem);
            return Ok(screen(&page, StatusCode::BAD_REQUEST, &mut browser)?.with_form_origins(origins));
        }
    };
    let create = move |engine: Arc<Engine>, call| async move {
        register::register_in_browser(&engine, call, registration).await
    };
    match dispatcher.ask(call, create).await {
        Ok(Some(cookie)) => Ok(welcome(page).with_cookie(Some(Cookie::SignedIn(cookie)))),
        Ok(None) => Ok(Screen::page(StatusCode::OK, mail_sent_page(page.email.trim(), page.target.as_ref()))),
        Err(refusal) => match SignUpProblem::of(&refusal) {
            Some(problem) => {
                page.problem = Some(problem);
                Ok(screen(&page, refusal.problem().status, &mut browser)?.with_form_origins(origins))
            }
            None => Err(refusal),
        },
    }
}

/// Continues where the user came from.
fn welcome(page: SignUpPage) -> Screen {
    match page.target {
        Some(target) => Screen::see_other(target.into_string()),
        None => Screen::page(StatusCode::OK, welcome_page(page.name.trim(), page.email.trim())),
    }
}

/// The entered data, or the first thing that is wrong with it.
fn read(email: &str, name: &str, password: Option<&Secret<String>>) -> Result<Registration, SignUpProblem> {
    let email = Email::parse(email.trim()).map_err(|_| SignUpProblem::Email)?;
    let (name, password) = new_account::read(name, password).map_err(SignUpProblem::Entry)?;
    Ok(Registration { email, password, name })
}
