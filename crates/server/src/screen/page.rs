//! The common layout of all pages.

use maud::{DOCTYPE, Markup, PreEscaped, Render, html};
use octavo_core_model::Fault;
use std::borrow::Cow;

const STYLE: &str = include_str!("style.css");

/// A page whose style sheet has no nonce yet.
#[derive(Debug)]
pub(crate) struct Page {
    title: Cow<'static, str>,
    content: Markup,
    /// Wide enough for a text.
    is_wide: bool,
    is_indexable: bool,
}

/// The box in the middle of a page.
#[derive(Debug)]
pub(crate) struct Sheet {
    pub(crate) title: Cow<'static, str>,
    /// Whether it shows an error. The window title then starts with that, for people who cannot see the page.
    pub(crate) is_error: bool,
    pub(crate) content: Markup,
}

impl From<Sheet> for Page {
    fn from(sheet: Sheet) -> Self {
        let title = if sheet.is_error { format!("Error: {}", sheet.title).into() } else { sheet.title };
        Self { title, content: sheet.content, is_wide: false, is_indexable: false }
    }
}

impl Page {
    /// Makes the page wide enough for a text.
    #[must_use]
    pub(crate) fn wide(self) -> Self {
        Self { is_wide: true, ..self }
    }

    /// Allows or forbids search engines to index it.
    #[must_use]
    pub(crate) fn indexable(self, is_indexable: bool) -> Self {
        Self { is_indexable, ..self }
    }

    /// The bytes of the page. `nonce` allows its style sheet.
    pub(crate) fn render(&self, nonce: &str) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    @if !self.is_indexable { meta name="robots" content="noindex"; }
                    title { (self.title) " · Octavo" }
                    style nonce=(nonce) { (PreEscaped(STYLE)) }
                }
                body .wide[self.is_wide] {
                    header { (Mark) "Octavo" }
                    main { (self.content) }
                }
            }
        };
        page.into_string()
    }
}

/// The logo.
struct Mark;

impl Render for Mark {
    fn render(&self) -> Markup {
        html! {
            svg viewBox="0 0 24 24" aria-hidden="true" {
                path d="M4 4.5 11 7v13L4 17.5z" {}
                path d="M20 4.5 13 7v13l7-2.5z" {}
            }
        }
    }
}

/// An error message above a form. Screen readers announce it when the page opens.
pub(crate) fn error_summary(message: &str) -> Markup {
    html! {
        div #error .error role="alert" { p { (message) } }
    }
}

/// Generates the nonce of a style sheet.
pub(crate) fn draw_nonce() -> Result<String, Fault> {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).map_err(|_| Fault::Internal("the operating system gives no random bits"))?;
    Ok(URL_SAFE_NO_PAD.encode(bits))
}
