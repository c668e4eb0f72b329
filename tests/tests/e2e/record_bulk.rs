//! Many changes of records in one call.

use crate::{
    pages::{Office, office},
    records::{Table, path_of},
};
use octavo_tests::{Answer, Engine, at_once::at_once, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    operations_see_what_earlier_ones_did,
    a_failed_operation_undoes_everything,
    without_atomicity_the_others_are_kept,
    upserts_find_records_by_their_values,
    upserts_of_many_callers_create_one_record,
    plain_values_are_cast,
    operations_are_checked_before_anything_happens,
    unknown_fields_of_operations_are_named,
    counts_and_numbers_follow_the_operations,
    operations_on_hidden_records_fail,
    events_come_in_the_order_of_the_operations,
}

fn send(office: &Office, table: &Table, body: &Value) -> Answer {
    office.post(&office.owner, &format!("{}/records/bulk", table.path), body)
}

fn named(table: &Table, title: &str) -> Value {
    table.values(&[("Name", json!({ "text": title }))])
}

fn create(table: &Table, title: &str) -> Value {
    json!({ "op": "create", "properties": named(table, title) })
}

fn titles(office: &Office, table: &Table) -> Vec<String> {
    let list = office.get(&office.owner, &format!("{}/records?pageSize=200", table.path)).body_of(200);
    let name = table.property("Name");
    let title = |record: &Value| record["properties"][name]["text"].as_str().unwrap().to_owned();
    list["data"].as_array().unwrap().iter().map(title).collect()
}

fn statuses(done: &Value) -> Vec<&str> {
    done["results"].as_array().unwrap().iter().map(|result| result["status"].as_str().unwrap()).collect()
}

fn operations_see_what_earlier_ones_did(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let old = table.put(&office, "Old");
    let ops = json!([
        { "op": "create", "properties": named(&table, "Whole"), "ref": "w", "icon": "\u{1f680}" },
        { "op": "create", "properties": named(&table, "Part"), "parentRecordId": "$w" },
        { "op": "update", "recordId": "$w", "properties": named(&table, "All") },
        { "op": "update", "recordId": old["id"], "properties": named(&table, "Old") },
        { "op": "archive", "recordId": old["id"] },
        { "op": "update", "recordId": old["id"], "position": "Zz", "version": 2 },
        { "op": "unarchive", "recordId": old["id"] },
        { "op": "create", "properties": named(&table, "Gone"), "ref": "g" },
    ]);
    let done = send(&office, &table, &json!({ "ops": ops, "returnRecords": true })).data(200);
    let expected = ["created", "created", "updated", "unchanged", "archived", "updated", "unarchived", "created"];
    assert_eq!(statuses(&done), expected);
    assert_eq!((&done["created"], &done["updated"], &done["failed"]), (&json!(3), &json!(2), &json!(0)));
    let results = &done["results"];
    assert_eq!((&results[0]["ref"], &results[0]["op"], &results[2]["version"]), (&json!("w"), &json!(0), &json!(2)));
    assert_eq!(results[1]["record"]["parentRecordId"], results[0]["recordId"]);
    assert_eq!(
        results[0]["record"]["properties"],
        office.get(&office.member, &path_of(&results[0]["record"])).data(200)["properties"]
    );
    assert_eq!(results[3]["version"], 1);
    assert_eq!(results[3]["record"]["id"], old["id"], "an unchanged record is shown too");
    assert_eq!(titles(&office, &table), ["Old", "All", "Part", "Gone"]);
    assert_eq!(office.get(&office.member, &table.path).data(200)["recordCount"], 4);
    let gone = json!([{ "op": "delete", "recordId": results[7]["recordId"], "confirm": results[7]["recordId"] }]);
    let done = send(&office, &table, &json!({ "ops": gone })).data(200);
    assert_eq!((statuses(&done), &done["deleted"]), (vec!["deleted"], &json!(1)));
    assert_eq!(titles(&office, &table), ["Old", "All", "Part"]);
}

