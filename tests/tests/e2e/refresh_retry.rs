//! `POST /auth/refresh` with an idempotency key: a client can ask again for an answer that got lost.

use octavo_tests::{Engine, Reason, Server, at_once::at_once, both_engines};

both_engines! {
    the_same_key_gets_the_same_pair,
    the_same_key_at_once_gets_the_same_pair,
    using_the_successor_ends_the_grace,
    another_key_is_reuse,
    a_call_without_a_key_cannot_be_repeated,
    a_retry_survives_a_restart,
    a_logout_ends_the_grace,
}

fn the_same_key_gets_the_same_pair(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let request = ada.refresh_request().key("retry-1");
    let first = request.send();
    let second = request.send();
    assert_eq!(first.data(200), second.data(200));
    assert_eq!(first.header("Idempotency-Replayed"), None);
    assert_eq!(second.header("Idempotency-Replayed"), Some("true"));
    ada.with_tokens_of(&second.data(200)).refresh_request().send().is(200);
}

fn the_same_key_at_once_gets_the_same_pair(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let request = ada.refresh_request().key("retry-1");
    let answers = at_once(20, |_| request.send());
    let first = answers[0].data(200);
    for answer in &answers {
        assert_eq!(answer.data(200), first);
    }
    let replayed = answers.iter().filter(|answer| answer.header("Idempotency-Replayed").is_some()).count();
    assert_eq!(replayed, 19);
    ada.with_tokens_of(&first).refresh_request().send().is(200);
}

fn using_the_successor_ends_the_grace(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let request = ada.refresh_request().key("retry-1");
    let successor = ada.with_tokens_of(&request.send().data(200));
    let third = successor.refreshed();
    request.send().refuses(401, "REFRESH_TOKEN_REUSED");
    third.refresh_request().send().refuses(401, "REFRESH_TOKEN_REUSED");
}

fn another_key_is_reuse(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let successor = ada.with_tokens_of(&ada.refresh_request().key("retry-1").send().data(200));
    ada.refresh_request().key("retry-2").send().refuses(401, "REFRESH_TOKEN_REUSED");
    successor.refresh_request().send().refuses(401, "REFRESH_TOKEN_REUSED");
}

fn a_call_without_a_key_cannot_be_repeated(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    ada.refresh_request().key("retry-1").send().is(200);
    ada.refresh_request().send().refuses(401, "REFRESH_TOKEN_REUSED");
    ada.refresh_request().key("retry-1").send().refuses(401, "REFRESH_TOKEN_REUSED");
}

fn a_retry_survives_a_restart(engine: Engine) {
    let server = Server::own(engine, Reason::Lifecycle);
    let ada = server.person("Ada");
    let first = ada.refresh_request().key("retry-1").send().data(200);
    let server = server.kill().serve();
    let ada = octavo_tests::Person { site: *server.site(), ..ada };
    let second = ada.refresh_request().key("retry-1").send();
    assert_eq!(second.data(200), first);
    assert_eq!(second.header("Idempotency-Replayed"), Some("true"));
}

fn a_logout_ends_the_grace(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let request = ada.refresh_request().key("retry-1");
    let next = ada.with_tokens_of(&request.send().data(200));
    next.post("/auth/logout", &serde_json::json!({})).send().is(204);
    request.send().refuses(401, "REFRESH_TOKEN_REUSED");
}
