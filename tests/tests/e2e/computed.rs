//! Formulas and rollups.

use crate::{
    pages::{Office, office},
    records::{Table, path_of},
};
use octavo_tests::{Engine, both_engines};
use serde_json::{Value, json};

both_engines! {
    a_formula_is_computed_from_the_values_of_its_record,
    errors_of_a_formula_concern_single_records,
    a_formula_shows_the_present_names_of_properties,
    a_formula_that_is_none_is_refused_with_the_place,
    a_formula_that_takes_too_long_is_refused,
    a_rollup_sums_up_linked_records,
    rollups_of_rollups_and_formulas_are_current,
    records_are_filtered_sorted_and_grouped_by_computed_values,
    operators_must_fit_the_values_of_a_formula,
    what_uses_a_property_through_other_databases_goes_with_it,
    a_rollup_depends_on_what_its_filter_looks_at,
    what_depends_on_a_hidden_database_is_empty,
    a_formula_in_a_cycle_says_so,
    a_rollup_must_fit_its_target,
    a_rollup_sums_up_links_of_linked_records,
    a_formula_with_many_names_can_be_read_again,
    aggregates_must_fit_the_values_of_a_formula,
    computed_properties_cannot_be_written,
}

fn shop(office: &Office) -> Table {
    let kinds = json!({ "options": [{ "name": "Chair" }, { "name": "Table" }] });
    let columns = [
        json!({ "name": "Price", "type": "number" }),
        json!({ "name": "Count", "type": "number" }),
        json!({ "name": "Kinds", "type": "multi_select", "config": kinds }),
        json!({ "name": "Due", "type": "date" }),
    ];
    Table::of(office, None, &columns)
}

fn put(office: &Office, table: &Table, title: &str, values: &[(&str, Value)]) -> Value {
    let mut all = vec![("Name", json!({ "text": title }))];
    all.extend(values.iter().cloned());
    table.send(office, &office.owner, &all).data(201)
}

/// Adds a property and returns its id.
fn add(office: &Office, table: &Table, name: &str, kind: &str, config: &Value) -> String {
    let body = json!({ "name": name, "type": kind, "config": config });
    let made = office.post(&office.owner, &format!("{}/properties", table.path), &body).data(201);
    made["id"].as_str().unwrap().to_owned()
}

fn formula(office: &Office, table: &Table, name: &str, expression: &str) -> String {
    add(office, table, name, "formula", &json!({ "expression": expression }))
}

fn value(office: &Office, record: &Value, property: &str) -> Value {
    office.get(&office.member, &path_of(record)).data(200)["properties"][property].clone()
}

fn found(office: &Office, table: &Table, body: &Value) -> Vec<String> {
    let answer = office.post(&office.member, &format!("{}/query", table.path), body).body_of(200);
    let name = table.property("Name");
    let title = |record: &Value| record["properties"][name]["text"].as_str().unwrap().to_owned();
    answer["data"].as_array().unwrap().iter().map(title).collect()
}

fn a_formula_with_many_names_can_be_read_again(engine: Engine) {
    let office = office(engine);
    let table = shop(&office);
    // An id is longer than a name, so what is stored is longer than what was sent.
    let expression = format!("concat({})", vec!["prop(\"Name\")"; 700].join(","));
    let long = formula(&office, &table, "Long", &expression);
    let record = put(&office, &table, "ab", &[]);
    assert_eq!(value(&office, &record, &long)["value"], "ab".repeat(700));
    let shown = office.get(&office.member, &format!("{}/properties", table.path)).data(200);
    let shown = shown.as_array().unwrap().iter().find(|property| property["id"] == long.as_str()).unwrap();
    assert_eq!(shown["config"]["expression"], expression);
    let too_long =
        json!({ "name": "X", "type": "formula", "config": { "expression": format!("1{}", "+1".repeat(5_120)) } });
    let refused = office.post(&office.owner, &format!("{}/properties", table.path), &too_long);
    refused.refuses(400, "VALIDATION_ERROR").of("config.expression", "too_long");
}

