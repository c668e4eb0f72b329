//! Pages about accounts: creating one, answering an invitation, the apps with access, the sessions.

pub mod apps;
mod apps_page;
pub mod invitation;
mod invitation_page;
mod new_account;
pub mod sessions;
mod sessions_page;
pub mod sign_up;
mod sign_up_page;
mod user_agent;

use crate::{
    refusal::Refusal,
    screen::{Screen, token_input},
    v1::screen_paths::{LOGOUT, api_address, login_address},
    wire::body,
};
use maud::{Markup, html};
use octavo_core_model::{Fault, Secret, fault::Unknown};

/// The paths of the pages.
pub(crate) const APPS: &str = "/account/apps";
pub(crate) const SESSIONS: &str = "/account/sessions";
const INVITATION: &str = "/accept-invitation";

/// The page to which the button for signing out leads.
pub(crate) const SIGNED_OUT: &str = "/";

body! {
    /// The form of a button.
    pub(crate) ButtonForm {
        example: { "csrf_token": "q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80" };
        /// The value of this field in the page's form.
        csrf_token "csrf_token": optional Secret<String> = "q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
    }
}

/// Whether a use case was refused because nobody is signed in with the browser.
const fn is_signed_out(refusal: &Refusal) -> bool {
    matches!(refusal, Refusal::Fault(Fault::Unauthenticated(Unknown::TokenMissing)))
}

/// Shows the page at this path again after something on it has ended.
fn back_to(path: &'static str, ended: Result<(), Refusal>) -> Result<Screen, Refusal> {
    match ended {
        Ok(()) => Ok(Screen::see_other(path.to_owned())),
        Err(refusal) if is_signed_out(&refusal) => Ok(Screen::see_other(login_address(path))),
        Err(refusal) => Err(refusal),
    }
}

/// The links between the pages about an account. `current` is the path of the page that shows them.
fn account_links(current: &str) -> Markup {
    html! {
        nav .links aria-label="Your account" {
            @for (path, name) in [(APPS, "Apps"), (SESSIONS, "Sessions")] {
                a href=(path) aria-current=[(path == current).then_some("page")] { (name) }
            }
        }
    }
}

/// The places to which users go from here.
pub(crate) fn account_menu() -> Markup {
    html! {
        ul .menu {
            li { a href=(SESSIONS) { "Your sessions" } }
            li { a href=(APPS) { "Apps with access to your account" } }
            li { a href="/docs" { "Documentation of the API" } }
        }
    }
}

/// Says who is signed in, with a button for signing out. `token` is that of its form.
pub(crate) fn signed_in_as(email: &str, token: &str) -> Markup {
    html! {
        div .aside {
            "You are signed in as " strong { (email) } ". "
            form method="post" action=(api_address(LOGOUT)) {
                (token_input(token))
                input type="hidden" name="returnTo" value=(SIGNED_OUT);
                button .plain type="submit" { "Sign out" }
            }
        }
    }
}
