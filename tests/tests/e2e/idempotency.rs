//! `Idempotency-Key`: a client that does not know whether its call arrived can safely send it again.

use octavo_tests::{Engine, Person, Server, at_once::at_once, both_engines};
use serde_json::json;

both_engines! {
    a_repeated_call_is_answered_and_not_run_again,
    an_answer_without_body_is_replayed_too,
    a_registration_can_be_repeated,
    a_replay_has_ids_and_counts_of_its_own,
    another_body_under_the_key_is_refused,
    another_path_method_or_query_is_refused,
    a_refused_call_leaves_the_key_free,
    calls_at_once_have_one_effect,
    calls_at_once_by_a_new_account_have_one_effect,
    a_key_has_a_form,
    quotes_around_a_key_mean_nothing,
    a_reading_call_does_not_mind,
    a_replay_survives_a_restart,
}

fn sessions(person: &Person) -> usize {
    person.get("/sessions?limit=100").send().data(200).as_array().unwrap().len()
}

fn a_repeated_call_is_answered_and_not_run_again(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let login = ada.login_request().key("once");
    let first = login.send();
    let second = login.send();
    assert_eq!(first.data(200), second.data(200));
    assert_eq!(first.body, second.body);
    assert_eq!(first.header("Idempotency-Replayed"), None);
    assert_eq!(second.header("Idempotency-Replayed"), Some("true"));
    assert_eq!(sessions(&ada), 2);
    ada.try_login().is(200);
    assert_eq!(sessions(&ada), 3);
}

fn an_answer_without_body_is_replayed_too(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let other = ada.login();
    let revoke = ada.delete(&format!("/sessions/{}", other.session)).key("once");
    assert_eq!(revoke.send().is(204).header("Idempotency-Replayed"), None);
    let second = revoke.send();
    assert_eq!(second.is(204).header("Idempotency-Replayed"), Some("true"));
    assert!(second.body.is_empty());
    let (third, fourth) = (ada.login(), ada.login());
    let all = ada.delete("/sessions").key("all");
    assert_eq!(all.send().data(200), json!({ "revoked": 2 }));
    assert_eq!(all.send().data(200), json!({ "revoked": 2 }));
    for gone in [third, fourth] {
        gone.refresh_request().send().is(403);
    }
}

fn a_registration_can_be_repeated(engine: Engine) {
    let server = Server::start(engine);
    let form = json!({ "email": "ada@example.com", "password": "Correct-Horse-9", "name": "Ada" });
    let register = server.post("/auth/register", &form).key("once");
    let first = register.send();
    let second = register.send();
    assert_eq!(first.data(201), second.data(201));
    assert_eq!(second.header("Idempotency-Replayed"), Some("true"));
    server.post("/auth/register", &form).key("twice").send().refuses(409, "CONFLICT");
    server.post("/auth/register", &form).send().refuses(409, "CONFLICT");
}

fn a_replay_has_ids_and_counts_of_its_own(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_GENERIC", "10")]);
    let ada = server.person("Ada");
    let rename = ada.patch("/users/me", &json!({ "name": "Augusta" })).key("once");
    let (first, second) = (rename.send(), rename.send());
    assert_eq!(first.data(200), second.data(200));
    assert_ne!(first.named("X-Request-Id"), second.named("X-Request-Id"));
    let remaining = [&first, &second].map(|answer| answer.number("X-RateLimit-Remaining"));
    assert_eq!(remaining[0] - 1, remaining[1]);
    assert_eq!(first.named("Content-Type"), second.named("Content-Type"));
    assert_eq!(second.named("Cache-Control"), "no-store");
}

