//! What a browser shows of a share link: its page, or the form for the password.

use super::{
    address::shared_page_address,
    label::{label, name},
    shared_table::{rows, values},
};
use crate::{
    refusal::Refusal,
    screen::{Article, BoundForm, Browser, Card, Page, Screen, day, error_summary, token_input},
};
use actix_web::http::StatusCode;
use maud::{Markup, PreEscaped, html};
use octavo_app::share_links::{Node, SharedPage};
use octavo_core_model::{
    page::{PageKind, ResourceId},
    text::WebAddress,
};

/// The page of a link.
#[derive(Debug)]
pub(super) struct SharedPageView<'a> {
    pub(super) token: &'a str,
    /// The public origin of the service.
    pub(super) origin: &'a str,
    pub(super) shown: &'a SharedPage,
    /// Its content as HTML; `None` if there are no blocks.
    pub(super) text: Option<&'a str>,
    /// The beginning of its text.
    pub(super) description: &'a str,
    /// The children that its blocks do not show.
    pub(super) children: &'a [&'a Node],
}

impl SharedPageView<'_> {
    pub(super) fn screen(&self) -> Screen {
        let SharedPage { link, page, ancestors, .. } = self.shown;
        let cover = page.cover_url.as_ref().and_then(Cover::of);
        let article = Article {
            title: name(page.title.as_str()).to_owned().into(),
            about: self.about(cover.as_ref()),
            navigation: self.breadcrumbs(ancestors),
            banner: cover.as_ref().map(Cover::render),
            content: self.content(),
        };
        Screen::page(StatusCode::OK, Page::from(article).indexable(link.allow_indexing))
            .indexable(link.allow_indexing)
            .with_picture_origin(cover.map(|cover| cover.origin))
    }

    /// Nothing if there is a password: programs that show links do not know it.
    fn about(&self, cover: Option<&Cover<'_>>) -> Markup {
        let SharedPage { link, page, .. } = self.shown;
        let is_page_of_link = page.id == link.page;
        let address = shared_page_address(self.token, (!is_page_of_link).then_some(page.resource()));
        html! {
            @if link.password.is_none() {
                meta property="og:type" content="article";
                meta property="og:site_name" content="Octavo";
                meta property="og:title" content=(name(page.title.as_str()));
                meta property="og:url" content={ (self.origin) (address) };
                @if !self.description.is_empty() {
                    meta name="description" content=(self.description);
                    meta property="og:description" content=(self.description);
                }
                @if let Some(cover) = cover { meta property="og:image" content=(cover.address); }
                meta name="twitter:card" content=(if cover.is_some() { "summary_large_image" } else { "summary" });
            }
        }
    }

    fn breadcrumbs(&self, ancestors: &[Node]) -> Markup {
        html! {
            @if !ancestors.is_empty() {
                nav .breadcrumbs aria-label="Pages above" {
                    @for (number, node) in ancestors.iter().enumerate() {
                        // The first one is the page of the link.
                        a href=(shared_page_address(self.token, (number > 0).then_some(node.id))) {
                            (label(&node.title, node.icon.as_ref()))
                        }
                    }
                }
            }
        }
    }

    fn content(&self) -> Markup {
        let SharedPage { page, content, .. } = self.shown;
        html! {
            header {
                h1 dir="auto" { (label(&page.title, page.icon.as_ref())) }
                p .aside { "Changed " (day(page.updated_at)) }
            }
            @if let Some(table) = self.shown.table.as_ref().filter(|table| !table.columns.is_empty()) {
                div .content dir="auto" {
                    @match page.kind {
                        PageKind::Record => { (values(table)) }
                        PageKind::Page | PageKind::Database => { (rows(table, self.token)) }
                    }
                }
            }
            @if let Some(text) = self.text.filter(|text| !text.is_empty()) {
                article .content dir="auto" { (PreEscaped(text)) }
            }
            @if content.is_truncated {
                p .aside { "Only the beginning of this long page is shown." }
            }
            @if self.children.is_empty() && self.text.is_none() && self.shown.table.is_none() {
                p .aside { "There is nothing on this page yet." }
            }
            @if !self.children.is_empty() { (self.list()) }
        }
    }

    fn list(&self) -> Markup {
        html! {
            nav .below-page aria-labelledby="pages" {
                h2 #pages { "Pages" }
                ul .pages {
                    @for node in self.children {
                        li {
                            a href=(shared_page_address(self.token, Some(node.id))) {
                                (label(&node.title, node.icon.as_ref()))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The picture above a page. It is the only thing that a page loads from another origin, and its owner chose it.
#[derive(Debug)]
struct Cover<'a> {
    address: &'a str,
    origin: String,
}

impl<'a> Cover<'a> {
    /// `None` if the policy of the page cannot name the origin of the picture.
    fn of(address: &'a WebAddress) -> Option<Self> {
        let address = address.as_str();
        Some(Self { address, origin: origin_of(address)? })
    }

    /// The address of the page contains the token of the link, which is not for the origin of the picture.
    fn render(&self) -> Markup {
        html! { img .cover src=(self.address) alt="" referrerpolicy="no-referrer"; }
    }
}

/// The origin of an address. Hosts may contain characters that separate the parts of a policy; such a host has none.
fn origin_of(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once("://")?;
    let host = rest.split(['/', '\\', '?', '#']).next().filter(|host| !host.is_empty())?;
    let is_plain = host.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b':'));
    let scheme = ["https", "http"].into_iter().find(|known| scheme.eq_ignore_ascii_case(known))?;
    is_plain.then(|| format!("{scheme}://{}", host.to_ascii_lowercase()))
}

/// The form for the password of a link.
#[derive(Debug)]
pub(super) struct PasswordPage<'a> {
    pub(super) token: &'a str,
    /// The descendant that was requested, if it is not the page of the link.
    pub(super) page: Option<ResourceId>,
    pub(super) is_wrong: bool,
}

impl PasswordPage<'_> {
    pub(super) const FORM: &'static str = "share";

    /// The parameters that the form sends back unchanged.
    pub(super) fn parameters(&self) -> [(&str, &str); 1] {
        [("link", self.token)]
    }

    pub(super) fn screen(&self, status: StatusCode, browser: &mut Browser) -> Result<Screen, Refusal> {
        let token = browser.token_for(BoundForm::new(Self::FORM, &self.parameters()))?;
        let content = html! {
            h1 { "This page has a password" }
            @if self.is_wrong { (error_summary("The password is wrong.")) }
            p { "Whoever sent you the link can tell you what it is." }
            form method="post" action=(shared_page_address(self.token, None)) {
                (token_input(&token))
                @if let Some(page) = self.page { input type="hidden" name="page" value=(page); }
                label for="password" { "Password" }
                input #password type="password" name="password" required autocomplete="off" autofocus
                    aria-invalid=[self.is_wrong.then_some("true")]
                    aria-describedby=[self.is_wrong.then_some("error")];
                button type="submit" { "Open" }
            }
        };
        let card = Card { title: "This page has a password".into(), is_error: self.is_wrong, content };
        Ok(Screen::page(status, card.into()).with_cookie(browser.fresh_cookie()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_names_only_plain_hosts() {
        for (address, origin) in [
            ("https://Example.com:8443/a;b?c", Some("https://example.com:8443")),
            ("HTTP://example.com", Some("http://example.com")),
            ("https://e.x\\@evil.test", Some("https://e.x")),
            ("https://e.x;script-src", None),
            ("https://a,b/", None),
            ("https://'self'/", None),
            ("ftp://e.x", None),
            ("https:///a", None),
        ] {
            assert_eq!(origin_of(address).as_deref(), origin, "{address}");
        }
    }
}
