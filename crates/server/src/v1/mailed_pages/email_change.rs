//! `/confirm-email-change` and `/revert-email-change`: moving an account to another address, and back again.

use super::{
    link::{LinkForm, LinkQuery, MailedLink, form_example},
    link_problem::LinkProblem,
    sign_in,
};
use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    route::{Body, CREDENTIAL_BODY, Indexing, Place, Query, Surface, routes},
    screen::{Browser, Html},
    v1::screen_paths::FORGOT_PASSWORD,
};
use maud::{Markup, html};
use octavo_app::{Call, Draft, accounts::email_change};
use octavo_core_model::{
    Fault, Secret, TokenKind,
    account::User,
    fault::{Conflict, Denial},
};

const CONFIRMATION: MailedLink =
    MailedLink { target: "/confirm-email-change", kind: TokenKind::EmailChange, next_step: after_confirmation };

const REVERSAL: MailedLink =
    MailedLink { target: "/revert-email-change", kind: TokenKind::EmailRevert, next_step: after_reversal };

routes! {
    /// Asks whether to move an account to a new address.
    ///
    /// For browsers: the mail to the new address links to this page. Opening the page leaves the link valid. A link
    /// that does not work is answered with 400, and the page says why and what to do.
    GET "/confirm-email-change" as showEmailChange => show_confirmation {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser, query: Query<LinkQuery>),
        answers: { 200: Html },
        refusals: [],
        events: [],
        place: Place::Origin,
        surface: Surface::Screen,
        indexing: Indexing::Excluded,
    }

    /// Moves an account to its new address in a browser.
    ///
    /// Accepts the form of the page from that page only. Otherwise like `POST /auth/email-change/confirm`.
    POST "/confirm-email-change" as submitEmailChange => confirm {
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
        example: Some(|| form_example("ect_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80")),
        place: Place::Origin,
        surface: Surface::Screen,
        indexing: Indexing::Excluded,
        max_body: Some(CREDENTIAL_BODY),
    }

    /// Asks whether to undo a change of address.
    ///
    /// For browsers: the mail to the old address links to this page. Opening the page leaves the link valid. A link
    /// that does not work is answered with 400, and the page says why and what to do.
    GET "/revert-email-change" as showEmailReversal => show_reversal {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser, query: Query<LinkQuery>),
        answers: { 200: Html },
        refusals: [],
        events: [],
        place: Place::Origin,
        surface: Surface::Screen,
        indexing: Indexing::Excluded,
    }

    /// Undoes a change of address in a browser.
    ///
    /// Accepts the form of the page from that page only. Otherwise like `POST /auth/email-change/revert`.
    POST "/revert-email-change" as submitEmailReversal => revert {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser, form: Body<LinkForm>),
        answers: { 200: Html },
        refusals: [Fault::Conflict(Conflict::Taken("email")), Fault::Forbidden(Denial::AccountSuspended)],
        events: [UserEmailReverted, UserEmailChanged],
        example: Some(|| form_example("ecr_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80")),
        place: Place::Origin,
        surface: Surface::Screen,
        indexing: Indexing::Excluded,
        max_body: Some(CREDENTIAL_BODY),
    }
}

async fn show_confirmation(dispatcher: Dispatcher, call: Call, browser: Browser, query: Draft<LinkQuery>) -> Answer {
    let content = |token: &Secret<String>, browser: &mut Browser| {
        let button = CONFIRMATION.button("Use this address", token, browser)?;
        let content = html! {
            p { "The address at which you got the mail becomes the address of your account. You sign in with it from then on." }
            p { "Other devices and browsers that are signed in to the account have to sign in again within 15 minutes." }
            (button)
        };
        Ok(("Use this email address?", content))
    };
    CONFIRMATION.show((dispatcher, call), browser, query, content).await
}

async fn confirm(dispatcher: Dispatcher, call: Call, browser: Browser, form: Draft<LinkForm>) -> Answer {
    let content = |user: User| {
        let content = html! {
            p { "Your account has the address " strong { (user.email.as_str()) } " now. For 7 days the mail to the old address can undo this." }
            (sign_in())
        };
        ("Your email address was changed", content)
    };
    CONFIRMATION
        .redeem((dispatcher, call), browser, form, |unit, token| Box::pin(email_change::confirm(unit, token)), content)
        .await
}

async fn show_reversal(dispatcher: Dispatcher, call: Call, browser: Browser, query: Draft<LinkQuery>) -> Answer {
    let content = |token: &Secret<String>, browser: &mut Browser| {
        let button = REVERSAL.button("Take my account back", token, browser)?;
        let content = html! {
            p { "If it was not you who changed the address of your account, take the account back:" }
            ul {
                li { "It gets the address back at which you got the mail." }
                li { "Everybody who is signed in to it has to sign in again within 15 minutes, and apps lose their access." }
                li { "Its password is removed, and you choose a new one." }
                li { "The API keys and open invitations of your personal workspace are revoked, and members who joined since are removed." }
            }
            (button)
        };
        Ok(("Take your account back?", content))
    };
    REVERSAL.show((dispatcher, call), browser, query, content).await
}

async fn revert(dispatcher: Dispatcher, call: Call, browser: Browser, form: Draft<LinkForm>) -> Answer {
    let content = |()| {
        let content = html! {
            p { "It has its old address again, and everybody else is signed out within 15 minutes. It has no password now: choose a new one to sign in." }
            p { a .button href=(FORGOT_PASSWORD) { "Choose a new password" } }
        };
        ("Your account is yours again", content)
    };
    REVERSAL
        .redeem((dispatcher, call), browser, form, |unit, token| Box::pin(email_change::revert(unit, token)), content)
        .await
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
