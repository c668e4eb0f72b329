//! Pages for browsers, called screens to tell them from the pages of a workspace: their layout, cookies, forms and
//! errors.
//!
//! None of them contains a script. The templates escape what a page shows, and the page's policy allows only its own
//! style sheet, by a nonce that is new in every answer.

mod bound_form;
mod browser;
mod cookie;
mod failure;
mod favicon;
mod fields;
mod moment;
mod new_password;
mod origin;
mod page;
mod return_target;

pub(crate) use bound_form::BoundForm;
pub(crate) use browser::Browser;
pub(crate) use cookie::{Cookie, UnlockedCookie, is_secure};
pub(crate) use failure::of_problem;
pub(crate) use favicon::{PATH as FAVICON_PATH, SVG as FAVICON};
pub(crate) use fields::{NO_EMAIL, email_field, token_input};
pub(crate) use moment::{day, moment};
pub(crate) use new_password::{new_password_advice, new_password_field};
pub(crate) use origin::{check_embedding, check_sender};
pub(crate) use page::{Article, Card, Mark, Page, error_summary, generate_nonce};
pub(crate) use return_target::ReturnTarget;

use crate::wire::{Documented, RouteReply};
use actix_web::http::StatusCode;
use serde_json::{Value, json};

/// An answer to a browser: a page, or a redirect.
#[derive(Debug)]
pub(crate) struct Screen {
    pub(crate) status: StatusCode,
    pub(crate) content: ScreenContent,
    /// Replaces the browser's cookie.
    pub(crate) cookie: Option<Cookie>,
    /// Other origins to which forms of the page may be sent or redirect, or schemes for all origins.
    pub(crate) form_origins: Vec<String>,
    pub(crate) retry_after: Option<u64>,
    /// Search engines may index it.
    pub(crate) is_indexable: bool,
    /// Another origin from which the page shows a picture.
    pub(crate) picture_origin: Option<String>,
}

#[derive(Debug)]
pub(crate) enum ScreenContent {
    Page(Page),
    /// A redirect to another address.
    Redirect(String),
}

impl ScreenContent {
    /// The length of the page's text in bytes.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Page(page) => page.bytes(),
            Self::Redirect(_) => 0,
        }
    }
}

impl Screen {
    pub(crate) const fn page(status: StatusCode, page: Page) -> Self {
        Self::of(status, ScreenContent::Page(page))
    }

    /// Redirects after a GET.
    pub(crate) const fn found(address: String) -> Self {
        Self::of(StatusCode::FOUND, ScreenContent::Redirect(address))
    }

    /// Redirects after a form, with a GET.
    pub(crate) const fn see_other(address: String) -> Self {
        Self::of(StatusCode::SEE_OTHER, ScreenContent::Redirect(address))
    }

    const fn of(status: StatusCode, content: ScreenContent) -> Self {
        Self {
            status,
            content,
            cookie: None,
            form_origins: Vec::new(),
            retry_after: None,
            is_indexable: false,
            picture_origin: None,
        }
    }

    #[must_use]
    pub(crate) fn with_cookie(self, cookie: Option<Cookie>) -> Self {
        Self { cookie, ..self }
    }

    #[must_use]
    pub(crate) fn indexable(self, is_indexable: bool) -> Self {
        Self { is_indexable, ..self }
    }

    #[must_use]
    pub(crate) fn with_picture_origin(self, picture_origin: Option<String>) -> Self {
        Self { picture_origin, ..self }
    }

    /// Whether it may be compressed.
    pub(crate) const fn may_compress(&self) -> bool {
        matches!(&self.content, ScreenContent::Page(page) if page.may_compress())
    }

    #[must_use]
    pub(crate) fn with_form_origins(self, form_origins: Vec<String>) -> Self {
        Self { form_origins, ..self }
    }
}

/// A page in the description.
#[derive(Debug)]
pub(crate) struct Html;

impl Documented for Html {
    fn schema() -> Value {
        json!({ "type": "string" })
    }

    fn example() -> Value {
        "<!doctype html>".into()
    }
}

impl RouteReply for Html {
    const MEDIA: &'static str = "text/html";
}
