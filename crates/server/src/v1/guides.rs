//! `/docs/guides`: how to begin with the API.

use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    docs_page::{GUIDES, GUIDES_PATH, Guide, guide},
    refusal::Refusal,
    request::{AdmittedRequest, Inputs, Part},
    route::{Place, Surface, routes},
    screen::{Article, Html, Page, Screen},
};
use actix_web::http::StatusCode;
use maud::{Markup, PreEscaped, html};
use octavo_app::Call;
use octavo_core_model::Fault;
use serde_json::json;

routes! {
    /// Lists the guides.
    ///
    /// For browsers, not part of the API.
    GET "/docs/guides" => list {
        caller: Anyone,
        limits: [Screens],
        takes: (),
        answers: { 200: Html },
        refusals: [],
        events: [],
        place: Place::Origin,
        surface: Surface::Screen,
        published: false,
        cache: CACHE,
    }

    /// Shows a guide.
    ///
    /// For browsers, not part of the API.
    GET "/docs/guides/{name}" => show {
        caller: Anyone,
        limits: [Screens],
        takes: (name: GuideName),
        answers: { 200: Html },
        refusals: [Fault::NotFound],
        events: [],
        place: Place::Origin,
        surface: Surface::Screen,
        published: false,
        cache: CACHE,
    }
}

/// Guides are part of the program, so they change with it only.
const CACHE: &str = "private, max-age=600";

/// The name of a guide, as in the path.
#[derive(Debug)]
struct GuideName;

impl Part for GuideName {
    type Extracted = Option<&'static Guide>;

    fn extract(admitted: &mut AdmittedRequest) -> Option<&'static Guide> {
        admitted.next_segment().and_then(guide)
    }

    fn describe(inputs: &mut Inputs) {
        inputs.path.push((json!({ "type": "string" }), json!("getting-started")));
    }
}

async fn list(_: Dispatcher, _: Call) -> Answer {
    let content = html! {
        header { h1 { "Guides" } }
        div .content {
            p { "How to use the API of this server. The " a href="/docs" { "reference" } " describes every operation." }
            @for guide in GUIDES.iter() {
                h2 { a href=(guide.path()) { (guide.title) } }
                p { (guide.summary) }
            }
        }
    };
    page("Guides".into(), content)
}

async fn show(_: Dispatcher, _: Call, shown: Option<&'static Guide>) -> Answer {
    let Some(shown) = shown else { return Refusal::Fault(Fault::NotFound).into() };
    let content = html! {
        header { h1 { (shown.title) } }
        article .content { (PreEscaped(&shown.html)) }
        nav .below-page aria-labelledby="guides" {
            h2 #guides { "Other guides" }
            ul .pages {
                @for other in GUIDES.iter().filter(|other| other.name != shown.name) {
                    li { a href=(other.path()) { (other.title) } }
                }
                li { a href="/docs" { "Reference of all operations" } }
            }
        }
    };
    page(shown.title.clone(), content)
}

fn page(title: String, content: Markup) -> Answer {
    let navigation = html! {
        nav .breadcrumbs aria-label="Documentation" {
            a href="/" { "This server" }
            a href="/docs" { "Reference" }
            a href=(GUIDES_PATH) { "Guides" }
        }
    };
    let article = Article { title: title.into(), about: html! {}, navigation, banner: None, content };
    Screen::page(StatusCode::OK, Page::from(article)).into()
}

#[cfg(test)]
mod tests {
    use super::ROUTES;
    use crate::docs_page::GUIDES_PATH;

    #[test]
    fn links_name_the_path_of_the_guides() {
        assert_eq!(ROUTES[0].path, GUIDES_PATH);
    }
}
