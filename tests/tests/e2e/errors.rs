//! Refusals that are the same on every route.

use octavo_tests::{Engine, Server, both_engines, request::BASE, shape};
use serde_json::json;

both_engines! {
    an_unknown_path_is_not_found_for_everybody,
    a_wrong_verb_names_the_right_ones,
    the_verb_comes_before_the_credential,
    a_missing_credential_is_named,
    a_challenge_leads_to_the_resource_metadata,
    request_ids_are_the_servers_own,
    operator_paths_are_not_there,
    the_credential_comes_before_the_body,
    an_unreadable_body_comes_before_the_credential,
}

fn an_unknown_path_is_not_found_for_everybody(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let nobody = server.get("/nothing/here").send();
    nobody.refuses(404, "NOT_FOUND");
    nobody.is_like(&ada.get("/nothing/here").send());
    nobody.is_like(&server.get("/nothing/here").bearer("nonsense").send());
    for path in ["/api", "/api/", "/api/v1", "/api/v1/", "/api/v2/users/me", "/api/v1/users/me/x.css", "/users/me"] {
        server.origin("GET", path).bearer(&ada.access).send().refuses(404, "NOT_FOUND");
    }
    server.post("/nothing", &json!({})).send().refuses(404, "NOT_FOUND");
}

fn a_wrong_verb_names_the_right_ones(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for (method, path, allowed) in [
        ("PUT", "/users/me", &["GET", "PATCH", "DELETE"][..]),
        ("GET", "/auth/login", &["POST"]),
        ("POST", "/sessions", &["GET", "DELETE"]),
        ("GET", "/sessions/ses_00000000000000000000000000", &["DELETE"]),
        ("BREW", "/users/me", &["GET", "PATCH", "DELETE"]),
    ] {
        let answer = ada.request(method, path).send();
        let refusal = answer.refuses(405, "METHOD_NOT_ALLOWED");
        let mut named: Vec<_> = answer.named("Allow").split(',').map(str::trim).collect();
        let listed = refusal.detail()["allowedMethods"].as_array().unwrap();
        let mut listed: Vec<_> = listed.iter().map(|method| method.as_str().unwrap()).collect();
        for list in [&mut named, &mut listed] {
            list.retain(|method| !["OPTIONS", "HEAD"].contains(method));
            list.sort_unstable();
            let mut wanted = allowed.to_vec();
            wanted.sort_unstable();
            assert_eq!(*list, wanted, "{method} {path}");
        }
    }
}

fn the_verb_comes_before_the_credential(engine: Engine) {
    let server = Server::start(engine);
    server.request("PUT", "/users/me").body("text/plain", "x").send().refuses(405, "METHOD_NOT_ALLOWED");
}

fn a_missing_credential_is_named(engine: Engine) {
    let server = Server::start(engine);
    for (method, path) in [
        ("GET", "/users/me"),
        ("PATCH", "/users/me"),
        ("DELETE", "/users/me"),
        ("GET", "/auth/me"),
        ("GET", "/sessions"),
        ("DELETE", "/sessions"),
        ("DELETE", "/sessions/ses_00000000000000000000000000"),
        ("POST", "/auth/logout"),
        ("POST", "/auth/reauthenticate"),
        ("POST", "/auth/email-verification/request"),
        ("POST", "/users/me/password"),
        ("POST", "/users/me/email-change"),
        ("GET", "/users/me/security-events"),
        ("GET", "/rate-limit"),
    ] {
        let answer = server.request(method, path).send();
        answer.refuses(401, "UNAUTHORIZED").because("token_missing");
    }
}

fn a_challenge_leads_to_the_resource_metadata(engine: Engine) {
    let server = Server::start(engine);
    for request in [server.get("/users/me"), server.get("/users/me").bearer("nonsense")] {
        let answer = request.send();
        answer.is(401);
        let metadata = format!("{}/.well-known/oauth-protected-resource", server.public_origin());
        let challenge = answer.named("WWW-Authenticate");
        assert!(challenge.contains(&format!("resource_metadata=\"{metadata}")), "{challenge}");
    }
    let wrong = json!({ "email": "nobody@example.com", "password": "Wrong-Horse-9" });
    server.post("/auth/login", &wrong).send().is(401).named("WWW-Authenticate");
}

fn request_ids_are_the_servers_own(engine: Engine) {
    let server = Server::start(engine);
    let mut seen = Vec::new();
    for sent in ["client-chosen-id", "req_00000000000000000000000000", "x"] {
        let answer = server.get("/nothing").header("X-Request-Id", sent).send();
        let id = answer.named("X-Request-Id").to_owned();
        assert!(shape::is_id(&id, "req_"));
        assert_ne!(id, sent);
        seen.push(id);
    }
    seen.dedup();
    assert_eq!(seen.len(), 3);
}

fn operator_paths_are_not_there(engine: Engine) {
    let server = Server::start(engine);
    for path in [
        "/debug",
        "/debug/pprof",
        "/debug/vars",
        "/admin",
        "/admin/users",
        "/metrics",
        "/metrics/",
        "/.env",
        "/actuator",
    ] {
        server.origin("GET", path).send().refuses(404, "NOT_FOUND");
        server.origin("GET", &format!("{BASE}{path}")).send().refuses(404, "NOT_FOUND");
    }
}

fn the_credential_comes_before_the_body(engine: Engine) {
    let server = Server::start(engine);
    server.request("PATCH", "/users/me").json(&json!({ "name": 7 })).send().refuses(401, "UNAUTHORIZED");
    server.post("/users/me/password", &json!({})).send().refuses(401, "UNAUTHORIZED");
}

fn an_unreadable_body_comes_before_the_credential(engine: Engine) {
    let server = Server::start(engine);
    server.request("PATCH", "/users/me").body("application/json", "{").send().refuses(400, "VALIDATION_ERROR");
    let answer = server.request("PATCH", "/users/me").body("text/plain", "{}").send();
    answer.refuses(415, "UNSUPPORTED_MEDIA_TYPE");
}
