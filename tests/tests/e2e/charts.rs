//! Charts of databases.

#![allow(clippy::needless_pass_by_value, reason = "values are written where they are passed")]

use crate::{
    database_views::{UNKNOWN_PROPERTY, unprocessable},
    pages::{Office, office},
    records::Table,
};
use octavo_tests::{Answer, Engine, Person, at_once::at_once, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_chart_lives_from_creation_to_deletion,
    flaws_of_a_chart_name_their_field,
    changes_are_based_on_versions,
    two_changes_at_once_are_both_kept_or_refused,
    a_chart_has_the_access_of_its_database,
    views_and_blocks_show_charts_of_their_database,
    charts_of_an_archived_or_trashed_database_stay_as_they_are,
    copies_of_databases_have_their_own_charts,
    a_chart_is_drawn,
    charts_are_limited,
    changes_of_charts_are_reported,
}

const UNKNOWN: &str = "cht_01J8Z3K4M5N6P7Q8R9S0T1V2W3";

/// Deals with a worth, a stage, tags and a day.
pub(crate) fn deals(office: &Office) -> Table {
    Table::of(office, None, &columns())
}

fn columns() -> [Value; 4] {
    let options = |names: [&str; 3]| json!({ "options": names.map(|name| json!({ "name": name })) });
    [
        json!({ "name": "Worth", "type": "number" }),
        json!({ "name": "Stage", "type": "select", "config": options(["New", "Won", "Lost"]) }),
        json!({ "name": "Tags", "type": "multi_select", "config": options(["Big", "Old", "Far"]) }),
        json!({ "name": "Day", "type": "date" }),
    ]
}

pub(crate) fn put(office: &Office, table: &Table, title: &str, worth: f64, more: &[(&str, Value)]) -> Value {
    let mut values = vec![("Name", json!({ "text": title })), ("Worth", json!({ "value": worth }))];
    values.extend(more.iter().cloned());
    table.send(office, &office.owner, &values).data(201)
}

pub(crate) fn stage(option: &str) -> (&'static str, Value) {
    ("Stage", json!({ "optionId": option }))
}

pub(crate) fn day(day: &str) -> (&'static str, Value) {
    ("Day", json!({ "start": day }))
}

/// A bar chart by a property, with these settings besides.
pub(crate) fn by(table: &Table, property: &str, more: Value) -> Value {
    let axes = json!({ "x": { "propertyId": table.property(property) } });
    with(json!({ "databaseId": table.id, "name": "Deals", "chartType": "bar", "axes": axes }), more)
}

pub(crate) fn with(mut body: Value, more: Value) -> Value {
    for (key, value) in more.as_object().unwrap() {
        body[key] = value.clone();
    }
    body
}

pub(crate) fn sum(table: &Table) -> Value {
    json!({ "fn": "SUM", "propertyId": table.property("Worth") })
}

pub(crate) fn create(office: &Office, body: &Value) -> Value {
    office.post(&office.owner, "/charts", body).data(201)
}

pub(crate) fn path(chart: &Value) -> String {
    format!("/charts/{}", chart["id"].as_str().unwrap())
}

pub(crate) fn data(office: &Office, by: &Person, chart: &Value) -> Value {
    office.get(by, &format!("{}/data", path(chart))).data(200)
}

pub(crate) fn preview(office: &Office, body: &Value) -> Value {
    office.post(&office.owner, "/charts/preview", body).data(200)
}

/// The keys and values of points.
pub(crate) fn points(data: &Value) -> Vec<(Value, Value)> {
    let points = data["points"].as_array().unwrap();
    points.iter().map(|point| (point["key"].clone(), point["value"].clone())).collect()
}

/// Replaces the grants of a database.
pub(crate) fn grant(office: &Office, table: &Table, grants: &[(&str, &str, &str)]) {
    let grants =
        grants.iter().map(|(kind, id, level)| json!({ "principalType": kind, "principalId": id, "level": level }));
    let body = json!({ "grants": grants.collect::<Vec<_>>() });
    office.call(&office.owner, "PUT", &format!("{}/permissions", table.path), &body).is(200);
}

pub(crate) fn unfit(answer: &Answer, field: &str) {
    unprocessable(answer, "chart_invalid", "field", field);
}

