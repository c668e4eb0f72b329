//! Forged access tokens.

use octavo_tests::{Engine, OwnServer, Person, Server, both_engines, jwt, shape};
use serde_json::{Value, json};

both_engines! {
    a_token_of_the_known_secret_is_taken,
    a_text_that_is_no_token_is_malformed,
    an_unsigned_token_is_malformed,
    another_algorithm_is_malformed,
    a_key_in_the_header_is_malformed,
    an_edited_token_is_malformed,
    another_issuer_or_audience_is_malformed,
    a_missing_claim_is_malformed,
    an_expired_token_is_expired_after_the_skew,
    a_token_from_the_future_is_refused,
    edited_rights_change_nothing,
    a_token_of_an_unknown_account_is_refused,
    a_token_counts_in_the_authorization_header_only,
    other_schemes_and_keys_are_malformed,
}

const SECRET: &str = "a-secret-of-at-least-32-bytes-for-tests";

fn server(engine: Engine) -> OwnServer {
    Server::with(engine, &[("OCTAVO_JWT_SECRET", SECRET), ("OCTAVO_PUBLIC_URL", "http://octavo.test")])
}

/// The person's token with some claims changed, correctly signed.
fn with_claims(person: &Person, change: &Value) -> String {
    let mut claims = jwt::claims(&person.access);
    claims.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    jwt::hs256(&claims, SECRET.as_bytes())
}

fn refused(server: &Server, token: &str, reason: &str) {
    server.get("/users/me").bearer(token).send().refuses(401, "UNAUTHORIZED").because(reason);
}

fn a_token_of_the_known_secret_is_taken(engine: Engine) {
    let server = server(engine);
    let ada = server.person("Ada");
    server.get("/users/me").bearer(&with_claims(&ada, &json!({}))).send().is(200);
}

fn a_text_that_is_no_token_is_malformed(engine: Engine) {
    let server = server(engine);
    let ada = server.person("Ada");
    let parts: Vec<_> = ada.access.split('.').collect();
    for wrong in ["x", "a.b.c", "...", &parts[..2].join("."), &format!("{}.x", ada.access), &"A".repeat(4000), parts[1]]
    {
        refused(&server, wrong, "token_malformed");
    }
}

fn an_unsigned_token_is_malformed(engine: Engine) {
    let server = server(engine);
    let ada = server.person("Ada");
    let claims = jwt::claims(&ada.access);
    for alg in ["none", "None", "NONE", ""] {
        let message = jwt::message(&json!({ "alg": alg, "typ": "JWT" }), &claims);
        refused(&server, &format!("{message}."), "token_malformed");
        let signature = ada.access.rsplit('.').next().unwrap();
        refused(&server, &format!("{message}.{signature}"), "token_malformed");
    }
}

fn another_algorithm_is_malformed(engine: Engine) {
    let server = server(engine);
    let ada = server.person("Ada");
    let claims = jwt::claims(&ada.access);
    for alg in ["HS384", "HS512", "RS256", "ES256", "hs256"] {
        let token = jwt::signed(&json!({ "alg": alg, "typ": "JWT" }), &claims, SECRET.as_bytes());
        refused(&server, &token, "token_malformed");
    }
    refused(&server, &jwt::hs256(&claims, b"another-secret-of-at-least-32-bytes"), "token_malformed");
    refused(&server, &jwt::hs256(&claims, b""), "token_malformed");
}

fn a_key_in_the_header_is_malformed(engine: Engine) {
    let server = server(engine);
    let ada = server.person("Ada");
    let claims = jwt::claims(&ada.access);
    for (name, value) in [
        ("jwk", json!({ "kty": "oct", "k": "YQ" })),
        ("jku", json!("https://evil.test/keys.json")),
        ("x5u", json!("https://evil.test/key.pem")),
    ] {
        let header = json!({ "alg": "HS256", "typ": "JWT", name: value });
        refused(&server, &jwt::signed(&header, &claims, SECRET.as_bytes()), "token_malformed");
    }
}

