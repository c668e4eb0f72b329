//! Dashboards on pages and in databases.

#![allow(clippy::needless_pass_by_value, reason = "values are written where they are passed")]

use crate::{
    charts::{by, create as create_chart, deals, grant, put, stage},
    database_views::unprocessable,
    pages::{Office, office},
    records::Table,
};
use octavo_tests::{Engine, Person, at_once::at_once, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_dashboard_lives_from_creation_to_deletion,
    flaws_of_a_dashboard_name_their_field,
    widgets_are_replaced_and_keep_their_ids,
    what_widgets_name_must_exist,
    widgets_show_charts_records_and_texts,
    a_widget_with_a_hidden_source_shows_an_error,
    a_dashboard_has_the_access_of_its_host,
    dashboards_are_listed_newest_first,
    a_view_names_a_dashboard_of_its_database,
    dashboards_go_with_their_page,
    two_changes_at_once_are_based_on_versions,
    changes_of_dashboards_are_reported,
}

fn text(x: u32, y: u32, w: u32, h: u32) -> Value {
    json!({ "type": "text", "text": "# Sales", "x": x, "y": y, "w": w, "h": h })
}

fn in_database(table: &Table, widgets: Value) -> Value {
    json!({ "name": "Sales", "databaseId": table.id, "widgets": widgets })
}

fn create(office: &Office, body: &Value) -> Value {
    office.post(&office.owner, "/dashboards", body).data(201)
}

fn path(dashboard: &Value) -> String {
    format!("/dashboards/{}", dashboard["id"].as_str().unwrap())
}

fn data(office: &Office, by: &Person, dashboard: &Value) -> Value {
    office.get(by, &format!("{}/data", path(dashboard))).data(200)["widgets"].clone()
}

fn a_dashboard_lives_from_creation_to_deletion(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Reports");
    let body = json!({ "name": "Sales", "pageId": page, "widgets": [text(0, 0, 12, 2)] });
    let answer = office.post(&office.member, "/dashboards", &body);
    let made = answer.data(201);
    shape::id(&made["id"], "dash_");
    shape::id(&made["widgets"][0]["id"], "wgt_");
    assert_eq!(answer.header("location"), Some(format!("/api/v1{}", path(&made)).as_str()));
    for (field, value) in [
        ("workspaceId", json!(office.id)),
        ("name", json!("Sales")),
        ("pageId", json!(page)),
        ("databaseId", json!(null)),
        ("filters", json!([])),
        ("version", json!(1)),
        ("createdBy", json!(office.member.id)),
    ] {
        assert_eq!(made[field], value, "{field}");
    }
    let widget = &made["widgets"][0];
    for (field, value) in [
        ("type", json!("text")),
        ("text", json!("# Sales")),
        ("chartId", json!(null)),
        ("title", json!(null)),
        ("w", json!(12)),
    ] {
        assert_eq!(widget[field], value, "{field}");
    }
    assert_eq!(office.get(&office.other, &path(&made)).data(200), made);
    let changed = office.patch(&office.member, &path(&made), &json!({ "name": "Money", "widgets": [] })).data(200);
    assert_eq!((&changed["name"], &changed["widgets"], &changed["version"]), (&json!("Money"), &json!([]), &json!(2)));
    assert_eq!(office.patch(&office.member, &path(&made), &json!({ "name": "Money" })).data(200), changed);
    office.delete(&office.member, &path(&made)).is(204);
    office.get(&office.member, &path(&made)).refuses(404, "NOT_FOUND");
}

