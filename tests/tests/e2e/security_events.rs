//! `GET /users/me/security-events`: the history of one's own account.

use octavo_tests::{Engine, Person, Server, both_engines, poll, shape};
use serde_json::{Value, json};

both_engines! {
    own_events_are_listed_newest_first,
    failures_are_listed_with_their_reason,
    an_entry_says_who_where_and_in_which_request,
    nobody_sees_the_entries_of_another,
    no_entry_holds_a_secret,
    it_needs_a_credential,
}

/// Entries appear within a second of the answer that caused them.
fn entries(person: &Person, wanted: &str) -> Vec<Value> {
    poll::eventually(wanted, || {
        let data = person.get("/users/me/security-events?limit=100").send().data(200);
        let entries = data.as_array().unwrap().clone();
        entries.iter().any(|entry| entry["action"] == wanted).then_some(entries)
    })
}

fn actions(entries: &[Value]) -> Vec<&str> {
    entries.iter().map(|entry| entry["action"].as_str().unwrap()).collect()
}

fn own_events_are_listed_newest_first(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let other = ada.login();
    let other = other.refreshed();
    other.post("/auth/logout", &json!({})).send().is(204);
    let body = json!({ "currentPassword": ada.password, "newPassword": "New-Horse-10" });
    ada.post("/users/me/password", &body).send().is(200);
    let entries = entries(&ada, "user.password_changed");
    let seen = actions(&entries);
    assert_eq!(seen[..4], ["user.password_changed", "user.logout", "auth.refresh", "user.login"]);
    let times: Vec<_> = entries.iter().map(|entry| shape::millis(&entry["at"])).collect();
    assert!(times.windows(2).all(|pair| pair[0] >= pair[1]), "{times:?}");
}

fn failures_are_listed_with_their_reason(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let wrong = Person { password: "Wrong-Horse-9".to_owned(), ..ada.clone() };
    wrong.try_login().is(401);
    let entries = entries(&ada, "user.login_failed");
    let failed = entries.iter().find(|entry| entry["action"] == "user.login_failed").unwrap();
    assert_eq!(failed["outcome"], "FAILURE");
    shape::text(&failed["reason"]);
}

fn an_entry_says_who_where_and_in_which_request(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let answer = ada.login_request().header("User-Agent", "Tester/1.0").send();
    let entries = entries(&ada, "user.login");
    let login = entries.iter().find(|entry| entry["action"] == "user.login").unwrap();
    shape::has(
        login,
        &[
            "id",
            "at",
            "chain",
            "action",
            "actor",
            "target",
            "outcome",
            "reason",
            "requestId",
            "pii",
            "seq",
            "hash",
            "prevHash",
        ],
    );
    shape::id(&login["id"], "aud_");
    assert_eq!(login["chain"], ada.id);
    assert_eq!(login["actor"]["type"], "USER");
    assert_eq!(login["actor"]["id"], ada.id);
    assert_eq!(login["outcome"], "SUCCESS");
    assert_eq!(login["reason"], Value::Null);
    assert_eq!(login["requestId"], answer.named("X-Request-Id"));
    assert_eq!(login["pii"]["ip"], server.client_address().to_string());
    assert_eq!(login["pii"]["userAgent"], "Tester/1.0");
}

fn nobody_sees_the_entries_of_another(engine: Engine) {
    let server = Server::start(engine);
    let (ada, eve) = (server.person("Ada"), server.person("Eve"));
    ada.try_login().is(200);
    eve.try_login().is(200);
    let seen = entries(&eve, "user.login");
    assert!(seen.iter().all(|entry| entry["chain"] == eve.id), "{seen:?}");
}

fn no_entry_holds_a_secret(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let ada = ada.login().refreshed();
    let body = json!({ "currentPassword": ada.password, "newPassword": "Marker-Horse-10" });
    ada.post("/users/me/password", &body).send().is(200);
    let text = Value::from(entries(&ada, "user.password_changed")).to_string();
    for secret in [ada.password.as_str(), "Marker-Horse-10", &ada.refresh, &ada.access, "argon2", "rft_"] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
}

fn it_needs_a_credential(engine: Engine) {
    let server = Server::start(engine);
    server.get("/users/me/security-events").send().refuses(401, "UNAUTHORIZED").because("token_missing");
}
