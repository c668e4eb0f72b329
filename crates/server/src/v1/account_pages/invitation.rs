//! `/accept-invitation`: answering an invitation on a page.

use super::{
    invitation_page::{
        DeadLink, InvitationPage, InvitationProblem, WayToAccept, address_of, declined_page, joined_page,
    },
    is_signed_out, new_account,
};
use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    refusal::Refusal,
    route::{Body, CREDENTIAL_BODY, Indexing, Place, Query, Redirect, Surface, routes},
    screen::{BoundForm, Browser, Cookie, Html, Screen},
    v1::{
        browser_sessions::{FormText, answer, browser_user, logout},
        screen_paths::login_address,
    },
    wire::{body, query},
};
use actix_web::http::StatusCode;
use octavo_app::{
    Call, Draft, Engine, Signup,
    browser_sessions::BrowserUser,
    invitations::{
        accept_in_browser::{self, AcceptedInBrowser, Newcomer},
        decline::{self, Declined},
        preview::{self, Preview},
    },
};
use octavo_core_model::{
    Fault, Secret,
    fault::{Conflict, Denial},
    text::{Name, NewPassword},
};
use std::sync::Arc;

query! {
    /// The link of an invitation.
    pub(crate) InvitationLinkQuery {
        /// The token in the link.
        token "token": optional Secret<String> = "itn_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
    }
}

body! {
    /// An acceptance, from the form on the page: `name` and `password` for a new account, neither for the account that
    /// is signed in.
    pub(crate) AcceptInvitationForm {
        example: {
            "token": "itn_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
            "name": "Grace Hopper",
            "password": "Correct-Horse-7",
            "csrf_token": "q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80"
        };
        /// The token in the link.
        token "token": optional Secret<String> = "itn_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// The full name of the new user.
        name "name": optional FormText = "Grace Hopper",
        /// 8 to 128 characters with an upper-case letter, a lower-case letter and a digit.
        password "password": optional Secret<String> = "Correct-Horse-7",
        /// The value of this field in the page's form.
        csrf_token "csrf_token": optional Secret<String> = "q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
    }
}

body! {
    /// A refusal of an invitation, from the form on the page.
    pub(crate) DeclineInvitationForm {
        example: { "token": "itn_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80", "csrf_token": "q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80" };
        /// The token in the link.
        token "token": optional Secret<String> = "itn_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// The value of this field in the page's form.
        csrf_token "csrf_token": optional Secret<String> = "q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
    }
}

routes! {
    /// Shows an invitation in a browser.
    ///
    /// The mailed link and `acceptUrl` lead here. Opening the page changes nothing. If the link is unknown, used or
    /// expired, a page with the status 400 says which of these it is.
    GET "/accept-invitation" as showInvitation => show {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser, query: Query<InvitationLinkQuery>),
        answers: { 200: Html },
        refusals: [Fault::WorkspaceDeleting],
        events: [],
        place: Place::Origin,
        surface: Surface::Screen,
        indexing: Indexing::Excluded,
    }

    /// Accepts an invitation in a browser.
    ///
    /// Accepts the form of the page from that page only: with a new account, which signs the browser in, or with the
    /// account that is signed in. The rules are those of accepting through the API, except that the link alone opens
    /// no session.
    POST "/accept-invitation" as submitAcceptance => accept {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser, form: Body<AcceptInvitationForm>),
        answers: { 200: Html, 303: Redirect },
        refusals: [
            Fault::Forbidden(Denial::EmailMismatch),
            Fault::Forbidden(Denial::SignupClosed),
            Fault::Forbidden(Denial::MemberQuota),
            Fault::Forbidden(Denial::SessionRevoked),
            Fault::Conflict(Conflict::Taken("email")),
            Fault::WorkspaceDeleting,
            Fault::HasherBusy,
        ],
        events: [UserRegistered, WorkspaceCreated, WorkspaceInvitationAccepted, WorkspaceMemberAdded],
        place: Place::Origin,
        surface: Surface::Screen,
        indexing: Indexing::Excluded,
        max_body: Some(CREDENTIAL_BODY),
    }

    /// Declines an invitation in a browser.
    ///
    /// Accepts the form of the page from that page only. Nobody has to be signed in.
    POST "/accept-invitation/decline" as submitDecline => decline {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser, form: Body<DeclineInvitationForm>),
        answers: { 200: Html },
        refusals: [Fault::WorkspaceDeleting],
        events: [WorkspaceInvitationDeclined],
        place: Place::Origin,
        surface: Surface::Screen,
        indexing: Indexing::Excluded,
        max_body: Some(CREDENTIAL_BODY),
    }
}

