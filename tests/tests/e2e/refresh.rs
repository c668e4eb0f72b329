//! `POST /auth/refresh`: how tokens rotate, and when a session ends.

use octavo_tests::{Engine, Person, Server, at_once::at_once, both_engines, jwt, shape};
use serde_json::{Value, json};

both_engines! {
    a_refresh_hands_out_the_next_pair,
    a_refresh_keeps_the_session_and_its_proof,
    a_refresh_extends_the_session,
    a_rotated_token_ends_the_whole_chain,
    a_reuse_leaves_other_sessions_alone,
    of_twenty_at_once_one_wins,
    unknown_and_malformed_tokens_look_alike,
    tokens_of_other_kinds_are_refused,
    the_body_has_to_hold_a_token,
    a_credential_sent_along_is_ignored,
    after_logout_a_token_counts_as_reused,
    after_a_reset_a_token_counts_as_reused,
    after_a_password_change_a_token_counts_as_reused,
    after_its_session_was_revoked_a_token_is_refused_as_such,
    a_rotated_token_of_a_revoked_session_is_reuse,
    the_account_comes_before_the_session,
}

fn refresh(person: &Person, token: &str) -> octavo_tests::Answer {
    person.site.post("/auth/refresh", &json!({ "refreshToken": token })).send()
}

fn a_refresh_hands_out_the_next_pair(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let data = ada.refresh_request().send().data(200);
    let next = shape::token(&data["refreshToken"], "rft_");
    assert_ne!(next, ada.refresh);
    assert_eq!(data["expiresIn"], 900);
    assert_eq!(data["session"]["id"], ada.session);
    let ada = ada.with_tokens_of(&data);
    assert_eq!(ada.me()["id"], ada.id);
    ada.refresh_request().send().is(200);
}

fn a_refresh_keeps_the_session_and_its_proof(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let (before, after) = (jwt::claims(&ada.access), jwt::claims(&ada.refreshed().access));
    for claim in ["sub", "sid", "workspaceId", "auth_time", "amr", "roles", "scopes", "iss", "aud"] {
        assert_eq!(before[claim], after[claim], "{claim}");
    }
    assert_ne!(before["jti"], after["jti"]);
    assert_eq!(after["exp"].as_i64().unwrap() - after["iat"].as_i64().unwrap(), 900);
}

fn a_refresh_extends_the_session(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let expiry = |ada: &Person| {
        let sessions = ada.get("/sessions").send().data(200);
        shape::millis(&sessions[0]["expiresAt"])
    };
    let before = expiry(&ada);
    let after = expiry(&ada.refreshed());
    assert!(after > before, "{before} {after}");
}

fn a_rotated_token_ends_the_whole_chain(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let second = ada.refreshed();
    let third = second.refreshed();
    refresh(&ada, &ada.refresh).refuses(401, "REFRESH_TOKEN_REUSED");
    for token in [&third.refresh, &second.refresh, &ada.refresh] {
        refresh(&ada, token).refuses(401, "REFRESH_TOKEN_REUSED");
    }
    let actions = ada.get("/users/me/security-events").send().data(200);
    let reuse = |event: &Value| event["action"] == "auth.refresh" && event["outcome"] == "FAILURE";
    assert!(actions.as_array().unwrap().iter().any(reuse), "{actions}");
}

fn a_reuse_leaves_other_sessions_alone(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let sibling = ada.login();
    ada.refreshed();
    refresh(&ada, &ada.refresh).refuses(401, "REFRESH_TOKEN_REUSED");
    sibling.refresh_request().send().is(200);
    ada.try_login().is(200);
}

fn of_twenty_at_once_one_wins(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let answers = at_once(20, |_| ada.refresh_request().send());
    let (won, lost): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    assert_eq!(won.len(), 1);
    for answer in lost {
        answer.refuses(401, "REFRESH_TOKEN_REUSED");
    }
    let winner = ada.with_tokens_of(&won[0].data(200));
    winner.refresh_request().send().refuses(401, "REFRESH_TOKEN_REUSED");
}

