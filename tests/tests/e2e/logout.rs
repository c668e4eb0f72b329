//! `POST /auth/logout`.

use octavo_tests::{Engine, Server, both_engines};
use serde_json::json;

both_engines! {
    it_ends_the_calling_session_again_and_again,
    the_body_may_be_left_out,
    the_access_token_lives_on_until_it_expires,
    it_ends_a_named_session_of_the_caller,
    a_session_of_somebody_else_is_left_alone,
    an_unknown_session_is_no_error,
    a_malformed_session_id_is_an_error,
    it_needs_a_credential,
}

fn it_ends_the_calling_session_again_and_again(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for _ in 0..2 {
        let answer = ada.post("/auth/logout", &json!({})).send();
        assert!(answer.is(204).body.is_empty());
    }
    ada.refresh_request().send().refuses(401, "REFRESH_TOKEN_REUSED");
}

fn the_body_may_be_left_out(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    ada.request("POST", "/auth/logout").send().is(204);
    ada.refresh_request().send().refuses(401, "REFRESH_TOKEN_REUSED");
}

fn the_access_token_lives_on_until_it_expires(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    ada.post("/auth/logout", &json!({})).send().is(204);
    assert_eq!(ada.me()["id"], ada.id);
}

fn it_ends_a_named_session_of_the_caller(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let other = ada.login();
    ada.post("/auth/logout", &json!({ "sessionId": other.session })).send().is(204);
    other.refresh_request().send().refuses(401, "REFRESH_TOKEN_REUSED");
    ada.refresh_request().send().is(200);
}

fn a_session_of_somebody_else_is_left_alone(engine: Engine) {
    let server = Server::start(engine);
    let (ada, eve) = (server.person("Ada"), server.person("Eve"));
    eve.post("/auth/logout", &json!({ "sessionId": ada.session })).send().is(204);
    ada.refresh_request().send().is(200);
    eve.refresh_request().send().is(200);
}

fn an_unknown_session_is_no_error(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    ada.post("/auth/logout", &json!({ "sessionId": "ses_00000000000000000000000000" })).send().is(204);
    ada.refresh_request().send().is(200);
}

fn a_malformed_session_id_is_an_error(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for wrong in [json!("nonsense"), json!(7), json!("usr_00000000000000000000000000")] {
        let answer = ada.post("/auth/logout", &json!({ "sessionId": wrong })).send();
        answer.refuses(400, "VALIDATION_ERROR").names("sessionId");
    }
    ada.refresh_request().send().is(200);
}

fn it_needs_a_credential(engine: Engine) {
    let server = Server::start(engine);
    server.post("/auth/logout", &json!({})).send().refuses(401, "UNAUTHORIZED").because("token_missing");
}
