//! Compressed answers.

use super::*;
use crate::{AREAS, route::Area, wire::Named};
use serde_json::{Value, json};
use std::{collections::BTreeSet, io::Read};

/// More than a kilobyte, without a secret in it.
const LONG: &str = "/api/v1/debug/events";

fn long(server: &Server, codings: &str) -> Answer {
    server.send(&request(&format!("GET {LONG}")).header("Accept-Encoding", codings))
}

#[test]
fn a_long_answer_is_compressed_as_the_client_likes_it() {
    let server = Server::start();
    let plain = server.get(LONG);
    assert!(plain.raw.len() > 1024 && plain.header("content-encoding").is_none());

    let zstd = long(&server, "gzip, deflate, br, zstd");
    assert_eq!(zstd.header("content-encoding"), Some("zstd"));
    let zstd = zstd::stream::decode_all(&*zstd.raw).unwrap();
    let brotli = long(&server, "br, gzip;q=0.9");
    assert_eq!(brotli.header("content-encoding"), Some("br"));
    let mut decoded = Vec::new();
    brotli::BrotliDecompress(&mut &*brotli.raw, &mut decoded).unwrap();
    let gzip = long(&server, "gzip, br;q=0");
    assert_eq!(gzip.header("content-encoding"), Some("gzip"));
    let mut unzipped = Vec::new();
    flate2::read::GzDecoder::new(&*gzip.raw).read_to_end(&mut unzipped).unwrap();
    for same in [zstd, decoded, unzipped] {
        assert_eq!(same, plain.raw);
    }
    for answer in [&plain, &gzip] {
        assert!(answer.header("vary").unwrap().contains("Accept-Encoding"), "{answer:?}");
    }
    assert!(gzip.raw.len() < plain.raw.len());
    for untouched in ["identity", "deflate", "gzip;q=0"] {
        assert_eq!(long(&server, untouched).raw, plain.raw, "{untouched}");
    }
}

#[test]
fn head_says_what_get_would_send() {
    let server = Server::start();
    let get = long(&server, "zstd");
    let head = server.send(&request(&format!("HEAD {LONG}")).header("Accept-Encoding", "zstd"));
    for name in ["content-encoding", "content-length", "content-type", "vary"] {
        assert_eq!(head.header(name), get.header(name), "{name}");
    }
    assert!(head.raw.is_empty() && head.header("content-encoding").is_some());
}

#[test]
fn a_short_answer_is_compressed_only_for_clients_that_refuse_it_as_it_is() {
    let server = Server::start();
    let short = |codings: &str| server.send(&request("GET /health").header("Accept-Encoding", codings));
    assert_eq!(short("zstd, br, gzip").header("content-encoding"), None);
    assert_eq!(short("gzip, identity;q=0").header("content-encoding"), Some("gzip"));
    assert_eq!(short("*;q=0").header("content-encoding"), None, "there is no other way to answer");
}

#[test]
fn a_refusal_is_compressed_like_any_other_answer() {
    let server = Server::start();
    let flawed = request("GET /api/v1/users/me").header("Accept-Encoding", "gzip, identity;q=0");
    let answer = server.send(&flawed);
    assert_eq!((answer.status, answer.header("content-encoding")), (401, Some("gzip")));
}

#[test]
fn an_answer_that_hands_out_a_token_stays_as_it_is() {
    let server = Server::start();
    let ada = server.person("ada");
    let body = json!({ "email": ada.email, "password": "Correct-Horse-7" });
    let login = request("POST /api/v1/auth/login").header("Accept-Encoding", "gzip, identity;q=0").json(&body);
    let answer = server.send(&login);
    assert_eq!((answer.status, answer.header("content-encoding")), (200, None));
    assert!(answer.json()["data"]["accessToken"].is_string());
    let page = request("GET /oauth/login").header("Accept-Encoding", "gzip, identity;q=0");
    assert_eq!(server.send(&page).header("content-encoding"), None, "its form has a token");
}

/// Words in the name of a field that hint at a token, a secret or a signed address.
const HINTS: &[&str] = &[
    "token",
    "secret",
    "password",
    "code",
    "key",
    "url",
    "uri",
    "address",
    "link",
    "cookie",
    "nonce",
    "signature",
    "credential",
    "verifier",
    "ticket",
];

/// Fields that only sound like it.
const HARMLESS: &[&str] = &[
    "deepLink",
    "authorization_endpoint",
    "avatarUrl",
    "code_challenge_methods_supported",
    "coverUrl",
    "hasPassword",
    "iconUrl",
    "ipAddress",
    "jwks_uri",
    // Public keys.
    "keys",
    "linkCount",
    "logoUrl",
    "publicUrl",
    "redirectUris",
    "shareLinks",
    "token_endpoint",
    "token_endpoint_auth_methods_supported",
    "token_type",
];