fn a_chart_lives_from_creation_to_deletion(engine: Engine) {
    let office = office(engine);
    let table = deals(&office);
    let answer = office.post(&office.member, "/charts", &by(&table, "Stage", json!({ "color": "#AABBCC" })));
    let made = answer.data(201);
    shape::id(&made["id"], "cht_");
    assert_eq!(answer.header("location"), Some(format!("/api/v1{}", path(&made)).as_str()));
    for (field, value) in [
        ("workspaceId", json!(office.id)),
        ("databaseId", json!(table.id)),
        ("name", json!("Deals")),
        ("chartType", json!("bar")),
        ("aggregation", json!({ "fn": "COUNT", "propertyId": "*" })),
        ("filter", json!(null)),
        ("sort", json!("key_asc")),
        ("maxPoints", json!(50)),
        ("includeEmpty", json!(true)),
        ("includeArchived", json!(false)),
        ("stacked", json!(false)),
        ("cumulative", json!(false)),
        ("color", json!("#aabbcc")),
        ("legend", json!({ "show": true, "position": "top" })),
        ("version", json!(1)),
        ("createdBy", json!(office.member.id)),
        ("updatedBy", json!(office.member.id)),
    ] {
        assert_eq!(made[field], value, "{field}");
    }
    let axes = &made["axes"];
    assert_eq!(axes["x"], json!({ "propertyId": table.property("Stage"), "bucket": null }));
    assert_eq!((&axes["series"], &axes["xLabel"], &axes["yMin"]), (&json!(null), &json!(null), &json!(null)));
    assert_eq!(office.get(&office.other, &path(&made)).data(200), made);
    create(&office, &by(&table, "Day", json!({ "name": "a first" })));
    let list = office.get(&office.member, &format!("{}/charts", table.path)).data(200);
    let names: Vec<_> = list.as_array().unwrap().iter().map(|chart| chart["name"].clone()).collect();
    assert_eq!(names, ["a first", "Deals"]);
    assert_eq!(list[0]["axes"]["x"]["bucket"], "month", "dates are counted by month");
    let body = json!({ "chartType": "line", "name": "Stages", "axes": { "yMax": 10 }, "cumulative": true });
    let changed = office.patch(&office.owner, &path(&made), &body).data(200);
    assert_eq!(
        (&changed["chartType"], &changed["name"], &changed["version"]),
        (&json!("line"), &json!("Stages"), &json!(2))
    );
    assert_eq!((&changed["axes"]["yMax"], &changed["axes"]["x"]), (&json!(10), &axes["x"]));
    assert_eq!(changed["updatedBy"], json!(office.owner.id));
    let same = office.patch(&office.owner, &path(&made), &json!({})).data(200);
    assert_eq!(same, changed);
    office.delete(&office.member, &path(&made)).is(204);
    office.get(&office.member, &path(&made)).refuses(404, "NOT_FOUND");
    office.delete(&office.member, &path(&made)).refuses(404, "NOT_FOUND");
}

fn flaws_of_a_chart_name_their_field(engine: Engine) {
    let office = office(engine);
    let table = deals(&office);
    let refused = office.post(&office.owner, "/charts", &json!({})).refuses(400, "VALIDATION_ERROR");
    refused.of("databaseId", "required");
    refused.of("name", "required");
    refused.of("chartType", "required");
    let send = |more: Value| office.post(&office.owner, "/charts", &by(&table, "Stage", more));
    send(json!({ "databaseId": "mine" })).refuses(400, "VALIDATION_ERROR").of("databaseId", "invalid_id");
    send(json!({ "databaseId": "db_01J8Z3K4M5N6P7Q8R9S0T1V2W3" })).refuses(404, "NOT_FOUND");
    send(json!({ "name": "x".repeat(101) })).refuses(400, "VALIDATION_ERROR").of("name", "too_long");
    send(json!({ "maxPoints": 201 })).refuses(400, "VALIDATION_ERROR").of("maxPoints", "too_large");
    send(json!({ "maxPoints": 0 })).refuses(400, "VALIDATION_ERROR").of("maxPoints", "too_small");
    send(json!({ "chartType": "radar" })).refuses(400, "VALIDATION_ERROR").of("chartType", "invalid_value");
    send(json!({ "axes": {} })).refuses(400, "VALIDATION_ERROR").of("axes.x", "required");
    let axes = |x: Value, series: Value| send(json!({ "axes": { "x": x, "series": series } }));
    let of = |property: &str, bucket: Value| json!({ "propertyId": table.property(property), "bucket": bucket });
    unfit(&axes(json!({ "propertyId": UNKNOWN_PROPERTY }), json!(null)), "axes.x.propertyId");
    unfit(&axes(of("Stage", json!("day")), json!(null)), "axes.x.bucket");
    unfit(&axes(of("Day", json!(10)), json!(null)), "axes.x.bucket");
    unfit(&axes(of("Stage", json!(null)), of("Worth", json!("week"))), "axes.series.bucket");
    let pie =
        json!({ "chartType": "pie", "axes": { "x": of("Stage", json!(null)), "series": of("Tags", json!(null)) } });
    unfit(&send(pie), "axes.series");
    unfit(&send(json!({ "chartType": "number" })), "axes.x");
    let aggregation = |function: &str, property: &str| {
        send(json!({ "aggregation": { "fn": function, "propertyId": table.property(property) } }))
    };
    for function in ["SUM", "AVERAGE", "MIN", "MAX"] {
        unfit(&aggregation(function, "Day"), "aggregation.propertyId");
        aggregation(function, "Worth").is(201);
    }
    aggregation("UNIQUE", "Day").is(201);
    let filter = json!({ "propertyId": table.property("Worth"), "op": "is", "value": "much" });
    unprocessable(&send(json!({ "filter": filter })), "invalid_filter", "path", "value");
    office
        .post(&office.owner, "/charts/preview", &by(&table, "Stage", json!({ "timezone": "Mars/Base" })))
        .refuses(400, "VALIDATION_ERROR");
}

