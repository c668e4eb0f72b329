//! The order of records, their nesting, their numbers, and the databases that take them.

use crate::{
    pages::office,
    records::{Table, UNKNOWN, path_of},
};
use octavo_tests::{Answer, Engine, Person, at_once::at_once, both_engines};
use serde_json::{Value, json};

both_engines! {
    records_are_listed_in_their_order_page_by_page,
    parts_are_nested_up_to_ten_levels,
    parts_stay_when_their_record_goes,
    a_part_does_not_name_a_record_that_is_hidden,
    numbers_have_no_gaps_whoever_asks_at_once,
    a_database_that_is_archived_or_trashed_takes_no_records,
    other_workspaces_see_nothing,
}

fn records_are_listed_in_their_order_page_by_page(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    for number in 0..7 {
        table.put(&office, &format!("R{number}"));
    }
    let first = json!({ "properties": table.values(&[("Name", json!({ "text": "Before" }))]), "position": "Zz" });
    office.post(&office.owner, &format!("{}/records", table.path), &first).is(201);
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = office.get(&office.member, &format!("{}/records?pageSize=3{cursor}", table.path)).body_of(200);
        let list = page["data"].as_array().unwrap();
        assert!(list.len() <= 3);
        seen.extend(list.iter().map(|record| record["properties"][table.property("Name")]["text"].clone()));
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(seen, ["Before", "R0", "R1", "R2", "R3", "R4", "R5", "R6"]);
    let list = |query: &str| office.get(&office.member, &format!("{}/records?{query}", table.path));
    assert_eq!(list("pageSize=1000").body_of(200)["data"].as_array().unwrap().len(), 8);
    list("pageSize=0").refuses(400, "VALIDATION_ERROR").of("pageSize", "too_small");
    list("cursor=x").refuses(400, "VALIDATION_ERROR").names("cursor");
    list("filter=%7B").refuses(400, "VALIDATION_ERROR").names("filter");
}

fn parts_are_nested_up_to_ten_levels(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let put = |title: &str, parent: &Value| {
        let body =
            json!({ "properties": table.values(&[("Name", json!({ "text": title }))]), "parentRecordId": parent });
        office.post(&office.owner, &format!("{}/records", table.path), &body)
    };
    let mut chain = vec![put("1", &Value::Null).data(201)];
    for level in 2..=10 {
        let made = put(&level.to_string(), &chain[level - 2]["id"]).data(201);
        assert_eq!((&made["isSubItem"], &made["parentRecordId"]), (&json!(true), &chain[level - 2]["id"]));
        chain.push(made);
    }
    let too_deep = put("11", &chain[9]["id"]).refuses(422, "UNPROCESSABLE_ENTITY");
    too_deep.of("parentRecordId", "max_depth");
    assert_eq!(office.get(&office.owner, &path_of(&chain[0])).data(200)["subItemCount"], 1);
    assert_eq!(
        table.titles(&office, &office.owner, &format!("?subItemOf={}", chain[0]["id"].as_str().unwrap())),
        ["2"]
    );
    let under = |parent: &Value| json!({ "parentRecordId": parent });
    for parent in [&chain[0]["id"], &chain[5]["id"]] {
        let refused =
            office.patch(&office.owner, &path_of(&chain[0]), &under(parent)).refuses(422, "UNPROCESSABLE_ENTITY");
        refused.of("parentRecordId", "cycle_detected");
    }
    let root = put("Root", &Value::Null).data(201);
    let refused =
        office.patch(&office.owner, &path_of(&chain[0]), &under(&root["id"])).refuses(422, "UNPROCESSABLE_ENTITY");
    refused.of("parentRecordId", "max_depth");
    let moved = office.patch(&office.owner, &path_of(&chain[1]), &under(&root["id"])).data(200);
    assert_eq!((&moved["parentRecordId"], &moved["version"]), (&root["id"], &json!(2)));
    let free = office.patch(&office.owner, &path_of(&chain[1]), &under(&Value::Null)).data(200);
    assert_eq!((&free["isSubItem"], &free["parentRecordId"]), (&json!(false), &Value::Null));
    // The parent must be a record of the same database.
    let elsewhere = Table::of(&office, None, &[]).put(&office, "Elsewhere");
    for unknown in [json!(UNKNOWN), elsewhere["id"].clone()] {
        put("A", &unknown).refuses(404, "NOT_FOUND");
        office.patch(&office.owner, &path_of(&root), &under(&unknown)).refuses(404, "NOT_FOUND");
    }
}

fn parts_stay_when_their_record_goes(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let whole = table.put(&office, "Whole");
    let body =
        json!({ "properties": table.values(&[("Name", json!({ "text": "Part" }))]), "parentRecordId": whole["id"] });
    let part = office.post(&office.owner, &format!("{}/records", table.path), &body).data(201);
    office.post(&office.owner, &format!("{}/archive", path_of(&whole)), &Value::Null).is(200);
    assert_eq!(office.get(&office.owner, &path_of(&part)).data(200), part);
    office.call(&office.owner, "DELETE", &path_of(&whole), &json!({ "confirm": whole["id"] })).is(202);
    let left = office.get(&office.owner, &path_of(&part)).data(200);
    assert_eq!((&left["isSubItem"], &left["parentRecordId"]), (&json!(false), &Value::Null));
}

