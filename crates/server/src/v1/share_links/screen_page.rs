//! What a browser shows of a share link: a page, or the form for the password.

use crate::{
    refusal::Refusal,
    screen::{Browser, FormToken, Page, Screen, Sheet, error_summary},
};
use actix_web::http::StatusCode;
use maud::{Markup, PreEscaped, html};
use octavo_app::{
    Draft,
    blocks::{Branch, readable, refused},
    share_links::{Node, SharedPage},
};
use octavo_blocks_tree::html as blocks_html;
use octavo_core_model::{
    Timestamp,
    cancellation::Cancellation,
    id::{FileId, PageId},
    text::{PageIcon, PageTitle},
};

/// The address of the page of a link, or of a descendant, for browsers.
pub(super) fn address(token: &str, page: Option<PageId>) -> String {
    match page {
        None => format!("/share/{token}"),
        Some(page) => format!("/share/{token}/{page}"),
    }
}

/// The page of a link.
#[derive(Debug)]
pub(super) struct ReadingPage<'a> {
    pub(super) token: &'a str,
    pub(super) shown: &'a SharedPage,
    /// Its content as HTML; `None` if there are no blocks.
    pub(super) text: Option<&'a str>,
}

/// The content of a page as HTML; `None` if there are no blocks. This can take long.
pub(super) fn text_of(blocks: Vec<Branch>, cancellation: &Cancellation) -> Draft<Option<String>> {
    if blocks.is_empty() {
        return Ok(None);
    }
    let text = blocks_html::export_body(&readable(blocks), &|_: FileId| None, cancellation);
    text.map(Some).map_err(refused)
}

impl ReadingPage<'_> {
    pub(super) fn render(&self) -> Page {
        let SharedPage { page, ancestors, children, .. } = self.shown;
        let content = html! {
            @if !ancestors.is_empty() {
                nav .breadcrumbs aria-label="Pages above" {
                    @for (number, node) in ancestors.iter().enumerate() {
                        // The first one is the page of the link.
                        a href=(address(self.token, (number > 0).then_some(node.id))) { (label(&node.title, node.icon.as_ref())) }
                    }
                }
            }
            h1 { (label(&page.title, page.icon.as_ref())) }
            p .aside { "Changed " (date(page.updated_at)) }
            @if let Some(text) = self.text.filter(|text| !text.is_empty()) {
                article .content dir="auto" { (PreEscaped(text)) }
            }
            @if self.shown.content.is_truncated {
                p .aside { "Only the beginning of this long page is shown." }
            }
            @if children.is_empty() && self.text.is_none() {
                p .aside { "There is nothing on this page yet." }
            }
            @if !children.is_empty() {
                (self.list(children))
            }
        };
        let title = name(&page.title).to_owned();
        Page::from(Sheet { title: title.into(), is_error: false, content })
            .wide()
            .indexable(self.shown.link.allow_indexing)
    }

    fn list(&self, children: &[Node]) -> Markup {
        html! {
            h2 #pages { "Pages" }
            ul .pages aria-labelledby="pages" {
                @for node in children {
                    li { a href=(address(self.token, Some(node.id))) { (label(&node.title, node.icon.as_ref())) } }
                }
            }
        }
    }
}

fn name(title: &PageTitle) -> &str {
    if title.as_str().trim().is_empty() { "Untitled" } else { title.as_str() }
}

/// A title after its icon. Images are left out, because browsers would load them from other origins.
fn label(title: &PageTitle, icon: Option<&PageIcon>) -> Markup {
    html! {
        @if let Some(emoji) = icon.and_then(PageIcon::emoji) { span .icon aria-hidden="true" { (emoji) } " " }
        (name(title))
    }
}

fn date(time: Timestamp) -> Markup {
    let whole = time.to_string();
    html! { time datetime=(whole) { (whole.get(..10).unwrap_or(&whole)) } }
}

/// The form for the password of a link.
#[derive(Debug)]
pub(super) struct PasswordPage<'a> {
    pub(super) token: &'a str,
    /// The descendant that was requested, if it is not the page of the link.
    pub(super) page: Option<PageId>,
    pub(super) is_wrong: bool,
}

impl PasswordPage<'_> {
    pub(super) const FORM: &'static str = "share";

    /// The parameters that the form sends back unchanged.
    pub(super) fn parameters(&self) -> [(&str, &str); 1] {
        [("link", self.token)]
    }

    pub(super) fn screen(&self, status: StatusCode, browser: &mut Browser) -> Result<Screen, Refusal> {
        let token = browser.token_for(FormToken::new(Self::FORM, &self.parameters()))?;
        let content = html! {
            h1 { "This page has a password" }
            @if self.is_wrong { (error_summary("The password is wrong.")) }
            p { "Whoever sent you the link can tell you what it is." }
            form method="post" action=(address(self.token, None)) {
                input type="hidden" name=(FormToken::FIELD) value=(token);
                @if let Some(page) = self.page { input type="hidden" name="page" value=(page); }
                label for="password" { "Password" }
                input #password type="password" name="password" required autocomplete="off" autofocus
                    aria-invalid=[self.is_wrong.then_some("true")]
                    aria-describedby=[self.is_wrong.then_some("error")];
                button type="submit" { "Open" }
            }
        };
        let sheet = Sheet { title: "This page has a password".into(), is_error: self.is_wrong, content };
        Ok(Screen::page(status, sheet.into()).with_cookie(browser.fresh_cookie()))
    }
}
