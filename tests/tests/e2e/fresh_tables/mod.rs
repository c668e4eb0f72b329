//! Tables that queries keep in memory show what tables would that are loaded anew.
//!
//! Every operation that writes is run here, or listed among those that touch no record. After each one, two tables are
//! read completely by queries: as they are in memory, moved on by the log of events, and then loaded anew, because other
//! tables have taken their place in memory.

mod case;
mod unrelated;

use crate::{csv_jobs, records::path_of, share_links::token};
use case::Case;
use octavo_tests::{Engine, both_engines, poll::eventually, shape};
use serde_json::{Value, json};

both_engines! {
    after_every_writing_operation_tables_are_as_if_loaded_anew,
}

fn after_every_writing_operation_tables_are_as_if_loaded_anew(engine: Engine) {
    let mut case = Case::new(engine);
    records(&mut case);
    bulk(&mut case);
    links(&mut case);
    schema(&mut case);
    record_pages(&mut case);
    pages_that_move(&mut case);
    imports_and_copies(&mut case);
    people(&mut case);
    trash(&mut case);
    case.lists_every_writing_operation();
}

fn records(case: &mut Case) {
    let tasks = case.tasks.path.clone();
    let values = case.tasks.values(&[
        ("Name", json!({ "text": "Everything" })),
        ("text", json!({ "text": "Straße" })),
        ("rich_text", json!({ "text": "bold", "marks": [{ "type": "bold", "from": 0, "to": 2 }] })),
        ("number", json!({ "value": 12.5 })),
        ("select", json!({ "optionId": "opt-done" })),
        ("multi_select", json!({ "optionIds": ["opt-done", "opt-to-do"] })),
        ("status", json!({ "optionId": "opt-to-do" })),
        ("date", json!({ "start": "2026-03-31" })),
        ("date_range", json!({ "start": "2026-03-31T10:00:00.000Z", "end": "2026-04-01T11:00:00.000Z" })),
        ("person", json!({ "userIds": [case.office.other.id, case.office.member.id] })),
        ("email", json!({ "value": "ada@example.com" })),
        ("phone", json!({ "value": "+43 1 234567" })),
        ("url", json!({ "value": "https://example.com/a" })),
        ("checkbox", json!({ "value": true })),
    ]);
    let whole = case.write("POST", &format!("{tasks}/records"), &json!({ "properties": values })).data(201);
    let part = json!({ "properties": case.named("Part"), "parentRecordId": whole["id"] });
    let part = case.write("POST", &format!("{tasks}/records"), &part).data(201);
    let change = case.tasks.values(&[
        ("Name", json!({ "text": "Changed" })),
        ("number", json!({ "value": -1 })),
        ("multi_select", Value::Null),
        ("date", json!({ "start": "2026-01-01T23:30:00.000Z" })),
        ("checkbox", json!({ "value": false })),
        ("person", json!({ "userIds": [case.office.guest.id] })),
    ]);
    case.write("PATCH", &path_of(&whole), &json!({ "properties": change, "icon": "\u{1f680}" }));
    case.write("PATCH", &path_of(&part), &json!({ "parentRecordId": null, "position": "Zz" }));
    case.write("PATCH", &path_of(&part), &json!({ "parentRecordId": whole["id"] }));
    case.write("POST", &format!("{}/archive", path_of(&part)), &json!({}));
    case.write("POST", &format!("{}/unarchive", path_of(&part)), &json!({}));
    case.write("DELETE", &path_of(&whole), &json!({ "confirm": whole["id"] })).is(202);
}

