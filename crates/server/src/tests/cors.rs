//! Pages of other origins.

use super::{server::settings, *};
use crate::{Cors, Settings};
use serde_json::json;
use std::collections::BTreeSet;

const PAGE: &str = "https://app.example";

fn server(cors: Cors) -> Server {
    Server::start_with(Settings { cors, ..settings() })
}

fn words(answer: &Answer, name: &str) -> BTreeSet<String> {
    answer.header(name).unwrap_or_default().split(", ").map(str::to_lowercase).collect()
}

#[test]
fn an_allowed_page_may_ask_and_read_but_never_with_cookies() {
    let server = server(Cors::Listed(vec![PAGE.to_owned()]));
    let preflight = request("OPTIONS /api/v1/users/me")
        .header("Origin", PAGE)
        .header("Access-Control-Request-Method", "PATCH")
        .header("Access-Control-Request-Headers", "authorization, content-type");
    let answer = server.send(&preflight);
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (204, Some(PAGE)));
    assert_eq!(answer.header("access-control-max-age"), Some("600"));
    assert_eq!(answer.header("vary"), Some("Origin"), "a cache keeps the answers apart");
    assert!(words(&answer, "access-control-allow-methods").is_superset(&["get".into(), "patch".into()].into()));
    let headers = ["authorization", "content-type", "idempotency-key", "x-service-workspace"].map(String::from);
    assert!(words(&answer, "access-control-allow-headers").is_superset(&headers.into()), "{answer:?}");

    for answer in [
        server.send(&request("GET /api/v1/users/me").header("Origin", PAGE)),
        server.send(&request("GET /api/v1/nothing").header("Origin", PAGE)),
    ] {
        assert_eq!(answer.header("access-control-allow-origin"), Some(PAGE));
        let exposed = words(&answer, "access-control-expose-headers");
        for name in
            ["x-request-id", "x-ratelimit-remaining", "ratelimit", "retry-after", "idempotency-replayed", "sunset"]
        {
            assert!(exposed.contains(name), "{name}");
        }
        assert_eq!(answer.header("access-control-allow-credentials"), None);
    }
}

#[test]
fn a_page_nobody_listed_gets_no_permission() {
    let server = server(Cors::Listed(vec![PAGE.to_owned()]));
    for origin in ["https://evil.example", "http://app.example", "https://app.example.evil.example", "null"] {
        for line in ["OPTIONS /api/v1/users/me", "GET /api/v1/users/me"] {
            let answer = server.send(&request(line).header("Origin", origin));
            assert!(answer.headers.iter().all(|(name, _)| !name.starts_with("access-control-")), "{origin} {answer:?}");
        }
    }
}

#[test]
fn a_deployment_may_let_every_page_call() {
    let answer = server(Cors::Any).send(&request("GET /api/v1/users/me").header("Origin", "https://evil.example"));
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    assert_eq!(answer.header("access-control-allow-credentials"), None);
}

#[test]
fn the_documentation_page_is_for_its_own_origin() {
    let server = server(Cors::Any);
    let start = format!("GET /docs/assets/{}/start.js", *crate::docs_page::DIGEST);
    for line in ["GET /docs", &start] {
        let answer = server.send(&request(line).header("Origin", PAGE));
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, None), "{line}");
    }
}

#[test]
fn a_viewer_of_another_origin_may_load_the_description() {
    let server = server(Cors::Listed(vec![PAGE.to_owned()]));
    for path in ["/docs/openapi.json", "/docs/openapi.yaml", "/api/v1/docs/openapi.json"] {
        let sent = |origin: &str| server.send(&request(&format!("GET {path}")).header("Origin", origin));
        let answer = sent(PAGE);
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, Some(PAGE)), "{path}");
        assert!(words(&answer, "access-control-expose-headers").contains("etag"), "{answer:?}");
        assert!(words(&answer, "vary").contains("origin"), "a cache keeps the answers apart");
        assert_eq!(sent("https://evil.example").header("access-control-allow-origin"), None, "{path}");
    }
}

#[test]
fn an_allowed_page_may_read_an_exported_page() {
    let server = server(Cors::Listed(vec![PAGE.to_owned()]));
    let ada = server.person("ada");
    let created = server.send(&request("POST /api/v1/pages").bearer(&ada.token).json(&json!({ "title": "Plan" })));
    let id = created.json()["data"]["id"].as_str().unwrap().to_owned();
    let export = |origin: &str| {
        let export = request(&format!("GET /api/v1/pages/{id}/export?format=markdown"));
        server.send(&export.bearer(&ada.token).header("Origin", origin))
    };
    let answer = export(PAGE);
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, Some(PAGE)));
    assert!(words(&answer, "access-control-expose-headers").contains("content-disposition"), "{answer:?}");
    assert!(words(&answer, "vary").contains("origin"), "a cache keeps the answers apart");
    assert_eq!(export("https://evil.example").header("access-control-allow-origin"), None);
}

#[test]
fn any_page_may_use_a_signed_address() {
    let server = server(Cors::Listed(vec![PAGE.to_owned()]));
    let refused = server.send(&request("GET /api/v1/files/blob/x").header("Origin", "https://other.example"));
    let preflight = request("OPTIONS /api/v1/files/blob/x").header("Origin", "https://other.example");
    let allowed = server.send(&preflight.header("Access-Control-Request-Method", "GET"));
    for (answer, status) in [(&refused, 403), (&allowed, 204)] {
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (status, Some("*")), "{answer:?}");
        assert_eq!(answer.header("access-control-allow-credentials"), None);
    }
    let headers = ["range", "if-range", "if-none-match"].map(String::from);
    assert!(words(&allowed, "access-control-allow-headers").is_superset(&headers.into()), "{allowed:?}");
}