fn a_rollup_sums_up_links_of_linked_records(engine: Engine) {
    let office = office(engine);
    let [things, parts] = [(); 2].map(|()| Table::of(&office, None, &[]));
    let link = |from: &Table, to: &Table| add(&office, from, "Link", "relation", &json!({ "targetDatabaseId": to.id }));
    let (to_parts, to_things) = (link(&things, &parts), link(&parts, &things));
    let [x, y] = ["x", "y"].map(|title| things.put(&office, title));
    let [linked, alone] = ["linked", "alone"].map(|title| parts.put(&office, title));
    let set = |record: &Value, property: &str, to: &[&Value]| {
        let ids: Vec<_> = to.iter().map(|record| record["id"].clone()).collect();
        let body = json!({ "properties": { property: { "recordIds": ids } } });
        office.patch(&office.owner, &path_of(record), &body).is(200);
    };
    set(&linked, &to_things, &[&x, &y]);
    set(&x, &to_parts, &[&linked, &alone]);
    let rollup = |name: &str, aggregate: &str| {
        let config = json!({ "relationPropertyId": to_parts, "targetPropertyId": to_things, "aggregate": aggregate });
        add(&office, &things, name, "rollup", &config)
    };
    let (all, share) = (rollup("All", "UNIQUE"), rollup("Share", "PERCENT"));
    assert_eq!(value(&office, &x, &all)["values"], json!([x["id"], y["id"]]));
    assert_eq!(value(&office, &x, &share)["value"], 0.5);
    let filter = json!({ "propertyId": share, "op": "equals", "value": { "value": 0.5 } });
    assert_eq!(found(&office, &things, &json!({ "filter": filter })), ["x"]);
}

fn aggregates_must_fit_the_values_of_a_formula(engine: Engine) {
    let office = office(engine);
    let table = shop(&office);
    let text = formula(&office, &table, "Text", "upper(prop(\"Name\"))");
    let number = formula(&office, &table, "Double", "2 * prop(\"Price\")");
    let date = formula(&office, &table, "Later", "dateAdd(prop(\"Due\"), 1, \"days\")");
    let ask = |property: &str, function: &str| {
        let body = json!({ "aggregate": [{ "propertyId": property, "fn": function }] });
        office.post(&office.member, &format!("{}/query", table.path), &body)
    };
    for (property, function) in [(&text, "SUM"), (&text, "MIN"), (&date, "AVERAGE"), (&date, "SUM")] {
        ask(property, function).refuses(422, "UNPROCESSABLE_ENTITY").issue("aggregate_type");
    }
    for (property, function) in [(&text, "COUNT"), (&text, "UNIQUE"), (&date, "MAX"), (&number, "SUM")] {
        ask(property, function).is(200);
    }
}

fn a_formula_is_computed_from_the_values_of_its_record(engine: Engine) {
    let office = office(engine);
    let table = shop(&office);
    let chair = put(
        &office,
        &table,
        "Chair",
        &[
            ("Price", json!({ "value": 20 })),
            ("Count", json!({ "value": 3 })),
            ("Kinds", json!({ "optionIds": ["opt-chair", "opt-table"] })),
            ("Due", json!({ "start": "2026-03-31" })),
        ],
    );
    for (expression, expected) in [
        ("prop(\"Price\") * prop(\"Count\")", json!({ "value": 60, "type": "number" })),
        ("concat(upper(prop(\"Name\")), \"!\")", json!({ "value": "CHAIR!", "type": "text" })),
        ("prop(\"Price\") > 10 and not empty(prop(\"Due\"))", json!({ "value": true, "type": "boolean" })),
        ("dateAdd(prop(\"Due\"), 1, \"month\")", json!({ "value": "2026-04-30", "type": "date" })),
        ("prop(\"Kinds\")", json!({ "value": "Chair, Table", "type": "text" })),
    ] {
        let id = formula(&office, &table, expression, expression);
        assert_eq!(value(&office, &chair, &id), expected, "{expression}");
        let listed = office.get(&office.member, &format!("{}/records", table.path)).body_of(200);
        assert_eq!(listed["data"][0]["properties"][&id], expected);
    }
    let change = json!({ "properties": { table.property("Count"): { "value": 5 } } });
    let changed = office.patch(&office.owner, &path_of(&chair), &change).data(200);
    let total = changed["properties"].as_object().unwrap().values().any(|value| value["value"] == 100);
    assert!(total, "the answer to a change shows what follows from it: {changed}");
}