fn bulk(case: &mut Case) {
    let path = format!("{}/records/bulk", case.tasks.path);
    let old = case.task("Old");
    let ops = json!([
        { "op": "create", "properties": case.named("Whole"), "ref": "w" },
        { "op": "create", "properties": case.named("Part"), "parentRecordId": "$w" },
        { "op": "update", "recordId": old["id"], "properties": case.tasks.values(&[("number", json!({ "value": 7 }))]) },
        { "op": "archive", "recordId": old["id"] },
        { "op": "create", "properties": case.named("Gone"), "ref": "g" },
    ]);
    let done = case.write("POST", &path, &json!({ "ops": ops })).data(200);
    let gone = done["results"][4]["recordId"].clone();
    let ops = json!([
        { "op": "unarchive", "recordId": old["id"] },
        { "op": "delete", "recordId": gone, "confirm": gone },
    ]);
    case.write("POST", &path, &json!({ "ops": ops }));
    let many: Vec<_> =
        (0..60).map(|number| json!({ "op": "create", "properties": case.named(&format!("N{number}")) })).collect();
    let done = case.write("POST", &path, &json!({ "ops": many })).data(200);
    let all: Vec<_> = done["results"].as_array().unwrap().iter().map(|result| result["recordId"].clone()).collect();
    let gone: Vec<_> = all.iter().map(|id| json!({ "op": "delete", "recordId": id, "confirm": id })).collect();
    case.write("POST", &path, &json!({ "ops": gone }));
}

fn links(case: &mut Case) {
    let (task, project) = (case.task("Linked"), case.project("Project"));
    let relation = case.tasks.property("relation").to_owned();
    let path = format!("{}/relations/{relation}", path_of(&task));
    case.write("POST", &path, &json!({ "add": [project["id"]], "remove": [] }));
    case.write("POST", &path, &json!({ "add": [], "remove": [project["id"]] }));
    let from_there = case.write(
        "PATCH",
        &path_of(&project),
        &json!({ "properties": { case.reverse.clone(): { "recordIds": [task["id"]] } } }),
    );
    from_there.is(200);
    let second = case.project("Second");
    let both = json!({ "properties": { &relation: { "recordIds": [second["id"], project["id"]] } } });
    case.write("PATCH", &path_of(&task), &both);
    case.write("POST", &format!("{}/archive", path_of(&project)), &json!({}));
    case.write("DELETE", &path_of(&second), &json!({ "confirm": second["id"] }));
    case.write("POST", &format!("{}/unarchive", path_of(&project)), &json!({}));
    let relations = format!("{}/relations", case.tasks.path);
    let body = json!({ "name": "More", "targetDatabaseId": case.projects.id });
    let made = case.write("POST", &relations, &body).data(201);
    let path = format!("{relations}/{}", shape::text(&made["id"]));
    let linked = json!({ "properties": { shape::text(&made["id"]): { "recordIds": [project["id"]] } } });
    case.write("PATCH", &path_of(&task), &linked);
    case.write("PATCH", &path, &json!({ "name": "Others", "bidirectional": true, "reverseName": "Back" }));
    case.write("PATCH", &path, &json!({ "bidirectional": false }));
    case.write("DELETE", &path, &Value::Null);
}

fn schema(case: &mut Case) {
    let properties = format!("{}/properties", case.tasks.path);
    let made = case.write("POST", &properties, &json!({ "name": "Added", "type": "text" })).data(201);
    let added = format!("{properties}/{}", shape::text(&made["id"]));
    let task = case.task("Added");
    case.write("PATCH", &path_of(&task), &json!({ "properties": { shape::text(&made["id"]): { "text": "New" } } }));
    case.write("PATCH", &added, &json!({ "name": "Renamed" }));
    case.write("POST", &format!("{added}/set-title"), &Value::Null);
    let name = format!("{properties}/{}", case.tasks.property("Name"));
    case.write("POST", &format!("{name}/set-title"), &Value::Null);
    case.write("DELETE", &added, &Value::Null);
    let sum = json!({ "expression": "prop(\"number\") * 2" });
    let made = case.write("POST", &properties, &json!({ "name": "Twice", "type": "formula", "config": sum })).data(201);
    let config = json!({ "expression": "concat(prop(\"Name\"), \"!\")" });
    case.write("PATCH", &format!("{properties}/{}", shape::text(&made["id"])), &json!({ "config": config }));
    // An option that is taken away, and a new one with its id.
    let kind = format!("{properties}/{}", case.tasks.property("select"));
    let task = case.task("Chosen");
    let chosen = json!({ "properties": case.tasks.values(&[("select", json!({ "optionId": "opt-done" }))]) });
    case.write("PATCH", &path_of(&task), &chosen);
    case.write("PATCH", &kind, &json!({ "config": { "options": [{ "name": "To do" }] } }));
    case.write("PATCH", &kind, &json!({ "config": { "options": [{ "name": "Done" }, { "name": "To do" }] } }));
    let database = json!({ "title": "Other", "properties": [{ "name": "Name", "type": "title" }] });
    let other = case.write("POST", "/databases", &database).data(201);
    let relation = json!({ "targetDatabaseId": other["id"], "cardinality": "many_to_many", "bidirectional": false });
    case.write("POST", &properties, &json!({ "name": "Otherwise", "type": "relation", "config": relation }));
    let path = case.tasks.path.clone();
    case.write("PATCH", &path, &json!({ "title": "All tasks" }));
    case.write("PATCH", &path, &json!({ "archived": true }));
    case.write("PATCH", &path, &json!({ "archived": false }));
}

