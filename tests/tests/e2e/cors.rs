//! Which pages of other origins may call the API.

use octavo_tests::{Answer, Engine, OwnServer, Server, one_engine};
use serde_json::json;

one_engine! {
    without_a_setting_no_origin_is_allowed,
    a_named_origin_is_allowed,
    no_other_origin_is_allowed,
    any_origin_can_be_allowed,
    a_preflight_names_methods_and_headers_of_the_route,
    a_preflight_of_another_origin_allows_nothing,
    what_a_page_may_read_is_named,
    a_refusal_can_be_read_too,
}

const APP: &str = "https://app.example.org";

fn server(engine: Engine) -> OwnServer {
    Server::with(engine, &[("OCTAVO_CORS_ORIGINS", "https://app.example.org,http://localhost:3000")])
}

fn get(server: &Server, origin: &str) -> Answer {
    server.get("/health").header("Origin", origin).send()
}

fn allowed(answer: &Answer) -> Option<&str> {
    assert_eq!(answer.header("Access-Control-Allow-Credentials"), None);
    answer.header("Access-Control-Allow-Origin")
}

fn words(answer: &Answer, header: &str) -> Vec<String> {
    answer.named(header).split(',').map(|word| word.trim().to_lowercase()).collect()
}

fn without_a_setting_no_origin_is_allowed(engine: Engine) {
    let server = Server::start(engine);
    assert_eq!(allowed(&get(&server, "https://evil.test")), None);
    assert_eq!(allowed(&get(&server, "null")), None);
}

fn a_named_origin_is_allowed(engine: Engine) {
    let server = server(engine);
    for origin in [APP, "http://localhost:3000"] {
        assert_eq!(allowed(&get(&server, origin)), Some(origin));
    }
}

fn no_other_origin_is_allowed(engine: Engine) {
    let server = server(engine);
    for origin in [
        "https://evil.test",
        "https://app.example.org.evil.test",
        "http://app.example.org",
        "https://app.example.org:8443",
        "https://xapp.example.org",
        "null",
        "https://APP.example.org/",
        "http://localhost:3001",
    ] {
        assert_eq!(allowed(&get(&server, origin)), None, "{origin}");
    }
    assert_eq!(allowed(&server.get("/health").send()), None);
}

fn any_origin_can_be_allowed(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_CORS_ORIGINS", "*")]);
    let answer = get(&server, "https://anything.test");
    assert!(["*", "https://anything.test"].contains(&allowed(&answer).unwrap()));
}

fn preflight(server: &Server, path: &str, origin: &str, method: &str) -> Answer {
    let request = server.request("OPTIONS", path).header("Origin", origin);
    let request = request.header("Access-Control-Request-Method", method);
    request.header("Access-Control-Request-Headers", "authorization,content-type,idempotency-key").send()
}

fn a_preflight_names_methods_and_headers_of_the_route(engine: Engine) {
    let server = server(engine);
    let answer = preflight(&server, "/users/me", APP, "PATCH");
    assert!(answer.is(204).body.is_empty());
    assert_eq!(allowed(&answer), Some(APP));
    assert_eq!(answer.named("Access-Control-Max-Age"), "600");
    let methods = words(&answer, "Access-Control-Allow-Methods");
    for method in ["get", "patch", "delete"] {
        assert!(methods.contains(&method.to_owned()), "{methods:?}");
    }
    assert!(!methods.contains(&"put".to_owned()) && !methods.contains(&"post".to_owned()), "{methods:?}");
    let headers = words(&answer, "Access-Control-Allow-Headers");
    for header in ["authorization", "content-type", "idempotency-key", "x-service-workspace", "x-confirm"] {
        assert!(headers.contains(&header.to_owned()), "{header} in {headers:?}");
    }
}

fn a_preflight_of_another_origin_allows_nothing(engine: Engine) {
    let server = server(engine);
    let answer = preflight(&server, "/users/me", "https://evil.test", "PATCH");
    assert_eq!(allowed(&answer), None);
    assert_eq!(answer.header("Access-Control-Allow-Methods"), None);
}

fn what_a_page_may_read_is_named(engine: Engine) {
    let server = server(engine);
    let exposed = words(&get(&server, APP), "Access-Control-Expose-Headers");
    for header in [
        "x-request-id",
        "x-ratelimit-limit",
        "x-ratelimit-remaining",
        "x-ratelimit-reset",
        "x-ratelimit-bucket",
        "ratelimit",
        "ratelimit-policy",
        "retry-after",
        "idempotency-replayed",
        "etag",
        "location",
        "deprecation",
        "sunset",
        "x-unknown-fields",
        "preference-applied",
    ] {
        assert!(exposed.contains(&header.to_owned()), "{header} in {exposed:?}");
    }
}

fn a_refusal_can_be_read_too(engine: Engine) {
    let server = server(engine);
    for request in [
        server.get("/users/me"),
        server.get("/nothing"),
        server.request("PUT", "/users/me"),
        server.post("/auth/login", &json!({})),
        server.request("POST", "/auth/login").body("text/plain", "x"),
    ] {
        let answer = request.header("Origin", APP).send();
        assert!(answer.status >= 400);
        assert_eq!(allowed(&answer), Some(APP), "{}", answer.text());
    }
}
