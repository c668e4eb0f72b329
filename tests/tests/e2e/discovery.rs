//! The metadata at `/.well-known`.

use octavo_tests::{Engine, OwnServer, Server, both_engines};
use serde_json::json;

both_engines! {
    the_authorization_server_describes_itself,
    the_protected_resource_names_its_authorization_server,
    discovery_may_be_kept_for_five_minutes_and_asks_for_no_credential,
}

const ORIGIN: &str = "https://octavo.example";

fn served(engine: Engine) -> OwnServer {
    Server::with(engine, &[("OCTAVO_PUBLIC_URL", ORIGIN)])
}

fn the_authorization_server_describes_itself(engine: Engine) {
    let body = served(engine).origin("GET", "/.well-known/oauth-authorization-server").send().body_of(200);
    assert_eq!(body["issuer"], ORIGIN);
    for (endpoint, path) in [
        ("authorization_endpoint", "/api/v1/oauth/authorize"),
        ("token_endpoint", "/api/v1/oauth/token"),
        ("revocation_endpoint", "/api/v1/oauth/revoke"),
        ("introspection_endpoint", "/api/v1/oauth/introspect"),
        ("jwks_uri", "/.well-known/jwks.json"),
    ] {
        assert_eq!(body[endpoint], format!("{ORIGIN}{path}"), "{endpoint}");
    }
    let scopes = json!(["pages:read", "pages:write", "databases:read", "databases:write", "files:read", "files:write"]);
    assert_eq!(body["scopes_supported"], scopes);
    assert_eq!(body["response_types_supported"], json!(["code"]));
    assert_eq!(body["grant_types_supported"], json!(["authorization_code", "refresh_token"]));
    assert_eq!(body["code_challenge_methods_supported"], json!(["S256"]));
    let methods = json!(["client_secret_basic", "client_secret_post", "none"]);
    assert_eq!(body["token_endpoint_auth_methods_supported"], methods);
    assert_eq!(body["authorization_response_iss_parameter_supported"], true);
}

fn the_protected_resource_names_its_authorization_server(engine: Engine) {
    let server = served(engine);
    let body = server.origin("GET", "/.well-known/oauth-protected-resource").send().body_of(200);
    assert_eq!(body["resource"], ORIGIN);
    assert_eq!(body["authorization_servers"], json!([ORIGIN]));
    assert_eq!(body["bearer_methods_supported"], json!(["header"]));
    let refused = server.get("/users/me").send();
    let named = format!("resource_metadata=\"{ORIGIN}/.well-known/oauth-protected-resource\"");
    assert!(refused.header("WWW-Authenticate").is_some_and(|value| value.contains(&named)));
}

fn discovery_may_be_kept_for_five_minutes_and_asks_for_no_credential(engine: Engine) {
    let server = served(engine);
    for document in ["oauth-authorization-server", "oauth-protected-resource", "jwks.json"] {
        let answer = server.origin("GET", &format!("/.well-known/{document}")).bearer("nonsense").send();
        assert_eq!(answer.status, 200, "{document}");
        assert_eq!(answer.header("Cache-Control"), Some("public, max-age=300"), "{document}");
    }
}
