//! What queries may take: memory and time.

use crate::{
    charts::{by, create, path, preview},
    database_views::unprocessable,
    metrics::{lines, measured, scrape},
    pages::{Office, office_on},
    records::Table,
    shared_databases::{query, share_database},
};
use octavo_tests::{Engine, Site, both_engines, poll::eventually};
use serde_json::{Value, json};

both_engines! {
    long_formulas_are_refused_before_they_fill_the_memory,
    a_slow_formula_ends_with_its_call,
    too_many_groups_are_refused,
}

/// A table of so many records with a text of 6,000 letters.
fn texts(office: &Office, count: usize) -> Table {
    let table = Table::of(office, None, &[json!({ "name": "Text", "type": "text" })]);
    let values = table.values(&[("Name", json!({ "text": "x" })), ("Text", json!({ "text": "x".repeat(6_000) }))]);
    let create = json!({ "op": "create", "properties": values });
    for start in (0..count).step_by(100) {
        let ops = vec![create.clone(); 100.min(count - start)];
        office.post(&office.owner, &format!("{}/records/bulk", table.path), &json!({ "ops": ops })).is(200);
    }
    table
}

fn formula(office: &Office, table: &Table, name: &str, expression: &str) -> String {
    let body = json!({ "name": name, "type": "formula", "config": { "expression": expression } });
    let made = office.post(&office.owner, &format!("{}/properties", table.path), &body).data(201);
    made["id"].as_str().unwrap().to_owned()
}

/// An expression with 60,000 letters.
fn long() -> String {
    format!("concat({})", ["prop(\"Text\")"; 10].join(", "))
}

fn value_of(metrics: &Site, family: &str, labels: &[&str]) -> u64 {
    let text = scrape(metrics);
    let found = lines(&text, family, labels);
    found.first().and_then(|line| line.rsplit(' ').next()?.parse().ok()).unwrap_or_default()
}

fn long_formulas_are_refused_before_they_fill_the_memory(engine: Engine) {
    // One query may hold two megabytes.
    let (server, metrics) = measured(engine, &[("OCTAVO_TABLE_MEMORY_BYTES", "8388608")]);
    let office = office_on(server.into());
    let table = texts(&office, 60);
    let long = formula(&office, &table, "Long", &long());
    let asc = json!([{ "propertyId": long, "direction": "asc" }]);
    let ask = |body: Value| office.post(&office.owner, &format!("{}/query", table.path), &body);
    let is_too_large = |answer: octavo_tests::Answer| {
        answer.refuses(422, "UNPROCESSABLE_ENTITY").issue("too_large");
    };
    is_too_large(ask(json!({ "sort": asc })));
    is_too_large(ask(json!({ "group": asc })));
    is_too_large(ask(json!({ "filter": { "propertyId": long, "op": "is_not_empty" } })));
    is_too_large(ask(json!({ "aggregate": [{ "propertyId": long, "fn": "UNIQUE" }] })));
    let encoded = octavo_tests::browser::encoded(&asc.to_string());
    is_too_large(office.get(&office.owner, &format!("{}/export?format=json&sort={encoded}", table.path)));
    is_too_large(office.get(&office.owner, &format!("{}/records?sort={encoded}", table.path)));
    let token = share_database(&office, &table, &json!({}));
    is_too_large(query(&office, &token, &table.id, &json!({ "sort": asc })));
    // Charts and dashboards.
    let chart = create(&office, &by(&table, "Name", json!({ "axes": { "x": { "propertyId": long } } })));
    is_too_large(office.get(&office.owner, &format!("{}/data", path(&chart))));
    let widget = json!({ "type": "chart", "chartId": chart["id"], "x": 0, "y": 0, "w": 6, "h": 4 });
    let board = json!({ "name": "Board", "databaseId": table.id, "widgets": [widget] });
    let board = office.post(&office.owner, "/dashboards", &board).data(201)["id"].clone();
    let shown = office.get(&office.owner, &format!("/dashboards/{}/data", board.as_str().unwrap())).data(200);
    assert_eq!(shown["widgets"][0]["error"]["code"], "UNPROCESSABLE_ENTITY", "{shown}");
    // A view with such a filter has no count.
    let filter = json!({ "op": "and", "conditions": [{ "propertyId": long, "op": "is_not_empty" }] });
    let view = json!({ "name": "Filled", "type": "table", "filter": filter });
    let view = office.post(&office.owner, &format!("{}/views", table.path), &view).data(201);
    assert_eq!(view["recordCount"], Value::Null);
    // Nothing is held any more, and other queries are answered.
    let count = json!({ "aggregate": [{ "propertyId": "*", "fn": "COUNT" }] });
    assert_eq!(ask(count).body_of(200)["aggregates"][0]["value"], 60);
    let length = formula(&office, &table, "Length", "length(prop(\"Long\"))");
    is_too_large(ask(json!({ "sort": [{ "propertyId": length }] })));
    let short = formula(&office, &table, "Short", "length(prop(\"Text\")) * 10");
    let sum = json!({ "sort": [{ "propertyId": short }], "aggregate": [{ "propertyId": short, "fn": "SUM" }] });
    assert_eq!(ask(sum).body_of(200)["aggregates"][0]["value"], 3_600_000);
    assert!(value_of(&metrics, "octavo_table_memory_bytes", &[]) < 8_388_608);
    // Single records show their values all the same.
    let shown = office.get(&office.owner, &format!("{}/records?pageSize=2", table.path)).body_of(200);
    assert_eq!(shown["data"][1]["properties"][&long]["value"].as_str().map(str::len), Some(60_000));
    let plain = preview(&office, &by(&table, "Name", json!({})));
    assert_eq!(plain["total"]["count"], 60);
}

