//! The search index of a node: it follows the store whatever happens.

use crate::{
    comments::{begin, block, on_page, path as path_of_comment, reply},
    pages::{Office, office_on},
    records::{Table, path_of},
};
use octavo_tests::{
    Deployment, Engine, OwnServer, Reason, Server, both_engines, command_result::CommandResult, poll, shape,
};
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

both_engines! {
    the_index_has_what_the_store_has_after_all_kinds_of_changes,
    nothing_is_lost_when_the_server_is_killed,
    the_index_is_made_anew_while_the_server_runs,
    the_index_is_made_anew_without_a_server,
    a_damaged_index_is_made_anew,
    health_shows_the_index,
}

/// Waits until the index of a data folder has what the store has, and returns how many units that are.
#[track_caller]
pub(crate) fn agrees(run: impl Fn(&[&str]) -> CommandResult) -> u64 {
    poll::eventually("an index that agrees with the store", || {
        let verified = run(&["search", "verify", "--json"]);
        (verified.exit == Some(0)).then(|| verified.data()["units"].as_u64().unwrap())
    })
}

fn agrees_beside(office: &Office) -> u64 {
    agrees(|arguments| office.server.run(arguments))
}

fn own(engine: Engine) -> Office {
    office_on(Server::own(engine, Reason::Deployment).into())
}

/// A page with blocks and a thread, and a database with records that are linked.
fn fill(office: &Office) -> (String, Table, Vec<Value>) {
    let page = office.below(None, "Plan");
    block(office, &page, "Apples and pears");
    let thread = begin(office, &office.member, &on_page(&page));
    reply(office, &office.owner, &thread, "Because");
    let stage = json!({ "name": "Stage", "type": "select", "config": { "options": [{ "name": "To do" }, { "name": "Done" }] } });
    let table = Table::of(office, Some(&page), &[stage]);
    let relation = json!({ "name": "Needs", "type": "relation", "config": { "targetDatabaseId": table.id } });
    office.post(&office.owner, &format!("{}/properties", table.path), &relation).is(201);
    let table = Table::from(&office.get(&office.owner, &table.path).data(200));
    let records: Vec<_> = ["First", "Second", "Third"].iter().map(|title| table.put(office, title)).collect();
    let linked = json!({ "properties": table.values(&[
        ("Needs", json!({ "recordIds": [records[0]["id"]] })),
        ("Stage", json!({ "optionId": "Done" })),
    ]) });
    office.patch(&office.owner, &path_of(&records[1]), &linked).is(200);
    (page, table, records)
}

fn the_index_has_what_the_store_has_after_all_kinds_of_changes(engine: Engine) {
    let office = own(engine);
    let (page, table, records) = fill(&office);
    let before = agrees_beside(&office);
    assert!(before >= 6, "the page, the thread, the database and its records: {before}");
    let retitled = json!({ "properties": table.values(&[("Name", json!({ "text": "Renamed" }))]) });
    office.patch(&office.owner, &path_of(&records[0]), &retitled).is(200);
    office.post(&office.owner, &format!("{}/archive", path_of(&records[2])), &Value::Null).is(200);
    let on_block = block(&office, &page, "Why?");
    let about = json!({ "pageId": page, "blockId": on_block, "body": "What?" });
    let thread = begin(&office, &office.member, &about);
    assert_eq!(agrees_beside(&office), before + 1);
    office.delete(&office.owner, &format!("/blocks/{on_block}")).is(200);
    assert_eq!(agrees_beside(&office), before, "the thread went with its block");
    office.get(&office.member, &path_of_comment(&thread)).is(404);
    let copy = office.post(&office.owner, &format!("/pages/{page}/duplicate"), &json!({})).body_of(201);
    shape::id(&copy["data"]["id"], "pg_");
    let with_copy = agrees_beside(&office);
    assert!(with_copy >= before + 4, "the copies of the page, of its database and of its records: {with_copy}");
    office.delete(&office.owner, &format!("/pages/{page}")).is(200);
    assert_eq!(agrees_beside(&office), with_copy, "what is in the trash stays in the index");
    let forever = format!("/pages/{page}?permanent=true");
    office.owner.delete(&forever).header("X-Service-Workspace", &office.id).header("X-Confirm", &page).send();
    agrees_beside(&office);
}

fn nothing_is_lost_when_the_server_is_killed(engine: Engine) {
    let mut server = Server::with(engine, &[("OCTAVO_PUBLIC_URL", "http://octavo.test")]);
    for (round, name) in (1..).zip(["Ada", "Bea", "Cleo"]) {
        let person = server.person(name);
        let made = AtomicU64::new(0);
        server = thread::scope(|scope| {
            scope.spawn(|| {
                let page = json!({ "title": "Plan" });
                while person.post("/pages", &page).try_send().is_ok_and(|answer| answer.status == 201) {
                    made.fetch_add(1, Ordering::Relaxed);
                }
            });
            poll::eventually("some pages", || (made.load(Ordering::Relaxed) >= round * 20).then_some(()));
            server.kill().serve()
        });
        assert!(agrees(|arguments| server.run(arguments)) >= round * 20);
    }
}

fn the_index_is_made_anew_while_the_server_runs(engine: Engine) {
    let office = own(engine);
    fill(&office);
    let units = agrees_beside(&office);
    let rebuilt = office.server.run(&["search", "rebuild"]).exits(0);
    assert!(rebuilt.stdout.contains("indexed"), "{}", rebuilt.stdout);
    assert_eq!(agrees_beside(&office), units);
    office.below(None, "Later");
    assert_eq!(agrees_beside(&office), units + 1, "the new index goes on");
}

fn the_index_is_made_anew_without_a_server(engine: Engine) {
    let server = Server::own(engine, Reason::Lifecycle);
    let person = server.person("Ada");
    person.post("/pages", &json!({ "title": "Plan" })).send().is(201);
    agrees(|arguments| server.run(arguments));
    let (_, deployment) = server.stop();
    let rebuilt = deployment.run(&["search", "rebuild"]).exits(0);
    assert!(rebuilt.stdout.contains("indexed 1 workspaces"), "{}", rebuilt.stdout);
    deployment.run(&["search", "verify"]).exits(0);
}

/// The files of an index, in the folder or below it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn harm(deployment: &Deployment) {
    for file in files(&deployment.data_folder().join("search")) {
        if file.extension().is_some_and(|kind| kind == "term" || kind == "fast") {
            fs::write(file, "").unwrap();
        }
    }
}

fn a_damaged_index_is_made_anew(engine: Engine) {
    let server = Server::own(engine, Reason::Lifecycle);
    let person = server.person("Ada");
    person.post("/pages", &json!({ "title": "Plan" })).send().is(201);
    let units = agrees(|arguments| server.run(arguments));
    let (_, deployment) = server.stop();
    harm(&deployment);
    deployment.run(&["search", "verify"]).exits(1);
    let server: OwnServer = deployment.serve();
    assert_eq!(agrees(|arguments| server.run(arguments)), units);
}

fn health_shows_the_index(engine: Engine) {
    let server = Server::start(engine);
    let search = poll::eventually("an open index", || {
        let search = server.origin("GET", "/health/deep").send().body_of(200)["checks"]["search"].clone();
        (search["status"] == "ok").then_some(search)
    });
    assert!(search["lagSeconds"].is_number(), "{search}");
}