fn flaws_of_a_dashboard_name_their_field(engine: Engine) {
    let office = office(engine);
    let table = deals(&office);
    let send = |body: Value| office.post(&office.owner, "/dashboards", &body);
    send(json!({})).refuses(400, "VALIDATION_ERROR").of("name", "required");
    send(json!({ "name": "A" })).refuses(400, "VALIDATION_ERROR").of("pageId", "required");
    let both = json!({ "name": "A", "databaseId": table.id, "pageId": office.below(None, "P") });
    send(both).refuses(400, "VALIDATION_ERROR").of("databaseId", "invalid_value");
    send(json!({ "name": "A", "pageId": "pg_01J8Z3K4M5N6P7Q8R9S0T1V2W3" })).refuses(404, "NOT_FOUND");
    send(json!({ "name": "A", "pageId": table.id.replace("db_", "pg_") })).refuses(404, "NOT_FOUND");
    let widgets = |widgets: Value| send(in_database(&table, widgets));
    unprocessable(&widgets(json!([text(0, 0, 6, 2), text(5, 1, 2, 2)])), "widget_layout", "field", "widgets.1");
    unprocessable(&widgets(json!([text(7, 0, 6, 2)])), "widget_layout", "field", "widgets.0");
    widgets(json!([text(12, 0, 1, 2)])).refuses(400, "VALIDATION_ERROR").of("widgets.0.x", "too_large");
    widgets(json!([text(0, 0, 1, 25)])).refuses(400, "VALIDATION_ERROR").of("widgets.0.h", "too_large");
    widgets(json!([{ "type": "chart", "x": 0, "y": 0, "w": 1, "h": 1 }]))
        .refuses(400, "VALIDATION_ERROR")
        .of("widgets.0.chartId", "required");
    let many: Vec<_> = (0..51).map(|row| text(0, row, 1, 1)).collect();
    widgets(Value::Null).refuses(400, "VALIDATION_ERROR").of("widgets", "invalid_type");
    widgets(json!(many)).refuses(400, "VALIDATION_ERROR").of("widgets", "too_long");
    widgets(json!(many[..50])).is(201);
    let filter = |filter: Value| {
        let mut body = in_database(&table, json!([]));
        body["filters"] = json!([{ "databaseId": table.id, "filter": filter }]);
        send(body)
    };
    let wrong = filter(json!({ "propertyId": table.property("Worth"), "op": "is", "value": "much" }));
    unprocessable(&wrong, "invalid_filter", "field", "filters.0.filter");
    filter(json!("x")).refuses(400, "VALIDATION_ERROR").of("filters.0.filter", "invalid_type");
}

fn widgets_are_replaced_and_keep_their_ids(engine: Engine) {
    let office = office(engine);
    let table = deals(&office);
    let made = create(&office, &in_database(&table, json!([text(0, 0, 6, 2), text(6, 0, 6, 2)])));
    let mut kept = made["widgets"][1].clone();
    kept["x"] = json!(0);
    let changed = office.patch(&office.owner, &path(&made), &json!({ "widgets": [kept, text(6, 0, 1, 1)] })).data(200);
    assert_eq!(changed["widgets"][0]["id"], made["widgets"][1]["id"]);
    assert_ne!(changed["widgets"][1]["id"], made["widgets"][0]["id"]);
    let mut stolen = text(0, 0, 1, 1);
    stolen["id"] = json!("wgt_01J8Z3K4M5N6P7Q8R9S0T1V2W3");
    let changed = office.patch(&office.owner, &path(&made), &json!({ "widgets": [stolen] })).data(200);
    assert_ne!(changed["widgets"][0]["id"], stolen["id"], "ids are made by the server");
}

fn what_widgets_name_must_exist(engine: Engine) {
    let office = office(engine);
    let (table, secret) = (deals(&office), deals(&office));
    let chart = create_chart(&office, &by(&secret, "Stage", json!({})));
    let widget = json!({ "type": "chart", "chartId": chart["id"], "x": 0, "y": 0, "w": 6, "h": 4 });
    grant(&office, &secret, &[("user", &office.member.id, "NONE")]);
    let body = in_database(&table, json!([widget]));
    office.post(&office.member, "/dashboards", &body).refuses(404, "NOT_FOUND");
    let unknown =
        json!([{ "type": "view", "viewId": "view_01J8Z3K4M5N6P7Q8R9S0T1V2W3", "x": 0, "y": 0, "w": 6, "h": 4 }]);
    office.post(&office.owner, "/dashboards", &in_database(&table, unknown)).refuses(404, "NOT_FOUND");
    let mut filtered = in_database(&table, json!([]));
    let leaf = json!({ "propertyId": secret.property("Worth"), "op": "is_empty" });
    filtered["filters"] = json!([{ "databaseId": secret.id, "filter": leaf }]);
    office.post(&office.member, "/dashboards", &filtered).refuses(404, "NOT_FOUND");
    let made = create(&office, &body);
    let mut moved = made["widgets"].clone();
    moved[0]["y"] = json!(3);
    office.patch(&office.member, &path(&made), &json!({ "widgets": moved })).is(200);
    office.delete(&office.owner, &format!("/charts/{}", chart["id"].as_str().unwrap())).is(204);
    moved[0]["y"] = json!(5);
    office.patch(&office.owner, &path(&made), &json!({ "widgets": moved })).is(200);
    assert_eq!(data(&office, &office.owner, &made)[0]["error"], json!({ "code": "NOT_FOUND" }), "it is missing");
}