fn a_failed_operation_undoes_everything(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[json!({ "name": "Price", "type": "number" })]);
    let old = table.put(&office, "Old");
    let bad = table.values(&[("Name", json!({ "text": "B" })), ("Price", json!({ "value": "x" }))]);
    let ops = json!([
        create(&table, "A"),
        { "op": "create", "properties": bad },
        { "op": "update", "recordId": old["id"], "properties": named(&table, "New") },
        { "op": "create", "properties": {} },
        { "op": "update", "recordId": "rpt_01J8Z3K4M5N6P7Q8R9S0T1V2W3" },
    ]);
    let refused = send(&office, &table, &json!({ "ops": ops }));
    let refused = refused.refuses(400, "VALIDATION_ERROR");
    let places: Vec<_> =
        refused.details().iter().map(|detail| (detail["op"].clone(), detail["issue"].clone())).collect();
    assert_eq!(places, [(json!(1), json!("invalid_type")), (json!(3), json!("required"))]);
    assert_eq!(refused.details()[0]["field"], format!("properties.{}", table.property("Price")));
    assert_eq!(titles(&office, &table), ["Old"]);
    let stale = json!([{ "op": "update", "recordId": old["id"], "version": 7, "icon": null }]);
    let refused = send(&office, &table, &json!({ "ops": stale })).refuses(409, "CONFLICT");
    assert_eq!((&refused.detail()["op"], &refused.detail()["expected"]), (&json!(0), &json!(1)));
    let unknown = json!([create(&table, "A"), { "op": "archive", "recordId": "$nobody" }]);
    let refused = send(&office, &table, &json!({ "ops": unknown })).refuses(404, "NOT_FOUND");
    assert_eq!((&refused.detail()["op"], &refused.detail()["field"]), (&json!(1), &json!("recordId")));
    let unconfirmed = json!([{ "op": "delete", "recordId": old["id"], "confirm": "x" }]);
    let refused = send(&office, &table, &json!({ "ops": unconfirmed })).refuses(422, "CONFIRM_REQUIRED");
    assert_eq!(refused.detail()["rules"], json!(["the id of the record"]));
    assert_eq!(titles(&office, &table), ["Old"]);
}

fn without_atomicity_the_others_are_kept(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let ops = json!([
        create(&table, "A"),
        { "op": "create", "properties": {} },
        { "op": "update", "recordId": "$nobody", "icon": null },
        create(&table, "B"),
    ]);
    let done = send(&office, &table, &json!({ "ops": ops, "atomic": false })).data(200);
    assert_eq!(statuses(&done), ["created", "failed", "failed", "created"]);
    assert_eq!((&done["created"], &done["failed"]), (&json!(2), &json!(2)));
    let error = &done["results"][1]["error"];
    assert_eq!((&error["code"], &error["details"][0]["issue"]), (&json!("VALIDATION_ERROR"), &json!("required")));
    assert_eq!(done["results"][2]["error"]["code"], "NOT_FOUND");
    for failed in [1, 2] {
        let result = &done["results"][failed];
        shape::exactly(result, &["op", "status", "recordId", "ref", "version", "error"]);
        assert_eq!(
            (&result["recordId"], &result["ref"], &result["version"]),
            (&Value::Null, &Value::Null, &Value::Null)
        );
    }
    shape::exactly(&done["results"][0], &["op", "status", "recordId", "ref", "version"]);
    assert_eq!(titles(&office, &table), ["A", "B"]);
    assert_eq!(office.get(&office.member, &table.path).data(200)["recordCount"], 2);
}

fn upserts_find_records_by_their_values(engine: Engine) {
    let office = office(engine);
    let table = Table::of(
        &office,
        None,
        &[json!({ "name": "Code", "type": "text" }), json!({ "name": "Price", "type": "number" })],
    );
    let upsert = |code: &str, price: i64| {
        let values = [
            ("Name", json!({ "text": code })),
            ("Code", json!({ "text": code })),
            ("Price", json!({ "value": price })),
        ];
        json!({ "op": "upsert", "properties": table.values(&values) })
    };
    let call = |ops: Value| send(&office, &table, &json!({ "ops": ops, "matchOn": [table.property("Code")] }));
    let done = call(json!([upsert("A1", 1), upsert("A2", 2), upsert(" a1 ", 3)])).data(200);
    assert_eq!(statuses(&done), ["created", "created", "updated"]);
    assert_eq!(done["results"][0]["recordId"], done["results"][2]["recordId"]);
    let again = call(json!([upsert(" a1 ", 3), upsert("A3", 1)])).data(200);
    assert_eq!(statuses(&again), ["unchanged", "created"]);
    table
        .send(&office, &office.owner, &[("Name", json!({ "text": "Twin" })), ("Code", json!({ "text": "a2" }))])
        .is(201);
    call(json!([upsert("A2", 9)])).refuses(422, "UNPROCESSABLE_ENTITY").issue("ambiguous_match");
    let without = json!([{ "op": "upsert", "properties": named(&table, "X") }]);
    let refused = call(without.clone()).refuses(400, "VALIDATION_ERROR");
    refused.of(&format!("properties.{}", table.property("Code")), "required");
    send(&office, &table, &json!({ "ops": without })).refuses(400, "VALIDATION_ERROR").of("matchOn", "required");
    let unknown = json!({ "ops": [upsert("A9", 1)], "matchOn": ["prop_01J8Z3K4M5N6P7Q8R9S0T1V2W3"] });
    send(&office, &table, &unknown).refuses(400, "VALIDATION_ERROR").of("matchOn.0", "unknown_field");
    // A record that is created still needs everything that is required.
    let nameless = json!([{ "op": "upsert", "properties": table.values(&[("Code", json!({ "text": "A7" }))]) }]);
    call(nameless).refuses(400, "VALIDATION_ERROR").of(&format!("properties.{}", table.property("Name")), "required");
}