fn changes_are_based_on_versions(engine: Engine) {
    let office = office(engine);
    let chart = create(&office, &by(&deals(&office), "Stage", json!({})));
    let patch = |version: &str, body: Value| {
        let request = office.owner.request("PATCH", &path(&chart)).header("X-Service-Workspace", &office.id);
        request.header("If-Match", version).json(&body).send()
    };
    patch("\"1\"", json!({ "name": "B" })).is(200);
    patch("1", json!({ "name": "C" })).refuses(409, "CONFLICT").issue("version_mismatch");
    office.patch(&office.owner, &path(&chart), &json!({ "name": "C", "version": 1 })).refuses(409, "CONFLICT");
    patch("2", json!({ "name": "C", "version": 1 })).refuses(400, "VALIDATION_ERROR");
    patch("*", json!({ "name": "C" })).is(200);
    let delete = |version: &str| {
        let request = office.owner.request("DELETE", &path(&chart)).header("X-Service-Workspace", &office.id);
        request.header("If-Match", version).send()
    };
    delete("2").refuses(409, "CONFLICT");
    delete("3").is(204);
    let body = by(&deals(&office), "Stage", json!({}));
    let again = || office.owner.post("/charts", &body).header("X-Service-Workspace", &office.id).key("chart-1").send();
    assert_eq!(again().data(201), again().data(201), "a retry creates nothing");
}

fn two_changes_at_once_are_both_kept_or_refused(engine: Engine) {
    let office = office(engine);
    let chart = create(&office, &by(&deals(&office), "Stage", json!({})));
    let bodies = [json!({ "name": "Changed" }), json!({ "stacked": true })];
    at_once(2, |one| office.patch(&office.owner, &path(&chart), &bodies[one]).data(200));
    let shown = office.get(&office.owner, &path(&chart)).data(200);
    assert_eq!((&shown["name"], &shown["stacked"], &shown["version"]), (&json!("Changed"), &json!(true), &json!(3)));
    let based = |number: usize| {
        let body = json!({ "name": format!("N{number}"), "version": 3 });
        office.patch(&office.owner, &path(&chart), &body).status
    };
    let mut statuses = at_once(4, based);
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409]);
}

fn a_chart_has_the_access_of_its_database(engine: Engine) {
    let office = office(engine);
    let table = deals(&office);
    let chart = create(&office, &by(&table, "Stage", json!({})));
    let stranger = office.server.person("Stranger");
    let paths = [
        path(&chart),
        format!("{}/data", path(&chart)),
        format!("{}/image.svg", path(&chart)),
        format!("{}/charts", table.path),
    ];
    for path in &paths {
        office.get(&office.guest, path).refuses(404, "NOT_FOUND");
        stranger.get(path).send().refuses(404, "NOT_FOUND");
        office.get(&stranger, path).refuses(403, "FORBIDDEN");
    }
    let body = by(&table, "Stage", json!({}));
    office.post(&office.guest, "/charts", &body).refuses(404, "NOT_FOUND");
    office.post(&office.guest, "/charts/preview", &body).refuses(404, "NOT_FOUND");
    stranger.post("/charts", &body).send().refuses(404, "NOT_FOUND");
    grant(&office, &table, &[("user", &office.guest.id, "VIEW"), ("user", &office.member.id, "NONE")]);
    for path in &paths {
        office.get(&office.guest, path).is(200);
        office.get(&office.member, path).refuses(404, "NOT_FOUND");
    }
    office.post(&office.guest, "/charts/preview", &body).is(200);
    office.post(&office.guest, "/charts", &body).refuses(403, "FORBIDDEN");
    office.patch(&office.guest, &path(&chart), &json!({ "name": "Mine" })).refuses(403, "FORBIDDEN");
    office.delete(&office.guest, &path(&chart)).refuses(403, "FORBIDDEN");
    office.patch(&office.member, &path(&chart), &json!({})).refuses(404, "NOT_FOUND");
    for wrong in ["/charts/mine", &format!("/charts/{UNKNOWN}")] {
        office.get(&office.owner, wrong).refuses(404, "NOT_FOUND");
    }
}

