//! Queries over the records of a database.

#![allow(clippy::needless_pass_by_value, reason = "values are written where they are passed")]

use crate::{
    pages::{Office, office},
    records::{Table, path_of},
};
use octavo_tests::{Answer, Engine, Person, both_engines, browser::encoded};
use serde_json::{Value, json};

both_engines! {
    records_are_filtered_and_sorted,
    a_query_sees_every_change_that_was_made_before_it,
    a_query_sees_changes_of_the_schema,
    pages_continue_where_the_last_one_ended,
    records_are_summed_up_and_grouped,
    groups_nest_and_hold_their_own_sums,
    a_view_says_what_is_listed_and_parameters_replace_it,
    hidden_records_are_neither_shown_nor_counted,
    hidden_targets_of_relations_count_as_none,
    records_are_sorted_by_the_names_of_persons_and_the_titles_of_links,
    what_is_selected_is_shown,
    flaws_of_a_query_name_their_place,
    a_query_needs_the_right_to_see_the_database,
}

/// A table of things with a price, a kind and a day.
fn things(office: &Office) -> Table {
    let kinds = json!({ "options": [{ "name": "Chair" }, { "name": "Table" }, { "name": "Lamp" }] });
    let columns = [
        json!({ "name": "Price", "type": "number" }),
        json!({ "name": "Kind", "type": "select", "config": kinds }),
        json!({ "name": "Day", "type": "date" }),
    ];
    Table::of(office, None, &columns)
}

fn put(office: &Office, table: &Table, title: &str, price: Option<f64>, kind: Option<&str>) -> Value {
    let mut values = vec![("Name", json!({ "text": title }))];
    values.extend(price.map(|price| ("Price", json!({ "value": price }))));
    values.extend(kind.map(|kind| ("Kind", json!({ "optionId": kind }))));
    table.send(office, &office.owner, &values).data(201)
}

fn query(office: &Office, by: &Person, table: &Table, body: &Value) -> Answer {
    office.post(by, &format!("{}/query", table.path), body)
}

fn names(table: &Table, records: &Value) -> Vec<String> {
    let name = table.property("Name");
    let title = |record: &Value| record["properties"][name]["text"].as_str().unwrap().to_owned();
    records.as_array().unwrap().iter().map(title).collect()
}

/// The titles that a query finds, for the owner.
fn found(office: &Office, table: &Table, body: &Value) -> Vec<String> {
    names(table, &query(office, &office.owner, table, body).body_of(200)["data"])
}

fn leaf(table: &Table, property: &str, op: &str, value: Value) -> Value {
    json!({ "propertyId": table.property(property), "op": op, "value": value })
}

fn by(table: &Table, property: &str, direction: &str) -> Value {
    json!([{ "propertyId": table.property(property), "direction": direction }])
}

fn records_are_filtered_and_sorted(engine: Engine) {
    let office = office(engine);
    let table = things(&office);
    put(&office, &table, "Stool", Some(20.0), Some("Chair"));
    put(&office, &table, "desk", Some(200.0), Some("Table"));
    put(&office, &table, "Sofa", None, Some("Chair"));
    put(&office, &table, "Torch", Some(-1.5), None);
    assert_eq!(found(&office, &table, &json!({})), ["Stool", "desk", "Sofa", "Torch"]);
    let dear = leaf(&table, "Price", "greater_or_equal", json!({ "value": 20 }));
    assert_eq!(found(&office, &table, &json!({ "filter": dear })), ["Stool", "desk"]);
    let bare = leaf(&table, "Price", "less_than", json!(20));
    assert_eq!(found(&office, &table, &json!({ "filter": bare })), ["Torch"]);
    let with_s = leaf(&table, "Name", "contains", json!({ "text": "S" }));
    let both = json!({ "op": "and", "conditions": [with_s, { "op": "not", "conditions": [dear] }] });
    assert_eq!(found(&office, &table, &json!({ "filter": both })), ["Sofa"]);
    let chairs = leaf(&table, "Kind", "is_not", json!({ "optionId": "opt-chair" }));
    assert_eq!(found(&office, &table, &json!({ "filter": chairs })), ["desk", "Torch"]);
    let empty = json!({ "propertyId": table.property("Price"), "op": "is_empty" });
    assert_eq!(found(&office, &table, &json!({ "filter": empty })), ["Sofa"]);
    for (property, direction, order) in [
        ("Price", "asc", ["Torch", "Stool", "desk", "Sofa"]),
        ("Price", "desc", ["desk", "Stool", "Torch", "Sofa"]),
        ("Name", "asc", ["desk", "Sofa", "Stool", "Torch"]),
        ("Kind", "desc", ["desk", "Stool", "Sofa", "Torch"]),
    ] {
        assert_eq!(found(&office, &table, &json!({ "sort": by(&table, property, direction) })), order, "{property}");
    }
}

