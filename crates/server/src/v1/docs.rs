//! `/docs`: the published description, as a page and as a file.

use super::AREAS;
use crate::{
    answer::{Answer, Document},
    dispatcher::Dispatcher,
    docs_page, openapi,
    refusal::Refusal,
    request::{AdmittedRequest, Part, Takes},
    route::{Place, RouteReply, routes},
    screen::Html,
    wire::Documented,
};
use actix_web::web::Bytes;
use octavo_app::Call;
use serde_json::{Value, json};
use std::{borrow::Cow, sync::LazyLock};

routes! {
    /// Shows the description as an interactive page.
    ///
    /// The page loads everything from this service.
    GET "/docs" as showDocs => page {
        caller: Anyone,
        limits: [],
        takes: (),
        answers: { 200: Html },
        refusals: [],
        events: [],
        place: Place::Both,
    }

    /// Returns the description.
    ///
    /// OpenAPI 3.1, generated from the declarations that also serve the calls.
    GET "/docs/openapi.yaml" as getDescriptionYaml => yaml {
        caller: Anyone,
        limits: [],
        takes: (),
        answers: { 200: Yaml },
        refusals: [],
        events: [],
        place: Place::Both,
    }

    /// Returns a file of the page.
    ///
    /// Not part of the API.
    GET "/docs/assets/{name}" => asset {
        caller: Anyone,
        limits: [],
        takes: (name: AssetName),
        answers: { 200: File },
        refusals: [],
        events: [],
        place: Place::Both,
        free: true,
        published: false,
        cache: "public, max-age=86400",
    }
}

/// Declares an answer that is not JSON.
macro_rules! shown_as {
    ($($(#[doc = $about:literal])+ $name:ident $media:literal $example:literal;)*) => {$(
        $(#[doc = $about])+
        #[derive(Debug)]
        struct $name;

        impl Documented for $name {
            fn schema() -> Value {
                json!({ "type": "string" })
            }

            fn example() -> Value {
                $example.into()
            }
        }

        impl RouteReply for $name {
            const MEDIA: &'static str = $media;
        }
    )*};
}

shown_as! {
    /// The description.
    Yaml "application/yaml" "openapi: 3.1.0";
    /// A file of the page.
    File "application/octet-stream" "";
}

/// The name of a file, as in the path.
#[derive(Debug)]
struct AssetName;

impl Part for AssetName {
    type Extracted = String;

    fn extract(admitted: &mut AdmittedRequest) -> String {
        admitted.next_segment().unwrap_or_default().to_owned()
    }

    fn describe(takes: &mut Takes) {
        takes.path.push((json!({ "type": "string" }), json!("start.js")));
    }
}

async fn page(_: Dispatcher, _: Call) -> Answer {
    match docs_page::page() {
        Ok(page) => page.into(),
        Err(fault) => Refusal::Fault(fault).into(),
    }
}

async fn yaml(_: Dispatcher, _: Call) -> Answer {
    static YAML: LazyLock<Bytes> = LazyLock::new(|| Bytes::from(openapi::openapi_yaml(AREAS)));
    let policy = Cow::Borrowed("default-src 'none'; frame-ancestors 'none'");
    Document { media: "application/yaml", body: YAML.clone(), policy }.into()
}

async fn asset(_: Dispatcher, _: Call, name: String) -> Answer {
    docs_page::asset(&name).map_or_else(|| Refusal::UnknownPath.into(), Answer::from)
}
