//! The published description and its page.

use octavo_tests::{Answer, Engine, Server, description::Description, one_engine, request::BASE};
use serde_json::{Value, json};
use std::collections::BTreeSet;

one_engine! {
    the_description_is_public_and_current,
    the_description_is_the_one_the_binary_prints,
    every_operation_says_what_it_does,
    every_operation_is_served,
    every_route_of_the_account_area_is_described,
    every_operation_names_its_credential,
    every_error_is_the_one_envelope,
    the_page_needs_nothing_from_elsewhere,
    the_page_runs_only_what_it_brings,
}

/// An id that does not exist.
const UNKNOWN: &str = "ses_00000000000000000000000000";

fn description(server: &Server) -> Description {
    Description::parse(&server.origin("GET", "/docs/openapi.yaml").send().is(200).text())
}

fn the_description_is_public_and_current(engine: Engine) {
    let server = Server::start(engine);
    let at_origin = server.origin("GET", "/docs/openapi.yaml").send();
    assert_eq!(at_origin.is(200).body, server.get("/docs/openapi.yaml").send().is(200).body);
    assert!(at_origin.named("Content-Type").contains("yaml"), "{}", at_origin.named("Content-Type"));
    let document = Description::parse(&at_origin.text()).document;
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1."));
    assert_eq!(document["servers"][0]["url"], "/api/v1");
    assert!(!document["info"]["version"].as_str().unwrap().is_empty());
    let deprecated =
        description(&server).operations().into_iter().find(|operation| operation.spec["deprecated"] == true);
    assert!(deprecated.is_none());
}

fn the_description_is_the_one_the_binary_prints(engine: Engine) {
    let server = Server::start(engine);
    let published = description(&server).document;
    assert_eq!(server.origin("GET", "/docs/openapi.json").send().body_of(200), published);
    let printed = server.run(&["openapi"]).exits(0);
    assert_eq!(Description::parse(&printed.stdout).document, published);
    let json: Value = serde_json::from_str(&server.run(&["openapi", "--json"]).exits(0).stdout).unwrap();
    let document = json.get("data").unwrap_or(&json);
    assert_eq!(document["paths"], published["paths"]);
}

fn every_operation_says_what_it_does(engine: Engine) {
    let server = Server::start(engine);
    let description = description(&server);
    let mut ids = BTreeSet::new();
    for operation in description.operations() {
        let call = format!("{} {}", operation.method, operation.path);
        assert!(operation.spec["summary"].as_str().is_some_and(|text| !text.is_empty()), "{call} has no summary");
        let id = operation.spec["operationId"].as_str().unwrap_or_else(|| panic!("{call} has no id"));
        assert!(ids.insert(id.to_owned()), "{id} stands twice");
        let responses = operation.spec["responses"].as_object().unwrap();
        // A page may always redirect.
        let succeeds = responses.keys().any(|status| status.starts_with('2') || status.starts_with('3'));
        assert!(succeeds, "{call} never succeeds");
        for (status, response) in responses {
            let response = description.resolve(response);
            assert!(response["description"].as_str().is_some_and(|text| !text.is_empty()), "{call} {status}");
        }
        for parameter in operation.spec["parameters"].as_array().into_iter().flatten() {
            let parameter = description.resolve(parameter);
            assert!(parameter["description"].is_string(), "{call}: {parameter}");
        }
        if let Some(body) = operation.spec.get("requestBody") {
            for (media, content) in description.resolve(body)["content"].as_object().unwrap() {
                let example = content.get("example").or(content.get("examples"));
                assert!(example.is_some(), "{call} has no example of its body as {media}");
            }
        }
    }
}

fn every_operation_is_served(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for operation in description(&server).operations() {
        let path = operation.target(UNKNOWN);
        let answer = server.origin(&operation.method, &path).bearer(&ada.access).send();
        assert_ne!(answer.status, 405, "{} {path}", operation.method);
        let is_gone = answer.status == 404 && !operation.path.contains('{');
        assert!(!is_gone, "{} {path}: {}", operation.method, answer.text());
    }
}