fn widgets_show_charts_records_and_texts(engine: Engine) {
    let office = office(engine);
    let table = deals(&office);
    put(&office, &table, "A", 10.0, &[stage("opt-won")]);
    put(&office, &table, "B", 5.0, &[stage("opt-new")]);
    put(&office, &table, "C", 1.0, &[stage("opt-new")]);
    let chart = create_chart(&office, &by(&table, "Stage", json!({})));
    let view =
        |body: Value| office.post(&office.owner, &format!("{}/views", table.path), &body).data(201)["id"].clone();
    let sort = json!([{ "propertyId": table.property("Worth"), "direction": "asc" }]);
    let list = view(json!({ "name": "L", "type": "list", "sort": sort, "pageSize": 1 }));
    let board = view(json!({ "name": "B", "type": "board", "group": [{ "propertyId": table.property("Stage") }] }));
    let at = |y: u32, more: Value| {
        let mut widget = json!({ "x": 0, "y": y, "w": 12, "h": 1 });
        widget.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        widget
    };
    let mut body = in_database(
        &table,
        json!([
            at(0, json!({ "type": "chart", "chartId": chart["id"], "title": "By stage" })),
            at(1, json!({ "type": "view", "viewId": list })),
            at(2, json!({ "type": "view", "viewId": board })),
            at(3, json!({ "type": "text", "text": "**Note**" })),
            at(4, json!({ "type": "chart", "chartId": chart["id"] })),
        ]),
    );
    let dear = json!({ "propertyId": table.property("Worth"), "op": "greater_than", "value": 2 });
    body["filters"] = json!([{ "databaseId": table.id, "filter": dear }]);
    let made = create(&office, &body);
    let shown = data(&office, &office.member, &made);
    let ids: Vec<_> = shown.as_array().unwrap().iter().map(|widget| widget["id"].clone()).collect();
    let own: Vec<_> = made["widgets"].as_array().unwrap().iter().map(|widget| widget["id"].clone()).collect();
    assert_eq!(ids, own);
    assert_eq!(shown[0]["data"]["total"], json!({ "value": 2, "count": 2 }), "filters narrow every widget");
    assert_eq!(shown[4]["data"]["points"], shown[0]["data"]["points"]);
    let records = &shown[1]["data"];
    assert_eq!(records["records"][0]["properties"][table.property("Name")]["text"], "B");
    assert_eq!((records["records"].as_array().unwrap().len(), &records["hasMore"]), (1, &json!(true)));
    let groups = &shown[2]["data"];
    assert_eq!((&groups["totalCount"], groups["groups"].as_array().unwrap().len()), (&json!(2), 3));
    assert_eq!(shown[3]["data"], json!({ "text": "**Note**" }));
    let there = office.get(&office.member, &format!("{}/data?timezone=Asia/Tokyo", path(&made))).data(200);
    assert_eq!(
        (&there["timezone"], &there["widgets"][0]["data"]["timezone"]),
        (&json!("Asia/Tokyo"), &json!("Asia/Tokyo"))
    );
    office.get(&office.member, &format!("{}/data?timezone=Nowhere", path(&made))).refuses(400, "VALIDATION_ERROR");
    office.delete(&office.owner, &format!("{}/properties/{}", table.path, table.property("Stage"))).is(200);
    let shown = data(&office, &office.member, &made);
    assert_eq!(shown[0]["error"], json!({ "code": "UNPROCESSABLE_ENTITY" }));
    assert!(shown[1]["data"].is_object());
}

fn a_widget_with_a_hidden_source_shows_an_error(engine: Engine) {
    let office = office(engine);
    let (table, secret) = (deals(&office), deals(&office));
    let chart = create_chart(&office, &by(&secret, "Stage", json!({})));
    let widgets =
        json!([{ "type": "chart", "chartId": chart["id"], "x": 0, "y": 0, "w": 6, "h": 4 }, text(6, 0, 6, 4)]);
    let made = create(&office, &in_database(&table, widgets));
    grant(&office, &secret, &[("user", &office.member.id, "NONE")]);
    let shown = data(&office, &office.member, &made);
    assert_eq!(shown[0], json!({ "id": made["widgets"][0]["id"], "error": { "code": "NOT_FOUND" } }));
    assert!(shown[1]["data"].is_object());
    assert!(data(&office, &office.owner, &made)[0]["data"].is_object());
}

fn a_dashboard_has_the_access_of_its_host(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Reports");
    let made = create(&office, &json!({ "name": "Sales", "pageId": page }));
    let stranger = office.server.person("Stranger");
    for path in [path(&made), format!("{}/data", path(&made)), format!("/dashboards?pageId={page}")] {
        office.get(&office.guest, &path).refuses(404, "NOT_FOUND");
        stranger.get(&path).send().refuses(404, "NOT_FOUND");
    }
    office.post(&office.guest, "/dashboards", &json!({ "name": "A", "pageId": page })).refuses(404, "NOT_FOUND");
    office.grant(&page, &[("user", &office.guest.id, "VIEW")]);
    office.get(&office.guest, &format!("{}/data", path(&made))).is(200);
    office.post(&office.guest, "/dashboards", &json!({ "name": "A", "pageId": page })).refuses(403, "FORBIDDEN");
    office.patch(&office.guest, &path(&made), &json!({ "name": "A" })).refuses(403, "FORBIDDEN");
    office.delete(&office.guest, &path(&made)).refuses(403, "FORBIDDEN");
    office.get(&office.owner, "/dashboards/dash_01J8Z3K4M5N6P7Q8R9S0T1V2W3").refuses(404, "NOT_FOUND");
}