fn a_query_sees_every_change_that_was_made_before_it(engine: Engine) {
    let office = office(engine);
    let table = things(&office);
    let cheap = json!({ "filter": leaf(&table, "Price", "less_than", json!({ "value": 10 })) });
    assert_eq!(found(&office, &table, &cheap), [""; 0]);
    let pen = put(&office, &table, "Pen", Some(2.0), None);
    assert_eq!(found(&office, &table, &cheap), ["Pen"]);
    let price = |value: f64| json!({ "properties": { table.property("Price"): { "value": value } } });
    office.patch(&office.member, &path_of(&pen), &price(12.0)).is(200);
    assert_eq!(found(&office, &table, &cheap), [""; 0]);
    office.patch(&office.member, &path_of(&pen), &price(3.0)).is(200);
    office
        .patch(&office.owner, &format!("/pages/{}", pen["pageId"].as_str().unwrap()), &json!({ "title": "Quill" }))
        .is(200);
    assert_eq!(found(&office, &table, &cheap), ["Quill"]);
    let operations: Vec<_> = (0..300)
        .map(|number| {
            json!({ "op": "create", "properties": table.values(&[
            ("Name", json!({ "text": format!("Nail {number}") })),
            ("Price", json!({ "value": 0.1 })),
        ]) })
        })
        .collect();
    let bulk = office.post(&office.owner, &format!("{}/records/bulk", table.path), &json!({ "ops": operations }));
    bulk.is(200);
    let count =
        json!({ "filter": cheap["filter"], "aggregate": [{ "propertyId": "*", "fn": "COUNT" }], "pageSize": 1 });
    let counted = || query(&office, &office.owner, &table, &count).body_of(200)["aggregates"][0]["value"].clone();
    assert_eq!(counted(), 301);
    office.post(&office.owner, &format!("{}/archive", path_of(&pen)), &json!({})).is(200);
    assert_eq!(counted(), 300);
    let all = json!({ "filter": leaf(&table, "Name", "is", json!({ "text": "quill" })), "includeArchived": true });
    assert_eq!(found(&office, &table, &all), ["Quill"]);
    office.call(&office.owner, "DELETE", &path_of(&pen), &json!({ "confirm": pen["id"] })).is(202);
    assert_eq!(found(&office, &table, &all), [""; 0]);
    let first = put(&office, &table, "First", Some(1.0), None);
    office.patch(&office.owner, &path_of(&first), &json!({ "position": "Zz" })).is(200);
    let one = json!({ "filter": cheap["filter"], "pageSize": 1 });
    assert_eq!(found(&office, &table, &one), ["First"]);
}