fn a_slow_formula_ends_with_its_call(engine: Engine) {
    let (server, metrics) = measured(engine, &[("OCTAVO_COMPUTE_TIMEOUT", "1s")]);
    let office = office_on(server.into());
    let table = texts(&office, 1_000);
    // Each record takes 90,000 operations, of at most 100,000.
    let slow = formula(&office, &table, "Slow", &vec![format!("length(upper({}))", long()); 15].join(" + "));
    let ask = |body: Value| office.post(&office.owner, &format!("{}/query", table.path), &body);
    let late = ask(json!({ "sort": [{ "propertyId": slow }] }));
    let refusal = late.refuses(503, "SERVICE_UNAVAILABLE");
    assert_eq!(refusal.detail(), &json!({ "service": "compute", "reason": "timeout" }));
    assert!(late.header("retry-after").is_some());
    eventually("the end of the computation", || {
        let running = ["short", "long"]
            .map(|kind| value_of(&metrics, "octavo_compute_jobs", &[&format!("kind=\"{kind}\""), "state=\"running\""]));
        (running == [0, 0]).then_some(())
    });
    assert_eq!(ask(json!({ "pageSize": 3 })).body_of(200)["data"].as_array().unwrap().len(), 3);
}

fn too_many_groups_are_refused(engine: Engine) {
    let (server, _metrics) = measured(engine, &[("OCTAVO_TABLE_MEMORY_BYTES", "67108864")]);
    let office = office_on(server.into());
    let table = texts(&office, 80);
    let same = formula(&office, &table, "Same", &long());
    let ask = |body: Value| office.post(&office.owner, &format!("{}/query", table.path), &body);
    let one = ask(json!({ "group": [{ "propertyId": same }], "pageSize": 1 })).data(200);
    assert_eq!(one["groups"].as_array().unwrap().len(), 1, "all have the same text");
    let number = json!({ "name": "Number", "type": "unique_id", "config": { "prefix": "T" } });
    office.post(&office.owner, &format!("{}/properties", table.path), &number).is(201);
    let each = formula(&office, &table, "Each", &format!("concat(prop(\"Number\"), {})", long()));
    let refused = ask(json!({ "group": [{ "propertyId": each }], "pageSize": 1 }));
    unprocessable(&refused, "invalid_group", "path", "group");
}