fn record_pages(case: &mut Case) {
    let task = case.task("With a page");
    let id = shape::text(&task["pageId"]);
    let page = format!("/pages/{id}");
    case.write("PATCH", &page, &json!({ "title": "Title of the page", "icon": "\u{1f680}" }));
    case.write("PUT", &format!("/favorites/{id}"), &json!({}));
    case.write("DELETE", &format!("/favorites/{id}"), &Value::Null);
    let block = json!({ "type": "paragraph", "content": "one" });
    let made = case.write("POST", &format!("{page}/blocks"), &block).data(201);
    let one = shape::text(&made["id"]);
    let op = json!({ "op": "upsert", "block": { "type": "paragraph", "content": "two" } });
    case.write("POST", "/blocks/batch", &json!({ "pageId": id, "ops": [op] }));
    case.write("POST", "/blocks", &json!({ "pageId": id, "op": "insert", "block": block }));
    case.write("PATCH", &format!("/blocks/{one}"), &json!({ "content": "changed" }));
    let copy = case.write("POST", &format!("/blocks/{one}/duplicate"), &json!({}));
    copy.is(201);
    case.write("POST", &format!("/blocks/{one}/move"), &json!({ "position": "0" }));
    case.write("DELETE", &format!("/blocks/{one}"), &Value::Null);
    let edits = json!({ "edits": [{ "op": "append", "markdown": "three" }] });
    case.write("PATCH", &format!("{page}/markdown"), &edits);
    let version = case.write("POST", &format!("{page}/versions"), &json!({ "label": "First" })).data(201);
    let version = format!("{page}/versions/{}", shape::text(&version["id"]));
    case.write("PATCH", &version, &json!({ "label": "Best" }));
    case.write("POST", &format!("{version}/restore"), &Value::Null);
    let below = case.write("POST", "/pages", &json!({ "title": "Below", "parentId": id })).data(201);
    case.write("POST", &format!("{page}/duplicate"), &json!({})).is(201);
    case.write("POST", &format!("/pages/{}/move", shape::text(&below["id"])), &json!({ "parentId": null }));
    let grant = json!({ "principalType": "user", "principalId": case.office.guest.id, "level": "VIEW" });
    let made = case.write("POST", &format!("{page}/permissions"), &grant).data(201);
    case.write("DELETE", &format!("{page}/permissions/{}", shape::text(&made["id"])), &Value::Null);
    case.write("PUT", &format!("{page}/permissions"), &json!({ "inherit": false, "grants": [] }));
    case.write("PUT", &format!("{page}/permissions"), &json!({ "inherit": true, "grants": [] }));
    case.write("POST", &format!("{page}/share-links"), &json!({}));
    let database = format!("{}/permissions", case.tasks.path);
    let made = case.write("POST", &database, &grant).data(201);
    case.write("DELETE", &format!("{database}/{}", shape::text(&made["id"])), &Value::Null);
    case.write("PUT", &database, &json!({ "inherit": true, "grants": [] }));
}

