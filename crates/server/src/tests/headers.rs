//! Headers that every answer has, and the order of checks.

use super::*;
use crate::route::BASE;
use serde_json::json;

/// Answers of every kind: successful, refused at every check, not found, not HTTP.
fn answers(server: &Server) -> Vec<Answer> {
    let person = server.person("ada");
    vec![
        server.get("/health"),
        server.get("/nothing/here"),
        server.send(&request("DELETE /health")),
        server.get("/api/v1/users/me"),
        server.send(&request("GET /api/v1/users/me").bearer("junk")),
        server.send(&request("GET /api/v1/users/me").bearer(&person.token)),
        server.send(&request("HEAD /api/v1/users/me").bearer(&person.token)),
        server.send(&request("OPTIONS /api/v1/users/me")),
        server.post("/api/v1/auth/login", &json!({})),
        server.send(&request("POST /api/v1/auth/login").text("text/plain", "x")),
        server.send(&request("POST /api/v1/auth/login").text("application/json", "{")),
        server.send(&request("POST /api/v1/auth/logout").bearer(&person.token)),
        server.get("/docs"),
        server.get("/docs/openapi.yaml"),
        server.get("/docs/assets/start.js"),
        server.get("/api/v1/test/panic"),
        server.send_raw(b"GET / HTTP/1.1\r\nBad Header\r\n\r\n").unwrap(),
    ]
}

#[test]
fn every_answer_has_a_request_id_and_the_common_headers() {
    let server = Server::start();
    let mut ids = std::collections::BTreeSet::new();
    for answer in answers(&server) {
        let id = answer.header("x-request-id").unwrap().to_owned();
        assert!(id.starts_with("req_") && id.len() == 30, "{id}");
        assert!(ids.insert(id), "an id is used once");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("x-frame-options", "DENY"),
            ("strict-transport-security", "max-age=31536000; includeSubDomains"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{answer:?}");
        }
        assert_eq!(answer.header("server"), None);
        assert!(answer.header("cache-control").is_some() && answer.header("date").is_some(), "{answer:?}");
        for name in ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"] {
            assert!(answer.header(name).unwrap().parse::<u64>().is_ok(), "{answer:?}");
        }
        if answer.header("content-type") == Some("application/json") {
            let policy = "default-src 'none'; frame-ancestors 'none'";
            assert_eq!(answer.header("content-security-policy"), Some(policy));
            assert_eq!(answer.header("vary"), Some("Authorization, X-Service-Workspace, Origin, Accept-Encoding"));
            assert_eq!(answer.header("cache-control"), Some("no-store"));
        }
    }
}

#[test]
fn a_plain_origin_promises_no_encryption() {
    let server = Server::start_with(crate::Settings { origin: "http://octavo.test".into(), ..server::settings() });
    assert_eq!(server.get("/health").header("strict-transport-security"), None);
}

#[test]
fn a_request_id_of_the_client_is_not_answered() {
    let server = Server::start();
    let answer = server.send(&request("GET /health").header("X-Request-Id", "req_01KAHQ5ZJ8T3M6N9P2R4S7V0WX"));
    assert_ne!(answer.header("x-request-id"), Some("req_01KAHQ5ZJ8T3M6N9P2R4S7V0WX"));
}

#[test]
fn paths_are_taken_literally_and_verbs_are_listed() {
    let server = Server::start();
    for path in [
        "/api/v1/users/me/",
        "/api/v1//users/me",
        "//api/v1/users/me",
        "/API/v1/users/me",
        "/api/v1/Users/me",
        "/api/v1/users/%6de",
        "/api/v1/users%2Fme",
        "/api/v1/users/me;x",
        "/api/v1",
        "/metrics",
        "/admin",
        "/debug",
    ] {
        let answer = server.get(path);
        assert_eq!((answer.status, answer.refusal().as_str()), (404, "NOT_FOUND"), "{path}");
    }
    let person = server.person("ada");
    let answer = server.send(&request("PUT /api/v1/users/me").bearer(&person.token));
    assert_eq!((answer.status, answer.refusal().as_str()), (405, "METHOD_NOT_ALLOWED"));
    let listed: Vec<_> = answer.header("allow").unwrap().split(", ").map(str::to_owned).collect();
    assert_eq!(answer.json()["error"]["details"][0]["allowedMethods"], json!(listed));
    assert!(listed.contains(&"GET".to_owned()) && listed.contains(&"PATCH".to_owned()), "{listed:?}");
    let on_a_post = server.send(&request("HEAD /api/v1/auth/login"));
    assert_eq!((on_a_post.status, on_a_post.header("allow")), (405, Some("POST")), "HEAD goes where GET goes");
    let asked = server.send(&request("OPTIONS /api/v1/auth/login"));
    assert_eq!((asked.status, asked.header("allow")), (204, Some("POST")));
    let overridden = request("POST /health?_method=GET").header("X-HTTP-Method-Override", "GET");
    assert_eq!(server.send(&overridden).status, 405);
}

#[test]
fn head_is_answered_like_get_without_the_body() {
    let server = Server::start();
    let (get, head) = (server.get("/health/ready"), server.send(&request("HEAD /health/ready")));
    assert_eq!((head.status, head.header("content-length")), (200, get.header("content-length")));
    assert_eq!(head.body, "");
}

