//! Moving pages into databases, where they become records.

use crate::{
    pages::{Office, office},
    records::{Table, path_of},
};
use octavo_tests::{Answer, Engine, Person, at_once::at_once, both_engines};
use serde_json::{Value, json};

both_engines! {
    a_page_becomes_a_record,
    the_grants_of_a_page_decide_about_the_record,
    who_may_move_a_page_into_a_database,
    a_page_that_cannot_move_stays,
    of_two_moves_into_databases_one_succeeds,
    no_page_gets_into_a_database_that_is_archived_meanwhile,
}

fn send(office: &Office, by: &Person, page: &str, table: &Table) -> Answer {
    office.post(by, &format!("/pages/{page}/move"), &json!({ "databaseId": table.id }))
}

fn record_of(page: &str) -> String {
    page.replace("pg_", "/records/rpt_")
}

fn a_page_becomes_a_record(engine: Engine) {
    let office = office(engine);
    let home = office.below(None, "Home");
    let properties = [
        json!({ "name": "Number", "type": "unique_id", "config": { "prefix": "T" } }),
        json!({ "name": "Done", "type": "checkbox", "default": { "value": true } }),
        json!({ "name": "Price", "type": "number", "required": true }),
    ];
    let table = Table::of(&office, Some(&home), &properties[..2]);
    table.put(&office, "First");
    office.post(&office.owner, &format!("{}/properties", table.path), &properties[2]).is(201);
    let body = json!({ "title": "Plan", "icon": "\u{1f680}", "markdown": "Made of oak" });
    let page = office.page(&office.member, &body);
    let below = office.page(&office.member, &json!({ "title": "Details", "parentId": page }));
    let moved = send(&office, &office.member, &page, &table).data(200);
    assert_eq!(
        (&moved["id"], &moved["parentType"], &moved["parentId"]),
        (&json!(page), &json!("database"), &json!(table.id))
    );
    assert_eq!((&moved["version"], &moved["childCount"]), (&json!(2), &json!(1)));
    let record = office.get(&office.other, &record_of(&page)).data(200);
    assert_eq!((&moved["recordId"], &record["pageId"]), (&record["id"], &json!(page)));
    assert_eq!(
        (&record["icon"], &record["version"], &record["createdBy"]),
        (&json!("\u{1f680}"), &json!(1), &json!(office.member.id))
    );
    let value = |name: &str| record["properties"][table.property(name)].clone();
    assert_eq!((&value("Name")["text"], &value("Number")["value"]), (&json!("Plan"), &json!("T-0002")));
    assert_eq!(value("Done"), json!({ "value": true }));
    assert_eq!(table.titles(&office, &office.other, ""), ["First", "Plan"]);
    assert_eq!(office.get(&office.owner, &table.path).data(200)["recordCount"], 2);
    let text = office.get(&office.other, &format!("/pages/{page}/markdown"));
    assert!(text.text().contains("Made of oak"), "{}", text.text());
    let shown = office.get(&office.other, &format!("/pages/{below}")).data(200);
    let above: Vec<_> = shown["ancestors"].as_array().unwrap().iter().map(|step| step["title"].clone()).collect();
    assert_eq!(above, ["Home", "Tasks", "Plan"]);
    let reported = office.events(&office.owner, "page.moved", 1);
    assert_eq!(reported[0]["data"]["after"]["parentId"], json!(table.id));
    let made = office.events(&office.owner, "record.created", 2);
    let made = made.iter().find(|event| event["data"]["pageId"] == json!(page)).unwrap();
    assert_eq!((&made["data"]["via"], &made["data"]["databaseId"]), (&json!("move"), &json!(table.id)));
    assert_eq!(made["data"]["properties"][table.property("Name")]["text"], "Plan");
    // From now on it is the page of a record like any other.
    send(&office, &office.member, &page, &table).refuses(422, "UNPROCESSABLE_ENTITY").issue("record_page");
    office.delete(&office.owner, &format!("/pages/{page}")).refuses(422, "UNPROCESSABLE_ENTITY").issue("record_page");
    office.patch(&office.member, &format!("/pages/{page}"), &json!({ "title": "Draft" })).is(200);
    assert_eq!(table.titles(&office, &office.other, ""), ["First", "Draft"]);
    let confirm = json!({ "confirm": record["id"] });
    office.call(&office.owner, "DELETE", &path_of(&record), &confirm).is(202);
    office.get(&office.owner, &format!("/pages/{below}")).refuses(404, "NOT_FOUND");
}

fn the_grants_of_a_page_decide_about_the_record(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let page = office.below(None, "Salaries");
    office.grant(&page, &[("user", &office.member.id, "NONE"), ("user", &office.guest.id, "VIEW")]);
    send(&office, &office.owner, &page, &table).is(200);
    assert_eq!(table.titles(&office, &office.other, ""), ["Salaries"]);
    assert!(table.titles(&office, &office.member, "").is_empty());
    office.get(&office.member, &record_of(&page)).refuses(404, "NOT_FOUND");
    office.get(&office.guest, &record_of(&page)).is(200);
    office.get(&office.guest, &table.path).refuses(404, "NOT_FOUND");
}

