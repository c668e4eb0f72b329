//! Catching up with the event log.

use octavo_tests::{Answer, Engine, Person, Server, both_engines, poll, shape};
use serde_json::{Value, json};

both_engines! {
    a_reader_goes_on_without_a_gap,
    pages_join,
    events_are_chosen_by_type_and_by_what_they_are_about,
    events_of_a_page_and_of_all_below_it,
    events_below_a_hidden_page_are_not_shown,
    a_place_that_the_log_does_not_know_is_lost_history,
    invalid_queries_are_refused,
    readers_see_what_concerns_them,
}

fn create_workspace(person: &Person, name: &str) -> String {
    let workspace = person.post("/workspaces", &json!({ "name": name })).send().data(201);
    shape::text(&workspace["id"])
}

fn rename(person: &Person, workspace: &str, name: &str) {
    person.patch(&format!("/workspaces/{workspace}"), &json!({ "name": name })).send().is(200);
}

fn ask(person: &Person, workspace: &str, query: &str) -> Answer {
    person.get(&format!("/events?{query}")).header("X-Service-Workspace", workspace).send()
}

/// Reads the log until its last event has this type: an event becomes readable a moment after its change.
fn until(person: &Person, workspace: &str, query: &str, kind: &str) -> Value {
    poll::eventually(kind, || {
        let body = ask(person, workspace, query).body_of(200);
        let last = body["data"].as_array().unwrap().last().map(|event| event["type"] == kind);
        (last == Some(true)).then_some(body)
    })
}

fn types(body: &Value) -> Vec<&str> {
    body["data"].as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap()).collect()
}

fn a_reader_goes_on_without_a_gap(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    let first = until(&ada, &acme, "", "workspace.member_added");
    assert_eq!(types(&first), ["workspace.created", "workspace.member_added"], "from the oldest on");
    let event = &first["data"][0];
    shape::id(&event["id"], "evn_");
    assert_eq!((&event["workspaceId"], &event["actor"]), (&json!(acme), &json!({ "type": "USER", "id": ada.id })));
    assert_eq!(event["resource"], json!({ "type": "workspace", "id": acme }));
    for nothing in ["pageId", "databaseId", "teamId", "version"] {
        assert_eq!(event[nothing], Value::Null, "{nothing}");
    }
    assert_eq!(event["data"]["name"], "Acme");
    assert_eq!(first["nextCursor"], Value::Null);
    let last = &first["data"][1];
    assert_eq!(first["head"], json!({ "id": last["id"], "sequence": last["sequence"] }));
    let (id, number) = (shape::text(&first["head"]["id"]), first["head"]["sequence"].to_string());
    let nothing_new = ask(&ada, &acme, &format!("after={id}")).body_of(200);
    assert_eq!((&nothing_new["data"], &nothing_new["head"]), (&json!([]), &first["head"]));
    rename(&ada, &acme, "Acme Inc.");
    for after in [&id, &number] {
        let next = until(&ada, &acme, &format!("after={after}"), "workspace.updated");
        assert_eq!(types(&next), ["workspace.updated"]);
        assert_eq!(next["data"][0]["data"]["changedFields"], json!(["name"]));
        assert!(next["head"]["sequence"].as_i64() > first["head"]["sequence"].as_i64());
        // A filter that matches nothing still advances the position.
        let none = ask(&ada, &acme, &format!("after={after}&types=team.*")).body_of(200);
        assert_eq!((&none["data"], &none["head"]), (&json!([]), &next["head"]));
    }
    assert_eq!(ask(&ada, &acme, "after=0").body_of(200)["data"].as_array().unwrap().len(), 3, "before the oldest");
}