fn dashboards_are_listed_newest_first(engine: Engine) {
    let office = office(engine);
    let (table, page) = (deals(&office), office.below(None, "Reports"));
    let mut made: Vec<_> =
        (0..3).map(|_| create(&office, &json!({ "name": "P", "pageId": page }))["id"].clone()).collect();
    made.push(create(&office, &in_database(&table, json!([])))["id"].clone());
    let ids =
        |list: &Value| list["data"].as_array().unwrap().iter().map(|found| found["id"].clone()).collect::<Vec<_>>();
    let list = |by: &Person, query: &str| office.get(by, &format!("/dashboards{query}")).body_of(200);
    let all = ids(&list(&office.member, ""));
    assert_eq!(all.len(), 4);
    assert!(made.iter().all(|id| all.contains(id)));
    assert_eq!(ids(&list(&office.member, &format!("?databaseId={}", table.id))), made[3..]);
    let first = list(&office.member, "?limit=3");
    assert_eq!(ids(&first), all[..3]);
    let rest = list(&office.member, &format!("?limit=3&cursor={}", first["nextCursor"].as_str().unwrap()));
    assert_eq!((ids(&rest), &rest["nextCursor"]), (all[3..].to_vec(), &json!(null)));
    assert_eq!(ids(&list(&office.guest, "")), [Value::Null; 0]);
    office.grant(&page, &[("user", &office.guest.id, "VIEW")]);
    assert_eq!(ids(&list(&office.guest, "")).len(), 3);
}

fn a_view_names_a_dashboard_of_its_database(engine: Engine) {
    let office = office(engine);
    let (table, other) = (deals(&office), deals(&office));
    let made = create(&office, &in_database(&table, json!([])));
    let view = |table: &Table| {
        let body = json!({ "name": "D", "type": "dashboard", "config": { "dashboardId": made["id"] } });
        office.post(&office.owner, &format!("{}/views", table.path), &body)
    };
    unprocessable(&view(&other), "view_config_invalid", "field", "dashboardId");
    assert_eq!(view(&table).data(201)["config"]["dashboardId"], made["id"]);
}

fn dashboards_go_with_their_page(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Reports");
    let made = create(&office, &json!({ "name": "Sales", "pageId": page }));
    office.delete(&office.owner, &format!("/pages/{page}")).is(200);
    office.get(&office.owner, &path(&made)).is(200);
    office.patch(&office.owner, &path(&made), &json!({ "name": "B" })).refuses(409, "CONFLICT");
    assert_eq!(office.get(&office.owner, "/dashboards").body_of(200)["data"], json!([]));
    let confirm = json!({ "confirm": page });
    office.call(&office.owner, "DELETE", &format!("/pages/{page}?permanent=true"), &confirm).is(202);
    office.get(&office.owner, &path(&made)).refuses(404, "NOT_FOUND");
}

fn two_changes_at_once_are_based_on_versions(engine: Engine) {
    let office = office(engine);
    let made = create(&office, &in_database(&deals(&office), json!([])));
    let bodies = [json!({ "name": "Changed" }), json!({ "widgets": [text(0, 0, 1, 1)] })];
    at_once(2, |one| office.patch(&office.owner, &path(&made), &bodies[one]).data(200));
    let shown = office.get(&office.owner, &path(&made)).data(200);
    assert_eq!(
        (&shown["name"], &shown["widgets"][0]["text"], &shown["version"]),
        (&json!("Changed"), &json!("# Sales"), &json!(3))
    );
    let based = |number: usize| {
        office.patch(&office.owner, &path(&made), &json!({ "name": format!("N{number}"), "version": 3 })).status
    };
    let mut statuses = at_once(3, based);
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409]);
}

fn changes_of_dashboards_are_reported(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Reports");
    let made = create(&office, &json!({ "name": "Sales", "pageId": page }));
    office.patch(&office.owner, &path(&made), &json!({ "name": "Money", "widgets": [text(0, 0, 1, 1)] })).is(200);
    office.delete(&office.owner, &path(&made)).is(204);
    let events = office.events(&office.member, "dashboard.created,dashboard.updated,dashboard.deleted", 3);
    let types: Vec<_> = events.iter().map(|event| event["type"].clone()).collect();
    assert_eq!(types, ["dashboard.created", "dashboard.updated", "dashboard.deleted"]);
    assert_eq!(events[1]["data"]["changedFields"], json!(["name", "widgets"]));
    for event in &events {
        assert_eq!((&event["pageId"], &event["resource"]["id"]), (&json!(page), &made["id"]));
    }
}