fn who_may_move_a_page_into_a_database(engine: Engine) {
    let office = office(engine);
    let [open, read_only, hidden] = ["Open", "Read only", "Hidden"].map(|title| office.below(None, title));
    let tables = [&open, &read_only, &hidden].map(|page| Table::of(&office, Some(page), &[]));
    office.grant(&read_only, &[("workspace", &office.id, "VIEW")]);
    office.grant(&hidden, &[("workspace", &office.id, "NONE")]);
    let page = office.below(None, "Plan");
    send(&office, &office.member, &page, &tables[1]).refuses(403, "FORBIDDEN").because("requires_EDIT");
    send(&office, &office.member, &page, &tables[2]).refuses(404, "NOT_FOUND");
    let unknown = json!({ "databaseId": "db_01J8Z3K4M5N6P7Q8R9S0T1V2W3" });
    office.post(&office.member, &format!("/pages/{page}/move"), &unknown).refuses(404, "NOT_FOUND");
    office.grant(&page, &[("workspace", &office.id, "VIEW")]);
    send(&office, &office.member, &page, &tables[0]).refuses(403, "FORBIDDEN").because("requires_EDIT");
    // In another team everybody has another level.
    let team = office.team("Open", false);
    let home = office.page(&office.owner, &json!({ "title": "Team", "teamId": team }));
    let of_team = Table::of(&office, Some(&home), &[]);
    let other = office.below(None, "Other");
    office.join(&team, &office.member, "MEMBER");
    send(&office, &office.member, &other, &of_team).refuses(403, "FORBIDDEN").because("requires_FULL_ACCESS");
    let moved = send(&office, &office.owner, &other, &of_team).data(200);
    assert_eq!(moved["teamId"], json!(team));
    office.get(&office.guest, &record_of(&other)).refuses(404, "NOT_FOUND");
}

fn a_page_that_cannot_move_stays(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let inside = Table::of(&office, Some(&page), &[]);
    send(&office, &office.owner, &page, &inside).refuses(422, "UNPROCESSABLE_ENTITY").issue("cycle_detected");
    let table = Table::of(&office, None, &[]);
    let path = format!("/pages/{page}/move");
    for (field, value) in [
        ("parentId", Value::Null),
        ("teamId", Value::Null),
        ("position", json!("a1")),
        ("afterPageId", json!(page)),
        ("beforePageId", json!(page)),
    ] {
        let answer = office.post(&office.owner, &path, &json!({ "databaseId": table.id, field: value }));
        answer.refuses(400, "VALIDATION_ERROR").of(field, "invalid_value");
    }
    office.post(&office.owner, &path, &json!({ "databaseId": page })).refuses(400, "VALIDATION_ERROR");
    let stale = office.post(&office.owner, &path, &json!({ "databaseId": table.id, "version": 7 }));
    stale.refuses(409, "CONFLICT").issue("version_mismatch");
    office.patch(&office.owner, &format!("/pages/{page}"), &json!({ "isLocked": true })).is(200);
    send(&office, &office.owner, &page, &table).refuses(409, "CONFLICT").issue("page_locked");
    office.patch(&office.owner, &format!("/pages/{page}"), &json!({ "isLocked": false })).is(200);
    office.patch(&office.owner, &table.path, &json!({ "archived": true })).is(200);
    send(&office, &office.owner, &page, &table).refuses(409, "CONFLICT").issue("database_archived");
    let home = office.below(None, "Home");
    let trashed = Table::of(&office, Some(&home), &[]);
    office.delete(&office.owner, &format!("/pages/{home}")).is(200);
    send(&office, &office.owner, &page, &trashed).refuses(409, "CONFLICT").issue("page_trashed");
    office.patch(&office.owner, &table.path, &json!({ "archived": false })).is(200);
    office.delete(&office.owner, &format!("/pages/{page}")).is(200);
    send(&office, &office.owner, &page, &table).refuses(409, "CONFLICT").issue("page_trashed");
    assert!(table.titles(&office, &office.owner, "").is_empty());
    assert_eq!(office.get(&office.owner, &table.path).data(200)["recordCount"], 0);
}

fn of_two_moves_into_databases_one_succeeds(engine: Engine) {
    let office = office(engine);
    let tables = [(); 2].map(|()| Table::of(&office, None, &[]));
    let page = office.below(None, "Plan");
    let answers = at_once(4, |number| send(&office, &office.owner, &page, &tables[number % 2]));
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        answer.refuses(422, "UNPROCESSABLE_ENTITY").issue("record_page");
    }
    let counts = tables.each_ref().map(|table| table.titles(&office, &office.owner, "").len());
    assert_eq!(counts.iter().sum::<usize>(), 1);
}

fn no_page_gets_into_a_database_that_is_archived_meanwhile(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let pages: Vec<_> = (0..6).map(|number| office.below(None, &format!("Page {number}"))).collect();
    let answers = at_once(7, |number| match pages.get(number) {
        Some(page) => send(&office, &office.owner, page, &table),
        None => office.patch(&office.owner, &table.path, &json!({ "archived": true })),
    });
    let moved = answers[..6].iter().filter(|answer| answer.status == 200).count();
    for answer in answers[..6].iter().filter(|answer| answer.status != 200) {
        answer.refuses(409, "CONFLICT").issue("database_archived");
    }
    assert_eq!(office.get(&office.owner, &table.path).data(200)["recordCount"], moved);
    assert_eq!(table.titles(&office, &office.owner, "").len(), moved);
    let listed = office.get(&office.owner, "/pages?parentId=root").body_of(200);
    assert_eq!(listed["data"].as_array().unwrap().len(), 6 - moved, "the others are where they were");
}
