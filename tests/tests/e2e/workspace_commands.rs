//! `octavo workspace` and `octavo purge`, while a server is running.

use octavo_tests::{Engine, Reason, Server, both_engines};
use serde_json::{Value, json};

both_engines! {
    workspaces_are_listed,
    limits_of_its_own_are_seen_at_once,
    deleting_asks_for_a_yes,
    a_recently_deleted_workspace_is_kept_for_its_time,
}

fn data(text: &str) -> Value {
    serde_json::from_str::<Value>(text).unwrap()["data"].clone()
}

fn workspaces_are_listed(engine: Engine) {
    let server = Server::own(engine, Reason::Deployment);
    let ada = server.person("Ada");
    let acme = ada.post("/workspaces", &json!({ "name": "Acme" })).send().data(201);
    let listed = data(&server.run(&["workspace", "list", "--json"]).exits(0).stdout);
    let names: Vec<_> = listed.as_array().unwrap().iter().map(|shown| shown["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Ada's workspace", "Acme"]);
    assert_eq!((&listed[1]["id"], &listed[1]["status"]), (&acme["id"], &json!("ACTIVE")));
    let text = server.run(&["workspace", "list"]).exits(0).stdout;
    assert!(text.lines().nth(1).unwrap().ends_with("acme  Acme"), "{text}");
}

fn limits_of_its_own_are_seen_at_once(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let set = |limits: &[&str]| {
        let line = [&["workspace", "set-limits", &ada.workspace], limits].concat();
        server.run(&line).exits(0).stdout
    };
    assert_eq!(set(&["members=5", "storageBytes=none"]), "members: 5\nstorageBytes: none");
    let shown = || ada.get(&format!("/workspaces/{}", ada.workspace)).send().data(200)["usageLimits"].clone();
    assert_eq!(shown(), json!({ "members": 5, "storageBytes": null, "databases": 10_000 }));
    set(&["members=none"]);
    assert_eq!(shown()["members"], Value::Null);
    let unknown = ["workspace", "set-limits", "wks_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", "members=5"];
    assert!(server.run(&unknown).exits(1).stderr.contains("there is no such workspace"));
}

fn deleting_asks_for_a_yes(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = ada.post("/workspaces", &json!({ "name": "Acme" })).send().data(201);
    let id = acme["id"].as_str().unwrap();
    let refused = server.run(&["workspace", "delete", id]).exits(1);
    assert!(refused.stderr.contains("--yes"), "{}", refused.stderr);
    ada.get(&format!("/workspaces/{id}")).send().is(200);
    server.run(&["workspace", "delete", id, "--yes"]).exits(0);
    ada.get(&format!("/workspaces/{id}")).send().refuses(410, "GONE").because("workspace_deleting");
    let personal = server.run(&["workspace", "delete", &ada.workspace, "--yes"]).exits(1);
    assert!(personal.stderr.contains("personal workspace"), "{}", personal.stderr);
}

fn a_recently_deleted_workspace_is_kept_for_its_time(engine: Engine) {
    let server = Server::own(engine, Reason::Deployment);
    let ada = server.person("Ada");
    let acme = ada.post("/workspaces", &json!({ "name": "Acme" })).send().data(201);
    let id = acme["id"].as_str().unwrap();
    server.run(&["workspace", "delete", id, "--yes"]).exits(0);
    for line in [&["purge", "--dry-run", "--json"][..], &["purge", "--json"]] {
        let counts = data(&server.run(line).exits(0).stdout);
        assert!(counts.as_object().unwrap().values().all(|count| *count == json!(0)), "{counts}");
    }
    ada.get(&format!("/workspaces/{id}")).send().refuses(410, "GONE");
}