fn errors_of_a_formula_concern_single_records(engine: Engine) {
    let office = office(engine);
    let table = shop(&office);
    let none = put(&office, &table, "None", &[("Price", json!({ "value": 1 })), ("Count", json!({ "value": 0 }))]);
    let two = put(&office, &table, "Two", &[("Price", json!({ "value": 1 })), ("Count", json!({ "value": 2 }))]);
    let half = formula(&office, &table, "Half", "prop(\"Price\") / prop(\"Count\")");
    let error = json!({ "value": null, "type": "error", "error": "division_by_zero" });
    assert_eq!(value(&office, &none, &half), error);
    assert_eq!(value(&office, &two, &half), json!({ "value": 0.5, "type": "number" }));
    let empty = json!({ "filter": { "propertyId": half, "op": "is_empty" } });
    assert_eq!(found(&office, &table, &empty), ["None"], "an error counts as no value");
}

fn a_formula_shows_the_present_names_of_properties(engine: Engine) {
    let office = office(engine);
    let table = shop(&office);
    let total = formula(&office, &table, "Total", "prop( 'Price' ) * 2");
    let empty = table.put(&office, "Without a price");
    assert_eq!(value(&office, &empty, &total), json!({ "value": null, "type": "number" }));
    let path = format!("{}/properties/{}", table.path, table.property("Price"));
    office.patch(&office.owner, &path, &json!({ "name": "Cost \"net\"" })).is(200);
    let properties = office.get(&office.owner, &format!("{}/properties", table.path)).data(200);
    let shown = properties.as_array().unwrap().iter().find(|property| property["id"] == total.as_str()).unwrap();
    assert_eq!(shown["config"]["expression"], "prop(\"Cost \\\"net\\\"\") * 2");
    let refused = office.delete(&office.owner, &path).refuses(422, "UNPROCESSABLE_ENTITY");
    refused.issue("has_dependents");
}

fn a_formula_that_is_none_is_refused_with_the_place(engine: Engine) {
    let office = office(engine);
    let table = shop(&office);
    let path = format!("{}/properties", table.path);
    for (expression, position) in [
        ("", 0),
        ("1 +", 3),
        ("prop(\"Nothing\")", 0),
        ("2 * uper(\"a\")", 4),
        ("round(1, 2, 3)", 0),
        ("\"\u{1fa91}\" == \"open", 7),
    ] {
        let body = json!({ "name": "F", "type": "formula", "config": { "expression": expression } });
        let refused = office.post(&office.owner, &path, &body).refuses(400, "VALIDATION_ERROR");
        refused.of("config.expression", "formula_parse_error");
        assert_eq!(refused.detail()["position"].as_u64().map(|at| at <= 12), Some(true), "{expression}");
        if position != 0 {
            assert_eq!(refused.detail()["position"], position, "{expression}: {}", refused.detail());
        }
    }
}