const fn accept_form<'a>(parameters: &'a [(&'a str, &'a str)]) -> BoundForm<'a> {
    BoundForm::new("accept-invitation", parameters)
}

const fn decline_form<'a>(parameters: &'a [(&'a str, &'a str)]) -> BoundForm<'a> {
    BoundForm::new("decline-invitation", parameters)
}

/// Why the page is shown again, and the name that was entered.
struct Again {
    problem: InvitationProblem,
    status: StatusCode,
    name: String,
}

async fn show(dispatcher: Dispatcher, call: Call, browser: Browser, query: Draft<InvitationLinkQuery>) -> Answer {
    answer(render(dispatcher, call, browser, query).await)
}

async fn render(
    dispatcher: Dispatcher,
    call: Call,
    mut browser: Browser,
    query: Draft<InvitationLinkQuery>,
) -> Result<Screen, Refusal> {
    match query?.token {
        Some(token) => screen(&dispatcher, call, &mut browser, &token, None).await,
        None => Ok(DeadLink::Incomplete.screen()),
    }
}

/// Shows the invitation of a link, with the way in which this browser can accept it.
async fn screen(
    dispatcher: &Dispatcher,
    call: Call,
    browser: &mut Browser,
    token: &Secret<String>,
    again: Option<Again>,
) -> Result<Screen, Refusal> {
    let browser_user = browser_user(dispatcher, &call, browser).await?;
    let sent = token.clone();
    let look = move |engine: Arc<Engine>, call| async move {
        engine.read(call, move |view| Box::pin(preview::preview(view, Ok(sent)))).await
    };
    let preview = match dispatcher.ask(call, look).await {
        Ok(preview) => preview,
        Err(refusal) => return DeadLink::of(&refusal).map(DeadLink::screen).ok_or(refusal),
    };
    let link_token = token.expose().as_str();
    let shown = [("token", link_token)];
    let accept_token = browser.token_for(accept_form(&shown))?;
    let decline_token = browser.token_for(decline_form(&shown))?;
    let here = address_of(link_token);
    let sign_out_token = browser.token_for(logout::sign_out_form(&[("returnTo", &here)]))?;
    let may_register = dispatcher.rules().signup != Signup::Closed;
    let name = again.as_ref().map_or("", |again| again.name.as_str());
    let page = InvitationPage {
        link_token,
        preview: &preview,
        way: way_to_accept(&preview, browser_user.as_ref(), may_register, &accept_token, &sign_out_token, name),
        decline_token: &decline_token,
        problem: again.as_ref().map(|again| again.problem),
    };
    let status = again.as_ref().map_or(StatusCode::OK, |again| again.status);
    Ok(Screen::page(status, page.render()).with_cookie(browser.fresh_cookie()))
}

/// How the holder of the link can accept.
fn way_to_accept<'a>(
    preview: &Preview,
    browser_user: Option<&'a BrowserUser>,
    may_register: bool,
    accept_token: &'a str,
    sign_out_token: &'a str,
    name: &'a str,
) -> WayToAccept<'a> {
    match browser_user.map(|browser_user| &browser_user.user.email) {
        Some(email) if *email == preview.invitation.email => {
            WayToAccept::SignedIn { email: email.as_str(), accept_token }
        }
        Some(email) => WayToAccept::OtherAccount { email: email.as_str(), sign_out_token },
        None if preview.account_exists => WayToAccept::SignInFirst,
        None if may_register => WayToAccept::NewAccount { name, accept_token },
        None => WayToAccept::NoSignUp,
    }
}

