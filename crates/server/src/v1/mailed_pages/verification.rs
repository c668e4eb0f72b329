//! `/verify-email`: verifying an address, or deleting an account that somebody else has created with it.

use super::{
    link::{LinkForm, LinkQuery, MailedLink},
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
use octavo_app::{Call, Draft, accounts::email_verification};
use octavo_core_model::{Fault, Secret, TokenKind, account::User, fault::Denial};

const CONFIRMATION: MailedLink =
    MailedLink { target: "/verify-email", kind: TokenKind::EmailVerification, next_step: after_confirmation };

const REJECTION: MailedLink =
    MailedLink { target: "/verify-email/reject", kind: TokenKind::EmailVerification, next_step: after_rejection };

routes! {
    /// Asks whether to verify an address.
    ///
    /// For browsers: verification mails link to this page. Opening the page leaves the link valid. A link that does not
    /// work is answered with 400, and the page says why and what to do.
    GET "/verify-email" as showEmailVerification => show {
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

    /// Verifies an address in a browser.
    ///
    /// Accepts the form of the page from that page only. Otherwise like `POST /auth/email-verification/confirm`.
    POST "/verify-email" as submitEmailVerification => confirm {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser, form: Body<LinkForm>),
        answers: { 200: Html },
        refusals: [Fault::Forbidden(Denial::AccountSuspended), Fault::Forbidden(Denial::AccountDeleting)],
        events: [UserEmailVerified],
        place: Place::Origin,
        surface: Surface::Screen,
        indexing: Indexing::Excluded,
        max_body: Some(CREDENTIAL_BODY),
    }

    /// Rejects an account in a browser.
    ///
    /// Accepts the form of the page from that page only. Otherwise like `POST /auth/email-verification/reject`.
    POST "/verify-email/reject" as submitEmailRejection => reject {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser, form: Body<LinkForm>),
        answers: { 200: Html },
        refusals: [],
        events: [],
        place: Place::Origin,
        surface: Surface::Screen,
        indexing: Indexing::Excluded,
        max_body: Some(CREDENTIAL_BODY),
    }
}

async fn show(dispatcher: Dispatcher, call: Call, browser: Browser, query: Draft<LinkQuery>) -> Answer {
    let content = |token: &Secret<String>, browser: &mut Browser| {
        let confirm = CONFIRMATION.button("Confirm my address", token, browser)?;
        let reject = REJECTION.danger_button("Delete that account", token, browser)?;
        let content = html! {
            p { "Somebody has signed up with your email address. If it was you, confirm that the address is yours." }
            (confirm)
            details {
                summary { "It was not me" }
                p { "You can ignore the mail: nobody can confirm your address without it. Or delete the account that was created with it." }
                (reject)
            }
        };
        Ok(("Confirm your email address", content))
    };
    CONFIRMATION.show((dispatcher, call), browser, query, content).await
}

async fn confirm(dispatcher: Dispatcher, call: Call, browser: Browser, form: Draft<LinkForm>) -> Answer {
    let content = |user: User| {
        let content = html! {
            p { "Thank you. " strong { (user.email.as_str()) } " is the confirmed address of your account. You can close this page." }
            (sign_in())
        };
        ("Your email address is confirmed", content)
    };
    CONFIRMATION
        .redeem(
            (dispatcher, call),
            browser,
            form,
            |unit, token| Box::pin(email_verification::confirm(unit, token)),
            content,
        )
        .await
}

async fn reject(dispatcher: Dispatcher, call: Call, browser: Browser, form: Draft<LinkForm>) -> Answer {
    let content = |()| {
        let content = html! { p { "Nobody can sign in to it any more. You can close this page." } };
        ("The account is closed", content)
    };
    REJECTION
        .redeem(
            (dispatcher, call),
            browser,
            form,
            |unit, token| Box::pin(email_verification::reject(unit, token)),
            content,
        )
        .await
}

fn after_confirmation(problem: LinkProblem) -> Markup {
    html! {
        @if problem == LinkProblem::Used {
            p { "If you used it yourself, your address is confirmed, and there is nothing left to do." }
            (sign_in())
        } @else {
            p { "Ask for another mail where you signed up. Or " a href=(FORGOT_PASSWORD) { "choose a new password" } ": that confirms your address, too." }
        }
    }
}

fn after_rejection(problem: LinkProblem) -> Markup {
    html! {
        @if problem == LinkProblem::Revoked {
            p { "An account whose address was confirmed is not deleted. If the mailbox is yours, " a href=(FORGOT_PASSWORD) { "choose a new password" } ": that signs everybody else out." }
        } @else {
            p { "If an account with your address is left, " a href=(FORGOT_PASSWORD) { "choose a new password" } " for it: that signs everybody else out." }
        }
    }
}
