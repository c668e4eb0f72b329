//! `/`: what this server is, and where to go from here.

use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    docs_page::GUIDES_PATH,
    refusal::Refusal,
    route::{Place, Surface, routes},
    screen::{Browser, Card, Html, Page, Screen},
    v1::{
        account_pages::{SIGNED_OUT, account_menu, signed_in_as},
        browser_sessions::{answer, browser_user, is_sign_up_open, logout},
        screen_paths::{LOGIN, SIGN_UP, api_address},
    },
};
use actix_web::http::StatusCode;
use maud::html;
use octavo_app::Call;

routes! {
    /// Shows what this server is.
    ///
    /// For browsers: links to the documentation, and to the pages for signing in or about the account.
    GET "/" as showHome => show {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser),
        answers: { 200: Html },
        refusals: [],
        events: [],
        place: Place::Origin,
        surface: Surface::Screen,
    }
}

async fn show(dispatcher: Dispatcher, call: Call, browser: Browser) -> Answer {
    answer(render(dispatcher, call, browser).await)
}

async fn render(dispatcher: Dispatcher, call: Call, mut browser: Browser) -> Result<Screen, Refusal> {
    let visitor = match browser_user(&dispatcher, &call, &browser).await? {
        Some(browser_user) => Visitor::SignedIn {
            email: browser_user.user.email.to_string(),
            sign_out_token: browser.token_for(logout::sign_out_form(&[("returnTo", SIGNED_OUT)]))?,
        },
        None => Visitor::Stranger { may_sign_up: is_sign_up_open(&dispatcher) },
    };
    Ok(Screen::page(StatusCode::OK, front_page(&visitor)))
}

/// Who opens the page.
enum Visitor {
    SignedIn {
        email: String,
        /// The token of the form for signing out.
        sign_out_token: String,
    },
    Stranger {
        may_sign_up: bool,
    },
}

fn front_page(visitor: &Visitor) -> Page {
    let content = html! {
        h1 { "This is an Octavo server" }
        p {
            "Octavo keeps the pages, files and databases of teams. People reach them with apps, and programs through an \
             API. This server has no pages for writing; the app that you use does."
        }
        @match visitor {
            Visitor::SignedIn { email, sign_out_token } => {
                (account_menu())
                (signed_in_as(email, sign_out_token))
            }
            Visitor::Stranger { may_sign_up } => {
                p { a .button href=(api_address(LOGIN)) { "Sign in" } }
                @if *may_sign_up { p { a .button.second href=(SIGN_UP) { "Create an account" } } }
                p .aside {
                    a href="/docs" { "Documentation of the API" } " · " a href=(GUIDES_PATH) { "Guides for developers" }
                }
            }
        }
    };
    let page = Page::from(Card { title: "This is an Octavo server".into(), is_error: false, content });
    match visitor {
        Visitor::SignedIn { .. } => page,
        Visitor::Stranger { .. } => page.without_form(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(visitor: &Visitor) -> String {
        front_page(visitor).render("nonce")
    }

    #[test]
    fn everybody_finds_the_documentation_and_strangers_the_way_in() {
        let open = shown(&Visitor::Stranger { may_sign_up: true });
        for link in ["/docs", "/docs/guides", "/api/v1/oauth/login", "/sign-up"] {
            assert!(open.contains(&format!("href=\"{link}\"")), "{link}: {open}");
        }
        assert!(!open.contains("<form"), "it counts as a page without a form: {open}");
        let closed = shown(&Visitor::Stranger { may_sign_up: false });
        assert!(!closed.contains("/sign-up") && closed.contains("href=\"/docs\""), "{closed}");
    }

    #[test]
    fn users_find_the_pages_about_their_account() {
        let email = "ada@example.com".to_owned();
        let page = shown(&Visitor::SignedIn { email, sign_out_token: "out".to_owned() });
        for part in ["ada@example.com", "href=\"/account/apps\"", "href=\"/account/sessions\"", "Sign out"] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(!page.contains("href=\"/api/v1/oauth/login\""), "{page}");
    }
}
