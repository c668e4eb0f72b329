//! Headers that keep browsers from caching answers or showing them as pages.

use octavo_tests::{Answer, Engine, Server, one_engine};
use serde_json::json;

one_engine! {
    json_is_never_taken_for_a_page,
    json_is_never_kept,
    strict_transport_is_said_where_it_is_true,
    an_answer_is_json_whatever_is_accepted,
    no_route_sets_a_cookie,
}

fn answers(server: &Server) -> Vec<Answer> {
    let ada = server.person("Ada");
    vec![
        ada.get("/users/me").send(),
        ada.get("/nothing").send(),
        server.get("/users/me").send(),
        ada.try_login(),
        ada.request("PUT", "/users/me").send(),
        server.post("/auth/login", &json!({})).send(),
        ada.request("PATCH", "/users/me").body("text/plain", "x").send(),
    ]
}

fn json_is_never_taken_for_a_page(engine: Engine) {
    let server = Server::start(engine);
    for answer in answers(&server) {
        assert!(answer.named("Content-Type").starts_with("application/json"), "{answer:?}");
        assert_eq!(answer.named("Content-Security-Policy"), "default-src 'none'; frame-ancestors 'none'");
    }
}

fn json_is_never_kept(engine: Engine) {
    let server = Server::start(engine);
    for answer in answers(&server) {
        assert_eq!(answer.named("Cache-Control"), "no-store", "{answer:?}");
        let vary = answer.all("Vary").collect::<Vec<_>>().join(", ").to_lowercase();
        for name in ["authorization", "x-service-workspace", "origin"] {
            assert!(vary.contains(name), "{vary}");
        }
    }
}

fn strict_transport_is_said_where_it_is_true(engine: Engine) {
    let plain = Server::start(engine);
    assert_eq!(plain.get("/health").send().header("Strict-Transport-Security"), None);
    let secure = Server::with(engine, &[("OCTAVO_PUBLIC_URL", "https://octavo.example.org")]);
    for answer in [secure.get("/health").send(), secure.get("/nothing").send(), secure.origin("GET", "/docs").send()] {
        assert_eq!(answer.named("Strict-Transport-Security"), "max-age=31536000; includeSubDomains");
    }
}

fn an_answer_is_json_whatever_is_accepted(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    ada.patch("/users/me", &json!({ "displayName": "<script>alert(1)</script>" })).send().is(200);
    for accept in ["text/html", "text/html,application/xhtml+xml;q=0.9", "image/png", "*/*", ""] {
        let answer = ada.get("/users/me").header("Accept", accept).send();
        assert!(answer.is(200).named("Content-Type").starts_with("application/json"), "{accept}");
    }
}

fn no_route_sets_a_cookie(engine: Engine) {
    let server = Server::start(engine);
    for answer in answers(&server) {
        assert_eq!(answer.header("Set-Cookie"), None);
    }
}