fn a_formula_that_takes_too_long_is_refused(engine: Engine) {
    let office = office(engine);
    let table = shop(&office);
    let long = "x".repeat(60_000);
    let values = json!({ "properties": { table.property("Name"): { "text": "Long" } } });
    office.post(&office.owner, &format!("{}/records", table.path), &values).is(201);
    let text = add(&office, &table, "Text", "text", &json!({}));
    let first = office.get(&office.owner, &format!("{}/records", table.path)).body_of(200)["data"][0].clone();
    let fill = json!({ "properties": { &text: { "text": long } } });
    office.patch(&office.owner, &path_of(&first), &fill).is(200);
    // Each call touches a thousand pieces of 64 bytes.
    let expression = vec!["length(upper(prop(\"Text\")))"; 80].join(" + ");
    let body = json!({ "name": "Slow", "type": "formula", "config": { "expression": expression } });
    let refused = office.post(&office.owner, &format!("{}/properties", table.path), &body);
    let refused = refused.refuses(422, "FORMULA_TIMEOUT");
    let spent = json!({ "issue": "formula_budget", "reason": "formula_budget", "opLimit": 100_000, "timeoutMs": 50 });
    assert_eq!(refused.detail(), &spent);
}

/// Authors with their books.
struct Library {
    books: Table,
    authors: Table,
    relation: String,
}

fn library(office: &Office) -> Library {
    let books = Table::of(office, None, &[json!({ "name": "Pages", "type": "number" })]);
    let config = json!({ "targetDatabaseId": books.id, "cardinality": "many_to_many", "bidirectional": false });
    let authors = Table::of(office, None, &[json!({ "name": "Books", "type": "relation", "config": config })]);
    let relation = authors.property("Books").to_owned();
    Library { books, authors, relation }
}

impl Library {
    fn book(&self, office: &Office, title: &str, pages: Option<u32>) -> Value {
        let pages = pages.map(|pages| ("Pages", json!({ "value": pages })));
        put(office, &self.books, title, &pages.into_iter().collect::<Vec<_>>())
    }

    fn author(&self, office: &Office, name: &str, books: &[&Value]) -> Value {
        let ids: Vec<_> = books.iter().map(|book| book["id"].clone()).collect();
        put(office, &self.authors, name, &[("Books", json!({ "recordIds": ids }))])
    }

    fn rollup(&self, office: &Office, aggregate: &str, target: &str) -> String {
        let config = json!({ "relationPropertyId": self.relation, "targetPropertyId": target, "aggregate": aggregate });
        add(office, &self.authors, &format!("{aggregate} {target}"), "rollup", &config)
    }
}

fn a_rollup_sums_up_linked_records(engine: Engine) {
    let office = office(engine);
    let library = library(&office);
    let (long, short) = (library.book(&office, "Long", Some(300)), library.book(&office, "Short", Some(100)));
    let blank = library.book(&office, "Blank", None);
    let ada = library.author(&office, "Ada", &[&long, &short, &blank]);
    let nobody = library.author(&office, "Nobody", &[]);
    let pages = library.books.property("Pages");
    for (aggregate, expected, of_nothing) in [
        ("COUNT", json!({ "value": 3 }), json!({ "value": 0 })),
        ("SUM", json!({ "value": 400 }), json!({ "value": 0 })),
        ("AVERAGE", json!({ "value": 200 }), json!({ "value": null })),
        ("MIN", json!({ "value": 100 }), json!({ "value": null })),
        ("MAX", json!({ "value": 300 }), json!({ "value": null })),
        ("UNIQUE", json!({ "values": [300, 100] }), json!({ "values": [] })),
    ] {
        let id = library.rollup(&office, aggregate, pages);
        assert_eq!(value(&office, &ada, &id), expected, "{aggregate}");
        assert_eq!(value(&office, &nobody, &id), of_nothing, "{aggregate}");
    }
    let config = json!({
        "relationPropertyId": library.relation, "targetPropertyId": pages, "aggregate": "COUNT",
        "filter": { "propertyId": pages, "op": "greater_than", "value": { "value": 200 } },
    });
    let filtered = add(&office, &library.authors, "Long ones", "rollup", &config);
    assert_eq!(value(&office, &ada, &filtered), json!({ "value": 1 }));
    office.post(&office.owner, &format!("{}/archive", path_of(&long)), &json!({})).is(200);
    assert_eq!(value(&office, &ada, &filtered), json!({ "value": 0 }), "archived records do not count");
}