fn another_body_under_the_key_is_refused(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    ada.patch("/users/me", &json!({ "name": "Augusta" })).key("once").send().is(200);
    let refusal = ada.patch("/users/me", &json!({ "name": "Byron" })).key("once").send();
    refusal.refuses(422, "UNPROCESSABLE_ENTITY").issue("idempotency_key_reused");
    let spaced = ada.request("PATCH", "/users/me").body("application/json", r#"{ "name": "Augusta" }"#).key("once");
    spaced.send().refuses(422, "UNPROCESSABLE_ENTITY").issue("idempotency_key_reused");
    assert_eq!(ada.me()["name"], "Augusta");
}

fn another_path_method_or_query_is_refused(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let other = ada.login();
    ada.delete("/sessions").key("once").send().is(200);
    for request in [
        ada.delete("/sessions?x=1"),
        ada.delete(&format!("/sessions/{}", other.session)),
        ada.request("POST", "/auth/logout"),
    ] {
        let refusal = request.key("once").send().refuses(422, "UNPROCESSABLE_ENTITY");
        refusal.issue("idempotency_key_reused");
    }
    ada.refresh_request().send().is(200);
}

fn a_refused_call_leaves_the_key_free(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    ada.patch("/users/me", &json!({ "name": 7 })).key("once").send().is(400);
    let fixed = ada.patch("/users/me", &json!({ "name": "Augusta" })).key("once").send();
    assert_eq!(fixed.is(200).header("Idempotency-Replayed"), None);
    let wrong = json!({ "currentPassword": "Wrong-Horse-9", "newPassword": "New-Horse-10" });
    ada.post("/users/me/password", &wrong).key("change").send().is(401);
    let right = json!({ "currentPassword": ada.password, "newPassword": "New-Horse-10" });
    let change = ada.post("/users/me/password", &right).key("change");
    change.send().is(200);
    assert_eq!(change.send().is(200).header("Idempotency-Replayed"), Some("true"));
}

fn calls_at_once_have_one_effect(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let login = ada.login_request().key("once");
    let answers = at_once(20, |_| login.send());
    let done: Vec<_> = answers.iter().filter(|answer| answer.status == 200).collect();
    assert!(!done.is_empty());
    for answer in &answers {
        match answer.status {
            200 => assert_eq!(answer.body, done[0].body),
            409 => {
                answer.refuses(409, "CONFLICT").issue("idempotency_in_progress");
                assert_eq!(answer.named("Retry-After"), "1");
            }
            other => panic!("{other}: {}", answer.text()),
        }
    }
    assert_eq!(done.iter().filter(|answer| answer.header("Idempotency-Replayed").is_none()).count(), 1);
    assert_eq!(sessions(&ada), 2);
}

fn calls_at_once_by_a_new_account_have_one_effect(engine: Engine) {
    let server = Server::start(engine);
    let form = json!({ "email": "ada@example.com", "password": "Correct-Horse-9", "name": "Ada" });
    let register = server.post("/auth/register", &form).key("once");
    let answers = at_once(10, |_| register.send());
    let done: Vec<_> = answers.iter().filter(|answer| answer.status == 201).collect();
    assert!(!done.is_empty());
    assert!(done.iter().all(|answer| answer.body == done[0].body));
    assert!(answers.iter().all(|answer| [201, 409].contains(&answer.status)));
    let data = register.send().data(201);
    let ada = server.get("/sessions").bearer(data["accessToken"].as_str().unwrap()).send().data(200);
    assert_eq!(ada.as_array().unwrap().len(), 1);
}

fn a_key_has_a_form(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let with = |key: &[u8]| ada.patch("/users/me", &json!({})).header("Idempotency-Key", key).send();
    with("k".repeat(255).as_bytes()).is(200);
    with(b"!#$%&'()*+,-./:;<=>?@[]^_`{|}~").is(200);
    for wrong in ["k".repeat(256).as_bytes(), b"", b"\"\"", b"a b", "schlüssel".as_bytes(), b"a\tb"] {
        with(wrong).refuses(400, "VALIDATION_ERROR").names("Idempotency-Key");
    }
    let two = ada.patch("/users/me", &json!({})).key("one").key("two").send();
    let refused = two.refuses(400, "VALIDATION_ERROR");
    assert_eq!(refused.of("Idempotency-Key", "invalid_value").detail()["received"], json!(["one", "two"]));
    assert_eq!(with(b"a b").refuses(400, "VALIDATION_ERROR").detail()["received"], "a b");
}

fn quotes_around_a_key_mean_nothing(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    ada.patch("/users/me", &json!({ "name": "Augusta" })).key("once").send().is(200);
    let again = ada.patch("/users/me", &json!({ "name": "Augusta" })).key("\"once\"").send();
    assert_eq!(again.is(200).header("Idempotency-Replayed"), Some("true"));
}

fn a_reading_call_does_not_mind(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for key in ["once", "once", "not a key", ""] {
        let answer = ada.get("/users/me").key(key).send();
        assert_eq!(answer.is(200).header("Idempotency-Replayed"), None);
    }
    ada.get("/users/me").key("one").key("two").send().is(200);
    ada.patch("/users/me", &json!({ "name": "Augusta" })).key("once").send().is(200);
    assert_eq!(ada.get("/users/me").key("once").send().data(200)["user"]["name"], "Augusta");
}

fn a_replay_survives_a_restart(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_PUBLIC_URL", "http://octavo.test")]);
    let ada = server.person("Ada");
    ada.login();
    let first = ada.delete("/sessions").key("once").send().data(200);
    assert_eq!(first, json!({ "revoked": 1 }));
    let server = server.kill().serve();
    let ada = Person { site: *server.site(), ..ada };
    let second = ada.delete("/sessions").key("once").send();
    assert_eq!(second.data(200), first);
    assert_eq!(second.header("Idempotency-Replayed"), Some("true"));
}
