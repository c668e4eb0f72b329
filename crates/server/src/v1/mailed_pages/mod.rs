//! Pages to which mails and the command line link, and the page that requests a reset mail.
//!
//! Opening a page leaves its link valid, because mail programs open links to check them. Only its form uses the link.

pub mod email_change;
pub mod forgotten_password;
mod link;
mod link_problem;
pub mod new_password;
pub mod opening;
pub mod restoration;
pub mod verification;

use crate::{
    screen::{Browser, Card, Screen},
    v1::screen_paths::{LOGIN, api_address},
};
use actix_web::http::StatusCode;
use maud::{Markup, html};

/// A page with this title. A browser without a cookie gets the one that its forms are bound to.
fn page(status: StatusCode, title: &'static str, content: &Markup, browser: &Browser) -> Screen {
    let content = html! {
        h1 { (title) }
        (content)
    };
    let card = Card { title: title.into(), is_error: status != StatusCode::OK, content };
    Screen::page(status, card.into()).with_cookie(browser.fresh_cookie())
}

fn sign_in() -> Markup {
    html! { p { a .button href=(api_address(LOGIN)) { "Sign in" } } }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use crate::{
        route::{RouteMatch, Table},
        v1::AREAS,
    };
    use actix_web::http::Method;
    use octavo_core_model::mail::{
        EMAIL_CHANGE_PAGE, EMAIL_REVERT_PAGE, INVITATION_PAGE, NEW_PASSWORD_PAGE, OPENING_PAGE, RESTORATION_PAGE,
        VERIFICATION_PAGE,
    };

    #[test]
    fn every_page_that_a_mail_links_to_is_served_and_takes_a_form() {
        let table = Table::new(AREAS).unwrap();
        for page in [
            VERIFICATION_PAGE,
            NEW_PASSWORD_PAGE,
            EMAIL_CHANGE_PAGE,
            EMAIL_REVERT_PAGE,
            RESTORATION_PAGE,
            INVITATION_PAGE,
        ] {
            for method in [Method::GET, Method::POST] {
                let found = table.find(&method, &format!("/{page}"));
                assert!(matches!(found, RouteMatch::Route(route, _) if route.is_screen()), "{method} /{page}");
            }
        }
        let found = table.find(&Method::GET, &format!("/{OPENING_PAGE}"));
        assert!(matches!(found, RouteMatch::Route(route, _) if route.is_screen()), "/{OPENING_PAGE} has no form");
    }
}