fn a_query_sees_changes_of_the_schema(engine: Engine) {
    let office = office(engine);
    let table = things(&office);
    put(&office, &table, "Stool", Some(20.0), Some("Chair"));
    put(&office, &table, "Desk", Some(200.0), Some("Table"));
    assert_eq!(found(&office, &table, &json!({ "sort": by(&table, "Price", "desc") })), ["Desk", "Stool"]);
    let added =
        office.post(&office.owner, &format!("{}/properties", table.path), &json!({ "name": "Note", "type": "text" }));
    let note = added.data(201)["id"].as_str().unwrap().to_owned();
    let lamp = put(&office, &table, "Lamp", None, None);
    let noted = json!({ "properties": { &note: { "text": "New" } } });
    office.patch(&office.owner, &path_of(&lamp), &noted).is(200);
    let with_note = json!({ "filter": { "propertyId": note, "op": "is_not_empty" } });
    assert_eq!(found(&office, &table, &with_note), ["Lamp"]);
    // An option that is taken away is gone everywhere, also when a new one gets its id.
    let kind = format!("{}/properties/{}", table.path, table.property("Kind"));
    let options = |names: &[&str]| {
        let options: Vec<_> = names.iter().map(|name| json!({ "name": name })).collect();
        json!({ "config": { "options": options } })
    };
    let chairs = json!({ "filter": leaf(&table, "Kind", "is", json!({ "optionId": "opt-chair" })) });
    assert_eq!(found(&office, &table, &chairs), ["Stool"]);
    office.patch(&office.owner, &kind, &options(&["Table", "Lamp"])).is(200);
    office.patch(&office.owner, &kind, &options(&["Table", "Lamp", "Chair"])).is(200);
    assert_eq!(found(&office, &table, &chairs), [""; 0]);
    let number = json!({ "name": "Number", "type": "unique_id" });
    let number = office.post(&office.owner, &format!("{}/properties", table.path), &number).data(201)["id"].clone();
    let last = json!({ "sort": [{ "propertyId": number, "direction": "desc" }], "pageSize": 1 });
    assert_eq!(found(&office, &table, &last), ["Lamp"]);
}

fn pages_continue_where_the_last_one_ended(engine: Engine) {
    let office = office(engine);
    let table = things(&office);
    for number in 0..7 {
        put(&office, &table, &format!("Thing {number}"), Some(f64::from(number % 3)), None);
    }
    let mut body = json!({ "sort": by(&table, "Price", "desc"), "pageSize": 3 });
    let mut all = Vec::new();
    loop {
        let page = query(&office, &office.owner, &table, &body).body_of(200);
        all.extend(names(&table, &page["data"]));
        if page["nextCursor"].is_null() {
            break;
        }
        body["cursor"] = page["nextCursor"].clone();
        // What is added before the place is not met.
        put(&office, &table, "Late", Some(9.0), None);
    }
    let expected = ["Thing 2", "Thing 5", "Thing 1", "Thing 4", "Thing 0", "Thing 3", "Thing 6"];
    assert_eq!(all, expected);
    let other = json!({ "sort": by(&table, "Price", "asc"), "pageSize": 3, "cursor": body["cursor"] });
    query(&office, &office.owner, &table, &other).refuses(400, "VALIDATION_ERROR").of("cursor", "invalid_value");
    let foreign = query(&office, &office.member, &table, &body);
    foreign.refuses(400, "VALIDATION_ERROR").of("cursor", "invalid_value");
    let broken = json!({ "cursor": "x" });
    query(&office, &office.owner, &table, &broken).refuses(400, "VALIDATION_ERROR").of("cursor", "invalid_value");
    assert_eq!(found(&office, &table, &json!({ "pageSize": 1000 })).len(), 9);
    let wrong = query(&office, &office.owner, &table, &json!({ "pageSize": 0 }));
    wrong.refuses(400, "VALIDATION_ERROR").of("pageSize", "too_small");
}

