//! `GET` and `PATCH /users/me`, and `GET /auth/me`.

use octavo_tests::{Engine, Person, Server, at_once::at_once, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_user_sees_their_profile_and_workspaces,
    every_field_can_be_changed,
    fields_that_are_not_named_stay,
    null_clears_what_may_be_empty,
    server_owned_fields_stay,
    each_field_has_its_rule,
    lengths_are_counted_in_characters,
    a_refused_change_changes_nothing,
    a_display_name_of_ones_own_is_no_conflict,
    of_many_who_want_one_name_at_once_one_gets_it,
    auth_me_says_how_one_is_signed_in,
    both_need_a_credential,
    an_unverified_account_can_use_the_api,
}

fn patch(person: &Person, body: &Value) -> Value {
    person.patch("/users/me", body).send().data(200)
}

fn of_many_who_want_one_name_at_once_one_gets_it(engine: Engine) {
    const MANY: usize = 8;
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = ada.post("/workspaces", &json!({ "name": "Acme" })).send().data(201);
    let path = format!("/workspaces/{}/members", shape::text(&acme["id"]));
    let people: Vec<_> = (0..MANY).map(|number| server.person(&format!("Person{number}"))).collect();
    for person in &people {
        ada.post(&path, &json!({ "userId": person.id, "role": "MEMBER" })).send().is(201);
    }
    let mut statuses =
        at_once(MANY, |who| people[who].patch("/users/me", &json!({ "displayName": "Countess" })).send().status);
    statuses.sort_unstable();
    assert_eq!(statuses, [&[200][..], &[409; MANY - 1]].concat());
}

fn a_user_sees_their_profile_and_workspaces(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let data = ada.get("/users/me").send().data(200);
    let fields = [
        "id",
        "email",
        "name",
        "displayName",
        "avatarUrl",
        "emailVerification",
        "emailVerifiedAt",
        "status",
        "locale",
        "timezone",
        "theme",
        "lastLoginAt",
        "createdAt",
    ];
    shape::has(&data["user"], &fields);
    assert_eq!(data["user"]["email"], "ada@example.com");
    let workspace = json!({ "id": ada.workspace, "name": "Ada's workspace", "isPersonal": true, "role": "OWNER" });
    assert_eq!(data["workspaces"], json!([workspace]));
}

fn every_field_can_be_changed(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let change = json!({
        "name": "Ada Lovelace", "displayName": "Countess", "avatarUrl": "https://example.com/ada.png",
        "locale": "de-AT", "timezone": "Europe/Vienna", "theme": "dark",
    });
    let user = patch(&ada, &change);
    for (field, value) in change.as_object().unwrap() {
        assert_eq!(&user[field], value, "{field}");
    }
    assert_eq!(ada.me(), user);
}

fn fields_that_are_not_named_stay(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let before = ada.me();
    assert_eq!(patch(&ada, &json!({})), before);
    let after = patch(&ada, &json!({ "locale": "fr-FR" }));
    assert_eq!(after["locale"], "fr-FR");
    assert_eq!(after["displayName"], before["displayName"]);
    let renamed = patch(&ada, &json!({ "name": "Augusta" }));
    assert_eq!(renamed["displayName"], "Ada", "a display name is a field of its own once the account exists");
}

fn null_clears_what_may_be_empty(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    patch(&ada, &json!({ "avatarUrl": "https://example.com/ada.png" }));
    assert_eq!(patch(&ada, &json!({ "avatarUrl": null }))["avatarUrl"], Value::Null);
    for field in ["name", "displayName", "locale", "timezone", "theme"] {
        let answer = ada.patch("/users/me", &json!({ field: null })).send();
        answer.refuses(400, "VALIDATION_ERROR").names(field);
    }
}

fn server_owned_fields_stay(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let before = ada.me();
    let owned = json!({
        "id": "usr_00000000000000000000000000", "email": "eve@example.com", "status": "SUSPENDED",
        "emailVerification": "VERIFIED", "emailVerifiedAt": "2020-01-01T00:00:00.000Z",
        "createdAt": "2020-01-01T00:00:00.000Z", "lastLoginAt": null, "role": "OWNER", "password": "x", "unknown": 1,
    });
    assert_eq!(patch(&ada, &owned), before);
}

