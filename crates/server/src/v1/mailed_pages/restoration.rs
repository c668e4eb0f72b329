//! `/restore-account`: keeping an account that waits to be deleted.

use super::{
    link::{LinkForm, LinkQuery, MailedLink},
    link_problem::LinkProblem,
    page, sign_in,
};
use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    refusal::Refusal,
    route::{Body, CREDENTIAL_BODY, Engines, Place, Query, Surface, routes},
    screen::{Browser, Html, Screen},
    v1::browser_sessions::answer,
};
use actix_web::http::StatusCode;
use maud::{Markup, html};
use octavo_app::{Call, Draft, accounts::deletion};
use octavo_core_model::TokenKind;

const RESTORATION: MailedLink =
    MailedLink { target: "/restore-account", kind: TokenKind::AccountRestore, next_step: after_restoration };

routes! {
    /// Asks whether to keep an account that waits to be deleted.
    ///
    /// For browsers: the mail about the deletion links to this page. Opening it uses nothing up. A link that does not
    /// work is answered with 400, and the page says why and what to do.
    GET "/restore-account" => show {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser, query: Query<LinkQuery>),
        answers: { 200: Html },
        refusals: [],
        events: [],
        place: Place::Origin,
        surface: Surface::Screen,
        engines: Engines::Excluded,
    }

    /// Restores an account in a browser.
    ///
    /// Accepts the form of the page from that page only. Otherwise like `POST /auth/account-restore`.
    POST "/restore-account" => restore {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser, form: Body<LinkForm>),
        answers: { 200: Html },
        refusals: [],
        events: [UserRestored],
        place: Place::Origin,
        surface: Surface::Screen,
        engines: Engines::Excluded,
        max_body: Some(CREDENTIAL_BODY),
    }
}

async fn show(dispatcher: Dispatcher, call: Call, browser: Browser, query: Draft<LinkQuery>) -> Answer {
    answer(RESTORATION.explain(render(dispatcher, call, browser, query).await))
}

async fn render(
    dispatcher: Dispatcher,
    call: Call,
    mut browser: Browser,
    query: Draft<LinkQuery>,
) -> Result<Screen, Refusal> {
    let token = RESTORATION.open(&dispatcher, call, query).await?;
    let button = RESTORATION.button("Keep my account", &token, &mut browser)?;
    let content = html! {
        p { "Your account waits to be deleted. If you keep it, you find in it everything that was there." }
        (button)
    };
    Ok(page(StatusCode::OK, "Keep your account?", &content, &browser))
}

async fn restore(dispatcher: Dispatcher, call: Call, browser: Browser, form: Draft<LinkForm>) -> Answer {
    answer(RESTORATION.explain(try_restore(dispatcher, call, browser, form).await))
}

async fn try_restore(
    dispatcher: Dispatcher,
    call: Call,
    browser: Browser,
    form: Draft<LinkForm>,
) -> Result<Screen, Refusal> {
    let token = RESTORATION.accept(&browser, form)?;
    let restored = dispatcher.ask(call, move |engine, call| async move {
        engine.change(call, move |unit| Box::pin(deletion::restore(unit, Ok(token)))).await
    });
    restored.await?;
    let content = html! {
        p { "It is not deleted, and you can sign in again." }
        (sign_in())
    };
    Ok(page(StatusCode::OK, "Your account stays", &content, &browser))
}

fn after_restoration(problem: LinkProblem) -> Markup {
    html! {
        @match problem {
            LinkProblem::Used | LinkProblem::Revoked => {
                p { "If your account was restored before, you can sign in." }
                (sign_in())
            }
            _ => {
                p { "The newest mail about the deletion has a link that works until the account is deleted. Otherwise ask the operator of this service." }
            }
        }
    }
}