fn records_are_summed_up_and_grouped(engine: Engine) {
    let office = office(engine);
    let table = things(&office);
    put(&office, &table, "Stool", Some(20.0), Some("Chair"));
    put(&office, &table, "Desk", Some(200.0), Some("Table"));
    put(&office, &table, "Sofa", None, Some("Chair"));
    put(&office, &table, "Torch", Some(5.0), None);
    let price = table.property("Price");
    let functions = ["COUNT", "SUM", "AVERAGE", "MIN", "MAX", "UNIQUE"];
    let aggregate: Vec<_> = functions.iter().map(|function| json!({ "propertyId": price, "fn": function })).collect();
    let flat = query(&office, &office.owner, &table, &json!({ "aggregate": aggregate, "pageSize": 1 })).body_of(200);
    let values: Vec<_> = flat["aggregates"].as_array().unwrap().iter().map(|one| one["value"].clone()).collect();
    assert_eq!(values, [json!(3), json!(225), json!(75), json!(5), json!(200), json!(3)]);
    assert_eq!(flat["aggregates"][1], json!({ "propertyId": price, "fn": "SUM", "value": 225 }));
    assert!(flat["nextCursor"].is_string());
    let grouped = json!({ "group": by(&table, "Kind", "asc"), "aggregate": [{ "propertyId": "*", "fn": "COUNT" }], "pageSize": 3 });
    let answer = query(&office, &office.owner, &table, &grouped).data(200);
    let groups = answer["groups"].as_array().unwrap();
    let keys: Vec<_> = groups.iter().map(|group| group["key"].clone()).collect();
    let kind = table.property("Kind");
    let key = |value: Value, label: &str| json!({ "propertyId": kind, "value": value, "label": label });
    let expected = [key(json!("opt-chair"), "Chair"), key(json!("opt-table"), "Table"), key(Value::Null, "Empty")];
    assert_eq!(keys, expected, "lists show no groups without records");
    let counts: Vec<_> = groups.iter().map(|group| group["count"].clone()).collect();
    assert_eq!(counts, [2, 1, 1]);
    assert_eq!(names(&table, &groups[0]["records"]), ["Stool", "Sofa"]);
    assert_eq!(names(&table, &groups[2]["records"]), [""; 0], "the page is full");
    assert_eq!((&answer["totalCount"], &answer["aggregates"][0]["value"]), (&json!(4), &json!(4)));
    let mut next = grouped.clone();
    next["cursor"] = answer["nextCursor"].clone();
    let answer = query(&office, &office.owner, &table, &next).data(200);
    assert_eq!(names(&table, &answer["groups"][2]["records"]), ["Torch"]);
    assert_eq!((&answer["groups"][0]["count"], &answer["nextCursor"]), (&json!(2), &Value::Null));
}

fn groups_nest_and_hold_their_own_sums(engine: Engine) {
    let office = office(engine);
    let table = things(&office);
    put(&office, &table, "Stool", Some(20.0), Some("Chair"));
    put(&office, &table, "Sofa", Some(20.0), Some("Chair"));
    put(&office, &table, "Bench", Some(30.0), Some("Chair"));
    put(&office, &table, "Desk", Some(30.0), Some("Table"));
    let keys = json!([
        { "propertyId": table.property("Kind"), "direction": "desc" },
        { "propertyId": table.property("Price"), "direction": "asc" },
    ]);
    let sum = json!([{ "propertyId": table.property("Price"), "fn": "SUM" }]);
    let body = json!({ "group": keys, "aggregate": sum, "perGroup": true });
    let answer = query(&office, &office.owner, &table, &body).data(200);
    let groups = answer["groups"].as_array().unwrap();
    assert_eq!((&groups[0]["key"]["label"], &groups[1]["key"]["label"]), (&json!("Table"), &json!("Chair")));
    assert_eq!(groups[1]["aggregates"][0]["value"], 70);
    assert!(groups[1]["records"].is_null());
    let inner = groups[1]["groups"].as_array().unwrap();
    assert_eq!((&inner[0]["key"]["value"], &inner[0]["count"]), (&json!(20), &json!(2)));
    assert_eq!(names(&table, &inner[0]["records"]), ["Stool", "Sofa"]);
    assert_eq!((&inner[1]["aggregates"][0]["value"], &answer["aggregates"][0]["value"]), (&json!(30), &json!(100)));
}

