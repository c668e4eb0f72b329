//! Taking the answer to the app.

use crate::screen::{Browser, Card, Page, Screen};
use actix_web::http::StatusCode;
use maud::{Markup, html};
use octavo_core_model::oauth::{AuthorizationResponse, RedirectUri};

/// Takes an answer to the app: by a redirect, by a page that leads there, or by a page whose form posts it (OAuth 2.0
/// Form Post Response Mode). Pages have no scripts, so the user sends that form.
///
/// Browsers apply the `form-action` of a page to every redirect that follows from its forms, also to those by which
/// the app leads on, and no policy can name the address `[::1]`. A page in between ends that chain.
pub(super) fn respond(response: &AuthorizationResponse, browser: &Browser, redirect: fn(String) -> Screen) -> Screen {
    match response.form() {
        Some(fields) => form_page(response.uri(), fields),
        None if browser.comes_from_own_page() => next_page(response),
        None => redirect(response.address()),
    }
}

/// The page that leads to the app at once; its link is for browsers that do not follow by themselves.
fn next_page(response: &AuthorizationResponse) -> Screen {
    let (address, host) = (response.address(), response.uri().host());
    let content = html! {
        h1 { "Back to " (host) }
        p { "You are on your way to " strong { (host) } "." }
        p { a href=(address) rel="noreferrer" { "Continue" } }
    };
    let page = card(host, content).leading_to(address);
    Screen::page(StatusCode::OK, page)
}

/// The page whose form posts the answer. The app may redirect to any other origin from there, so the policy allows
/// all: the form is the only one, and it is fixed.
fn form_page(uri: &RedirectUri, fields: &[(&'static str, String)]) -> Screen {
    let host = uri.host();
    let content = html! {
        h1 { "Back to " (host) }
        p { "Your answer is ready to be sent to " strong { (host) } "." }
        form method="post" action=(uri.as_str()) {
            @for (name, value) in fields { input type="hidden" name=(name) value=(value); }
            button type="submit" { "Continue" }
        }
    };
    let targets = [uri.origin(), "https:", "http:"].map(str::to_owned).to_vec();
    Screen::page(StatusCode::OK, card(host, content)).with_form_origins(targets)
}

fn card(host: &str, content: Markup) -> Page {
    Card { title: format!("Back to {host}").into(), is_error: false, content }.into()
}
