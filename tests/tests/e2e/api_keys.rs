//! API keys: creating, using, changing, rotating and revoking them.

use octavo_tests::{Answer, Engine, Person, Server, at_once, both_engines, poll, shape};
use serde_json::{Value, json};

both_engines! {
    a_new_key_shows_itself_once_and_works,
    a_retry_of_its_creation_shows_the_same_key,
    what_a_key_may_be_is_checked,
    a_name_is_taken_until_its_key_is_revoked,
    one_of_twenty_gets_a_name,
    a_key_may_do_what_its_scope_says,
    a_key_stays_in_its_workspace,
    a_revoked_key_is_refused_from_the_next_call_on,
    a_replaced_key_works_until_its_grace_ends,
    a_mistyped_key_is_none,
    a_key_works_from_its_addresses_only,
    an_address_is_checked_after_scope_and_workspace,
    a_key_meets_its_own_bucket_alone,
    a_key_has_600_calls_a_minute_unless_it_says_otherwise,
    the_list_says_when_a_key_was_used,
    a_use_outlives_the_server,
    the_keys_of_a_deleted_workspace_are_gone_with_it,
    a_workspace_has_a_hundred_keys_at_most,
}

fn path(person: &Person) -> String {
    format!("/workspaces/{}/api-keys", person.workspace)
}

#[track_caller]
fn make(person: &Person, body: &Value) -> Value {
    person.post(&path(person), body).send().data(201)
}