/// The same on one route: the code of an error.
const HARMLESS_THERE: &[(&str, &str)] = &[
    ("/databases/{databaseId}/records/bulk", "code"),
    // What the records of a group have in common.
    ("/databases/{databaseId}/records", "key"),
    ("/databases/{databaseId}/query", "key"),
    ("/public/shares/{token}/databases/{databaseId}/query", "key"),
    // The same of the points of a chart.
    ("/charts/{chartId}/data", "key"),
    ("/charts/preview", "key"),
    ("/dashboards/{dashboardId}/data", "key"),
    ("/dashboards/{dashboardId}/data", "code"),
];

/// Every answer with a field that sounds like a secret must have a secret type for it, unless the field is listed as
/// harmless here.
#[test]
fn every_route_whose_answer_holds_a_secret_is_known_by_the_types_of_its_fields() {
    let mut suspicious = BTreeSet::new();
    for route in AREAS.iter().flat_map(Area::routes).filter(|route| route.may_compress()) {
        for answer in route.answers {
            let mut components = Named::new();
            (answer.shape.collect)(&mut components);
            // What users wrote into a block is no secret of the service, whatever its keys are called.
            components.retain(|name, _| !name.ends_with("Content") && !name.ends_with("Mark"));
            let mut names = BTreeSet::new();
            let schemas = [(answer.shape.schema)()].into_iter().chain(components.into_values());
            schemas.for_each(|schema| field_names(&schema, &mut names));
            let sounds_so = |name: &String| {
                let lower = name.to_lowercase();
                HINTS.iter().any(|hint| lower.contains(hint))
                    && !HARMLESS.contains(&name.as_str())
                    && !HARMLESS_THERE.contains(&(route.path, name.as_str()))
            };
            suspicious.extend(
                names.into_iter().filter(sounds_so).map(|name| format!("{} {}: {name}", route.method, route.path)),
            );
        }
    }
    assert!(suspicious.is_empty(), "{suspicious:#?}");
}

/// Checks the routes that return secrets, so that none of them is compressed by accident.
#[test]
fn routes_that_hand_out_secrets_are_not_compressed() {
    let withheld: BTreeSet<_> = AREAS
        .iter()
        .flat_map(Area::routes)
        .filter(|route| !route.is_screen() && !route.may_compress())
        .map(|route| format!("{} {}", route.method, route.path))
        .collect();
    for route in [
        "POST /auth/login",
        "POST /auth/refresh",
        "POST /auth/register",
        "POST /oauth/authorize",
        "POST /oauth/token",
        "POST /workspaces/{workspaceId}/api-keys",
        "POST /workspaces/{workspaceId}/api-keys/{apiKeyId}/rotate",
        "POST /workspaces/{workspaceId}/invitations",
        "POST /workspaces/{workspaceId}/invitations/{invitationId}/resend",
        "POST /workspaces/{workspaceId}/oauth/apps",
        "GET /jobs/{jobId}",
    ] {
        assert!(withheld.contains(route), "{route} {withheld:#?}");
    }
    for list in ["api-keys", "invitations", "oauth/apps"] {
        let list = format!("GET /workspaces/{{workspaceId}}/{list}");
        assert!(!withheld.contains(&list), "{list} shows no secret");
    }
}

#[test]
fn an_exported_page_is_compressed_in_every_format() {
    let server = Server::start();
    let ada = server.person("ada");
    let page = json!({ "title": "Plan", "markdown": "Some text. ".repeat(300) });
    let created = server.send(&request("POST /api/v1/pages").bearer(&ada.token).json(&page));
    let id = created.json()["data"]["id"].as_str().unwrap().to_owned();
    for format in ["markdown", "html", "json"] {
        let export = request(&format!("GET /api/v1/pages/{id}/export?format={format}")).bearer(&ada.token);
        let plain = server.send(&export);
        let gzip = server.send(&export.header("Accept-Encoding", "gzip"));
        assert_eq!((gzip.status, gzip.header("content-encoding")), (200, Some("gzip")), "{format}");
        assert!(gzip.header("vary").unwrap().contains("Accept-Encoding"), "{gzip:?}");
        let mut unzipped = Vec::new();
        flate2::read::GzDecoder::new(&*gzip.raw).read_to_end(&mut unzipped).unwrap();
        assert_eq!(unzipped, plain.raw, "{format}");
    }
}

#[test]
fn the_front_page_is_compressed_unless_it_has_a_form() {
    let answer = Server::start().send(&request("GET /").header("Accept-Encoding", "gzip"));
    assert_eq!((answer.status, answer.header("content-encoding")), (200, Some("gzip")));
    assert!(answer.header("vary").unwrap().contains("Accept-Encoding"), "{answer:?}");
}

fn field_names(schema: &Value, names: &mut BTreeSet<String>) {
    match schema {
        Value::Object(parts) => {
            if let Some(Value::Object(fields)) = parts.get("properties") {
                names.extend(fields.keys().cloned());
            }
            parts.values().for_each(|part| field_names(part, names));
        }
        Value::Array(parts) => parts.iter().for_each(|part| field_names(part, names)),
        _ => {}
    }
}