fn a_view_says_what_is_listed_and_parameters_replace_it(engine: Engine) {
    let office = office(engine);
    let table = things(&office);
    put(&office, &table, "Stool", Some(20.0), Some("Chair"));
    put(&office, &table, "Desk", Some(200.0), Some("Table"));
    put(&office, &table, "Sofa", Some(300.0), Some("Chair"));
    let chairs = leaf(&table, "Kind", "is", json!({ "optionId": "opt-chair" }));
    let view = json!({ "name": "Chairs", "type": "table", "filter": chairs, "sort": by(&table, "Price", "desc"), "pageSize": 1 });
    let view = office.post(&office.owner, &format!("{}/views", table.path), &view).data(201);
    let view = view["id"].as_str().unwrap();
    let counts = |views: &Value| -> Vec<Value> {
        views.as_array().unwrap().iter().map(|view| view["recordCount"].clone()).collect()
    };
    assert_eq!(counts(&office.get(&office.member, &format!("{}/views", table.path)).data(200)), [3, 2]);
    assert_eq!(counts(&office.get(&office.member, &table.path).data(200)["views"]), [3, 2]);
    let list = |query: &str| {
        let answer = office.get(&office.member, &format!("{}/records?viewId={view}{query}", table.path)).body_of(200);
        (names(&table, &answer["data"]), answer["nextCursor"].clone())
    };
    let (first, next) = list("");
    assert_eq!(first, ["Sofa"]);
    assert_eq!(list(&format!("&cursor={}", next.as_str().unwrap())), (vec!["Stool".to_owned()], Value::Null));
    assert_eq!(list("&pageSize=10").0, ["Sofa", "Stool"]);
    let dear = leaf(&table, "Price", "greater_than", json!({ "value": 100 })).to_string();
    let dear = encoded(&dear);
    assert_eq!(list(&format!("&pageSize=10&filter={dear}")).0, ["Sofa", "Desk"]);
    assert_eq!(list("&pageSize=10&sort=%5B%5D").0, ["Stool", "Sofa"]);
    let group = encoded(&by(&table, "Kind", "asc").to_string());
    let grouped = office.get(&office.member, &format!("{}/records?viewId={view}&group={group}", table.path));
    assert_eq!(grouped.data(200)["groups"][0]["count"], 2);
    let path = |query: &str| format!("{}/records?{query}", table.path);
    office
        .get(&office.member, &path("filter=nonsense"))
        .refuses(400, "VALIDATION_ERROR")
        .of("filter", "invalid_format");
    office.get(&office.member, &path("viewId=view_01J8Z3K4M5N6P7Q8R9S0T1V2W3")).refuses(404, "NOT_FOUND");
    let board = json!({ "name": "Board", "type": "board", "group": by(&table, "Kind", "asc") });
    let board = office.post(&office.owner, &format!("{}/views", table.path), &board).data(201);
    let shown = office.get(&office.member, &path(&format!("viewId={}", board["id"].as_str().unwrap()))).data(200);
    let labels: Vec<_> =
        shown["groups"].as_array().unwrap().iter().map(|group| group["key"]["label"].clone()).collect();
    assert_eq!(labels, ["Chair", "Table", "Lamp"], "boards show empty columns");
}

fn hidden_records_are_neither_shown_nor_counted(engine: Engine) {
    let office = office(engine);
    let table = things(&office);
    let secret = put(&office, &table, "Secret", Some(1.0), Some("Chair"));
    put(&office, &table, "Open", Some(2.0), Some("Chair"));
    office.grant(secret["pageId"].as_str().unwrap(), &[("user", &office.member.id, "NONE")]);
    let body = json!({
        "group": by(&table, "Kind", "asc"),
        "aggregate": [{ "propertyId": table.property("Price"), "fn": "SUM" }],
    });
    for (person, count, sum) in [(&office.member, 1, 2), (&office.owner, 2, 3)] {
        let answer = query(&office, person, &table, &body).data(200);
        assert_eq!((&answer["totalCount"], &answer["groups"][0]["count"]), (&json!(count), &json!(count)));
        assert_eq!(answer["aggregates"][0]["value"], sum);
    }
    let archived =
        json!({ "filter": leaf(&table, "Name", "is", json!({ "text": "Secret" })), "includeArchived": true });
    let answer = query(&office, &office.member, &table, &archived).body_of(200);
    assert_eq!(answer["data"], json!([]));
}