fn unknown_and_malformed_tokens_look_alike(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let unknown = refresh(&ada, &format!("rft_{}", "A".repeat(43)));
    unknown.refuses(401, "UNAUTHORIZED");
    for malformed in ["rft_", "nonsense", "", &ada.refresh[..20], &format!("{}A", ada.refresh)] {
        unknown.is_like(&refresh(&ada, malformed));
    }
}

fn tokens_of_other_kinds_are_refused(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let verification = server.mailbox().token(&ada.email, "evt_");
    for wrong in [&ada.access, &verification, &ada.refresh.replace("rft_", "pwrt_")] {
        refresh(&ada, wrong).refuses(401, "UNAUTHORIZED");
    }
    let body = json!({ "token": ada.refresh });
    server.post("/auth/email-verification/confirm", &body).send().refuses(400, "VALIDATION_ERROR");
    server.get("/users/me").bearer(&ada.refresh).send().refuses(401, "UNAUTHORIZED").because("token_malformed");
    ada.refresh_request().send().is(200);
}

fn the_body_has_to_hold_a_token(engine: Engine) {
    let server = Server::start(engine);
    let refusal = server.post("/auth/refresh", &json!({})).send().refuses(400, "VALIDATION_ERROR");
    refusal.of("refreshToken", "required");
    let answer = server.post("/auth/refresh", &json!({ "refreshToken": 5 })).send();
    answer.refuses(400, "VALIDATION_ERROR").of("refreshToken", "invalid_type");
    let ada = server.person("Ada");
    let elsewhere = server.request("POST", &format!("/auth/refresh?refreshToken={}", ada.refresh)).json(&json!({}));
    elsewhere.send().refuses(400, "VALIDATION_ERROR");
}

fn a_credential_sent_along_is_ignored(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    ada.refresh_request().bearer("nonsense").send().is(200);
}

fn after_logout_a_token_counts_as_reused(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    ada.post("/auth/logout", &json!({})).send().is(204);
    ada.refresh_request().send().refuses(401, "REFRESH_TOKEN_REUSED");
}

fn after_a_reset_a_token_counts_as_reused(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let verification = server.mailbox().token(&ada.email, "evt_");
    server.post("/auth/email-verification/confirm", &json!({ "token": verification })).send().is(200);
    server.post("/auth/password-reset/request", &json!({ "email": ada.email })).send().is(202);
    let token = server.mailbox().token(&ada.email, "pwrt_");
    let body = json!({ "token": token, "password": "New-Horse-10" });
    server.post("/auth/password-reset/confirm", &body).send().is(200);
    ada.refresh_request().send().refuses(401, "REFRESH_TOKEN_REUSED");
}

fn after_a_password_change_a_token_counts_as_reused(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let other = ada.login();
    let body = json!({ "currentPassword": ada.password, "newPassword": "New-Horse-10" });
    ada.post("/users/me/password", &body).send().is(200);
    other.refresh_request().send().refuses(401, "REFRESH_TOKEN_REUSED");
    ada.refresh_request().send().is(200);
}

fn after_its_session_was_revoked_a_token_is_refused_as_such(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let (one, other) = (ada.login(), ada.login());
    ada.delete(&format!("/sessions/{}", one.session)).send().is(204);
    one.refresh_request().send().refuses(403, "FORBIDDEN").because("session_revoked");
    ada.delete("/sessions").send().is(200);
    other.refresh_request().send().refuses(403, "FORBIDDEN").because("session_revoked");
    ada.refresh_request().send().is(200);
}

fn a_rotated_token_of_a_revoked_session_is_reuse(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let next = ada.refreshed();
    next.delete(&format!("/sessions/{}", ada.session)).send().is(204);
    refresh(&ada, &ada.refresh).refuses(401, "REFRESH_TOKEN_REUSED");
}

fn the_account_comes_before_the_session(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let rotated = ada.login();
    let current = rotated.refreshed();
    server.run(&["user", "suspend", &ada.email]).exits(0);
    current.refresh_request().send().refuses(403, "FORBIDDEN").because("account_suspended");
    ada.refresh_request().send().refuses(403, "FORBIDDEN").because("account_suspended");
    refresh(&ada, &rotated.refresh).refuses(401, "REFRESH_TOKEN_REUSED");
    refresh(&ada, &format!("rft_{}", "A".repeat(43))).refuses(401, "UNAUTHORIZED");
}