fn views_and_blocks_show_charts_of_their_database(engine: Engine) {
    let office = office(engine);
    let (table, other) = (deals(&office), deals(&office));
    let chart = create(&office, &by(&table, "Stage", json!({})));
    let view = |table: &Table| {
        let body = json!({ "name": "Chart", "type": "chart", "config": { "chartId": chart["id"] } });
        office.post(&office.owner, &format!("{}/views", table.path), &body)
    };
    unprocessable(&view(&other), "view_config_invalid", "field", "chartId");
    let made = view(&table).data(201);
    assert_eq!(made["config"]["chartId"], chart["id"]);
    let page = office.below(None, "Report");
    let block =
        json!({ "pageId": page, "type": "chart", "content": { "chartId": chart["id"], "databaseId": table.id } });
    let blocks = || office.get(&office.owner, &format!("/pages/{page}/blocks")).body_of(200)["data"].clone();
    let append = |by: &Person| {
        office.post(
            by,
            &format!("/pages/{page}/blocks"),
            &json!({ "type": block["type"], "content": block["content"] }),
        )
    };
    append(&office.member).is(201);
    grant(&office, &table, &[("user", &office.member.id, "NONE")]);
    append(&office.member).refuses(404, "NOT_FOUND");
    office.delete(&office.owner, &path(&chart)).is(204);
    assert_eq!(blocks()[0]["content"]["chartId"], chart["id"], "the block stays");
    let path = format!("{}/views/{}", table.path, made["id"].as_str().unwrap());
    let renamed = office.patch(&office.owner, &path, &json!({ "name": "Gone" })).data(200);
    assert_eq!(renamed["config"]["chartId"], chart["id"], "the view stays");
}

fn charts_of_an_archived_or_trashed_database_stay_as_they_are(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let table = Table::of(&office, Some(&page), &columns());
    let chart = create(&office, &by(&table, "Stage", json!({})));
    office.patch(&office.owner, &table.path, &json!({ "archived": true })).is(200);
    office
        .patch(&office.owner, &path(&chart), &json!({ "name": "B" }))
        .refuses(409, "CONFLICT")
        .issue("database_archived");
    office.post(&office.owner, "/charts", &by(&table, "Stage", json!({}))).refuses(409, "CONFLICT");
    office.get(&office.member, &format!("{}/data", path(&chart))).is(200);
    office.patch(&office.owner, &table.path, &json!({ "archived": false })).is(200);
    office.delete(&office.owner, &format!("/pages/{page}")).is(200);
    office.patch(&office.owner, &path(&chart), &json!({ "name": "B" })).refuses(409, "CONFLICT");
    office.post(&office.owner, &format!("/pages/{page}/restore"), &json!({})).is(200);
    office.patch(&office.owner, &path(&chart), &json!({ "name": "B" })).is(200);
}

