//! Who an idempotency key belongs to, and which checks a replay must not bypass.

use octavo_tests::{Engine, Person, Server, both_engines, poll};
use serde_json::json;

both_engines! {
    the_same_key_of_another_user_is_unrelated,
    the_same_key_from_another_address_is_unrelated,
    a_public_call_with_a_token_belongs_to_the_token,
    a_session_shares_the_keys_of_its_user,
    the_workspace_counts_as_resolved_and_not_as_written,
    a_suspended_caller_gets_no_replay,
    an_unknown_caller_gets_no_replay,
    a_replay_is_counted_by_the_rate_limits,
}

fn the_same_key_of_another_user_is_unrelated(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let rename = |who: &Person| who.patch("/users/me", &json!({ "name": "Same" })).key("once").send();
    assert_eq!(rename(&ada).data(200)["id"], ada.id);
    let other = rename(&bob);
    assert_eq!(other.data(200)["id"], bob.id);
    assert_eq!(other.header("Idempotency-Replayed"), None);
}

fn the_same_key_from_another_address_is_unrelated(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_TRUSTED_PROXIES", "127.0.0.1")]);
    let ada = server.person("Ada");
    let login = |from: &str| ada.login_request().key("once").forwarded_for(from).send();
    let first = login("203.0.113.1").data(200);
    let second = login("203.0.113.2");
    assert_ne!(second.data(200)["session"]["id"], first["session"]["id"]);
    assert_eq!(second.header("Idempotency-Replayed"), None);
    assert_eq!(login("203.0.113.1").data(200), first);
}

fn a_public_call_with_a_token_belongs_to_the_token(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_TRUSTED_PROXIES", "127.0.0.1")]);
    let ada = server.person("Ada");
    let token = server.mailbox().token(&ada.email, "evt_");
    let confirm = |from: &str| {
        let request = server.post("/auth/email-verification/confirm", &json!({ "token": token }));
        request.key("once").forwarded_for(from).send()
    };
    let first = confirm("203.0.113.1").data(200);
    let second = confirm("203.0.113.2");
    assert_eq!(second.data(200), first, "a client may come back from another network");
    assert_eq!(second.header("Idempotency-Replayed"), Some("true"));
}

fn a_session_shares_the_keys_of_its_user(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let other = ada.login();
    let body = json!({ "name": "Augusta" });
    ada.patch("/users/me", &body).key("once").send().is(200);
    let answer = other.patch("/users/me", &body).key("once").send();
    assert_eq!(answer.is(200).header("Idempotency-Replayed"), Some("true"));
}

fn the_workspace_counts_as_resolved_and_not_as_written(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let rename = ada.patch("/users/me", &json!({ "name": "Augusta" })).key("once");
    rename.send().is(200);
    let named = rename.header("X-Service-Workspace", &ada.workspace).send();
    assert_eq!(named.is(200).header("Idempotency-Replayed"), Some("true"));
}

fn a_suspended_caller_gets_no_replay(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let rename = ada.patch("/users/me", &json!({ "name": "Augusta" })).key("once");
    rename.send().is(200);
    server.run(&["user", "suspend", &ada.email]).exits(0);
    poll::eventually("a refusal", || (ada.get("/users/me").send().status == 403).then_some(()));
    rename.send().refuses(403, "FORBIDDEN").because("account_suspended");
}

fn an_unknown_caller_gets_no_replay(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let body = json!({ "name": "Augusta" });
    ada.patch("/users/me", &body).key("once").send().is(200);
    let stranger = server.request("PATCH", "/users/me").json(&body).key("once");
    stranger.send().refuses(401, "UNAUTHORIZED");
    stranger.bearer("nonsense").send().refuses(401, "UNAUTHORIZED");
}

fn a_replay_is_counted_by_the_rate_limits(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_GENERIC", "3")]);
    let ada = server.person("Ada");
    let rename = ada.patch("/users/me", &json!({ "name": "Augusta" })).key("once");
    for _ in 0..3 {
        rename.send().is(200);
    }
    rename.send().refuses(429, "RATE_LIMITED");
}