fn rollups_of_rollups_and_formulas_are_current(engine: Engine) {
    let office = office(engine);
    let library = library(&office);
    let double = formula(&office, &library.books, "Double", "prop(\"Pages\") * 2");
    let config =
        json!({ "targetDatabaseId": library.authors.id, "cardinality": "many_to_many", "bidirectional": false });
    let groups = Table::of(&office, None, &[json!({ "name": "Members", "type": "relation", "config": config })]);
    let book = library.book(&office, "Book", Some(10));
    let ada = library.author(&office, "Ada", &[&book]);
    let group = put(&office, &groups, "Group", &[("Members", json!({ "recordIds": [ada["id"]] }))]);
    let sum = library.rollup(&office, "SUM", &double);
    let config =
        json!({ "relationPropertyId": groups.property("Members"), "targetPropertyId": sum, "aggregate": "SUM" });
    let total = add(&office, &groups, "Total", "rollup", &config);
    let plus = formula(&office, &groups, "Plus", "prop(\"Total\") + 1");
    assert_eq!(value(&office, &group, &plus), json!({ "value": 21, "type": "number" }));
    let body = json!({ "filter": { "propertyId": plus, "op": "equals", "value": { "value": 41 } } });
    assert_eq!(found(&office, &groups, &body), [""; 0]);
    let change = json!({ "properties": { library.books.property("Pages"): { "value": 20 } } });
    office.patch(&office.owner, &path_of(&book), &change).is(200);
    assert_eq!(value(&office, &group, &total), json!({ "value": 40 }));
    assert_eq!(found(&office, &groups, &body), ["Group"]);
}

fn records_are_filtered_sorted_and_grouped_by_computed_values(engine: Engine) {
    let office = office(engine);
    let library = library(&office);
    let (long, short) = (library.book(&office, "Long", Some(300)), library.book(&office, "Short", Some(100)));
    library.author(&office, "Both", &[&long, &short]);
    library.author(&office, "One", &[&short]);
    library.author(&office, "None", &[]);
    let sum = library.rollup(&office, "SUM", library.books.property("Pages"));
    let kind = formula(&office, &library.authors, "Kind", &format!("if({sum} > 150, \"much\", \"little\")"));
    let by_sum = json!([{ "propertyId": sum, "direction": "desc" }]);
    assert_eq!(found(&office, &library.authors, &json!({ "sort": by_sum })), ["Both", "One", "None"]);
    let little = json!({ "filter": { "propertyId": kind, "op": "is", "value": { "value": "little" } } });
    assert_eq!(found(&office, &library.authors, &little), ["One", "None"]);
    let body = json!({
        "group": [{ "propertyId": kind, "direction": "asc" }],
        "aggregate": [{ "propertyId": sum, "fn": "MAX" }],
    });
    let answer = office.post(&office.member, &format!("{}/query", library.authors.path), &body).data(200);
    let groups: Vec<_> = answer["groups"].as_array().unwrap().iter().map(|group| group["count"].clone()).collect();
    assert_eq!((groups, &answer["aggregates"][0]["value"]), (vec![json!(2), json!(1)], &json!(400)));
}

