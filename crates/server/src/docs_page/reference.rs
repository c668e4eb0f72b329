//! The reference: a page on which a viewer shows the description.
//!
//! The viewer takes about a second to start. Until then the page shows an overview that the server has written into it:
//! what all operations have in common, and a list of them. Browsers that run no scripts keep the overview.

use super::{
    assets::{address, first_scripts},
    guides::{GUIDES, PATH},
    text,
};
use crate::{
    answer::Document,
    openapi::OVERVIEW,
    route::{Area, BASE, Place, Route},
    screen::{FAVICON_PATH, Mark, generate_nonce},
};
use actix_web::web::Bytes;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use octavo_core_model::Fault;
use std::sync::LazyLock;

static INTRODUCTION: LazyLock<String> = LazyLock::new(|| text::html_of(&text::read(OVERVIEW)));

/// The page. A nonce that is new in every answer allows its style sheets; the viewer inserts its own with the same
/// nonce.
pub(crate) fn reference(areas: &[Area]) -> Result<Document, Fault> {
    let nonce = generate_nonce()?;
    let policy = format!(
        "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'nonce-{nonce}'; img-src 'self'; \
         form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    let body = Bytes::from(page(&nonce, areas).into_string());
    Ok(Document {
        media: "text/html; charset=utf-8",
        body,
        policy: policy.into(),
        etag: None,
        is_brotli: false,
        encodings: None,
    })
}

fn page(nonce: &str, areas: &[Area]) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta property="csp-nonce" content=(nonce);
                title { "Reference · Octavo" }
                link rel="icon" href=(FAVICON_PATH) type="image/svg+xml";
                link rel="stylesheet" nonce=(nonce) href=(address("page.css"));
                link rel="preload" as="fetch" crossorigin href="docs/openapi.json";
                @for script in first_scripts() { link rel="modulepreload" href=(address(script)); }
                script type="module" src=(address("start.js")) {}
            }
            body {
                nav .bar aria-label="Documentation" {
                    a .brand href="/" { (Mark) "Octavo" }
                    a href="/docs" aria-current="page" { "Reference" }
                    a href=(PATH) { "Guides" }
                    a href="/docs/openapi.yaml" { "OpenAPI" }
                }
                main #overview tabindex="0" { (overview(areas)) }
                div #reference {}
            }
        }
    }
}

fn overview(areas: &[Area]) -> Markup {
    html! {
        h1 { "Octavo" }
        p {
            "Guides: "
            @for (number, guide) in GUIDES.iter().enumerate() {
                @if number > 0 { ", " }
                a href=(guide.path()) { (guide.title) }
            }
            "."
        }
        (PreEscaped(&*INTRODUCTION))
        @for area in areas.iter().filter(|area| published(area).next().is_some()) {
            h2 { (area.name) }
            p { (area.about) }
            ul .operations {
                @for route in published(area) {
                    li { code { (route.method) " " (base(route)) (route.path) } (route.summary) }
                }
            }
        }
    }
}

fn published(area: &Area) -> impl Iterator<Item = &'static Route> + use<> {
    area.routes().filter(|route| route.options.published)
}

const fn base(route: &Route) -> &'static str {
    match route.options.place {
        Place::Api => BASE,
        Place::Origin | Place::Both => "",
    }
}
