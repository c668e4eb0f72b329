//! Workspaces: creating, reading, changing and deleting them, and who has access.

use octavo_tests::{Engine, Person, Reason, Server, at_once::at_once, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_founder_owns_a_workspace,
    the_list_shows_the_callers_own_newest_first,
    a_slug_is_made_from_the_name_or_taken_as_sent,
    reserved_and_malformed_slugs_are_refused,
    of_twenty_who_want_one_slug_one_gets_it,
    a_user_may_own_as_many_as_the_operator_allows,
    a_change_names_what_differs,
    a_slug_never_changes,
    settings_are_merged_key_by_key,
    settings_keep_their_bounds,
    strangers_learn_only_that_an_id_exists,
    a_path_decides_whatever_the_header_names,
    flaws_of_a_confirmation_are_reported,
    deleting_needs_the_confirmation,
    a_deletion_stands_in_the_log_and_with_the_owner,
    a_deleted_workspace_is_gone_for_its_members,
    a_personal_workspace_stays,
    the_shortest_timeout_ends_sessions,
    server_owned_fields_cannot_be_sent,
}

fn create_workspace(person: &Person, name: &str) -> Value {
    person.post("/workspaces", &json!({ "name": name })).send().data(201)
}

fn path(workspace: &Value) -> String {
    format!("/workspaces/{}", workspace["id"].as_str().unwrap())
}

fn a_founder_owns_a_workspace(engine: Engine) {
    let server = Server::own(engine, Reason::Deployment);
    let ada = server.person("Ada");
    let body = json!({ "name": "Acme", "description": "Rockets", "iconUrl": "https://example.com/a.png" });
    let acme = ada.post("/workspaces", &body).send().data(201);
    shape::has(&acme, &["id", "createdAt", "updatedAt"]);
    assert!(shape::is_id(acme["id"].as_str().unwrap(), "wks_"));
    for (field, value) in [
        ("name", json!("Acme")),
        ("slug", json!("acme")),
        ("description", json!("Rockets")),
        ("iconUrl", json!("https://example.com/a.png")),
        ("logoUrl", Value::Null),
        ("publicUrl", Value::Null),
        ("isPersonal", json!(false)),
        ("ownerId", json!(ada.id)),
        ("role", json!("OWNER")),
        ("billingPlan", json!("standard")),
        ("usageLimits", json!({ "members": 10_000, "databases": 10_000, "storageBytes": 1_099_511_627_776_i64 })),
        (
            "settings",
            json!({
                "language": "en-US", "theme": "system", "shareLinks": { "allowed": true },
                "trashRetentionDays": 30, "auditLogRetentionDays": 365, "sessionTimeoutDays": 30,
            }),
        ),
    ] {
        assert_eq!(acme[field], value, "{field}");
    }
    let read = ada.get(&path(&acme)).send().data(200);
    assert_eq!(read["usage"], json!({ "members": 1, "databases": 0, "storageBytes": 0 }));
    assert_eq!((&read["name"], &read["role"]), (&acme["name"], &acme["role"]));
}

fn the_list_shows_the_callers_own_newest_first(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let (first, second) = (create_workspace(&ada, "First"), create_workspace(&ada, "Second"));
    create_workspace(&bob, "Elsewhere");
    let page = ada.get("/workspaces?limit=2").send().body_of(200);
    let ids: Vec<_> = page["data"].as_array().unwrap().iter().map(|shown| shown["id"].clone()).collect();
    assert_eq!(ids, [second["id"].clone(), first["id"].clone()]);
    assert!(
        page["data"][0].get("usage").is_none(),
        "usage costs a count and is shown where one workspace is asked for"
    );
    let cursor = page["nextCursor"].as_str().unwrap();
    let rest = ada.get(&format!("/workspaces?limit=2&cursor={cursor}")).send().body_of(200);
    assert_eq!(rest["data"][0]["id"], json!(ada.workspace));
    assert_eq!((rest["data"].as_array().unwrap().len(), &rest["nextCursor"]), (1, &Value::Null));
    bob.get(&format!("/workspaces?limit=2&cursor={cursor}")).send().refuses(400, "VALIDATION_ERROR");
}