fn pages_that_move(case: &mut Case) {
    let page = case.office.page(&case.office.owner, &json!({ "title": "Becomes a task", "markdown": "Text" }));
    let database = json!({ "databaseId": case.tasks.id });
    case.write("POST", &format!("/pages/{page}/move"), &database);
    case.write("PATCH", &format!("/pages/{page}"), &json!({ "title": "Is a task" }));
    case.write("POST", &format!("/pages/{page}/restore"), &json!({}));
    let shelf = case.office.below(None, "Shelf");
    let move_home = format!("/pages/{}/move", case.home);
    case.write("POST", &move_home, &json!({ "parentId": shelf }));
    case.write("POST", &move_home, &json!({ "parentId": null }));
}

fn imports_and_copies(case: &mut Case) {
    let rows = "Name,number,select\nImported,3,Done\nAnother,,New option\n";
    let body = json!({ "format": "csv", "content": rows, "databaseId": case.tasks.id });
    case.write("POST", "/pages/import", &body).is(201);
    let rows = "Name,number,multi_select\nOf a job,4,Done\nOf the same job,,A new one\n";
    let tasks = case.tasks.clone();
    let started = csv_jobs::send(&case.office, &case.office.owner, &tasks, "", rows).data(202);
    let job = csv_jobs::ended(&case.office, &case.office.owner, &started);
    assert_eq!((&job["status"], &job["result"]["importedRecords"]), (&json!("SUCCEEDED"), &json!(2)), "{job}");
    case.ran("POST", &format!("{}/imports", tasks.path));
    let home = case.home.clone();
    case.write("POST", &format!("/pages/{home}/duplicate"), &json!({})).is(201);
    let link =
        case.office.post(&case.office.owner, &format!("/pages/{home}/share-links"), &json!({ "allowDuplicate": true }));
    let path = format!("/public/shares/{}/duplicate", token(&link.data(201)));
    case.write_as(|office| office.other.clone(), "POST", &path, &json!({})).is(201);
}

fn people(case: &mut Case) {
    let task = case.task("Assigned");
    let persons = json!({ "userIds": [case.office.member.id, case.office.other.id, case.office.guest.id] });
    case.write("PATCH", &path_of(&task), &json!({ "properties": case.tasks.values(&[("person", persons)]) }));
    case.write_as(|office| office.member.clone(), "PATCH", "/users/me", &json!({ "name": "Aaron" }));
    let members = format!("/workspaces/{}/members", case.office.id);
    let of = |id: &str| format!("{members}/{id}");
    let (other, guest) = (case.office.other.id.clone(), case.office.guest.clone());
    case.write("PATCH", &of(&other), &json!({ "role": "GUEST" }));
    case.write("DELETE", &of(&other), &Value::Null);
    case.write("POST", &members, &json!({ "userId": other, "role": "MEMBER" }));
    let team = case.office.team("Team", false);
    let body = json!({ "title": "Of the team", "teamId": team });
    let page = case.write("POST", "/pages", &body).data(201);
    let move_home = format!("/pages/{}/move", case.home);
    case.write("POST", &move_home, &json!({ "parentId": page["id"] }));
    let path = format!("/workspaces/{}/teams/{team}", case.office.id);
    case.write("DELETE", &path, &Value::Null);
    case.write("POST", &move_home, &json!({ "parentId": null }));
    let deleting = guest.delete("/users/me").header("X-Confirm", format!("DELETE {}", guest.id)).send();
    case.wrote("DELETE", "/users/me", &deleting);
}

fn trash(case: &mut Case) {
    let home = format!("/pages/{}", case.home);
    case.write("DELETE", &home, &Value::Null);
    case.write("POST", &format!("{home}/restore"), &json!({}));
    let task = case.task("After the trash");
    let copy = json!({ "title": "Gone", "properties": [{ "name": "Name", "type": "title" }], "parentId": case.home });
    case.write("POST", "/databases", &copy).is(201);
    let confirm = json!({ "confirm": case.office.id });
    case.write("DELETE", "/pages/trash", &confirm).is(202);
    case.write("DELETE", &path_of(&task), &json!({ "confirm": task["id"] })).is(202);
    eventually("the removal of the record", || {
        (case.office.get(&case.office.owner, &path_of(&task)).status == 404).then_some(())
    });
    case.compare("the removal of the record");
}
