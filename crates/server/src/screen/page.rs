//! The common layout of all pages.

use super::favicon;
use maud::{DOCTYPE, Markup, PreEscaped, Render, html};
use octavo_blocks_tree::html::STYLE as BLOCK_STYLE;
use octavo_core_model::Fault;
use std::borrow::Cow;

/// The style sheet of forms and messages.
const CARD_STYLE: &str = include_str!("card.css");

/// The style sheet of texts to read. It follows that of their blocks.
const ARTICLE_STYLE: &str = include_str!("article.css");

/// The style sheets of equations and code in such texts.
const EQUATION_STYLE: &str = include_str!("../typeset/equation.css");
const CODE_STYLE: &str = include_str!("../typeset/code/code.css");

/// A page whose style sheet has no nonce yet.
#[derive(Debug)]
pub(crate) struct Page {
    title: Cow<'static, str>,
    layout: Layout,
    is_indexable: bool,
    has_form: bool,
    /// Where the browser goes on to by itself.
    next_address: Option<String>,
}

/// Each layout has a style sheet of its own, so that no rule of one affects the other.
#[derive(Debug)]
enum Layout {
    Card(Markup),
    Article(Article),
}

/// A form or a message, in a box in the middle of the window.
#[derive(Debug)]
pub(crate) struct Card {
    pub(crate) title: Cow<'static, str>,
    /// Whether it shows an error. The window title then starts with that, for people who cannot see the page.
    pub(crate) is_error: bool,
    pub(crate) content: Markup,
}

/// A text to read, in a column that is as wide as is easy to read.
#[derive(Debug)]
pub(crate) struct Article {
    pub(crate) title: Cow<'static, str>,
    /// The tags in the head for programs that show previews of links.
    pub(crate) about: Markup,
    /// The links next to the logo.
    pub(crate) navigation: Markup,
    /// What is above the column, as wide as the window.
    pub(crate) banner: Option<Markup>,
    pub(crate) content: Markup,
}

impl From<Card> for Page {
    fn from(card: Card) -> Self {
        let title = if card.is_error { format!("Error: {}", card.title).into() } else { card.title };
        let layout = Layout::Card(card.content);
        Self { title, layout, is_indexable: false, has_form: true, next_address: None }
    }
}

impl From<Article> for Page {
    fn from(article: Article) -> Self {
        let title = article.title.clone();
        let layout = Layout::Article(article);
        Self { title, layout, is_indexable: false, has_form: false, next_address: None }
    }
}

impl Page {
    /// Allows or forbids search engines to index it.
    #[must_use]
    pub(crate) fn indexable(self, is_indexable: bool) -> Self {
        Self { is_indexable, ..self }
    }

    /// Says that this card has no form. Otherwise a card counts as having one.
    #[must_use]
    pub(crate) fn without_form(self) -> Self {
        Self { has_form: false, ..self }
    }

    /// Makes the browser go on to this address at once.
    #[must_use]
    pub(crate) fn leading_to(self, address: String) -> Self {
        Self { next_address: Some(address), ..self }
    }

    /// Whether the page may be compressed: only if it has no form, because a token must not be compressed together with
    /// text that others choose.
    pub(crate) const fn may_compress(&self) -> bool {
        !self.has_form
    }

    /// The length of its text in bytes.
    pub(crate) fn bytes(&self) -> usize {
        match &self.layout {
            Layout::Card(content) => content.0.len(),
            Layout::Article(article) => article.content.0.len(),
        }
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
                    @if let Some(address) = &self.next_address {
                        meta http-equiv="refresh" content={ "0; url=" (address) };
                    }
                    title { (self.title) " · Octavo" }
                    link rel="icon" href=(favicon::PATH) type="image/svg+xml";
                    @match &self.layout {
                        Layout::Card(_) => { style nonce=(nonce) { (PreEscaped(CARD_STYLE)) } }
                        Layout::Article(article) => {
                            (article.about)
                            style nonce=(nonce) {
                                @for style in [BLOCK_STYLE, EQUATION_STYLE, CODE_STYLE, ARTICLE_STYLE] { (PreEscaped(style)) }
                            }
                        }
                    }
                }
                @match &self.layout {
                    Layout::Card(content) => {
                        body {
                            header { (Mark) "Octavo" }
                            main { (content) }
                        }
                    }
                    Layout::Article(article) => {
                        body .with-cover[article.banner.is_some()] {
                            header { span .brand { (Mark) "Octavo" } (article.navigation) }
                            @if let Some(banner) = &article.banner { (banner) }
                            main { (article.content) }
                        }
                    }
                }
            }
        };
        page.into_string()
    }
}

/// The logo.
#[derive(Debug)]
pub(crate) struct Mark;

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
pub(crate) fn generate_nonce() -> Result<String, Fault> {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).map_err(|_| Fault::Internal("the operating system gives no random bits"))?;
    Ok(URL_SAFE_NO_PAD.encode(bits))
}