fn upserts_of_many_callers_create_one_record(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let body =
        json!({ "ops": [{ "op": "upsert", "properties": named(&table, "One") }], "matchOn": [table.property("Name")] });
    let done = at_once(12, |_| send(&office, &table, &body).data(200)["results"][0]["status"].clone());
    assert_eq!(done.iter().filter(|status| **status == "created").count(), 1);
    assert_eq!(titles(&office, &table), ["One"]);
}

fn plain_values_are_cast(engine: Engine) {
    let office = office(engine);
    let table = Table::of(
        &office,
        None,
        &[
            json!({ "name": "Price", "type": "number" }),
            json!({ "name": "Stage", "type": "select", "config": { "options": [{ "name": "To do" }] } }),
            json!({ "name": "Tags", "type": "multi_select", "config": { "options": [] } }),
            json!({ "name": "Due", "type": "date" }),
            json!({ "name": "Who", "type": "person" }),
            json!({ "name": "Done", "type": "checkbox" }),
        ],
    );
    let values = table.values(&[
        ("Name", json!("Chair")),
        ("Price", json!("9.5")),
        ("Stage", json!("to do")),
        ("Tags", json!(["new", "Red"])),
        ("Due", json!("2026-03-01")),
        ("Who", json!(office.member.email)),
        ("Done", json!(true)),
    ]);
    let ops = json!([{ "op": "create", "properties": values }, { "op": "create", "properties": table.values(&[("Name", json!("B")), ("Tags", json!("RED"))]) }]);
    send(&office, &table, &json!({ "ops": ops })).refuses(400, "VALIDATION_ERROR");
    let done = send(&office, &table, &json!({ "ops": ops, "typecast": true, "returnRecords": true })).data(200);
    let shown = |index: usize, name: &str| done["results"][index]["record"]["properties"][table.property(name)].clone();
    assert_eq!(shown(0, "Price"), json!({ "value": 9.5 }));
    assert_eq!(shown(0, "Stage"), json!({ "optionId": "opt-to-do" }));
    assert_eq!(shown(0, "Tags"), json!({ "optionIds": ["opt-new", "opt-red"] }));
    assert_eq!(shown(1, "Tags"), json!({ "optionIds": ["opt-red"] }));
    assert_eq!(shown(0, "Due")["start"], "2026-03-01");
    assert_eq!(shown(0, "Who"), json!({ "userIds": [office.member.id] }));
    assert_eq!(shown(0, "Done"), json!({ "value": true }));
    let database = office.get(&office.owner, &table.path).data(200);
    assert_eq!(database["schemaVersion"], 2);
    let options =
        database["properties"].as_array().unwrap().iter().find(|property| property["name"] == "Tags").unwrap();
    assert_eq!(options["config"]["options"].as_array().unwrap().len(), 2);
}

fn unknown_fields_of_operations_are_named(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let mut odd = create(&table, "A");
    odd["colour"] = json!("red");
    let ops = json!([create(&table, "B"), odd, { "op": "archive", "recordId": "$b", "confirm": "x" }]);
    let done = send(&office, &table, &json!({ "ops": ops, "atomic": false }));
    assert_eq!(done.is(200).named("X-Unknown-Fields"), "ops.1.colour, ops.2.confirm");
    let known = send(&office, &table, &json!({ "ops": [create(&table, "C")] }));
    assert_eq!(known.is(200).header("X-Unknown-Fields"), None);
}