fn what_depends_on_a_hidden_database_is_empty(engine: Engine) {
    let office = office(engine);
    let library = library(&office);
    let book = library.book(&office, "Secret", Some(300));
    let ada = library.author(&office, "Ada", &[&book]);
    let sum = library.rollup(&office, "SUM", library.books.property("Pages"));
    let double = formula(&office, &library.authors, "Double", &format!("{sum} * 2"));
    assert_eq!(value(&office, &ada, &double), json!({ "value": 600, "type": "number" }));
    let titles = formula(&office, &library.authors, "Titles", "prop(\"Books\")");
    assert_eq!(value(&office, &ada, &titles), json!({ "value": "Secret", "type": "text" }));
    let closed = json!({ "inherit": false, "grants": [] });
    office.call(&office.owner, "PUT", &format!("{}/permissions", library.books.path), &closed).is(200);
    assert_eq!(value(&office, &ada, &sum), json!({ "value": null }));
    assert_eq!(value(&office, &ada, &double)["value"], Value::Null);
    assert_eq!(value(&office, &ada, &titles)["value"], Value::Null);
    let high = json!({ "filter": { "propertyId": double, "op": "greater_than", "value": { "value": 1 } } });
    assert_eq!(found(&office, &library.authors, &high), [""; 0]);
    let shown = office.get(&office.owner, &path_of(&ada)).data(200);
    assert_eq!(shown["properties"][&double]["value"], 600);
}

fn a_formula_in_a_cycle_says_so(engine: Engine) {
    let office = office(engine);
    let table = shop(&office);
    let record = put(&office, &table, "Chair", &[]);
    let first = formula(&office, &table, "First", "1");
    let second = formula(&office, &table, "Second", "prop(\"First\") + 1");
    assert_eq!(value(&office, &record, &second), json!({ "value": 2, "type": "number" }));
    let path = format!("{}/properties/{first}", table.path);
    office.patch(&office.owner, &path, &json!({ "config": { "expression": "prop(\"Second\") + 1" } })).is(200);
    let cycle = json!({ "value": null, "type": "error", "error": "cycle" });
    assert_eq!((value(&office, &record, &first), value(&office, &record, &second)), (cycle.clone(), cycle));
}

fn a_rollup_must_fit_its_target(engine: Engine) {
    let office = office(engine);
    let library = library(&office);
    let path = format!("{}/properties", library.authors.path);
    let refused = |config: Value, status: u16| {
        let body = json!({ "name": "R", "type": "rollup", "config": config });
        office.post(&office.owner, &path, &body).body_of(status)["error"].clone()
    };
    let (relation, name) = (&library.relation, library.books.property("Name"));
    let sum = json!({ "relationPropertyId": relation, "targetPropertyId": name, "aggregate": "SUM" });
    assert_eq!(refused(sum, 400)["details"][0]["field"], "config.aggregate");
    let foreign = json!({ "relationPropertyId": relation, "targetPropertyId": relation, "aggregate": "COUNT" });
    assert_eq!(refused(foreign, 400)["details"][0]["field"], "config.targetPropertyId");
    let filter = json!({ "propertyId": name, "op": "greater_than", "value": { "value": 1 } });
    let bad =
        json!({ "relationPropertyId": relation, "targetPropertyId": name, "aggregate": "COUNT", "filter": filter });
    assert_eq!(refused(bad, 422)["details"][0]["issue"], "invalid_filter");
}

fn computed_properties_cannot_be_written(engine: Engine) {
    let office = office(engine);
    let table = shop(&office);
    let id = formula(&office, &table, "One", "1");
    let values = json!({ "properties": { table.property("Name"): { "text": "Chair" }, id: { "value": 2 } } });
    let refused = office.post(&office.owner, &format!("{}/records", table.path), &values);
    refused.refuses(422, "UNPROCESSABLE_ENTITY").issue("read_only_property");
}

