//! Pages for every kind of caller: strangers, clients that retry, API keys, readers of the event log.

use crate::pages::{office, titles};
use octavo_tests::{Engine, Person, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    the_ids_of_others_name_nothing,
    a_retry_makes_no_second_page,
    a_change_of_a_page_that_is_hidden_since_is_not_replayed,
    keys_and_levels,
    events_of_a_page_are_read_by_those_who_see_it,
}

fn the_ids_of_others_name_nothing(engine: Engine) {
    let office = office(engine);
    let (own, team) = (office.below(None, "Own"), office.team("Open", false));
    let stranger = office.server.person("Zoe");
    let theirs = shape::text(&stranger.post("/pages", &json!({ "title": "Theirs" })).send().data(201)["id"]);
    let unknown = "pg_01J8Z3K4M5N6P7Q8R9S0T1V2W3";
    for (method, path, body) in [
        ("GET", "", Value::Null),
        ("PATCH", "", json!({ "title": "X" })),
        ("DELETE", "", Value::Null),
        ("DELETE", "?permanent=true", json!({})),
        ("POST", "/move", json!({})),
        ("POST", "/restore", json!({})),
        ("POST", "/duplicate", json!({})),
        ("GET", "/backlinks", Value::Null),
        ("GET", "/permissions", Value::Null),
        ("PUT", "/permissions", json!({ "inherit": false })),
        ("POST", "/permissions", json!({})),
        ("DELETE", "/permissions/grt_01J8Z3K4M5N6P7Q8R9S0T1V2W3", Value::Null),
        ("GET", "/permissions/effective", Value::Null),
        ("GET", "/permissions/members", Value::Null),
    ] {
        let [foreign, absent, malformed] = [&*theirs, unknown, "pg_x"]
            .map(|id| office.call(&office.owner, method, &format!("/pages/{id}{path}"), &body));
        foreign.refuses(404, "NOT_FOUND");
        foreign.is_like(&absent);
        foreign.is_like(&malformed);
    }
    for body in [
        json!({ "parentId": theirs }),
        json!({ "parentId": unknown }),
        json!({ "teamId": team.replace("tm_0", "tm_1") }),
    ] {
        office.post(&office.owner, "/pages", &body).refuses(404, "NOT_FOUND");
        office.post(&office.owner, &format!("/pages/{own}/move"), &body).refuses(404, "NOT_FOUND");
        office.post(&office.owner, &format!("/pages/{own}/duplicate"), &body).refuses(404, "NOT_FOUND");
    }
    office.call(&office.owner, "PUT", &format!("/favorites/{theirs}"), &json!({})).refuses(404, "NOT_FOUND");
    let grant = json!({ "principalType": "user", "principalId": stranger.id, "level": "VIEW" });
    let answer = office.post(&office.owner, &format!("/pages/{own}/permissions"), &grant);
    answer.refuses(422, "UNPROCESSABLE_ENTITY").issue("unknown_principal");
    assert_eq!(titles(&stranger.get("/pages").send().body_of(200)), ["Theirs"]);
    assert_eq!(titles(&office.get(&office.owner, "/pages").body_of(200)), ["Own"]);
}

fn a_retry_makes_no_second_page(engine: Engine) {
    let office = office(engine);
    let parent = office.below(None, "Parent");
    let send = || {
        let body = json!({ "title": "Once", "parentId": parent });
        office.member.post("/pages", &body).header("X-Service-Workspace", &office.id).key("once").send()
    };
    let made = send().data(201);
    let again = send();
    assert_eq!((again.header("idempotency-replayed"), again.data(201)), (Some("true"), made));
    office.delete(&office.owner, &format!("/pages/{parent}")).is(200);
    let confirm = json!({ "confirm": parent });
    office.call(&office.owner, "DELETE", &format!("/pages/{parent}?permanent=true"), &confirm).is(202);
    assert_eq!(send().header("idempotency-replayed"), Some("true"), "also where the parent is gone by now");
}

fn a_change_of_a_page_that_is_hidden_since_is_not_replayed(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let change = office
        .member
        .patch(&format!("/pages/{page}"), &json!({ "title": "Roadmap" }))
        .header("X-Service-Workspace", &office.id)
        .key("rename");
    let first = change.send();
    first.is(200);
    let again = change.send();
    assert_eq!((again.header("Idempotency-Replayed"), again.text()), (Some("true"), first.text()));
    office.grant(&page, &[("user", &office.member.id, "NONE")]);
    let hidden = change.send();
    hidden.refuses(404, "NOT_FOUND");
    assert_eq!(hidden.header("Idempotency-Replayed"), None);
    hidden.is_like(&office.patch(&office.member, "/pages/pg_01J8Z3K4M5N6P7Q8R9S0T1V2W3", &json!({ "title": "X" })));
}

