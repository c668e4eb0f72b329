//! `POST /auth/reauthenticate`, and the routes that require a recent authentication.

use octavo_tests::{Engine, Person, Server, both_engines, jwt, shape};
use serde_json::{Value, json};

both_engines! {
    the_right_password_gives_a_fresh_token_of_the_same_session,
    a_wrong_password_gives_nothing,
    the_proof_is_a_password,
    a_revoked_session_cannot_prove_itself,
    it_needs_a_credential,
    an_old_proof_is_refused_where_a_fresh_one_is_asked_for,
    a_refresh_keeps_the_proof_of_a_reauthentication,
}

const SECRET: &str = "a-secret-of-at-least-32-bytes-for-tests";

fn the_right_password_gives_a_fresh_token_of_the_same_session(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let data = ada.post("/auth/reauthenticate", &json!({ "password": ada.password })).send().data(200);
    assert_eq!(data["expiresIn"], 900);
    let proven = shape::millis(&data["authTime"]) / 1000;
    let claims = jwt::claims(data["accessToken"].as_str().unwrap());
    assert_eq!(claims["sid"], ada.session);
    assert_eq!(claims["auth_time"], proven);
    assert!((proven - shape::now_seconds()).abs() < 60);
    assert_eq!(claims["amr"], json!(["pwd"]));
    let ada = Person { access: shape::text(&data["accessToken"]), ..ada };
    assert_eq!(ada.me()["id"], ada.id);
    ada.refresh_request().send().is(200);
}

fn a_wrong_password_gives_nothing(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let answer = ada.post("/auth/reauthenticate", &json!({ "password": "Wrong-Horse-9" })).send();
    answer.refuses(401, "UNAUTHORIZED").because("invalid_credentials");
}

fn the_proof_is_a_password(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for body in [json!({}), json!({ "password": 1 })] {
        ada.post("/auth/reauthenticate", &body).send().refuses(400, "VALIDATION_ERROR");
    }
}

fn a_revoked_session_cannot_prove_itself(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    ada.delete(&format!("/sessions/{}", ada.session)).send().is(204);
    let answer = ada.post("/auth/reauthenticate", &json!({ "password": ada.password })).send();
    answer.refuses(403, "FORBIDDEN").because("session_revoked");
}

fn it_needs_a_credential(engine: Engine) {
    let server = Server::start(engine);
    let answer = server.post("/auth/reauthenticate", &json!({ "password": "Correct-Horse-9" })).send();
    answer.refuses(401, "UNAUTHORIZED").because("token_missing");
}

/// The person with a token that says they authenticated this many seconds ago.
fn with_a_proof_of(person: &Person, seconds_ago: i64) -> Person {
    let mut claims: Value = jwt::claims(&person.access);
    claims["auth_time"] = json!(shape::now_seconds() - seconds_ago);
    Person { access: jwt::hs256(&claims, SECRET.as_bytes()), ..person.clone() }
}

fn an_old_proof_is_refused_where_a_fresh_one_is_asked_for(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_JWT_SECRET", SECRET)]);
    let ada = server.person("Ada");
    let stale = with_a_proof_of(&ada, 960);
    assert_eq!(stale.me()["id"], ada.id);
    let change = json!({ "email": "new@example.com" });
    for request in [
        stale.post("/users/me/email-change", &change),
        stale.delete("/users/me").header("X-Confirm", format!("DELETE {}", ada.id)),
        stale.delete("/users/me"),
    ] {
        let refusal = request.send().refuses(403, "FORBIDDEN");
        refusal.because("reauth_required");
        assert_eq!(refusal.detail()["maxAgeSeconds"], 900);
        assert_eq!(refusal.detail()["methods"], json!(["password"]));
    }
    let data = stale.post("/auth/reauthenticate", &json!({ "password": ada.password })).send().data(200);
    let fresh = Person { access: shape::text(&data["accessToken"]), ..stale };
    fresh.post("/users/me/email-change", &change).send().is(202);
    with_a_proof_of(&ada, 840).post("/users/me/email-change", &change).send().is(202);
}

fn a_refresh_keeps_the_proof_of_a_reauthentication(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let data = ada.post("/auth/reauthenticate", &json!({ "password": ada.password })).send().data(200);
    let proven = jwt::claims(data["accessToken"].as_str().unwrap())["auth_time"].clone();
    let claims = jwt::claims(&ada.refreshed().access);
    assert_eq!(claims["auth_time"], proven);
    assert_eq!(claims["amr"], json!(["pwd"]));
}