fn operators_must_fit_the_values_of_a_formula(engine: Engine) {
    let office = office(engine);
    let table = shop(&office);
    put(&office, &table, "Chair", &[("Price", json!({ "value": 20 }))]);
    let total = formula(&office, &table, "Total", "prop(\"Price\") * 2");
    let loud = formula(&office, &table, "Loud", "upper(prop(\"Name\"))");
    let leaf = |id: &str, op: &str, value: Value| json!({ "propertyId": id, "op": op, "value": value });
    let above = leaf(&total, "greater_than", json!({ "value": 30 }));
    let fitting = json!({ "op": "and", "conditions": [above, leaf(&loud, "contains", json!({ "text": "chair" }))] });
    assert_eq!(found(&office, &table, &json!({ "filter": fitting })), ["Chair"]);
    for (filter, path) in [
        (leaf(&loud, "greater_than", json!({ "value": 1 })), "op"),
        (
            json!({ "op": "or", "conditions": [above, leaf(&total, "contains", json!({ "text": "4" }))] }),
            "conditions.1.op",
        ),
    ] {
        let query = format!("{}/query", table.path);
        let refused = office.post(&office.member, &query, &json!({ "filter": filter }));
        let refused = refused.refuses(422, "UNPROCESSABLE_ENTITY");
        refused.issue("invalid_filter");
        assert_eq!(refused.detail()["path"], path);
    }
}

fn what_uses_a_property_through_other_databases_goes_with_it(engine: Engine) {
    let office = office(engine);
    let [parts, orders, years] = [(); 3].map(|()| shop(&office));
    let relate = |from: &Table, to: &Table| {
        add(&office, from, "Of", "relation", &json!({ "targetDatabaseId": to.id, "cardinality": "many_to_many" }))
    };
    let sum = |of: &Table, relation: &str, target: &str| {
        let config = json!({ "relationPropertyId": relation, "targetPropertyId": target, "aggregate": "SUM" });
        add(&office, of, "Sum", "rollup", &config)
    };
    let of_parts = relate(&orders, &parts);
    let in_orders = sum(&orders, &of_parts, parts.property("Price"));
    let of_orders = relate(&years, &orders);
    let in_years = sum(&years, &of_orders, &in_orders);
    let price = format!("{}/properties/{}", parts.path, parts.property("Price"));
    office.delete(&office.owner, &price).refuses(422, "UNPROCESSABLE_ENTITY").issue("has_dependents");
    let version = office.get(&office.owner, &parts.path).data(200)["schemaVersion"].as_i64().unwrap();
    let stale = format!("{price}?cascade=true&schemaVersion={}", version - 1);
    office.delete(&office.owner, &stale).refuses(409, "CONFLICT").issue("version_mismatch");
    let deleted = office.delete(&office.owner, &format!("{price}?cascade=true&schemaVersion={version}")).data(200);
    let removed: Vec<_> = deleted["removedRollups"].as_array().unwrap().iter().collect();
    assert!(removed.contains(&&json!(in_orders)) && removed.contains(&&json!(in_years)), "{deleted}");
    let left = office.get(&office.owner, &format!("{}/properties", years.path)).data(200);
    assert!(left.as_array().unwrap().iter().all(|property| property["id"] != json!(in_years)), "{left}");
}

fn a_rollup_depends_on_what_its_filter_looks_at(engine: Engine) {
    let office = office(engine);
    let [parts, orders] = [(); 2].map(|()| shop(&office));
    let relation = json!({ "targetDatabaseId": parts.id, "cardinality": "many_to_many" });
    let relation = add(&office, &orders, "Of", "relation", &relation);
    let (price, count) = (parts.property("Price"), parts.property("Count"));
    let filter = json!({ "propertyId": count, "op": "greater_than", "value": 1 });
    let sum =
        json!({ "relationPropertyId": relation, "targetPropertyId": price, "aggregate": "SUM", "filter": filter });
    let sum = add(&office, &orders, "Sum", "rollup", &sum);
    let path = format!("{}/properties/{count}", parts.path);
    office.delete(&office.owner, &path).refuses(422, "UNPROCESSABLE_ENTITY").issue("has_dependents");
    let deleted = office.delete(&office.owner, &format!("{path}?cascade=true")).data(200);
    assert_eq!(deleted["removedRollups"], json!([sum]));
}