fn hidden_targets_of_relations_count_as_none(engine: Engine) {
    let office = office(engine);
    let people = Table::of(&office, None, &[]);
    let ada = people.put(&office, "Ada");
    let config = json!({ "targetDatabaseId": people.id, "cardinality": "many_to_many", "bidirectional": false });
    let table = Table::of(&office, None, &[json!({ "name": "Owner", "type": "relation", "config": config })]);
    let values = [("Name", json!({ "text": "Chair" })), ("Owner", json!({ "recordIds": [ada["id"]] }))];
    table.send(&office, &office.owner, &values).is(201);
    let owned = json!({ "filter": leaf(&table, "Owner", "contains_any", json!({ "recordIds": [ada["id"]] })) });
    let unowned = json!({ "filter": { "propertyId": table.property("Owner"), "op": "is_empty" } });
    let seen = |by: &Person, body: &Value| names(&table, &query(&office, by, &table, body).body_of(200)["data"]);
    assert_eq!(seen(&office.member, &owned), ["Chair"]);
    assert_eq!(seen(&office.member, &unowned), [""; 0]);
    office.grant(ada["pageId"].as_str().unwrap(), &[("user", &office.member.id, "NONE")]);
    assert_eq!(seen(&office.member, &owned), [""; 0]);
    assert_eq!(seen(&office.member, &unowned), ["Chair"]);
    assert_eq!(seen(&office.owner, &owned), ["Chair"]);
}

fn records_are_sorted_by_the_names_of_persons_and_the_titles_of_links(engine: Engine) {
    let office = office(engine);
    let people = Table::of(&office, None, &[]);
    let (zoe, ada) = (people.put(&office, "Zoe"), people.put(&office, "ada"));
    let config = json!({ "targetDatabaseId": people.id, "cardinality": "many_to_many", "bidirectional": false });
    let columns = [
        json!({ "name": "Maker", "type": "relation", "config": config }),
        json!({ "name": "Seller", "type": "person" }),
    ];
    let table = Table::of(&office, None, &columns);
    let rename = |by: &Person, name: &str| {
        office.patch(by, "/users/me", &json!({ "name": name })).is(200);
    };
    rename(&office.owner, "Zora");
    rename(&office.member, "abel");
    let put = |title: &str, maker: &Value, seller: &Person| {
        let values = [
            ("Name", json!({ "text": title })),
            ("Maker", json!({ "recordIds": [maker["id"]] })),
            ("Seller", json!({ "userIds": [seller.id] })),
        ];
        table.send(&office, &office.owner, &values).is(201);
    };
    put("By Zoe", &zoe, &office.owner);
    put("By Ada", &ada, &office.member);
    assert_eq!(found(&office, &table, &json!({ "sort": by(&table, "Maker", "asc") })), ["By Ada", "By Zoe"]);
    assert_eq!(found(&office, &table, &json!({ "sort": by(&table, "Seller", "asc") })), ["By Ada", "By Zoe"]);
    let title = json!({ "properties": { people.property("Name"): { "text": "Zz" } } });
    office.patch(&office.owner, &path_of(&ada), &title).is(200);
    assert_eq!(found(&office, &table, &json!({ "sort": by(&table, "Maker", "asc") })), ["By Zoe", "By Ada"]);
    let grouped = query(&office, &office.owner, &table, &json!({ "group": by(&table, "Maker", "asc") })).data(200);
    let key = json!({ "propertyId": table.property("Maker"), "value": zoe["id"], "label": "Zoe" });
    assert_eq!(grouped["groups"][0]["key"], key);
    let mine = json!({ "propertyId": table.property("Seller"), "op": "is_current_user" });
    let answer = query(&office, &office.owner, &table, &json!({ "filter": mine })).body_of(200);
    assert_eq!(names(&table, &answer["data"]), ["By Zoe"]);
}