fn a_slug_is_made_from_the_name_or_taken_as_sent(engine: Engine) {
    let server = Server::own(engine, Reason::Deployment);
    let ada = server.person("Ada");
    for slug in ["acme-rockets", "acme-rockets-2", "acme-rockets-3"] {
        assert_eq!(create_workspace(&ada, "Acme: Rockets!")["slug"], slug);
    }
    assert_eq!(create_workspace(&ada, "Docs")["slug"], "docs-2", "a reserved word is like a taken one");
    let body = json!({ "name": "Acme", "slug": "rocket-science" });
    assert_eq!(ada.post("/workspaces", &body).send().data(201)["slug"], "rocket-science");
    let taken = ada.post("/workspaces", &body).send();
    let taken = taken.refuses(409, "CONFLICT");
    assert_eq!((&taken.detail()["field"], &taken.detail()["issue"]), (&json!("slug"), &json!("already_exists")));
}

fn reserved_and_malformed_slugs_are_refused(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let send = |slug: &str| ada.post("/workspaces", &json!({ "name": "Acme", "slug": slug })).send();
    for slug in ["admin", "api", "well-known"] {
        assert_eq!(send(slug).refuses(409, "CONFLICT").detail()["issue"], "reserved", "{slug}");
    }
    for slug in ["Acme", "a b", "", "a_b", &"a".repeat(51)] {
        assert_eq!(send(slug).refuses(400, "VALIDATION_ERROR").detail()["field"], "slug", "{slug}");
    }
}

fn of_twenty_who_want_one_slug_one_gets_it(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_WORKSPACE_CREATE", "0")]);
    let ada = server.person("Ada");
    let answers = at_once(20, |_| ada.post("/workspaces", &json!({ "name": "Acme", "slug": "acme" })).send());
    let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 409).count(), 19, "{statuses:?}");
    assert_eq!(ada.get("/workspaces").send().data(200).as_array().unwrap().len(), 2);
}

fn a_user_may_own_as_many_as_the_operator_allows(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_LIMIT_WORKSPACES", "1")]);
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    let again = || ada.post("/workspaces", &json!({ "name": "Another" })).send();
    again().refuses(403, "FORBIDDEN").because("workspace_quota");
    let confirm = format!("DELETE {}", acme["id"].as_str().unwrap());
    ada.delete(&path(&acme)).header("X-Confirm", &confirm).send().data(202);
    assert_eq!(again().status, 201, "one that is deleted no longer counts");
}

fn a_change_names_what_differs(engine: Engine) {
    let server = Server::own(engine, Reason::Deployment);
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    let changed = ada.patch(&path(&acme), &json!({ "name": "Acme Inc.", "description": "Rockets" })).send().data(200);
    assert_eq!((&changed["name"], &changed["description"]), (&json!("Acme Inc."), &json!("Rockets")));
    assert_eq!(changed["slug"], "acme");
    let cleared = ada.patch(&path(&acme), &json!({ "description": null })).send().data(200);
    assert_eq!((&cleared["description"], &cleared["name"]), (&Value::Null, &json!("Acme Inc.")));
    let own = ada.get("/users/me").send().data(200)["workspaces"].clone();
    assert!(own.as_array().unwrap().iter().any(|own| own["name"] == "Acme Inc."), "{own}");
    assert_eq!(ada.patch(&path(&acme), &json!({})).send().data(200)["updatedAt"], cleared["updatedAt"]);
    ada.patch(&path(&acme), &json!({ "name": null })).send().refuses(400, "VALIDATION_ERROR");
    let long = json!({ "description": "x".repeat(501) });
    assert_eq!(ada.patch(&path(&acme), &long).send().refuses(400, "VALIDATION_ERROR").detail()["issue"], "too_long");
}

fn a_slug_never_changes(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    for slug in [json!("other"), json!("acme"), json!(7)] {
        let refused = ada.patch(&path(&acme), &json!({ "slug": slug, "name": "Renamed" })).send();
        let refused = refused.refuses(400, "VALIDATION_ERROR");
        assert_eq!((&refused.detail()["field"], &refused.detail()["issue"]), (&json!("slug"), &json!("immutable")));
    }
    assert_eq!(ada.get(&path(&acme)).send().data(200)["name"], "Acme");
}

fn settings_are_merged_key_by_key(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    let change = |body: &Value| ada.patch(&format!("{}/settings", path(&acme)), body).send().data(200);
    let data = change(&json!({ "theme": "dark", "shareLinks": { "allowed": false }, "trashRetentionDays": 7 }));
    assert_eq!(data["id"], acme["id"]);
    let settings = change(&json!({ "theme": null, "shareLinks": {}, "unknown": 1 }))["settings"].clone();
    let expected = json!({
        "language": "en-US", "theme": "system", "shareLinks": { "allowed": false },
        "trashRetentionDays": 7, "auditLogRetentionDays": 365, "sessionTimeoutDays": 30,
    });
    assert_eq!(settings, expected);
    assert_eq!(ada.get(&path(&acme)).send().data(200)["settings"], expected);
    assert_eq!(change(&json!({ "shareLinks": null }))["settings"]["shareLinks"], json!({ "allowed": true }));
}