fn copies_of_databases_have_their_own_charts(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let table = Table::of(&office, Some(&page), &columns());
    put(&office, &table, "A", 3.0, &[stage("opt-won")]);
    let chart = create(&office, &by(&table, "Stage", json!({ "aggregation": sum(&table) })));
    let view = json!({ "name": "Chart", "type": "chart", "config": { "chartId": chart["id"] } });
    office.post(&office.owner, &format!("{}/views", table.path), &view).is(201);
    let block = json!({ "type": "chart", "content": { "chartId": chart["id"], "databaseId": table.id } });
    office.post(&office.owner, &format!("/pages/{page}/blocks"), &block).is(201);
    let widget = json!([{ "type": "chart", "chartId": chart["id"], "x": 0, "y": 0, "w": 6, "h": 4 }]);
    let dashboard = json!({ "name": "Sales", "pageId": page, "widgets": widget });
    office.post(&office.owner, "/dashboards", &dashboard).is(201);
    let made = office.post(&office.owner, &format!("/pages/{page}/duplicate"), &json!({})).body_of(201);
    let (copy, copied_page) = (shape::text(&made["idMap"][&table.id]), shape::text(&made["idMap"][&page]));
    let charts = office.get(&office.owner, &format!("/databases/{copy}/charts")).data(200);
    assert_eq!(charts.as_array().unwrap().len(), 1);
    assert_ne!(charts[0]["id"], chart["id"]);
    let shown = data(&office, &office.owner, &charts[0]);
    assert_eq!(points(&shown), [(json!("opt-won"), json!(3))]);
    let views = office.get(&office.owner, &format!("/databases/{copy}/views")).data(200);
    let view = views.as_array().unwrap().iter().find(|view| view["type"] == "chart").unwrap();
    assert_eq!(view["config"]["chartId"], charts[0]["id"]);
    let blocks = office.get(&office.owner, &format!("/pages/{copied_page}/blocks")).body_of(200);
    let block = blocks["data"].as_array().unwrap().iter().find(|block| block["type"] == "chart").unwrap().clone();
    assert_eq!(block["content"]["chartId"], charts[0]["id"]);
    let dashboards = office.get(&office.owner, &format!("/dashboards?pageId={copied_page}")).body_of(200);
    assert_eq!(dashboards["data"][0]["widgets"][0]["chartId"], charts[0]["id"]);
}

fn a_chart_is_drawn(engine: Engine) {
    let office = office(engine);
    let table = deals(&office);
    put(&office, &table, "<script>alert(1)</script>", 3.0, &[stage("opt-won")]);
    let image = |chart: &Value, query: &str| office.get(&office.member, &format!("{}/image.svg{query}", path(chart)));
    let chart = create(&office, &by(&table, "Name", json!({ "name": "A <b> & \"c\"", "aggregation": sum(&table) })));
    let answer = image(&chart, "?theme=dark&width=900&height=300");
    assert_eq!(answer.header("content-type"), Some("image/svg+xml"));
    let policy = answer.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("sandbox"), "{policy}");
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let svg = answer.is(200).text();
    assert!(svg.contains("width=\"900\" height=\"300\"") && svg.contains("A &lt;b&gt; &amp; &quot;c&quot;"), "{svg}");
    assert!(!svg.contains("<script") && svg.contains("&lt;script&gt;"));
    let other = json!({ "databaseId": table.id, "name": "N", "chartType": "number" });
    for kind in ["line", "area", "pie", "donut"] {
        image(&create(&office, &by(&table, "Stage", json!({ "chartType": kind }))), "").is(200);
    }
    assert!(image(&create(&office, &other), "").text().contains("1 record"));
    for query in ["?theme=blue", "?width=100", "?height=9999", "?width=wide"] {
        image(&chart, query).refuses(400, "VALIDATION_ERROR");
    }
}

fn charts_are_limited(engine: Engine) {
    let office = office(engine);
    let table = deals(&office);
    let body = by(&table, "Stage", json!({}));
    for _ in 0..100 {
        create(&office, &body);
    }
    let refused = office.post(&office.owner, "/charts", &body).refuses(409, "CONFLICT");
    refused.issue("limit_reached");
    assert_eq!(refused.detail()["limit"], 100);
}

fn changes_of_charts_are_reported(engine: Engine) {
    let office = office(engine);
    let table = deals(&office);
    let chart = create(&office, &by(&table, "Stage", json!({})));
    office.patch(&office.owner, &path(&chart), &json!({ "name": "Stages", "stacked": true })).is(200);
    office.patch(&office.owner, &path(&chart), &json!({ "name": "Stages" })).is(200);
    office.delete(&office.owner, &path(&chart)).is(204);
    let events = office.events(&office.member, "chart.created,chart.updated,chart.deleted", 3);
    let types: Vec<_> = events.iter().map(|event| event["type"].clone()).collect();
    assert_eq!(types, ["chart.created", "chart.updated", "chart.deleted"]);
    for event in &events {
        assert_eq!(event["resource"], json!({ "type": "chart", "id": chart["id"] }));
        assert_eq!((&event["databaseId"], &event["data"]["chartId"]), (&json!(table.id), &chart["id"]));
    }
    let changed = &events[1]["data"];
    assert_eq!(changed["changedFields"], json!(["name", "stacked"]));
    assert_eq!((&changed["before"]["name"], &changed["after"]["name"]), (&json!("Deals"), &json!("Stages")));
    assert_eq!(office.events(&office.owner, "chart.updated", 1).len(), 1, "what changes nothing is no event");
}