async fn accept(dispatcher: Dispatcher, call: Call, browser: Browser, form: Draft<AcceptInvitationForm>) -> Answer {
    answer(try_accept(dispatcher, call, browser, form).await)
}

async fn try_accept(
    dispatcher: Dispatcher,
    call: Call,
    mut browser: Browser,
    form: Draft<AcceptInvitationForm>,
) -> Result<Screen, Refusal> {
    let AcceptInvitationForm { token, name, password, csrf_token } = form?;
    let token = token.unwrap_or(Secret::new(String::new()));
    browser.check(accept_form(&[("token", token.expose())]), csrf_token.as_ref())?;

    let is_newcomer = name.is_some() || password.is_some();
    let name = name.map(|name| name.0).unwrap_or_default();
    let accepted = if is_newcomer {
        match new_account::read(&name, password.as_ref()) {
            Ok((name, password)) => join_as_newcomer(&dispatcher, call.clone(), &token, name, password).await,
            Err(problem) => {
                let problem = InvitationProblem::Entry(problem);
                let again = Again { problem, status: StatusCode::BAD_REQUEST, name };
                return screen(&dispatcher, call, &mut browser, &token, Some(again)).await;
            }
        }
    } else {
        join_signed_in(&dispatcher, call.clone(), &token, &browser).await
    };
    let refusal = match accepted {
        Ok(accepted) => {
            let page = joined_page(&accepted);
            return Ok(Screen::page(StatusCode::OK, page).with_cookie(accepted.cookie.map(Cookie::SignedIn)));
        }
        Err(refusal) if is_signed_out(&refusal) => {
            return Ok(Screen::see_other(login_address(&address_of(token.expose()))));
        }
        Err(refusal) => refusal,
    };
    match (DeadLink::of(&refusal), InvitationProblem::of(&refusal)) {
        (Some(dead), _) => Ok(dead.screen()),
        (None, Some(problem)) => {
            let again = Again { problem, status: refusal.problem().status, name };
            screen(&dispatcher, call, &mut browser, &token, Some(again)).await
        }
        (None, None) => Err(refusal),
    }
}

async fn join_as_newcomer(
    dispatcher: &Dispatcher,
    call: Call,
    token: &Secret<String>,
    name: Name,
    password: NewPassword,
) -> Result<AcceptedInBrowser, Refusal> {
    let (token, newcomer) = (token.clone(), Newcomer { name, password });
    let join = move |engine: Arc<Engine>, call| async move {
        accept_in_browser::accept_as_newcomer(&engine, call, token, newcomer).await
    };
    dispatcher.ask(call, join).await
}

async fn join_signed_in(
    dispatcher: &Dispatcher,
    call: Call,
    token: &Secret<String>,
    browser: &Browser,
) -> Result<AcceptedInBrowser, Refusal> {
    let cookie = browser.cookie().cloned().ok_or(Refusal::StaleForm)?;
    let token = token.clone();
    let join = move |engine: Arc<Engine>, call| async move {
        accept_in_browser::accept_signed_in(&engine, call, token, cookie).await
    };
    dispatcher.ask(call, join).await
}

async fn decline(dispatcher: Dispatcher, call: Call, browser: Browser, form: Draft<DeclineInvitationForm>) -> Answer {
    answer(try_decline(dispatcher, call, browser, form).await)
}

async fn try_decline(
    dispatcher: Dispatcher,
    call: Call,
    browser: Browser,
    form: Draft<DeclineInvitationForm>,
) -> Result<Screen, Refusal> {
    let DeclineInvitationForm { token, csrf_token } = form?;
    let token = token.unwrap_or(Secret::new(String::new()));
    browser.check(decline_form(&[("token", token.expose())]), csrf_token.as_ref())?;
    let end = move |engine: Arc<Engine>, call| async move {
        engine.change(call, move |unit| Box::pin(decline::decline(unit, Ok(Declined::Token(token))))).await
    };
    match dispatcher.ask(call, end).await {
        Ok(_) => Ok(Screen::page(StatusCode::OK, declined_page())),
        Err(refusal) => DeadLink::of(&refusal).map(DeadLink::screen).ok_or(refusal),
    }
}