fn every_route_of_the_account_area_is_described(engine: Engine) {
    let server = Server::start(engine);
    let described = description(&server).operations();
    let routes = "POST /auth/register, POST /auth/login, POST /auth/refresh, POST /auth/logout, \
        POST /auth/email-verification/request, POST /auth/email-verification/confirm, POST /auth/email-verification/reject, \
        POST /auth/password-reset/request, POST /auth/password-reset/confirm, POST /auth/reset-password, \
        POST /auth/reset-password/confirm, POST /auth/reauthenticate, POST /auth/account-restore, GET /auth/me, \
        POST /auth/email-change/confirm, POST /auth/email-change/revert, GET /users/me, PATCH /users/me, DELETE /users/me, \
        POST /users/me/password, POST /users/me/email-change, GET /users/me/security-events, GET /sessions, DELETE /sessions, \
        DELETE /sessions/{}, GET /rate-limit, GET /health, GET /health/ready, GET /health/deep, GET /debug/events";
    for route in routes.split(", ") {
        let (method, path) = route.trim().split_once(' ').unwrap();
        let target = format!("{BASE}{path}");
        let found = described.iter().any(|operation| operation.method == method && operation.target("{}") == target);
        assert!(found, "{route}");
    }
}

fn every_operation_names_its_credential(engine: Engine) {
    let server = Server::start(engine);
    let description = description(&server);
    let schemes = description.document["components"]["securitySchemes"].as_object().unwrap();
    assert!(schemes.values().any(|scheme| scheme["scheme"] == "bearer"));
    for operation in description.operations() {
        let nobody = server.origin(&operation.method, &operation.target(UNKNOWN)).send();
        let security = operation.spec["security"].as_array().or(description.document["security"].as_array());
        let needs_credential = security
            .is_some_and(|accepted| !accepted.is_empty() && accepted.iter().all(|credential| *credential != json!({})));
        let refused = nobody.status == 401 && nobody.json()["error"]["details"][0]["reason"] == "token_missing";
        assert_eq!(needs_credential, refused, "{} {}: {}", operation.method, operation.path, nobody.text());
    }
}

fn every_error_is_the_one_envelope(engine: Engine) {
    let server = Server::start(engine);
    let description = description(&server);
    let error =
        json!({ "error": { "code": "NOT_FOUND", "message": "text", "requestId": "req_00000000000000000000000000" } });
    for operation in description.operations() {
        for (status, response) in operation.spec["responses"].as_object().unwrap() {
            if status.starts_with('2') || status.starts_with('3') {
                continue;
            }
            let response = description.resolve(response);
            if response.pointer("/content/text~1html/schema").is_some() {
                // It is a page for browsers.
                continue;
            }
            let schema = response.pointer("/content/application~1json/schema");
            let schema =
                schema.unwrap_or_else(|| panic!("{} {} {status} has no body", operation.method, operation.path));
            assert_eq!(description.flaws(schema, &error, "$", 0), Vec::<String>::new());
            assert_ne!(description.flaws(schema, &json!({}), "$", 0), Vec::<String>::new());
        }
    }
}

fn page(server: &Server, place: &str) -> Answer {
    let answer = server.origin("GET", place).send();
    assert!(answer.is(200).named("Content-Type").starts_with("text/html"));
    answer
}

const PLACES: [&str; 2] = ["/docs", "/api/v1/docs"];

/// The values of `src` and `href` in a page.
fn references(html: &str) -> Vec<String> {
    let behind = |attribute: &'static str| html.split(attribute).skip(1).filter_map(|rest| rest.split('"').next());
    behind(" src=\"").chain(behind(" href=\"")).map(str::to_owned).collect()
}

fn the_page_needs_nothing_from_elsewhere(engine: Engine) {
    let server = Server::start(engine);
    for place in PLACES {
        let references = references(&page(&server, place).text());
        assert!(references.iter().any(|reference| reference.contains(".js")), "{references:?}");
        for reference in references.iter().filter(|reference| !reference.starts_with("data:")) {
            assert!(!reference.contains("//"), "{reference}");
            let folder = place.rsplit_once('/').unwrap().0;
            let path = if reference.starts_with('/') { reference.clone() } else { format!("{folder}/{reference}") };
            let asset = server.origin("GET", &path).send();
            assert!(!asset.is(200).body.is_empty(), "{path}");
        }
    }
}

fn the_page_runs_only_what_it_brings(engine: Engine) {
    let server = Server::start(engine);
    for page in PLACES.map(|place| page(&server, place)) {
        let policy = page.named("Content-Security-Policy");
        for directive in [
            "default-src 'none'",
            "script-src 'self'",
            "connect-src 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(directive), "{directive} in {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        for script in page.text().split("<script").skip(1) {
            let (tag, rest) = script.split_once('>').unwrap();
            let inner = rest.split("</script").next().unwrap().trim();
            assert!(tag.contains("src=") && inner.is_empty(), "a script in line: {inner}");
        }
    }
}