fn keys_and_levels(engine: Engine) {
    let office = office(engine);
    let hidden = office.page(&office.owner, &json!({ "title": "Hidden", "inherit": false }));
    let [read, write, admin] = ["READ", "WRITE", "ADMIN"].map(|scope| office.key(scope));
    let call = |key: &str, method: &str, path: &str, body: Value| {
        let request = office.server.request(method, path).bearer(key);
        if body.is_null() { request.send() } else { request.json(&body).send() }
    };
    let path = format!("/pages/{hidden}");
    for (key, level) in [(&read, "VIEW"), (&write, "EDIT"), (&admin, "FULL_ACCESS")] {
        assert_eq!(call(key, "GET", &path, Value::Null).data(200)["accessLevel"], level);
    }
    let title = json!({ "title": "Changed" });
    call(&read, "PATCH", &path, title.clone()).refuses(403, "FORBIDDEN").because("api_key_scope_write");
    let changed = call(&write, "PATCH", &path, title).data(200);
    assert_eq!((&changed["updatedBy"], &changed["isFavorite"]), (&json!(office.owner.id), &json!(false)));
    let permissions = format!("{path}/permissions");
    call(&read, "GET", &permissions, Value::Null).refuses(403, "FORBIDDEN").because("api_key_scope_write");
    call(&write, "GET", &permissions, Value::Null).is(200);
    call(&write, "PUT", &permissions, json!({})).refuses(403, "FORBIDDEN").because("api_key_scope_admin");
    call(&admin, "PUT", &permissions, json!({ "inherit": true })).is(200);
    let made = call(&write, "POST", "/pages", json!({ "title": "By key", "inherit": false })).data(201);
    assert_eq!((&made["accessLevel"], &made["createdBy"]), (&json!("EDIT"), &json!(office.owner.id)));
    let grants =
        call(&admin, "GET", &format!("/pages/{}/permissions", shape::text(&made["id"])), Value::Null).data(200);
    assert_eq!(grants["grants"], json!([]), "a key is granted nothing");
    call(&write, "DELETE", &path, Value::Null).is(200);
    let confirm = json!({ "confirm": hidden });
    let permanent = format!("{path}?permanent=true");
    call(&write, "DELETE", &permanent, confirm.clone()).refuses(403, "FORBIDDEN").because("api_key_scope_admin");
    call(&admin, "DELETE", &permanent, confirm).is(202);
    call(&admin, "PUT", &format!("/favorites/{hidden}"), json!({}))
        .refuses(403, "FORBIDDEN")
        .because("requires_user_credentials");
    let effective = format!("/pages/{}/permissions/effective", shape::text(&made["id"]));
    call(&admin, "GET", &effective, Value::Null).refuses(400, "VALIDATION_ERROR").of("userId", "required");
}

fn events_of_a_page_are_read_by_those_who_see_it(engine: Engine) {
    let office = office(engine);
    let team = office.team("Open", false);
    let page = office.page(&office.owner, &json!({ "title": "One" }));
    let path = format!("/pages/{page}");
    let other = office.below(None, "Other");
    office.patch(&office.owner, &path, &json!({ "title": "Two" })).is(200);
    office.post(&office.owner, &format!("{path}/move"), &json!({ "teamId": team })).is(200);
    office.delete(&office.owner, &path).is(200);
    office.post(&office.owner, &format!("{path}/restore"), &json!({})).is(200);
    office.grant(&page, &[("user", &office.guest.id, "VIEW")]);
    let seen = |by: &Person| {
        octavo_tests::poll::eventually("all events", || {
            let last = office.get(&office.owner, "/events?types=permission.changed").body_of(200)["data"].clone();
            let read = || office.get(by, &format!("/events?resourceId={page}")).body_of(200)["data"].clone();
            (last != json!([])).then(read)
        })
    };
    let kinds =
        |events: &Value| events.as_array().unwrap().iter().map(|event| shape::text(&event["type"])).collect::<Vec<_>>();
    let all = seen(&office.owner);
    let expected =
        ["page.created", "page.updated", "page.moved", "page.trashed", "page.restored", "permission.changed"];
    assert_eq!(kinds(&all), expected);
    let versions: Vec<_> = all.as_array().unwrap()[..5].iter().map(|event| event["version"].as_i64()).collect();
    assert_eq!(versions, [1, 2, 3, 4, 5].map(Some));
    for event in &all.as_array().unwrap()[..5] {
        assert_eq!((&event["pageId"], &event["data"]["pageId"]), (&json!(page), &json!(page)));
        assert_eq!(event["data"]["version"], event["version"]);
    }
    assert_eq!(all[1]["data"]["changedFields"], json!(["title"]));
    assert_eq!((&all[1]["data"]["before"]["title"], &all[1]["data"]["after"]["title"]), (&json!("One"), &json!("Two")));
    assert_eq!((&all[2]["data"]["before"]["teamId"], &all[2]["data"]["after"]["teamId"]), (&json!(null), &json!(team)));
    assert_eq!(all[3]["data"]["pageIds"], json!([page]));
    assert_eq!(all[5]["data"]["after"]["grants"][0]["level"], "VIEW");
    // In a public team, workspace members outside the team may only view, so they do not see the grants.
    assert_eq!(kinds(&seen(&office.member)), expected[..5]);
    assert_eq!(kinds(&seen(&office.guest)), expected[..5]);
    let hidden = office.get(&office.guest, &format!("/events?resourceId={other}")).body_of(200);
    assert_eq!(hidden["data"], json!([]));
}
