//! What all pages look like.

use maud::{DOCTYPE, Markup, PreEscaped, Render, html};
use octavo_core_model::Fault;
use std::borrow::Cow;

const STYLE: &str = include_str!("style.css");

/// A page before its style sheet is let in.
#[derive(Debug)]
pub(crate) struct Page {
    title: Cow<'static, str>,
    content: Markup,
    /// It is there to be read.
    is_wide: bool,
    is_indexable: bool,
}

/// The sheet in the middle of a page.
#[derive(Debug)]
pub(crate) struct Sheet {
    pub(crate) title: Cow<'static, str>,
    /// An error: the window title says so first, for people who cannot see the page.
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
    /// With room for a text.
    #[must_use]
    pub(crate) fn wide(self) -> Self {
        Self { is_wide: true, ..self }
    }

    /// For search engines to list.
    #[must_use]
    pub(crate) fn indexable(self, is_indexable: bool) -> Self {
        Self { is_indexable, ..self }
    }

    /// The bytes of the page. `nonce` lets its style sheet in.
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

/// The folded sheet.
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

/// What is wrong with a form, above it. It is read out when the page comes.
pub(crate) fn error_summary(message: &str) -> Markup {
    html! {
        div #error .error role="alert" { p { (message) } }
    }
}

/// Draws the number that lets a style sheet in.
pub(crate) fn draw_nonce() -> Result<String, Fault> {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).map_err(|_| Fault::Internal("the operating system gives no random bits"))?;
    Ok(URL_SAFE_NO_PAD.encode(bits))
}
