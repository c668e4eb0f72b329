//! `/account/sessions`: the sessions of a user, and ending them.

use super::{ButtonForm, SESSIONS, SIGNED_OUT, back_to, is_signed_out, sessions_page::SessionsPage};
use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    refusal::Refusal,
    route::{Body, CREDENTIAL_BODY, Indexing, Path, Place, Redirect, Surface, routes},
    screen::{BoundForm, Browser, Html, Screen},
    v1::{
        browser_sessions::{answer, logout},
        screen_paths::login_address,
    },
};
use actix_web::http::StatusCode;
use octavo_app::{
    Call, Draft, Engine,
    browser_account::{self, OwnSessions},
};
use octavo_core_model::{Fault, id::SessionId};
use std::sync::Arc;

routes! {
    /// Shows the sessions of a user.
    ///
    /// For browsers. Redirects to the sign-in page if nobody is signed in.
    GET "/account/sessions" as showSessions => show {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser),
        answers: { 200: Html, 302: Redirect },
        refusals: [],
        events: [],
        place: Place::Origin,
        surface: Surface::Screen,
        indexing: Indexing::Excluded,
    }

    /// Ends all other sessions in a browser.
    ///
    /// Accepts the form of the page from that page only. The session of the browser stays.
    POST "/account/sessions" as submitSessions => end_others {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser, form: Body<ButtonForm>),
        answers: { 303: Redirect },
        refusals: [],
        events: [SessionRevoked],
        place: Place::Origin,
        surface: Surface::Screen,
        indexing: Indexing::Excluded,
        max_body: Some(CREDENTIAL_BODY),
    }

    /// Ends a session in a browser.
    ///
    /// Accepts the form of the page from that page only. A session that has ended stays as it is.
    POST "/account/sessions/{sessionId}" as submitSessionRevocation => end {
        caller: Anyone,
        limits: [Screens],
        takes: (id: Path<SessionId>, browser: Browser, form: Body<ButtonForm>),
        answers: { 303: Redirect },
        refusals: [Fault::NotFound],
        events: [SessionRevoked],
        place: Place::Origin,
        surface: Surface::Screen,
        indexing: Indexing::Excluded,
        max_body: Some(CREDENTIAL_BODY),
    }
}

const fn end_form<'a>(parameters: &'a [(&'a str, &'a str)]) -> BoundForm<'a> {
    BoundForm::new("end-session", parameters)
}

const fn end_others_form() -> BoundForm<'static> {
    BoundForm::new("end-other-sessions", &[])
}

async fn show(dispatcher: Dispatcher, call: Call, browser: Browser) -> Answer {
    answer(render(dispatcher, call, browser).await)
}

async fn render(dispatcher: Dispatcher, call: Call, mut browser: Browser) -> Result<Screen, Refusal> {
    let Some(cookie) = browser.cookie().cloned() else { return Ok(Screen::found(login_address(SESSIONS))) };
    let list = move |engine: Arc<Engine>, call| async move {
        engine.read(call, move |view| Box::pin(browser_account::list_sessions(view, cookie))).await
    };
    match dispatcher.ask(call, list).await {
        Ok(own) => screen(own, &mut browser),
        Err(refusal) if is_signed_out(&refusal) => Ok(Screen::found(login_address(SESSIONS))),
        Err(refusal) => Err(refusal),
    }
}

fn screen(own: OwnSessions, browser: &mut Browser) -> Result<Screen, Refusal> {
    let mut sessions = Vec::with_capacity(own.sessions.len());
    for session in own.sessions {
        let token = browser.token_for(end_form(&[("session", &session.id.to_string())]))?;
        sessions.push((session, token));
    }
    let end_others_token = browser.token_for(end_others_form())?;
    let sign_out_token = browser.token_for(logout::sign_out_form(&[("returnTo", SIGNED_OUT)]))?;
    let page = SessionsPage {
        email: own.user.email.as_str(),
        sessions: &sessions,
        current: own.current,
        end_others_token: &end_others_token,
        sign_out_token: &sign_out_token,
    };
    Ok(Screen::page(StatusCode::OK, page.render()))
}

async fn end_others(dispatcher: Dispatcher, call: Call, browser: Browser, form: Draft<ButtonForm>) -> Answer {
    answer(try_end_others(dispatcher, call, browser, form).await)
}

async fn try_end_others(
    dispatcher: Dispatcher,
    call: Call,
    browser: Browser,
    form: Draft<ButtonForm>,
) -> Result<Screen, Refusal> {
    browser.check(end_others_form(), form?.csrf_token.as_ref())?;
    let Some(cookie) = browser.cookie().cloned() else { return Err(Refusal::StaleForm) };
    let end = move |engine: Arc<Engine>, call| async move {
        engine.change(call, move |unit| Box::pin(browser_account::end_other_sessions(unit, cookie))).await
    };
    back_to(SESSIONS, dispatcher.ask(call, end).await.map(drop))
}

async fn end(
    dispatcher: Dispatcher,
    call: Call,
    id: Draft<SessionId>,
    browser: Browser,
    form: Draft<ButtonForm>,
) -> Answer {
    answer(try_end(dispatcher, call, id, browser, form).await)
}

async fn try_end(
    dispatcher: Dispatcher,
    call: Call,
    id: Draft<SessionId>,
    browser: Browser,
    form: Draft<ButtonForm>,
) -> Result<Screen, Refusal> {
    let (id, form) = (id?, form?);
    browser.check(end_form(&[("session", &id.to_string())]), form.csrf_token.as_ref())?;
    let Some(cookie) = browser.cookie().cloned() else { return Err(Refusal::StaleForm) };
    let end = move |engine: Arc<Engine>, call| async move {
        engine.change(call, move |unit| Box::pin(browser_account::end_session(unit, cookie, Ok(id)))).await
    };
    back_to(SESSIONS, dispatcher.ask(call, end).await)
}
