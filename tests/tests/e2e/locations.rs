//! Where a new thing is found.

use octavo_tests::{Answer, Engine, Person, Server, both_engines};
use serde_json::{Value, json};

both_engines! {
    an_answer_leads_to_what_was_created,
    a_replay_leads_to_the_same_place,
}

/// Follows the `Location` of a 201; returns it and what is found there.
fn follow(server: &Server, person: &Person, created: &Answer) -> (String, Value) {
    let path = created.is(201).named("Location").to_owned();
    (path.clone(), server.origin("GET", &path).bearer(&person.access).send().data(200))
}

fn an_answer_leads_to_what_was_created(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let page = ada.post("/pages", &json!({ "title": "Plan", "markdown": "Some text" })).send();
    let (path, shown) = follow(&server, &ada, &page);
    let id = page.json()["data"]["id"].as_str().unwrap().to_owned();
    assert_eq!((path, &shown["id"]), (format!("/api/v1/pages/{id}"), &json!(id)));
    for (route, body) in [
        (format!("/pages/{id}/duplicate"), json!({})),
        ("/workspaces".to_owned(), json!({ "name": "Acme" })),
        (format!("/workspaces/{}/teams", ada.workspace), json!({ "name": "Design" })),
        (format!("/pages/{id}/versions"), json!({ "label": "First" })),
        (format!("/pages/{id}/blocks"), json!({ "type": "paragraph", "content": "Hello" })),
    ] {
        let created = ada.post(&route, &body).send();
        let (path, shown) = follow(&server, &ada, &created);
        assert_eq!(shown["id"], created.json()["data"]["id"], "{route} leads to {path}");
    }
    let app = json!({ "name": "Planner", "redirectUris": ["https://planner.example/"], "scopes": ["pages:read"] });
    let app = ada.post(&format!("/workspaces/{}/oauth/apps", ada.workspace), &app).send();
    let (_, shown) = follow(&server, &ada, &app);
    assert_eq!(shown["clientId"], app.json()["data"]["clientId"]);
    let imported = ada.post("/pages/import", &json!({ "format": "markdown", "content": "# Plan" })).send();
    let (_, shown) = follow(&server, &ada, &imported);
    assert_eq!(shown["id"], imported.json()["data"]["pageId"]);
    let imported = ada.post("/pages/import", &json!({ "format": "csv", "content": "Name\nAda" })).send();
    let (_, shown) = follow(&server, &ada, &imported);
    assert_eq!(shown["id"], imported.json()["data"]["databaseId"]);
}

fn a_replay_leads_to_the_same_place(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let create = || ada.post("/pages", &json!({ "title": "Plan" })).key("plan").send();
    let (first, again) = (create(), create());
    assert_eq!(again.is(201).named("Idempotency-Replayed"), "true");
    assert_eq!(first.named("Location"), again.named("Location"));
}
