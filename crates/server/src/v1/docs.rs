//! `/docs`: the published description, as a page and as files.

use super::AREAS;
use crate::{
    answer::{Answer, Document},
    dispatcher::Dispatcher,
    docs_page, entity_tag, openapi,
    refusal::Refusal,
    request::{AdmittedRequest, Inputs, Part},
    route::{CrossOrigin, Nothing, Place, RouteReply, routes},
    screen::Html,
    wire::Documented,
};
use actix_web::web::Bytes;
use octavo_app::Call;
use serde_json::{Value, json};
use std::{
    borrow::Cow,
    sync::{Arc, LazyLock},
};
use tracing::Level;

routes! {
    /// Shows the description in a viewer.
    ///
    /// A page with search, samples and a form for trying each operation. It loads everything from this service.
    GET "/docs" as showDocs => page {
        caller: Anyone,
        limits: [],
        takes: (),
        answers: { 200: Html },
        refusals: [],
        events: [],
        place: Place::Both,
        cross_origin: CrossOrigin::Nobody,
    }

    /// Returns the description as YAML.
    ///
    /// OpenAPI 3.1, generated from the declarations that also serve the calls.
    GET "/docs/openapi.yaml" as getDescriptionYaml => yaml {
        caller: Anyone,
        limits: [],
        takes: (),
        answers: { 200: Yaml, 304: Nothing },
        refusals: [],
        events: [],
        place: Place::Both,
        cache: "no-cache",
    }

    /// Returns the description as JSON.
    ///
    /// The same content as in `/docs/openapi.yaml`.
    GET "/docs/openapi.json" as getDescriptionJson => json {
        caller: Anyone,
        limits: [],
        takes: (),
        answers: { 200: JsonDescription, 304: Nothing },
        refusals: [],
        events: [],
        place: Place::Both,
        cache: "no-cache",
    }

    /// Returns a file of the page.
    ///
    /// Not part of the API.
    GET "/docs/assets/{digest}/{name}" => asset {
        caller: Anyone,
        limits: [],
        takes: (digest: Digest, name: AssetName),
        answers: { 200: File },
        refusals: [],
        events: [],
        place: Place::Both,
        free: true,
        published: false,
        cache: ASSET_CACHE,
        cross_origin: CrossOrigin::Nobody,
        logged_at: Level::DEBUG,
    }

    /// Returns a script of the viewer.
    ///
    /// Not part of the API.
    GET "/docs/assets/{digest}/chunks/{name}" => chunk {
        caller: Anyone,
        limits: [],
        takes: (digest: Digest, name: ChunkName),
        answers: { 200: File },
        refusals: [],
        events: [],
        place: Place::Both,
        free: true,
        published: false,
        cache: ASSET_CACHE,
        cross_origin: CrossOrigin::Nobody,
        logged_at: Level::DEBUG,
    }
}

/// The description in JSON.
#[derive(Debug)]
struct JsonDescription;

impl Documented for JsonDescription {
    fn schema() -> Value {
        json!({ "type": "object", "additionalProperties": true })
    }

    fn example() -> Value {
        json!({ "openapi": "3.1.0" })
    }
}

impl RouteReply for JsonDescription {}

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

/// Files never change: those of the next release have other addresses.
const ASSET_CACHE: &str = "public, max-age=31536000, immutable";

/// A part of the path of a file.
macro_rules! part_of_path {
    ($($(#[doc = $about:literal])+ $name:ident $example:expr;)*) => {$(
        $(#[doc = $about])+
        #[derive(Debug)]
        struct $name;

        impl Part for $name {
            type Extracted = String;

            fn extract(admitted: &mut AdmittedRequest) -> String {
                admitted.next_segment().unwrap_or_default().to_owned()
            }

            fn describe(inputs: &mut Inputs) {
                inputs.path.push((json!({ "type": "string" }), json!($example)));
            }
        }
    )*};
}

part_of_path! {
    /// The digest of all files.
    Digest *docs_page::DIGEST;
    /// The name of a file.
    AssetName "start.js";
    /// The name of a script of the viewer.
    ChunkName docs_page::example_chunk();
}

async fn page(_: Dispatcher, _: Call) -> Answer {
    match docs_page::reference(AREAS) {
        Ok(page) => page.into(),
        Err(fault) => Refusal::Fault(fault).into(),
    }
}

async fn yaml(_: Dispatcher, _: Call) -> Answer {
    static YAML: LazyLock<Document> = LazyLock::new(|| description("application/yaml", openapi::openapi_yaml(AREAS)));
    YAML.clone().into()
}

async fn json(_: Dispatcher, _: Call) -> Answer {
    static JSON: LazyLock<Document> = LazyLock::new(|| description("application/json", openapi::openapi_json(AREAS)));
    JSON.clone().into()
}

fn description(media: &'static str, text: String) -> Document {
    let policy = Cow::Borrowed("default-src 'none'; frame-ancestors 'none'");
    Document {
        media,
        etag: Some(entity_tag::of_content(text.as_bytes())),
        body: Bytes::from(text),
        policy,
        is_brotli: false,
        encodings: Some(Arc::default()),
    }
}

async fn asset(_: Dispatcher, _: Call, digest: String, name: String) -> Answer {
    docs_page::asset(&digest, &name).map_or_else(|| Refusal::UnknownPath.into(), Answer::from)
}

async fn chunk(dispatcher: Dispatcher, call: Call, digest: String, name: String) -> Answer {
    asset(dispatcher, call, digest, format!("chunks/{name}")).await
}