/// A key with these scopes.
#[track_caller]
fn key(person: &Person, name: &str, scopes: &[&str]) -> String {
    text(&make(person, &json!({ "name": name, "scopes": scopes }))["key"])
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn home(server: &Server, key: &str) -> Answer {
    server.get("/auth/me").bearer(key).send()
}

fn a_new_key_shows_itself_once_and_works(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let made = make(&ada, &json!({ "name": "Importer", "scopes": ["READ", "WRITE"] }));
    let key = text(&made["key"]);
    assert!(key.starts_with("svc_live_") && key.len() == 47, "{key}");
    assert_eq!(made["prefix"], key[..13]);
    for (field, value) in [
        ("name", json!("Importer")),
        ("scopes", json!(["READ", "WRITE"])),
        ("rateLimit", Value::Null),
        ("expiresAt", Value::Null),
        ("createdById", json!(ada.id)),
    ] {
        assert_eq!(made[field], value, "{field}");
    }
    let list = ada.get(&path(&ada)).send().is(200).clone();
    assert!(!list.text().contains(&key), "the key is shown once");
    let listed = list.data(200)[0].clone();
    assert_eq!((&listed["id"], &listed["creatorStatus"]), (&made["id"], &json!("ACTIVE")));
    assert_eq!((&listed["lastUsedAt"], &listed["revokedAt"]), (&Value::Null, &Value::Null));
    let me = home(&server, &key).data(200);
    assert_eq!((&me["user"], &me["session"], &me["role"]), (&Value::Null, &Value::Null, &Value::Null));
    assert_eq!(me["actor"], json!({ "type": "API_KEY", "id": made["id"] }));
    assert_eq!((&me["workspaceId"], &me["scopes"]), (&json!(ada.workspace), &json!(["READ", "WRITE"])));
    assert_eq!(me["workspaces"][0]["id"], ada.workspace);
    let workspaces = server.get("/workspaces").bearer(&key).send().data(200);
    assert_eq!(workspaces.as_array().unwrap().len(), 1);
    assert_eq!(workspaces[0]["id"], ada.workspace);
}

fn a_retry_of_its_creation_shows_the_same_key(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let call = ada.post(&path(&ada), &json!({ "name": "Importer", "scopes": ["READ"] })).key("once");
    let (first, second) = (call.send(), call.send());
    assert_eq!(second.named("Idempotency-Replayed"), "true");
    assert_eq!(first.data(201), second.data(201));
    home(&server, &text(&second.data(201)["key"])).is(200);
}

fn what_a_key_may_be_is_checked(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let refused = |field: &str, issue: &str, value: Value| {
        let mut body = json!({ "name": "Importer", "scopes": ["READ"] });
        body[field] = value;
        ada.post(&path(&ada), &body)
            .send()
            .refuses(400, "VALIDATION_ERROR")
            .of(field.split('.').next().unwrap(), issue);
    };
    refused("name", "too_short", json!(""));
    refused("name", "too_long", json!("x".repeat(101)));
    refused("scopes", "too_short", json!([]));
    refused("scopes", "too_long", json!(["READ", "READ", "READ", "READ"]));
    refused("rateLimit", "too_small", json!(0));
    refused("rateLimit", "too_large", json!(6001));
    refused("expiresAt", "invalid_value", json!("2001-01-01T00:00:00Z"));
    let past = json!({ "name": "Importer", "scopes": ["READ"], "expiresAt": "2001-01-01T00:00:00Z" });
    let past = ada.post(&path(&ada), &past).send().refuses(400, "VALIDATION_ERROR");
    assert!(past.names("expiresAt")["rules"][0].as_str().unwrap().contains("in the future"), "{}", past.error);
    refused("allowedIps", "too_short", json!([]));
    refused("allowedIps", "too_long", json!(vec!["192.0.2.0/24"; 51]));
    for (field, value) in [("scopes", json!(["READ", "OWN"])), ("allowedIps", json!(["192.0.2.0/24", "192.0.2.0/33"]))]
    {
        let mut body = json!({ "name": "Importer", "scopes": ["READ"] });
        body[field] = value;
        ada.post(&path(&ada), &body).send().refuses(400, "VALIDATION_ERROR").names(&format!("{field}.1"));
    }
    let made = make(&ada, &json!({ "name": "Importer", "scopes": ["READ"] }));
    let one = format!("{}/{}", path(&ada), text(&made["id"]));
    let patch = |body: Value| ada.patch(&one, &body).send();
    patch(json!({ "scopes": ["ADMIN"] })).refuses(400, "VALIDATION_ERROR").of("scopes", "immutable");
    patch(json!({ "name": null })).refuses(400, "VALIDATION_ERROR").names("name");
    let changed = patch(json!({ "name": "Exporter", "rateLimit": 7, "allowedIps": ["10.1.2.3/8"] })).data(200);
    assert_eq!((&changed["name"], &changed["rateLimit"]), (&json!("Exporter"), &json!(7)));
    assert_eq!((&changed["allowedIps"], &changed["scopes"]), (&json!(["10.0.0.0/8"]), &json!(["READ"])));
    let cleared = patch(json!({ "rateLimit": null, "allowedIps": null })).data(200);
    assert_eq!((&cleared["rateLimit"], &cleared["allowedIps"]), (&Value::Null, &Value::Null));
    ada.post(&format!("{one}/rotate"), &json!({ "graceHours": 169 })).send().refuses(400, "VALIDATION_ERROR");
    for unknown in ["apk_00000000000000000000000000", "nonsense"] {
        ada.delete(&format!("{}/{unknown}", path(&ada))).send().refuses(404, "NOT_FOUND");
    }
}

fn a_name_is_taken_until_its_key_is_revoked(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let made = make(&ada, &json!({ "name": "Importer", "scopes": ["READ"] }));
    let other = make(&ada, &json!({ "name": "Other", "scopes": ["READ"] }));
    let again = json!({ "name": "Importer", "scopes": ["READ"] });
    ada.post(&path(&ada), &again).send().refuses(409, "CONFLICT").of("name", "already_exists");
    let other = format!("{}/{}", path(&ada), text(&other["id"]));
    ada.patch(&other, &json!({ "name": "Importer" })).send().refuses(409, "CONFLICT").of("name", "already_exists");
    let first = format!("{}/{}", path(&ada), text(&made["id"]));
    ada.patch(&first, &json!({ "name": "Importer" })).send().is(200);
    ada.delete(&first).send().is(204);
    make(&ada, &again);
    ada.patch(&first, &json!({ "rateLimit": 7 })).send().refuses(409, "CONFLICT").issue("api_key_revoked");
    ada.post(&format!("{first}/rotate"), &json!({})).send().refuses(409, "CONFLICT").issue("api_key_revoked");
}

fn one_of_twenty_gets_a_name(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let body = json!({ "name": "Importer", "scopes": ["READ"] });
    let answers = at_once::at_once(20, |_| ada.post(&path(&ada), &body).send().status);
    assert_eq!(answers.iter().filter(|status| **status == 201).count(), 1, "{answers:?}");
    assert_eq!(answers.iter().filter(|status| **status == 409).count(), 19, "{answers:?}");
}

fn a_key_may_do_what_its_scope_says(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let keys = [key(&ada, "reads", &["READ"]), key(&ada, "writes", &["WRITE"]), key(&ada, "runs", &["ADMIN"])];
    let workspace = format!("/workspaces/{}", ada.workspace);
    for key in &keys {
        server.get(&workspace).bearer(key).send().is(200);
        let patched = server.request("PATCH", "/users/me").json(&json!({})).bearer(key).send();
        patched.refuses(403, "FORBIDDEN").because("requires_user_credentials");
        for call in [server.get(&path(&ada)), server.post(&path(&ada), &json!({ "name": "x", "scopes": ["READ"] }))] {
            call.bearer(key).send().refuses(403, "FORBIDDEN").because("requires_user_credentials");
        }
    }
    let rename = |key: &str| server.request("PATCH", &workspace).json(&json!({ "name": "New" })).bearer(key).send();
    for key in &keys[..2] {
        let refused = rename(key).refuses(403, "FORBIDDEN").because("api_key_scope_admin").clone();
        assert_eq!(refused.detail()["alias"], "SCOPE_DENIED");
    }
    assert_eq!(rename(&keys[2]).data(200)["name"], "New");
}

fn a_key_stays_in_its_workspace(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let key = key(&ada, "runs", &["ADMIN"]);
    for elsewhere in [bob.workspace.as_str(), "wks_00000000000000000000000000", "nonsense"] {
        let by_path = server.get(&format!("/workspaces/{elsewhere}")).bearer(&key).send();
        by_path.refuses(403, "FORBIDDEN").because("workspace_mismatch");
        let by_header = server.get("/workspaces").bearer(&key).header("X-Service-Workspace", elsewhere).send();
        let refusal = by_header.refuses(403, "FORBIDDEN");
        assert_eq!(refusal.because("workspace_mismatch").message(), "This API key belongs to another workspace.");
    }
    server.get("/workspaces").bearer(&key).header("X-Service-Workspace", &ada.workspace).send().is(200);
    let foreign = bob.get(&path(&ada)).send();
    foreign.refuses(403, "FORBIDDEN").because("workspace_mismatch");
}

fn a_revoked_key_is_refused_from_the_next_call_on(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let made = make(&ada, &json!({ "name": "Importer", "scopes": ["READ"] }));
    let key = text(&made["key"]);
    home(&server, &key).is(200);
    let one = format!("{}/{}", path(&ada), text(&made["id"]));
    ada.delete(&one).send().is(204);
    home(&server, &key).refuses(401, "UNAUTHORIZED").because("api_key_revoked");
    ada.delete(&one).send().is(204);
    assert!(ada.get(&path(&ada)).send().data(200)[0]["revokedAt"].is_string());
}

fn a_replaced_key_works_until_its_grace_ends(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let made = make(&ada, &json!({ "name": "Importer", "scopes": ["READ"] }));
    let rotate = format!("{}/{}/rotate", path(&ada), text(&made["id"]));
    let second = ada.post(&rotate, &json!({})).send().data(200);
    assert_eq!(second["id"], made["id"]);
    assert_ne!(second["key"], made["key"]);
    assert!(second["previousValidUntil"].is_string());
    let keys = [text(&made["key"]), text(&second["key"])];
    for key in &keys {
        home(&server, key).is(200);
    }
    let third = text(&ada.post(&rotate, &json!({ "graceHours": 0 })).send().data(200)["key"]);
    for key in &keys {
        home(&server, key).refuses(401, "UNAUTHORIZED").because("api_key_revoked");
    }
    home(&server, &third).is(200);
    assert_eq!(ada.get(&path(&ada)).send().data(200)[0]["prefix"], third[..13]);
}

fn a_mistyped_key_is_none(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let key = key(&ada, "reads", &["READ"]);
    let typo = format!("{}{}", &key[..46], if key.ends_with('0') { '1' } else { '0' });
    for wrong in [&typo, &key[..46], &format!("{key}0"), "svc_live_", &key.to_lowercase()] {
        home(&server, wrong).refuses(401, "UNAUTHORIZED").because("token_malformed");
    }
    server.get(&format!("/auth/me?access_token={key}")).send().refuses(401, "UNAUTHORIZED").because("token_missing");
    server.post("/auth/refresh", &json!({ "refreshToken": key })).send().is(401);
}

fn a_key_works_from_its_addresses_only(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_TRUSTED_PROXIES", "127.0.0.0/8")]);
    let ada = server.person("Ada");
    let body = json!({ "name": "Importer", "scopes": ["ADMIN"], "allowedIps": ["203.0.113.0/24", "2001:db8::/32"] });
    let key = text(&make(&ada, &body)["key"]);
    let from = |address: &str, path: &str| server.get(path).bearer(&key).forwarded_for(address).send();
    for path in ["/auth/me", "/workspaces", "/rate-limit", &format!("/workspaces/{}", ada.workspace)] {
        from("203.0.113.9", path).is(200);
        from("2001:db8::1", path).is(200);
        from("198.51.100.1", path).refuses(403, "FORBIDDEN").because("ip_not_allowed");
    }
}

fn a_key_meets_its_own_bucket_alone(engine: Engine) {
    let limits = [("OCTAVO_RATE_LIMIT_GENERIC", "8"), ("OCTAVO_RATE_LIMIT_API_KEY", "5")];
    let server = Server::with(engine, &limits);
    let ada = server.person("Ada");
    let general = key(&ada, "general", &["READ"]);
    let own = text(&make(&ada, &json!({ "name": "own", "scopes": ["READ"], "rateLimit": 2 }))["key"]);
    for (key, limit) in [(&general, 5), (&own, 2)] {
        for left in (0..limit).rev() {
            let answer = home(&server, key).is(200).clone();
            assert_eq!(answer.named("X-RateLimit-Bucket"), "api_key");
            assert_eq!((answer.number("X-RateLimit-Limit"), answer.number("X-RateLimit-Remaining")), (limit, left));
        }
        let full = home(&server, key);
        assert_eq!(full.refuses(429, "RATE_LIMITED").detail()["bucket"], "api_key");
        let listed = server.get("/rate-limit").bearer(key).send().data(200);
        let names: Vec<_> = listed.as_array().unwrap().iter().map(|bucket| bucket["bucket"].clone()).collect();
        assert!(names.contains(&json!("api_key")) && !names.contains(&json!("generic")), "{names:?}");
    }
    ada.get("/users/me").send().is(200);
}

fn an_address_is_checked_after_scope_and_workspace(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_TRUSTED_PROXIES", "127.0.0.0/8")]);
    let (ada, eve) = (server.person("Ada"), server.person("Eve"));
    let body = json!({ "name": "Importer", "scopes": ["READ"], "allowedIps": ["203.0.113.0/24"] });
    let key = text(&make(&ada, &body)["key"]);
    let found = |path: &str| server.post(path, &json!({ "name": 7 })).bearer(&key).forwarded_for("198.51.100.1").send();
    found(&format!("/workspaces/{}/teams", ada.workspace)).refuses(403, "FORBIDDEN").because("api_key_scope_admin");
    let read = |path: &str| server.get(path).bearer(&key).forwarded_for("198.51.100.1").send();
    read(&format!("/workspaces/{}", eve.workspace)).refuses(403, "FORBIDDEN").because("workspace_mismatch");
    let absent = format!("/workspaces/{}/teams/tm_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", ada.workspace);
    read(&absent).refuses(403, "FORBIDDEN").because("ip_not_allowed");
}

fn a_key_has_600_calls_a_minute_unless_it_says_otherwise(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let limit = |key: &str| home(&server, key).is(200).number("X-RateLimit-Limit");
    assert_eq!(limit(&key(&ada, "plain", &["READ"])), 600);
    let own = make(&ada, &json!({ "name": "own", "scopes": ["READ"], "rateLimit": 6000 }));
    assert_eq!((own["rateLimit"].as_u64(), limit(&text(&own["key"]))), (Some(6000), 6000));
}

fn the_list_says_when_a_key_was_used(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let key = key(&ada, "reads", &["READ"]);
    home(&server, &key).is(200);
    let used = |server: &Server| {
        let listed = server.get(&path(&ada)).bearer(&ada.access).send().data(200);
        listed[0]["lastUsedAt"].as_str().map(str::to_owned)
    };
    let at = used(&server).expect("known at once");
    let first = shape::millis(&json!(at));
    poll::eventually("a later use", || {
        home(&server, &key).is(200);
        used(&server).filter(|at| shape::millis(&json!(at)) > first)
    });
}

fn a_use_outlives_the_server(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_PUBLIC_URL", "http://octavo.test")]);
    let ada = server.person("Ada");
    let key = key(&ada, "reads", &["READ"]);
    home(&server, &key).is(200);
    // Activity that is not stored yet is stored when the server stops.
    let (ended, deployment) = server.stop();
    assert_eq!(ended.exit, Some(0));
    let server = deployment.serve();
    let listed = server.get(&path(&ada)).bearer(&ada.access).send().data(200);
    assert!((-60..=0).contains(&shape::seconds_ahead(&listed[0]["lastUsedAt"])), "{listed}");
}

fn the_keys_of_a_deleted_workspace_are_gone_with_it(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let founded = ada.post("/workspaces", &json!({ "name": "Acme" })).send().data(201);
    let at_acme = Person { workspace: text(&founded["id"]), ..ada.clone() };
    let key = key(&at_acme, "runs", &["ADMIN"]);
    let acme = format!("/workspaces/{}", at_acme.workspace);
    ada.delete(&acme).header("X-Confirm", format!("DELETE {}", at_acme.workspace)).send().is(202);
    for path in ["/auth/me", "/workspaces", &acme] {
        let gone = server.get(path).bearer(&key).send();
        gone.refuses(410, "GONE").because("workspace_deleting");
    }
}

fn a_workspace_has_a_hundred_keys_at_most(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_GENERIC", "1000")]);
    let ada = server.person("Ada");
    let mut last = Value::Null;
    for number in 0..100 {
        last = make(&ada, &json!({ "name": format!("Key {number}"), "scopes": ["READ"] }));
    }
    let one_more = || ada.post(&path(&ada), &json!({ "name": "One more", "scopes": ["READ"] })).send();
    one_more().refuses(409, "CONFLICT").issue("key_limit");
    ada.delete(&format!("{}/{}", path(&ada), text(&last["id"]))).send().is(204);
    one_more().is(201);
    let page = ada.get(&format!("{}?limit=100", path(&ada))).send().is(200).json();
    assert_eq!(page["data"].as_array().unwrap().len(), 100);
    assert!(page["nextCursor"].is_string());
}