fn a_part_does_not_name_a_record_that_is_hidden(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let whole = table.put(&office, "Whole");
    let values = table.values(&[("Name", json!({ "text": "Part" }))]);
    let part = json!({ "properties": values, "parentRecordId": whole["id"] });
    let part = office.post(&office.owner, &format!("{}/records", table.path), &part).data(201);
    let permissions = format!("/pages/{}/permissions", whole["pageId"].as_str().unwrap());
    office.call(&office.owner, "PUT", &permissions, &json!({ "inherit": false, "grants": [] })).is(200);
    let parent = |by: &Person| office.get(by, &path_of(&part)).data(200)["parentRecordId"].clone();
    assert_eq!((parent(&office.owner), parent(&office.member)), (whole["id"].clone(), Value::Null));
    let listed = office.get(&office.member, &format!("{}/records", table.path)).body_of(200);
    assert_eq!((&listed["data"][0]["id"], &listed["data"][0]["parentRecordId"]), (&part["id"], &Value::Null));
}

fn numbers_have_no_gaps_whoever_asks_at_once(engine: Engine) {
    let office = office(engine);
    let table =
        Table::of(&office, None, &[json!({ "name": "No", "type": "unique_id", "config": { "prefix": "INV" } })]);
    let made = at_once(20, |number| table.put(&office, &format!("R{number}")));
    let mut numbers: Vec<_> = made
        .iter()
        .map(|record| record["properties"][table.property("No")]["value"].as_str().unwrap().to_owned())
        .collect();
    numbers.sort();
    assert_eq!(numbers, (1..=20).map(|number| format!("INV-{number:04}")).collect::<Vec<_>>());
    // A property that is added later numbers the records in the order of their creation.
    let later = Table::of(&office, None, &[]);
    let records = ["A", "B", "C"].map(|title| later.put(&office, title));
    office.call(&office.owner, "DELETE", &path_of(&records[1]), &json!({ "confirm": records[1]["id"] })).is(202);
    let added = office
        .post(&office.owner, &format!("{}/properties", later.path), &json!({ "name": "No", "type": "unique_id" }))
        .data(201);
    let shown = |record: &Value| {
        office.get(&office.owner, &path_of(record)).data(200)["properties"][added["id"].as_str().unwrap()].clone()
    };
    assert_eq!(
        [&records[0], &records[2], &later.put(&office, "D")].map(shown),
        ["0001", "0002", "0003"].map(|number| json!({ "value": number }))
    );
}

fn a_database_that_is_archived_or_trashed_takes_no_records(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let table = Table::of(&office, Some(&page), &[]);
    let made = table.put(&office, "A");
    let path = path_of(&made);
    let writes = |status: u16, issue: &str| {
        let refused = |answer: Answer| {
            answer.refuses(status, "CONFLICT").issue(issue);
        };
        refused(table.send(&office, &office.owner, &[("Name", json!({ "text": "B" }))]));
        refused(office.patch(&office.owner, &path, &json!({ "icon": "\u{1f680}" })));
        refused(office.post(&office.owner, &format!("{path}/archive"), &Value::Null));
        refused(office.call(&office.owner, "DELETE", &path, &json!({ "confirm": made["id"] })));
    };
    office.patch(&office.owner, &table.path, &json!({ "archived": true })).is(200);
    writes(409, "database_archived");
    assert_eq!(office.get(&office.member, &path).data(200), made);
    assert_eq!(table.titles(&office, &office.member, ""), ["A"]);
    office.patch(&office.owner, &table.path, &json!({ "archived": false })).is(200);
    office.delete(&office.owner, &format!("/pages/{page}")).is(200);
    writes(409, "page_trashed");
    assert_eq!(office.get(&office.owner, &path).data(200), made);
    office.post(&office.owner, &format!("/pages/{page}/restore"), &Value::Null).is(200);
    office.patch(&office.owner, &path, &json!({ "icon": "\u{1f680}" })).is(200);
}

fn other_workspaces_see_nothing(engine: Engine) {
    let (here, elsewhere) = (office(engine), office(engine));
    let table = Table::of(&here, None, &[]);
    let made = table.put(&here, "A");
    elsewhere.get(&elsewhere.owner, &path_of(&made)).refuses(404, "NOT_FOUND");
    elsewhere.get(&elsewhere.owner, &format!("{}/records", table.path)).refuses(404, "NOT_FOUND");
    elsewhere
        .call(&elsewhere.owner, "DELETE", &path_of(&made), &json!({ "confirm": made["id"] }))
        .refuses(404, "NOT_FOUND");
    let theirs = Table::of(&elsewhere, None, &[]);
    let body =
        json!({ "properties": theirs.values(&[("Name", json!({ "text": "B" }))]), "parentRecordId": made["id"] });
    elsewhere.post(&elsewhere.owner, &format!("{}/records", theirs.path), &body).refuses(404, "NOT_FOUND");
    assert_eq!(here.get(&here.owner, &path_of(&made)).data(200), made);
}