fn what_is_selected_is_shown(engine: Engine) {
    let office = office(engine);
    let table = things(&office);
    put(&office, &table, "Stool", Some(20.0), None);
    let hide = format!("{}/properties/{}", table.path, table.property("Price"));
    office.patch(&office.owner, &hide, &json!({ "isVisible": false })).is(200);
    let keys = |body: &Value| -> Vec<String> {
        let answer = query(&office, &office.owner, &table, body).body_of(200);
        answer["data"][0]["properties"].as_object().unwrap().keys().cloned().collect()
    };
    let shown = keys(&json!({}));
    assert!(!shown.contains(&table.property("Price").to_owned()) && shown.len() == 3, "{shown:?}");
    assert_eq!(keys(&json!({ "select": [table.property("Price")] })), [table.property("Price")]);
    let unknown = json!({ "select": ["prop_01J8Z3K4M5N6P7Q8R9S0T1V2W3"] });
    query(&office, &office.owner, &table, &unknown).refuses(400, "VALIDATION_ERROR").of("select.0", "invalid_value");
}

fn flaws_of_a_query_name_their_place(engine: Engine) {
    let office = office(engine);
    let table = things(&office);
    let refused = |body: &Value, issue: &str, path: &str| {
        let answer = query(&office, &office.owner, &table, body);
        let refusal = answer.refuses(422, "UNPROCESSABLE_ENTITY");
        refusal.issue(issue);
        assert_eq!(refusal.detail()["path"], path, "{body}");
    };
    let sort = |id: &str| json!([{ "propertyId": id, "direction": "asc" }]);
    let unknown = "prop_01J8Z3K4M5N6P7Q8R9S0T1V2W3";
    refused(&json!({ "filter": { "op": "and", "conditions": [] } }), "invalid_filter", "conditions");
    let wrong = leaf(&table, "Price", "contains", json!({ "text": "x" }));
    refused(&json!({ "filter": { "op": "or", "conditions": [wrong] } }), "invalid_filter", "conditions.0.op");
    refused(&json!({ "sort": sort(unknown) }), "invalid_sort", "sort.0.propertyId");
    refused(&json!({ "group": sort(unknown) }), "invalid_group", "group.0.propertyId");
    let text_sum = json!({ "aggregate": [{ "propertyId": table.property("Name"), "fn": "SUM" }] });
    let answer = query(&office, &office.owner, &table, &text_sum);
    answer.refuses(422, "UNPROCESSABLE_ENTITY").issue("aggregate_type");
    let no_function = json!({ "aggregate": [{ "propertyId": "*", "fn": "MEDIAN" }] });
    query(&office, &office.owner, &table, &no_function)
        .refuses(400, "VALIDATION_ERROR")
        .of("aggregate.0.fn", "invalid_value");
    let nine: Vec<_> = (0..9).map(|_| json!({ "propertyId": table.property("Price"), "direction": "asc" })).collect();
    query(&office, &office.owner, &table, &json!({ "sort": nine }))
        .refuses(400, "VALIDATION_ERROR")
        .of("sort", "too_long");
}

fn a_query_needs_the_right_to_see_the_database(engine: Engine) {
    let office = office(engine);
    let table = things(&office);
    put(&office, &table, "Stool", Some(20.0), None);
    let closed = json!({ "inherit": false, "grants": [] });
    office.call(&office.owner, "PUT", &format!("{}/permissions", table.path), &closed).is(200);
    query(&office, &office.member, &table, &json!({ "filter": 1 })).refuses(404, "NOT_FOUND");
    query(&office, &office.guest, &table, &json!({})).refuses(404, "NOT_FOUND");
    office.post(&office.owner, "/databases/db_01J8Z3K4M5N6P7Q8R9S0T1V2W3/query", &json!({})).refuses(404, "NOT_FOUND");
}