fn settings_keep_their_bounds(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let route = format!("/workspaces/{}/settings", ada.workspace);
    for (body, field, issue) in [
        (json!({ "theme": "blue" }), "theme", "invalid_value"),
        (json!({ "trashRetentionDays": 0 }), "trashRetentionDays", "too_small"),
        (json!({ "trashRetentionDays": 366 }), "trashRetentionDays", "too_large"),
        (json!({ "auditLogRetentionDays": 29 }), "auditLogRetentionDays", "too_small"),
        (json!({ "sessionTimeoutDays": 91 }), "sessionTimeoutDays", "too_large"),
        (json!({ "sessionTimeoutDays": 1.5 }), "sessionTimeoutDays", "invalid_type"),
        (json!({ "shareLinks": true }), "shareLinks", "invalid_type"),
        (json!({ "shareLinks": { "allowed": "yes" } }), "shareLinks.allowed", "invalid_type"),
        (json!({ "language": "not a tag" }), "language", "invalid_format"),
    ] {
        let refused = ada.patch(&route, &body).send();
        let refused = refused.refuses(400, "VALIDATION_ERROR");
        assert_eq!((&refused.detail()["field"], &refused.detail()["issue"]), (&json!(field), &json!(issue)), "{body}");
    }
}

fn strangers_learn_only_that_an_id_exists(engine: Engine) {
    let server = Server::start(engine);
    let (ada, eve) = (server.person("Ada"), server.person("Eve"));
    let acme = create_workspace(&ada, "Acme");
    let unknown = "/workspaces/wks_01KAHQ5ZJ8T3M6N9P2R4S7V0WX";
    for verb in ["GET", "PATCH", "DELETE"] {
        let call = |path: &str| eve.request(verb, path).json(&json!({ "name": "Mine" })).send();
        call(&path(&acme)).refuses(403, "FORBIDDEN").because("workspace_mismatch");
        call(unknown).refuses(404, "NOT_FOUND");
        call("/workspaces/nonsense").refuses(404, "NOT_FOUND");
    }
    eve.patch(&format!("{}/settings", path(&acme)), &json!({})).send().refuses(403, "FORBIDDEN");
    assert_eq!(ada.get(&path(&acme)).send().data(200)["name"], "Acme");
}

fn a_path_decides_whatever_the_header_names(engine: Engine) {
    let server = Server::start(engine);
    let (ada, eve) = (server.person("Ada"), server.person("Eve"));
    let (acme, gone) = (create_workspace(&ada, "Acme"), create_workspace(&ada, "Gone"));
    let confirm = format!("DELETE {}", gone["id"].as_str().unwrap());
    ada.delete(&path(&gone)).header("X-Confirm", confirm).send().is(202);
    let gone = gone["id"].as_str().unwrap();
    for named in [&ada.workspace, &eve.workspace, gone, "wks_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", "nonsense", ""] {
        let call = |method: &str| ada.request(method, &path(&acme)).header("X-Service-Workspace", named);
        assert_eq!(call("GET").send().data(200)["id"], acme["id"], "{named}");
        call("PATCH").json(&json!({ "name": "Acme" })).send().is(200);
        let foreign = eve.get(&path(&acme)).header("X-Service-Workspace", named).send();
        foreign.refuses(403, "FORBIDDEN").because("workspace_mismatch");
    }
}

fn flaws_of_a_confirmation_are_reported(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    for (path, id) in [(path(&acme), acme["id"].as_str().unwrap()), ("/users/me".to_owned(), &*ada.id)] {
        let right = [format!("DELETE {id}")];
        let missing = ada.delete(&path).send().refuses(400, "VALIDATION_ERROR");
        assert_eq!(missing.detail(), &json!({ "field": "X-Confirm", "issue": "required", "allowed": right }));
        let wrong = ada.delete(&path).header("X-Confirm", "DELETE it").send().refuses(400, "VALIDATION_ERROR");
        let expected =
            json!({ "field": "X-Confirm", "issue": "invalid_value", "received": "DELETE it", "allowed": right });
        assert_eq!(wrong.detail(), &expected);
    }
}

fn deleting_needs_the_confirmation(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    ada.delete(&path(&acme)).send().refuses(400, "VALIDATION_ERROR");
    let wrong = format!("DELETE {}", ada.workspace);
    let refused = ada.delete(&path(&acme)).header("X-Confirm", &wrong).send();
    assert_eq!(refused.refuses(400, "VALIDATION_ERROR").detail()["field"], "X-Confirm");
    assert_eq!(ada.get(&path(&acme)).send().status, 200);
}

