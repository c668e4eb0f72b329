//! `/confirm-email-change` and `/revert-email-change`: moving an account to another address, and back again.

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
    v1::browser_sessions::{FORGOT_PASSWORD, answer},
};
use actix_web::http::StatusCode;
use maud::{Markup, html};
use octavo_app::{Call, Draft, accounts::email_change};
use octavo_core_model::{
    Fault, TokenKind,
    fault::{Conflict, Denial},
};

const CONFIRMATION: MailedLink =
    MailedLink { target: "/confirm-email-change", kind: TokenKind::EmailChange, next_step: after_confirmation };

const REVERSAL: MailedLink =
    MailedLink { target: "/revert-email-change", kind: TokenKind::EmailRevert, next_step: after_reversal };

routes! {
    /// Asks whether to move an account to a new address.
    ///
    /// For browsers: the mail to the new address links to this page. Opening it uses nothing up. A link that does not
    /// work is answered with 400, and the page says why and what to do.
    GET "/confirm-email-change" => show_confirmation {
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

    /// Moves an account to its new address in a browser.
    ///
    /// Accepts the form of the page from that page only. Otherwise like `POST /auth/email-change/confirm`.
    POST "/confirm-email-change" => confirm {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser, form: Body<LinkForm>),
        answers: { 200: Html },
        refusals: [
            Fault::Conflict(Conflict::Taken("email")),
            Fault::Forbidden(Denial::AccountSuspended),
            Fault::Forbidden(Denial::AccountDeleting),
        ],
        events: [UserEmailChanged],
        place: Place::Origin,
        surface: Surface::Screen,
        engines: Engines::Excluded,
        max_body: Some(CREDENTIAL_BODY),
    }

    /// Asks whether to undo a change of address.
    ///
    /// For browsers: the mail to the old address links to this page. Opening it uses nothing up. A link that does not
    /// work is answered with 400, and the page says why and what to do.
    GET "/revert-email-change" => show_reversal {
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

    /// Undoes a change of address in a browser.
    ///
    /// Accepts the form of the page from that page only. Otherwise like `POST /auth/email-change/revert`.
    POST "/revert-email-change" => revert {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser, form: Body<LinkForm>),
        answers: { 200: Html },
        refusals: [Fault::Conflict(Conflict::Taken("email")), Fault::Forbidden(Denial::AccountSuspended)],
        events: [UserEmailReverted],
        place: Place::Origin,
        surface: Surface::Screen,
        engines: Engines::Excluded,
        max_body: Some(CREDENTIAL_BODY),
    }
}

async fn show_confirmation(dispatcher: Dispatcher, call: Call, browser: Browser, query: Draft<LinkQuery>) -> Answer {
    answer(CONFIRMATION.explain(render_confirmation(dispatcher, call, browser, query).await))
}

async fn render_confirmation(
    dispatcher: Dispatcher,
    call: Call,
    mut browser: Browser,
    query: Draft<LinkQuery>,
) -> Result<Screen, Refusal> {
    let token = CONFIRMATION.open(&dispatcher, call, query).await?;
    let button = CONFIRMATION.button("Use this address", &token, &mut browser)?;
    let content = html! {
        p { "The address at which you got the mail becomes the address of your account. You sign in with it from then on." }
        p { "Other devices and browsers that are signed in to the account are signed out." }
        (button)
    };
    Ok(page(StatusCode::OK, "Use this email address?", &content, &browser))
}

async fn confirm(dispatcher: Dispatcher, call: Call, browser: Browser, form: Draft<LinkForm>) -> Answer {
    answer(CONFIRMATION.explain(try_confirm(dispatcher, call, browser, form).await))
}

async fn try_confirm(
    dispatcher: Dispatcher,
    call: Call,
    browser: Browser,
    form: Draft<LinkForm>,
) -> Result<Screen, Refusal> {
    let token = CONFIRMATION.accept(&browser, form)?;
    let confirmed = dispatcher.ask(call, move |engine, call| async move {
        engine.change(call, move |unit| Box::pin(email_change::confirm(unit, Ok(token)))).await
    });
    let user = confirmed.await?;
    let content = html! {
        p { "Your account has the address " strong { (user.email.as_str()) } " now. For 7 days the mail to the old address can undo this." }
        (sign_in())
    };
    Ok(page(StatusCode::OK, "Your email address was changed", &content, &browser))
}

async fn show_reversal(dispatcher: Dispatcher, call: Call, browser: Browser, query: Draft<LinkQuery>) -> Answer {
    answer(REVERSAL.explain(render_reversal(dispatcher, call, browser, query).await))
}

async fn render_reversal(
    dispatcher: Dispatcher,
    call: Call,
    mut browser: Browser,
    query: Draft<LinkQuery>,
) -> Result<Screen, Refusal> {
    let token = REVERSAL.open(&dispatcher, call, query).await?;
    let button = REVERSAL.button("Take my account back", &token, &mut browser)?;
    let content = html! {
        p { "If it was not you who changed the address of your account, take the account back:" }
        ul {
            li { "It gets the address back at which you got the mail." }
            li { "Everybody who is signed in to it is signed out, and apps lose their access." }
            li { "Its password is removed, and you choose a new one." }
        }
        (button)
    };
    Ok(page(StatusCode::OK, "Take your account back?", &content, &browser))
}

async fn revert(dispatcher: Dispatcher, call: Call, browser: Browser, form: Draft<LinkForm>) -> Answer {
    answer(REVERSAL.explain(try_revert(dispatcher, call, browser, form).await))
}

async fn try_revert(
    dispatcher: Dispatcher,
    call: Call,
    browser: Browser,
    form: Draft<LinkForm>,
) -> Result<Screen, Refusal> {
    let token = REVERSAL.accept(&browser, form)?;
    let reverted = dispatcher.ask(call, move |engine, call| async move {
        engine.change(call, move |unit| Box::pin(email_change::revert(unit, Ok(token)))).await
    });
    reverted.await?;
    let content = html! {
        p { "It has its old address again, and everybody is signed out. It has no password now: choose a new one to sign in." }
        p { a href=(FORGOT_PASSWORD) { "Choose a new password" } }
    };
    Ok(page(StatusCode::OK, "Your account is yours again", &content, &browser))
}

fn after_confirmation(problem: LinkProblem) -> Markup {
    html! {
        @if problem == LinkProblem::Used {
            p { "If you used it yourself, your account has the new address, and there is nothing left to do." }
        } @else {
            p { "Your account keeps its address. To change it, ask for the change again where you are signed in." }
        }
        (sign_in())
    }
}

fn after_reversal(problem: LinkProblem) -> Markup {
    html! {
        @if problem == LinkProblem::Used {
            p { "If you used it yourself, your account has its old address again. If you have no password yet, " a href=(FORGOT_PASSWORD) { "choose a new one" } "." }
        } @else {
            p { "If your account still has this address, " a href=(FORGOT_PASSWORD) { "choose a new password" } " for it. Otherwise ask the operator of this service for help." }
        }
    }
}