/// If several things are wrong with a call, the first check in the order reports its refusal.
#[test]
fn checks_stand_in_their_order() {
    let server = Server::start();
    let id = "ses_01KAHQ5ZJ8T3M6N9P2R4S7V0WX";
    let route = format!("POST {BASE}/test/old/{id}");
    let malformed = format!("POST {BASE}/test/old/junk");
    let person = server.person("ada");
    let foreign = "wks_01KAHQ5ZJ8T3M6N9P2R4S7V0WX";
    let good = json!({ "name": "Ada" });
    for (request, expected) in [
        (request(&format!("PUT {BASE}/test/old/{id}")).text("text/plain", "{"), "METHOD_NOT_ALLOWED"),
        (request(&route).text("text/plain", "{"), "UNSUPPORTED_MEDIA_TYPE content_type"),
        (request(&route).text("application/json", "{"), "VALIDATION_ERROR body invalid_format"),
        (request(&malformed).json(&json!({})), "UNAUTHORIZED token_missing"),
        (request(&malformed).json(&json!({})).bearer("svc_live_x"), "UNAUTHORIZED token_malformed"),
        (
            request(&malformed).json(&json!({})).bearer(&person.token).header("X-Service-Workspace", foreign),
            "FORBIDDEN workspace_mismatch",
        ),
        (
            request(&malformed).json(&json!({})).bearer(&person.token).header("X-Service-Workspace", "junk"),
            "FORBIDDEN workspace_mismatch",
        ),
        (request(&malformed).json(&json!({})).bearer(&person.token), "NOT_FOUND"),
        (request(&route).json(&json!({})).bearer(&person.token), "VALIDATION_ERROR name required"),
        (request(&route).json(&json!([])).bearer(&person.token), "VALIDATION_ERROR body invalid_type"),
        (request(&route).bearer(&person.token), "VALIDATION_ERROR name required"),
    ] {
        assert_eq!(server.send(&request).refusal(), expected, "{request:?}");
    }
    let answer = server.send(&request(&route).json(&good).bearer(&person.token).header("X-Confirm", "yes"));
    assert_eq!(answer.json(), json!({ "data": { "name": "Ada", "confirmed": "yes" } }));
}

#[test]
fn a_missing_or_bad_credential_is_challenged() {
    let server = Server::start();
    let person = server.person("ada");
    let expired = server.token_issued(&person, server::now().minus(std::time::Duration::from_secs(1000)));
    let me = || request("GET /api/v1/users/me");
    for (request, reason) in [
        (me(), "token_missing"),
        (me().header("Cookie", format!("access_token={}", person.token)), "token_missing"),
        (me().header("X-Api-Key", person.token.clone()), "token_missing"),
        (me().header("Authorization", person.token.clone()), "token_malformed"),
        (me().header("Authorization", format!("Basic {}", person.token)), "token_malformed"),
        (me().header("Authorization", "Basic"), "token_malformed"),
        (me().header("Authorization", ""), "token_missing"),
        (me().header("Authorization", "Bearer"), "token_missing"),
        (me().bearer(""), "token_missing"),
        (me().bearer("rft_AAAA"), "token_malformed"),
        (me().bearer(&expired), "token_expired"),
    ] {
        let answer = server.send(&request);
        assert_eq!((answer.status, answer.refusal()), (401, format!("UNAUTHORIZED {reason}")), "{request:?}");
        let challenge = answer.header("www-authenticate").unwrap();
        let error = if reason == "token_missing" { "" } else { "error=\"invalid_token\", " };
        let start = format!("Bearer realm=\"octavo\", {error}resource_metadata=");
        assert!(challenge.starts_with(&start), "{challenge}");
        let metadata = format!("resource_metadata=\"{}/.well-known/oauth-protected-resource\"", server::ORIGIN);
        assert!(challenge.contains(&metadata), "{challenge}");
    }
    assert_eq!(server.send(&me().header("Authorization", format!("bEARER {}", person.token))).status, 200);
    let query = server.get(&format!("/api/v1/users/me?access_token={}", person.token));
    assert_eq!(query.refusal(), "UNAUTHORIZED token_missing");
    assert_eq!(server.send(&request("GET /health").bearer("junk")).status, 200, "a public route ignores credentials");
}

#[test]
fn a_deprecated_route_says_so_on_every_answer() {
    let server = Server::start();
    let person = server.person("ada");
    let old = || request(&format!("POST {BASE}/test/old/ses_01KAHQ5ZJ8T3M6N9P2R4S7V0WX"));
    let answers = [
        (old().json(&json!({ "name": "Ada" })).bearer(&person.token), 200),
        (old().json(&json!({})).bearer(&person.token), 400),
        (old().text("text/plain", "x"), 415),
        (old(), 401),
    ];
    for (request, status) in answers {
        let answer = server.send(&request);
        assert_eq!(answer.status, status, "{answer:?}");
        assert_eq!(answer.header("deprecation"), Some("true"));
        assert_eq!(answer.header("sunset"), Some("Sun, 30 Jan 2028 00:00:00 GMT"));
    }
    assert_eq!(server.get("/health").header("deprecation"), None);
}

#[test]
fn a_panic_is_answered_like_any_fault_of_ours_and_the_next_call_is_served() {
    let server = Server::start();
    let answer = server.get("/api/v1/test/panic");
    assert_eq!((answer.status, answer.refusal().as_str()), (500, "INTERNAL_ERROR"));
    assert_eq!(answer.json()["error"]["message"], "Internal error");
    assert_eq!(answer.json()["error"].get("details"), None);
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn a_wrong_address_shows_people_a_page_and_programs_json() {
    let server = Server::start();
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    for (call, accept, media) in [
        ("GET /nothing/here", browser, "text/html; charset=utf-8"),
        ("GET /nothing/here", "*/*", "application/json"),
        ("POST /nothing/here", browser, "application/json"),
        ("GET /api/v1/nothing", browser, "application/json"),
    ] {
        let answer = server.send(&request(call).header("Accept", accept));
        assert_eq!((answer.status, answer.header("content-type")), (404, Some(media)), "{call} {accept}");
    }
}