fn each_field_has_its_rule(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let long_address = format!("https://example.com/{}", "a".repeat(2048));
    for (field, value, issue) in [
        ("name", json!(""), None),
        ("name", json!("n".repeat(101)), Some("too_long")),
        ("name", json!("a\u{202E}b"), None),
        ("displayName", json!(""), None),
        ("displayName", json!("n".repeat(101)), Some("too_long")),
        ("displayName", json!("line\nbreak"), None),
        ("avatarUrl", json!(long_address), Some("too_long")),
        ("avatarUrl", json!("not an address"), None),
        ("avatarUrl", json!("javascript:alert(1)"), None),
        ("avatarUrl", json!("/relative.png"), None),
        ("locale", json!("x".repeat(36)), Some("too_long")),
        ("locale", json!("no locale"), None),
        ("timezone", json!("Mars/Olympus"), None),
        ("timezone", json!("europe vienna"), None),
        ("theme", json!("t".repeat(36)), Some("too_long")),
        ("theme", json!(5), Some("invalid_type")),
        ("name", json!(["Ada"]), Some("invalid_type")),
        ("avatarUrl", json!(true), Some("invalid_type")),
    ] {
        let answer = ada.patch("/users/me", &json!({ field: value })).send();
        let refusal = answer.refuses(400, "VALIDATION_ERROR");
        match issue {
            Some(issue) => _ = refusal.of(field, issue),
            None => _ = refusal.names(field),
        }
    }
}

fn lengths_are_counted_in_characters(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let user = patch(&ada, &json!({ "name": "🦀".repeat(100), "displayName": "é".repeat(100) }));
    assert_eq!(user["name"], "🦀".repeat(100));
    assert_eq!(user["displayName"], "é".repeat(100));
}

fn a_refused_change_changes_nothing(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let before = ada.me();
    let change = json!({ "name": "Augusta", "timezone": "Mars/Olympus", "theme": 7 });
    let refusal = ada.patch("/users/me", &change).send().refuses(400, "VALIDATION_ERROR");
    refusal.names("timezone");
    refusal.of("theme", "invalid_type");
    assert_eq!(ada.me(), before);
}

fn a_display_name_of_ones_own_is_no_conflict(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    assert_eq!(patch(&ada, &json!({ "displayName": "ADA" }))["displayName"], "ADA");
    // Ada and Bob share no workspace.
    assert_eq!(patch(&bob, &json!({ "displayName": "ada" }))["displayName"], "ada");
}

fn auth_me_says_how_one_is_signed_in(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let data = ada.get("/auth/me").send().data(200);
    assert_eq!(data["user"], ada.me());
    assert_eq!(data["workspaces"], ada.get("/users/me").send().data(200)["workspaces"]);
    assert_eq!(data["actor"], json!({ "type": "USER", "id": ada.id }));
    assert_eq!(data["workspaceId"], ada.workspace);
    assert_eq!(data["role"], "OWNER");
    assert_eq!(data["scopes"], json!(["read", "write"]));
    assert_eq!(data["session"]["id"], ada.session);
    assert_eq!(data["client"], Value::Null);
    assert!((0..=900).contains(&shape::seconds_ahead(&data["expiresAt"])), "{data}");
}

fn both_need_a_credential(engine: Engine) {
    let server = Server::start(engine);
    for path in ["/users/me", "/auth/me"] {
        server.get(path).send().refuses(401, "UNAUTHORIZED").because("token_missing");
    }
    let answer = server.request("PATCH", "/users/me").json(&json!({ "name": "x" })).send();
    answer.refuses(401, "UNAUTHORIZED").because("token_missing");
}

fn an_unverified_account_can_use_the_api(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    assert_eq!(ada.me()["emailVerification"], "PENDING");
    patch(&ada, &json!({ "theme": "light" }));
}