fn a_deleted_workspace_is_gone_for_its_members(engine: Engine) {
    let server = Server::start(engine);
    let (ada, eve) = (server.person("Ada"), server.person("Eve"));
    let acme = create_workspace(&ada, "Acme");
    let confirm = format!("DELETE {}", acme["id"].as_str().unwrap());
    let data = ada.delete(&path(&acme)).header("X-Confirm", &confirm).send().data(202);
    assert_eq!(data["status"], "deleting");
    shape::has(&data, &["scheduledPurgeAt"]);
    for verb in ["GET", "PATCH", "DELETE"] {
        let call = ada.request(verb, &path(&acme)).json(&json!({ "name": "Back" })).header("X-Confirm", &confirm);
        call.send().refuses(410, "GONE").because("workspace_deleting");
    }
    eve.get(&path(&acme)).send().refuses(403, "FORBIDDEN").because("workspace_mismatch");
    let listed = ada.get("/workspaces").send().data(200);
    assert_eq!(listed.as_array().unwrap().len(), 1, "gone from the list at once");
    assert_eq!(ada.get("/users/me").send().data(200)["workspaces"].as_array().unwrap().len(), 1);
    let taken = ada.post("/workspaces", &json!({ "name": "Acme", "slug": "acme" })).send();
    taken.refuses(409, "CONFLICT");
}

fn a_personal_workspace_stays(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let route = format!("/workspaces/{}", ada.workspace);
    let refused = ada.delete(&route).header("X-Confirm", format!("DELETE {}", ada.workspace)).send();
    assert_eq!(refused.refuses(409, "CONFLICT").detail()["reason"], "personal_workspace");
    assert_eq!(ada.get(&route).send().data(200)["isPersonal"], json!(true));
}

fn the_shortest_timeout_ends_sessions(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let life = |person: &Person| {
        let sessions = person.get("/sessions").send().data(200);
        let current = sessions.as_array().unwrap().iter().find(|session| session["isCurrent"] == json!(true)).unwrap();
        (shape::millis(&current["expiresAt"]) - shape::millis(&current["createdAt"])) / 86_400_000
    };
    let set = |workspace: &str, days: u32| {
        let body = json!({ "sessionTimeoutDays": days });
        ada.patch(&format!("/workspaces/{workspace}/settings"), &body).send().data(200);
    };
    set(&ada.workspace, 9);
    assert_eq!(life(&ada.login()), 9, "the personal one counts where there is no other");
    let acme = create_workspace(&ada, "Acme");
    set(acme["id"].as_str().unwrap(), 20);
    assert_eq!(life(&ada.login()), 20, "the personal one counts no longer");
}

fn server_owned_fields_cannot_be_sent(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    let mut sent = acme.clone();
    sent.as_object_mut().unwrap().remove("slug");
    for (field, value) in [
        ("id", json!("wks_01KAHQ5ZJ8T3M6N9P2R4S7V0WX")),
        ("ownerId", json!("usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX")),
        ("role", json!("GUEST")),
        ("isPersonal", json!(true)),
        ("createdAt", json!("2000-01-01T00:00:00.000Z")),
        ("usageLimits", json!({ "members": 1 })),
        ("settings", json!({ "theme": "dark" })),
    ] {
        sent[field] = value;
    }
    let kept = ada.patch(&path(&acme), &sent).send().data(200);
    for field in ["id", "ownerId", "role", "isPersonal", "createdAt", "usageLimits", "settings"] {
        assert_eq!(kept[field], acme[field], "{field}");
    }
}

fn a_deletion_stands_in_the_log_and_with_the_owner(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let id = shape::text(&ada.post("/workspaces", &json!({ "name": "Acme" })).send().data(201)["id"]);
    let confirmed = ada.delete(&format!("/workspaces/{id}")).header("X-Confirm", format!("DELETE {id}"));
    confirmed.send().is(202);
    let own = ada.get("/users/me/security-events").send().data(200);
    let entry = own.as_array().unwrap().iter().find(|entry| entry["action"] == "workspace.deleted");
    assert!(entry.is_some(), "{own}");
    let kinds = server.get("/debug/events").send().data(200);
    let kind = kinds.as_array().unwrap().iter().find(|kind| kind["type"] == "workspace.deleted").unwrap();
    assert_eq!((&kind["delivered"], &kind["audit"]), (&json!(true), &json!(true)));
}