fn operations_are_checked_before_anything_happens(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let refuses = |body: Value, field: &str, issue: &str| {
        send(&office, &table, &body).refuses(400, "VALIDATION_ERROR").of(field, issue);
    };
    refuses(json!({}), "ops", "required");
    refuses(json!({ "ops": [] }), "ops", "too_short");
    refuses(json!({ "ops": {} }), "ops", "invalid_type");
    refuses(json!({ "ops": [create(&table, "A"), 7], "atomic": false }), "op", "invalid_type");
    refuses(json!({ "ops": [create(&table, "A"), { "op": "rename" }], "atomic": false }), "op", "invalid_value");
    refuses(json!({ "ops": [{ "op": "update", "properties": [] }] }), "properties", "invalid_type");
    refuses(json!({ "ops": [{ "op": "update", "properties": [] }] }), "recordId", "required");
    refuses(json!({ "ops": [create(&table, "A")], "matchOn": [] }), "matchOn", "too_short");
    let labelled = |label: &str| json!({ "op": "create", "properties": named(&table, "A"), "ref": label });
    refuses(json!({ "ops": [labelled("a"), labelled("b"), labelled("a")] }), "ops.2.ref", "invalid_value");
    let many: Vec<_> = (0..501).map(|number| create(&table, &number.to_string())).collect();
    let too_many = send(&office, &table, &json!({ "ops": many })).refuses(413, "PAYLOAD_TOO_LARGE");
    assert_eq!(too_many.detail()["limit"], 500);
    assert!(titles(&office, &table).is_empty());
    let body = json!({ "ops": many[..500] });
    assert_eq!(send(&office, &table, &body).data(200)["created"], 500);
    office.post(&office.guest, &format!("{}/records/bulk", table.path), &json!({})).refuses(404, "NOT_FOUND");
}

fn counts_and_numbers_follow_the_operations(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[json!({ "name": "No", "type": "unique_id" })]);
    let old = table.put(&office, "Old");
    let ops = json!([
        { "op": "create", "properties": named(&table, "A"), "ref": "a" },
        { "op": "create", "properties": {} },
        { "op": "create", "properties": named(&table, "B"), "ref": "b" },
        { "op": "archive", "recordId": "$a" },
        { "op": "archive", "recordId": old["id"] },
        { "op": "delete", "recordId": old["id"], "confirm": old["id"] },
    ]);
    let body = json!({ "ops": ops, "atomic": false, "returnRecords": true });
    let done = send(&office, &table, &body).data(200);
    assert_eq!(statuses(&done), ["created", "failed", "created", "archived", "archived", "deleted"]);
    let number = |index: usize| done["results"][index]["record"]["properties"][table.property("No")]["value"].clone();
    assert_eq!((number(0), number(2)), (json!("0002"), json!("0003")));
    assert_eq!(office.get(&office.owner, &table.path).data(200)["recordCount"], 1);
    assert_eq!(titles(&office, &table), ["B"]);
}

fn operations_on_hidden_records_fail(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let table = Table::of(&office, Some(&page), &[]);
    let (hidden, shown) = (table.put(&office, "Hidden"), table.put(&office, "Shown"));
    let access = |record: &Value, grants: Value| {
        let path = format!("/pages/{}/permissions", record["pageId"].as_str().unwrap());
        office.call(&office.owner, "PUT", &path, &json!({ "inherit": false, "grants": grants })).is(200);
    };
    access(&hidden, json!([]));
    access(&shown, json!([{ "principalType": "user", "principalId": office.member.id, "level": "VIEW" }]));
    let elsewhere = Table::of(&office, None, &[]).put(&office, "Elsewhere");
    let change = |record: &Value| json!({ "op": "update", "recordId": record["id"], "icon": "\u{1f680}" });
    let body =
        json!({ "ops": [change(&hidden), change(&shown), change(&elsewhere), create(&table, "New")], "atomic": false });
    let done = office.post(&office.member, &format!("{}/records/bulk", table.path), &body).data(200);
    assert_eq!(statuses(&done), ["failed", "failed", "failed", "created"]);
    let codes: Vec<_> = (0..3).map(|index| done["results"][index]["error"]["code"].clone()).collect();
    assert_eq!(codes, ["NOT_FOUND", "FORBIDDEN", "NOT_FOUND"]);
}

fn events_come_in_the_order_of_the_operations(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let ops = json!([
        { "op": "create", "properties": named(&table, "A"), "ref": "a" },
        { "op": "update", "recordId": "$a", "icon": "\u{1f680}" },
        { "op": "update", "recordId": "$a", "icon": "\u{1f680}" },
        { "op": "archive", "recordId": "$a" },
        create(&table, "B"),
    ]);
    send(&office, &table, &json!({ "ops": ops })).is(200);
    let events = office.events(&office.owner, "record.*", 4);
    let types: Vec<_> = events.iter().map(|event| event["type"].clone()).collect();
    assert_eq!(types, ["record.created", "record.updated", "record.archived", "record.created"]);
}