fn an_edited_token_is_malformed(engine: Engine) {
    let server = server(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let (mine, theirs): (Vec<_>, Vec<_>) = (ada.access.split('.').collect(), bob.access.split('.').collect());
    refused(&server, &[mine[0], theirs[1], mine[2]].join("."), "token_malformed");
    let mut claims = jwt::claims(&ada.access);
    claims["exp"] = json!(claims["exp"].as_i64().unwrap() + 3600);
    let edited = format!("{}.{}", jwt::message(&jwt::header(&ada.access), &claims), mine[2]);
    refused(&server, &edited, "token_malformed");
}

fn another_issuer_or_audience_is_malformed(engine: Engine) {
    let server = server(engine);
    let ada = server.person("Ada");
    for claim in ["iss", "aud"] {
        for value in [json!("http://octavo.test/"), json!("https://octavo.test"), json!(""), json!(null), json!(1)] {
            refused(&server, &with_claims(&ada, &json!({ claim: value })), "token_malformed");
        }
    }
}

fn a_missing_claim_is_malformed(engine: Engine) {
    let server = server(engine);
    let ada = server.person("Ada");
    for claim in ["sub", "iss", "aud", "exp", "iat", "sid"] {
        let mut claims = jwt::claims(&ada.access);
        claims.as_object_mut().unwrap().remove(claim);
        refused(&server, &jwt::hs256(&claims, SECRET.as_bytes()), "token_malformed");
    }
}

fn an_expired_token_is_expired_after_the_skew(engine: Engine) {
    let server = server(engine);
    let ada = server.person("Ada");
    let expired_since = |seconds: i64| {
        let exp = shape::now_seconds() - seconds;
        with_claims(&ada, &json!({ "exp": exp, "iat": exp - 900, "auth_time": exp - 900 }))
    };
    refused(&server, &expired_since(31), "token_expired");
    refused(&server, &expired_since(100_000), "token_expired");
    server.get("/users/me").bearer(&expired_since(20)).send().is(200);
}

fn a_token_from_the_future_is_refused(engine: Engine) {
    let server = server(engine);
    let ada = server.person("Ada");
    let issued_in = |seconds: i64| {
        let iat = shape::now_seconds() + seconds;
        with_claims(&ada, &json!({ "iat": iat, "exp": iat + 900 }))
    };
    server.get("/users/me").bearer(&issued_in(20)).send().is(200);
    server.get("/users/me").bearer(&issued_in(60)).send().refuses(401, "UNAUTHORIZED");
}

fn edited_rights_change_nothing(engine: Engine) {
    let server = server(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let token = with_claims(&ada, &json!({ "roles": ["GUEST"] }));
    assert_eq!(server.get("/auth/me").bearer(&token).send().data(200)["role"], "OWNER");
    let token = with_claims(&ada, &json!({ "workspaceId": bob.workspace, "roles": ["OWNER"] }));
    let data = server.get("/auth/me").bearer(&token).send().data(200);
    assert_eq!(data["workspaceId"], ada.workspace, "a workspace one does not belong to counts as the personal one");
}

fn a_token_of_an_unknown_account_is_refused(engine: Engine) {
    let server = server(engine);
    let ada = server.person("Ada");
    let token = with_claims(&ada, &json!({ "sub": "usr_00000000000000000000000000" }));
    server.get("/users/me").bearer(&token).send().refuses(401, "UNAUTHORIZED");
}

fn a_token_counts_in_the_authorization_header_only(engine: Engine) {
    let server = server(engine);
    let ada = server.person("Ada");
    let token = &ada.access;
    for request in [
        server.get(&format!("/users/me?access_token={token}")),
        server.get(&format!("/users/me?token={token}")),
        server
            .get("/users/me")
            .header("Cookie", format!("svc_sid={token}; access_token={token}; __Host-svc_sid={token}")),
        server.get("/users/me").header("X-Access-Token", token),
        server.request("PATCH", "/users/me").json(&json!({ "accessToken": token, "name": "x" })),
    ] {
        request.send().refuses(401, "UNAUTHORIZED").because("token_missing");
    }
}

fn other_schemes_and_keys_are_malformed(engine: Engine) {
    let server = server(engine);
    let ada = server.person("Ada");
    let key = format!("svc_live_{}", "A".repeat(38));
    refused(&server, &key, "token_malformed");
    refused(&server, &ada.refresh, "token_malformed");
    for value in [format!("Basic {}", ada.access), ada.access.clone(), "Bearer".to_owned(), "Bearer ".to_owned()] {
        server.get("/users/me").header("Authorization", &value).send().refuses(401, "UNAUTHORIZED");
    }
    server.get("/users/me").header("Authorization", format!("bearer {}", ada.access)).send().is(200);
}