fn pages_join(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    for number in 0..5 {
        rename(&ada, &acme, &format!("Acme {number}"));
    }
    rename(&ada, &acme, "The last");
    poll::eventually("all events", || {
        let body = ask(&ada, &acme, "").body_of(200);
        (types(&body).len() == 8).then_some(())
    });
    let (mut sequences, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = ask(&ada, &acme, &format!("limit=3{cursor}")).body_of(200);
        assert!(page["data"].as_array().unwrap().len() <= 3);
        sequences.extend(page["data"].as_array().unwrap().iter().map(|event| event["sequence"].as_i64().unwrap()));
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(sequences.len(), 8);
    assert!(sequences.is_sorted_by(|earlier, later| earlier < later), "{sequences:?}");
}

fn events_are_chosen_by_type_and_by_what_they_are_about(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    let team = ada.post(&format!("/workspaces/{acme}/teams"), &json!({ "name": "Design" })).send().data(201);
    let team = shape::text(&team["id"]);
    until(&ada, &acme, "", "team.created");
    for (query, expected) in [
        ("types=team.created", vec!["team.created"]),
        ("types=team.*", vec!["team.created"]),
        ("types=team.*,workspace.created", vec!["workspace.created", "team.created"]),
        ("types=workspace.*", vec!["workspace.created", "workspace.member_added"]),
        ("types=page.created", vec![]),
        (&format!("resourceId={team}"), vec!["team.created"]),
        (&format!("resourceId={acme}"), vec!["workspace.created"]),
        (&format!("resourceId={acme}&types=team.*"), vec![]),
    ] {
        assert_eq!(types(&ask(&ada, &acme, query).body_of(200)), expected, "{query}");
    }
    let of_team = ask(&ada, &acme, "types=team.*").body_of(200);
    assert_eq!(of_team["data"][0]["teamId"], team);
}

fn page_in(person: &Person, workspace: &str, body: &Value) -> String {
    let made = person.post("/pages", body).header("X-Service-Workspace", workspace).send().data(201);
    shape::text(&made["id"])
}

/// The pages that the events read are about, in order.
fn pages(person: &Person, workspace: &str, query: &str) -> Vec<String> {
    let body = ask(person, workspace, query).body_of(200);
    body["data"].as_array().unwrap().iter().map(|event| shape::text(&event["pageId"])).collect()
}

fn events_of_a_page_and_of_all_below_it(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    let top = page_in(&ada, &acme, &json!({ "title": "Top" }));
    let middle = page_in(&ada, &acme, &json!({ "title": "Middle", "parentId": top }));
    let bottom = page_in(&ada, &acme, &json!({ "title": "Bottom", "parentId": middle }));
    page_in(&ada, &acme, &json!({ "title": "Beside" }));
    let all = poll::eventually("four pages", || {
        let body = ask(&ada, &acme, "types=page.created").body_of(200);
        (types(&body).len() == 4).then_some(body)
    });
    for (query, expected) in [
        (format!("pageId={top}"), vec![&top]),
        (format!("pageId={top}&subtree=false"), vec![&top]),
        (format!("pageId={top}&subtree=true"), vec![&top, &middle, &bottom]),
        (format!("pageId={middle}&subtree=true"), vec![&middle, &bottom]),
        (format!("pageId={bottom}&subtree=true"), vec![&bottom]),
        (format!("pageId={top}&subtree=true&types=team.*"), vec![]),
        (format!("pageId={top}&subtree=true&resourceId={middle}"), vec![&middle]),
    ] {
        assert_eq!(pages(&ada, &acme, &query).iter().collect::<Vec<_>>(), expected, "{query}");
        let head = ask(&ada, &acme, &query).body_of(200)["head"].clone();
        assert_eq!(head, all["head"], "what is filtered out was looked at: {query}");
    }
    for unknown in ["pageId=pg_01KAHQ5ZJ8T3M6N9P2R4S7V0WX&subtree=true", "databaseId=db_01KAHQ5ZJ8T3M6N9P2R4S7V0WX"] {
        ask(&ada, &acme, unknown).refuses(404, "NOT_FOUND");
    }
    ask(&ada, &acme, "pageId=nonsense").refuses(400, "VALIDATION_ERROR").of("pageId", "invalid_id");
    ask(&ada, &acme, "databaseId=nonsense").refuses(400, "VALIDATION_ERROR").of("databaseId", "invalid_id");
    ask(&ada, &acme, &format!("pageId={top}&subtree=x")).refuses(400, "VALIDATION_ERROR").of("subtree", "invalid_type");
}

fn events_below_a_hidden_page_are_not_shown(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let acme = create_workspace(&ada, "Acme");
    let body = json!({ "userId": bob.id, "role": "MEMBER" });
    ada.post(&format!("/workspaces/{acme}/members"), &body).send().is(201);
    let hidden = page_in(&ada, &acme, &json!({ "title": "Hidden", "inherit": false }));
    let shown = page_in(&ada, &acme, &json!({ "title": "Shown", "parentId": hidden }));
    let grant = json!({ "grants": [{ "principalType": "user", "principalId": bob.id, "level": "VIEW" }] });
    let path = format!("/pages/{shown}/permissions");
    ada.request("PUT", &path).json(&grant).header("X-Service-Workspace", &acme).send().is(200);
    poll::eventually("the event of the page", || {
        (pages(&bob, &acme, &format!("pageId={shown}")).len() == 1).then_some(())
    });
    for query in [format!("pageId={hidden}"), format!("pageId={hidden}&subtree=true")] {
        ask(&bob, &acme, &query).refuses(404, "NOT_FOUND");
        assert!(!pages(&ada, &acme, &query).is_empty(), "{query}");
    }
}

fn a_place_that_the_log_does_not_know_is_lost_history(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let (acme, other) = (create_workspace(&ada, "Acme"), create_workspace(&ada, "Other"));
    let oldest = until(&ada, &acme, "", "workspace.member_added")["data"][0].clone();
    let elsewhere = until(&ada, &other, "", "workspace.member_added")["head"]["id"].clone();
    for after in ["evn_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", "999999", "99999999999999999999999999", elsewhere.as_str().unwrap()]
    {
        let lost = ask(&ada, &acme, &format!("after={after}")).refuses(410, "GONE");
        lost.because("history_lost");
        let expected = json!({ "id": oldest["id"], "sequence": oldest["sequence"] });
        assert_eq!(lost.detail()["oldest"], expected, "{after}");
    }
}

fn invalid_queries_are_refused(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for (query, field, issue) in [
        ("after=x", "after", "invalid_format"),
        ("after=-1", "after", "invalid_format"),
        ("types=*", "types", "invalid_format"),
        ("types=workspace.", "types", "invalid_format"),
        ("limit=0", "limit", "too_small"),
        ("cursor=x", "cursor", "invalid_value"),
    ] {
        ask(&ada, &ada.workspace, query).refuses(400, "VALIDATION_ERROR").of(field, issue);
    }
    ask(&ada, &ada.workspace, "limit=9999").is(200);
}

fn readers_see_what_concerns_them(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob, gus, eve) = (server.person("Ada"), server.person("Bob"), server.person("Gus"), server.person("Eve"));
    let acme = create_workspace(&ada, "Acme");
    for (person, role) in [(&bob, "MEMBER"), (&gus, "GUEST")] {
        ada.post(&format!("/workspaces/{acme}/members"), &json!({ "userId": person.id, "role": role })).send().is(201);
    }
    let body = json!({ "shareLinks": { "allowed": false } });
    ada.patch(&format!("/workspaces/{acme}/settings"), &body).send().is(200);
    let body = json!({ "email": "grace@example.com" });
    ada.post(&format!("/workspaces/{acme}/invitations"), &body).send().is(201);
    let body = json!({ "name": "Secret", "isPrivate": true });
    ada.post(&format!("/workspaces/{acme}/teams"), &body).send().is(201);
    let all = until(&ada, &acme, "", "team.created");
    assert!(types(&all).contains(&"permission.changed"));
    let key = |name: &str, scope: &str| {
        let body = json!({ "name": name, "scopes": [scope] });
        shape::text(&ada.post(&format!("/workspaces/{acme}/api-keys"), &body).send().data(201)["key"])
    };
    let (read, admin) = (key("Read", "READ"), key("Admin", "ADMIN"));
    let by_key = |key: &str| server.get("/events").bearer(key).send().body_of(200);
    assert_eq!(types(&by_key(&admin)), types(&all));
    // API keys see private teams, as owners and admins do.
    for (body, sees_team) in [(ask(&bob, &acme, "").body_of(200), false), (by_key(&read), true)] {
        let seen = types(&body);
        assert!(seen.contains(&"workspace.created") && seen.contains(&"workspace.member_added"), "{seen:?}");
        assert!(seen.contains(&"workspace.invitation_sent"), "{seen:?}");
        assert!(!seen.contains(&"permission.changed"), "{seen:?}");
        assert_eq!(seen.contains(&"team.created"), sees_team, "{seen:?}");
        assert_eq!(body["head"], all["head"], "what is not shown was looked at");
    }
    assert_eq!(ask(&gus, &acme, "").body_of(200)["data"], json!([]));
    ask(&eve, &acme, "").refuses(403, "FORBIDDEN").because("workspace_mismatch");
    server.get("/events").send().refuses(401, "UNAUTHORIZED");
    assert!(!types(&all).iter().any(|kind| kind.starts_with("api_key.")), "that stands in the audit trail");
}
