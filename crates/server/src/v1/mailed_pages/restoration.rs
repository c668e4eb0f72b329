//! `/restore-account`: keeping an account that waits to be deleted.

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
};
use maud::{Markup, html};
use octavo_app::{Call, Draft, accounts::deletion};
use octavo_core_model::{Secret, TokenKind};

const RESTORATION: MailedLink =
    MailedLink { target: "/restore-account", kind: TokenKind::AccountRestore, next_step: after_restoration };

routes! {
    /// Asks whether to keep an account that waits to be deleted.
    ///
    /// For browsers: the mail about the deletion links to this page. Opening the page leaves the link valid. A link
    /// that does not work is answered with 400, and the page says why and what to do.
    GET "/restore-account" as showAccountRestore => show {
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

    /// Restores an account in a browser.
    ///
    /// Accepts the form of the page from that page only. Otherwise like `POST /auth/account-restore`.
    POST "/restore-account" as submitAccountRestore => restore {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser, form: Body<LinkForm>),
        answers: { 200: Html },
        refusals: [],
        events: [UserRestored],
        example: Some(|| form_example("urt_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80")),
        place: Place::Origin,
        surface: Surface::Screen,
        indexing: Indexing::Excluded,
        max_body: Some(CREDENTIAL_BODY),
    }
}

async fn show(dispatcher: Dispatcher, call: Call, browser: Browser, query: Draft<LinkQuery>) -> Answer {
    let content = |token: &Secret<String>, browser: &mut Browser| {
        let button = RESTORATION.button("Keep my account", token, browser)?;
        let content = html! {
            p { "Your account waits to be deleted. If you keep it, you find in it everything that was there." }
            (button)
        };
        Ok(("Keep your account?", content))
    };
    RESTORATION.show((dispatcher, call), browser, query, content).await
}

async fn restore(dispatcher: Dispatcher, call: Call, browser: Browser, form: Draft<LinkForm>) -> Answer {
    let content = |()| {
        let content = html! {
            p { "It is not deleted, and you can sign in again." }
            (sign_in())
        };
        ("Your account stays", content)
    };
    RESTORATION
        .redeem((dispatcher, call), browser, form, |unit, token| Box::pin(deletion::restore(unit, token)), content)
        .await
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
