//! Views of databases.

use crate::pages::{Office, office};
use octavo_tests::{Answer, Engine, at_once::at_once, both_engines, poll};
use serde_json::{Value, json};
use std::collections::BTreeSet;

both_engines! {
    a_database_without_views_gets_a_table,
    views_of_a_new_database_name_its_properties,
    views_of_a_new_database_are_all_checked,
    views_are_created_at_the_end,
    a_view_of_each_type_is_shown_as_it_was_sent,
    filters_sorts_and_groups_must_fit_the_properties,
    configurations_must_fit_the_properties,
    limits_of_views_are_kept,
    views_belong_to_their_database,
    a_retry_is_answered_as_before,
    changes_of_views_are_reported,
    ten_writers_add_ten_views,
}

pub(crate) const UNKNOWN: &str = "view_01J8Z3K4M5N6P7Q8R9S0T1V2W3";
pub(crate) const UNKNOWN_PROPERTY: &str = "prop_01J8Z3K4M5N6P7Q8R9S0T1V2W3";

/// A database with a property of each type that views care about.
pub(crate) struct Board {
    pub(crate) office: Office,
    pub(crate) made: Value,
    pub(crate) path: String,
}

pub(crate) fn board(engine: Engine) -> Board {
    let office = office(engine);
    let made = office.post(&office.owner, "/databases", &tasks()).data(201);
    let path = format!("/databases/{}", made["id"].as_str().unwrap());
    Board { office, made, path }
}

pub(crate) fn tasks() -> Value {
    let options = json!({ "options": [{ "name": "To do" }, { "name": "Done" }] });
    json!({
        "title": "Tasks",
        "properties": [
            { "name": "Name", "type": "title" },
            { "name": "Stage", "type": "select", "config": options },
            { "name": "Points", "type": "number" },
            { "name": "Due", "type": "date" },
            { "name": "Run", "type": "button" },
        ],
    })
}

impl Board {
    pub(crate) fn property(&self, name: &str) -> Value {
        let all = self.made["properties"].as_array().unwrap();
        all.iter().find(|property| property["name"] == name).unwrap()["id"].clone()
    }

    pub(crate) fn views(&self) -> Vec<Value> {
        let views = self.office.get(&self.office.member, &format!("{}/views", self.path)).data(200);
        views.as_array().unwrap().clone()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.views().iter().map(|view| view["name"].as_str().unwrap().to_owned()).collect()
    }

    pub(crate) fn send(&self, body: &Value) -> Answer {
        self.office.post(&self.office.member, &format!("{}/views", self.path), body)
    }

    pub(crate) fn create(&self, body: &Value) -> Value {
        self.send(body).data(201)
    }

    pub(crate) fn path_of(&self, view: &Value) -> String {
        format!("{}/views/{}", self.path, view["id"].as_str().unwrap())
    }

    pub(crate) fn change(&self, view: &Value, body: &Value) -> Answer {
        self.office.patch(&self.office.member, &self.path_of(view), body)
    }

    pub(crate) fn reorder(&self, view: &Value, body: &Value) -> Answer {
        self.office.post(&self.office.member, &format!("{}/reorder", self.path_of(view)), body)
    }
}

pub(crate) fn table(name: &str) -> Value {
    json!({ "name": name, "type": "table" })
}

pub(crate) fn unprocessable(answer: &Answer, issue: &str, key: &str, value: &str) {
    let refusal = answer.refuses(422, "UNPROCESSABLE_ENTITY");
    refusal.issue(issue);
    assert_eq!(refusal.detail()[key], value, "{:?}", refusal.details());
}

fn a_database_without_views_gets_a_table(engine: Engine) {
    let office = office(engine);
    for body in [json!({}), json!({ "views": [] })] {
        let made = office.post(&office.owner, "/databases", &body).data(201);
        let views = made["views"].as_array().unwrap();
        assert_eq!(views.len(), 1);
        let view = &views[0];
        assert_eq!(
            (&view["name"], &view["type"], &view["databaseId"]),
            (&json!("Table"), &json!("table"), &made["id"])
        );
        assert_eq!((&view["config"], &view["filter"]), (&json!({}), &Value::Null));
        assert_eq!((&view["sort"], &view["group"], &view["pageSize"]), (&json!([]), &json!([]), &json!(50)));
        assert_eq!((&view["recordCount"], &view["isLocked"]), (&json!(0), &json!(false)));
        assert_eq!(view["createdAt"], view["updatedAt"]);
        let path = format!("/databases/{}", made["id"].as_str().unwrap());
        assert_eq!(office.get(&office.owner, &path).data(200), made);
        assert_eq!(office.get(&office.owner, &format!("{path}/views")).data(200), made["views"]);
    }
    let listed = office.get(&office.owner, "/databases").body_of(200);
    assert!(listed["data"][0].get("views").is_none(), "lists are without views");
}

fn views_of_a_new_database_name_its_properties(engine: Engine) {
    let office = office(engine);
    let mut body = tasks();
    body["views"] = json!([
        {
            "name": "Board",
            "type": "board",
            "group": [{ "propertyId": "Stage" }],
            "sort": [{ "propertyId": "points", "direction": "desc" }],
            "filter": { "propertyId": "Stage", "op": "is", "value": "Done" },
            "config": { "cardProperties": ["Due"] },
        },
        { "name": "Plan", "type": "timeline", "config": { "startDatePropertyId": "Due" } },
    ]);
    let made = office.post(&office.member, "/databases", &body).data(201);
    let board = Board { path: String::new(), office, made };
    let views = board.made["views"].as_array().unwrap();
    assert_eq!((&views[0]["name"], &views[1]["name"], views.len()), (&json!("Board"), &json!("Plan"), 2));
    let stage = board.property("Stage");
    assert_eq!(views[0]["group"], json!([{ "propertyId": stage, "direction": "asc" }]));
    assert_eq!(views[0]["sort"], json!([{ "propertyId": board.property("Points"), "direction": "desc" }]));
    let filter = json!({ "propertyId": stage, "op": "is", "value": { "optionId": "opt-done" } });
    assert_eq!((&views[0]["filter"], &views[0]["recordCount"]), (&filter, &Value::Null));
    assert_eq!(views[0]["config"], json!({ "cardProperties": [board.property("Due")] }));
    let dates = json!({ "startDatePropertyId": board.property("Due"), "endDatePropertyId": null });
    assert_eq!((&views[1]["config"], &views[1]["recordCount"]), (&dates, &json!(0)));
    let by_name = json!({ "name": "B", "type": "board", "group": [{ "propertyId": "Stage" }] });
    let path = format!("/databases/{}/views", board.made["id"].as_str().unwrap());
    let answer = board.office.post(&board.office.member, &path, &by_name);
    unprocessable(&answer, "invalid_group", "path", "group.0.propertyId");
}

fn views_of_a_new_database_are_all_checked(engine: Engine) {
    let office = office(engine);
    let send = |views: Value| {
        let mut body = tasks();
        body["views"] = views;
        office.post(&office.member, "/databases", &body)
    };
    let refused = send(json!([table("A"), { "name": "", "type": "wall" }, 1])).refuses(400, "VALIDATION_ERROR");
    refused.of("views.1.name", "too_short");
    refused.of("views.1.type", "invalid_value");
    refused.of("views.2", "invalid_type");
    send(json!({})).refuses(400, "VALIDATION_ERROR").of("views", "invalid_type");
    send(json!(vec![table("A"); 21])).refuses(400, "VALIDATION_ERROR").of("views", "too_long");
    let unsortable = json!([{ "name": "A", "type": "table", "sort": [{ "propertyId": "Run" }] }]);
    unprocessable(&send(unsortable), "invalid_sort", "path", "views.0.sort.0.propertyId");
    let no_start = json!([{ "name": "A", "type": "timeline" }]);
    unprocessable(&send(no_start), "view_config_invalid", "field", "startDatePropertyId");
    let none = office.get(&office.member, "/databases").body_of(200);
    assert_eq!(none["data"], json!([]), "a refused request leaves no database");
    let made = send(json!(vec![table("A"); 20])).data(201);
    assert_eq!(made["views"].as_array().unwrap().len(), 20);
    assert_eq!(made["schemaVersion"], 1);
}

fn views_are_created_at_the_end(engine: Engine) {
    let board = board(engine);
    let list = board.create(&json!({ "name": " All ", "type": "list" }));
    assert_eq!((&list["name"], &list["databaseId"]), (&json!("All"), &board.made["id"]));
    board.create(&json!({ "name": "First", "type": "gallery", "position": "Z" }));
    board.create(&table("Last"));
    assert_eq!(board.names(), ["First", "Table", "All", "Last"]);
    let shown = board.office.get(&board.office.member, &board.path).data(200);
    assert_eq!(shown["views"], json!(board.views()));
    assert_eq!(shown["schemaVersion"], board.made["schemaVersion"], "views are not part of the schema");
}

fn a_view_of_each_type_is_shown_as_it_was_sent(engine: Engine) {
    let board = board(engine);
    let (due, points) = (board.property("Due"), board.property("Points"));
    let columns = json!({ (points.as_str().unwrap()): 120 });
    for (kind, config) in [
        (
            "table",
            json!({ "visibleProperties": [points, due], "columnWidths": columns, "headerRow": true, "zebra": false }),
        ),
        ("list", json!({ "showIcons": true, "subtitlePropertyId": due, "density": "compact" })),
        ("board", json!({ "cardProperties": [due], "cardLayout": "cover", "columnWidthPx": 260, "color": "blue" })),
        ("gallery", json!({ "cardsPerRow": 4, "cardRatio": "16:9", "coverPropertyId": due })),
        ("calendar", json!({ "startDatePropertyId": due, "endDatePropertyId": null, "weekStartsOn": "monday" })),
        ("timeline", json!({ "startDatePropertyId": due, "endDatePropertyId": due, "scale": "month" })),
        ("chart", json!({ "color": "red" })),
        ("dashboard", json!({ "density": "spacious" })),
        ("form", json!({ "intro": "Hello", "successMessage": "Thanks", "branding": { "logo": true } })),
    ] {
        let made = board.create(&json!({ "name": kind, "type": kind, "config": config }));
        assert_eq!((&made["type"], &made["config"]), (&json!(kind), &config));
        assert!(board.views().contains(&made), "{kind}");
    }
    let unknown = board.create(&json!({ "name": "V", "type": "table", "config": { "wings": 2, "zebra": true } }));
    assert_eq!(unknown["config"], json!({ "zebra": true }), "unknown keys are dropped");
}

fn filters_sorts_and_groups_must_fit_the_properties(engine: Engine) {
    let board = board(engine);
    let (stage, points, run) = (board.property("Stage"), board.property("Points"), board.property("Run"));
    let send =
        |kind: &str, field: &str, value: Value| board.send(&json!({ "name": "V", "type": kind, (field): value }));
    let leaf = |property: &Value, op: &str, value: Value| json!({ "propertyId": property, "op": op, "value": value });
    let filter = json!({ "op": "and", "conditions": [
        { "op": "not", "conditions": [leaf(&stage, "equals", json!("To do"))] },
        leaf(&points, "greater_than", json!({ "value": 3 })),
    ] });
    let made = send("table", "filter", filter).data(201);
    assert_eq!(made["filter"]["conditions"][0]["conditions"][0]["value"], json!({ "optionId": "opt-to-do" }));
    for (filter, path) in [
        (json!({ "op": "and", "conditions": [] }), "conditions"),
        (
            json!({ "op": "not", "conditions": [leaf(&points, "equals", json!(1)), leaf(&points, "equals", json!(2))] }),
            "conditions",
        ),
        (json!({ "op": "or", "conditions": [leaf(&points, "contains", json!("x"))] }), "conditions.0.op"),
        (leaf(&json!(UNKNOWN_PROPERTY), "is_empty", Value::Null), "propertyId"),
        (leaf(&points, "equals", json!("many")), "value"),
    ] {
        unprocessable(&send("table", "filter", filter), "invalid_filter", "path", path);
    }
    let keys = |property: &Value, count: usize| json!(vec![json!({ "propertyId": property }); count]);
    unprocessable(&send("table", "sort", keys(&run, 1)), "invalid_sort", "path", "sort.0.propertyId");
    unprocessable(
        &send("table", "sort", json!([{ "propertyId": points, "direction": "up" }])),
        "invalid_sort",
        "path",
        "sort.0.direction",
    );
    unprocessable(&send("table", "group", keys(&run, 1)), "invalid_group", "path", "group.0.propertyId");
    unprocessable(&send("board", "group", keys(&points, 1)), "invalid_group", "path", "group.0.propertyId");
    unprocessable(&send("board", "group", keys(&stage, 2)), "invalid_group", "path", "group.1");
    unprocessable(&send("calendar", "group", keys(&stage, 1)), "invalid_group", "path", "group");
    send("table", "sort", keys(&points, 9)).refuses(400, "VALIDATION_ERROR").of("sort", "too_long");
    send("table", "group", keys(&points, 4)).refuses(400, "VALIDATION_ERROR").of("group", "too_long");
    send("table", "sort", keys(&points, 8)).is(201);
    send("board", "group", keys(&stage, 1)).is(201);
    assert_eq!(send("list", "group", keys(&points, 3)).data(201)["group"].as_array().unwrap().len(), 3);
}

fn configurations_must_fit_the_properties(engine: Engine) {
    let board = board(engine);
    let send = |kind: &str, config: Value| board.send(&json!({ "name": "V", "type": kind, "config": config }));
    let unfit = |kind: &str, config: Value, field: &str| {
        unprocessable(&send(kind, config), "view_config_invalid", "field", field);
    };
    unfit("timeline", json!({}), "startDatePropertyId");
    unfit("timeline", json!({ "startDatePropertyId": board.property("Points") }), "startDatePropertyId");
    let end = json!({ "startDatePropertyId": board.property("Due"), "endDatePropertyId": board.property("Stage") });
    unfit("calendar", end, "endDatePropertyId");
    unfit("table", json!({ "visibleProperties": [UNKNOWN_PROPERTY] }), "visibleProperties");
    unfit("table", json!({ "columnWidths": { (UNKNOWN_PROPERTY): 9 } }), "columnWidths");
    unfit("chart", json!({ "chartId": "cht_01J8Z3K4M5N6P7Q8R9S0T1V2W3" }), "chartId");
    unfit("dashboard", json!({ "dashboardId": "dash_01J8Z3K4M5N6P7Q8R9S0T1V2W3" }), "dashboardId");
    unfit("form", json!({ "formId": "frm_01J8Z3K4M5N6P7Q8R9S0T1V2W3" }), "formId");
    let refused = send("table", json!({ "density": "airy", "zebra": "yes" })).refuses(400, "VALIDATION_ERROR");
    refused.of("config.density", "invalid_value");
    refused.of("config.zebra", "invalid_type");
    send("chart", json!({ "chartId": "mine" })).refuses(400, "VALIDATION_ERROR").of("config.chartId", "invalid_id");
    assert_eq!(
        send("calendar", json!({})).data(201)["config"],
        json!({ "startDatePropertyId": null, "endDatePropertyId": null })
    );
    let elsewhere = board.office.post(&board.office.owner, "/databases", &tasks()).data(201);
    let foreign = &elsewhere["properties"][3]["id"];
    unfit("timeline", json!({ "startDatePropertyId": foreign }), "startDatePropertyId");
}

fn limits_of_views_are_kept(engine: Engine) {
    let board = board(engine);
    let refused = board.send(&json!({})).refuses(400, "VALIDATION_ERROR");
    refused.of("name", "required");
    refused.of("type", "required");
    let send = |field: &str, value: Value| {
        let mut body = table("V");
        body[field] = value;
        board.send(&body)
    };
    send("name", json!("x".repeat(101))).refuses(400, "VALIDATION_ERROR").of("name", "too_long");
    send("name", json!(" ")).refuses(400, "VALIDATION_ERROR").of("name", "too_short");
    send("position", json!("a-")).refuses(400, "VALIDATION_ERROR").of("position", "invalid_position");
    send("pageSize", json!(0)).refuses(400, "VALIDATION_ERROR").of("pageSize", "too_small");
    send("pageSize", json!("9")).refuses(400, "VALIDATION_ERROR").of("pageSize", "invalid_type");
    assert_eq!(send("pageSize", json!(201)).data(201)["pageSize"], 200);
    assert_eq!(send("isLocked", json!(true)).data(201)["isLocked"], true);
    for number in board.views().len()..100 {
        board.create(&table(&format!("V{number}")));
    }
    let refusal = board.send(&table("V")).refuses(409, "CONFLICT");
    refusal.issue("limit_reached");
    assert_eq!(refusal.detail()["limit"], 100);
    board.office.delete(&board.office.member, &board.path_of(&board.views()[0])).is(204);
    board.create(&table("V"));
}

fn views_belong_to_their_database(engine: Engine) {
    let board = board(engine);
    let other = board.office.post(&board.office.owner, "/databases", &json!({})).data(201);
    let foreign = &other["views"][0];
    board.create(&table("Second"));
    board.change(foreign, &json!({ "name": "Mine" })).refuses(404, "NOT_FOUND");
    board.office.delete(&board.office.member, &board.path_of(foreign)).refuses(404, "NOT_FOUND");
    board.reorder(foreign, &json!({})).refuses(404, "NOT_FOUND");
    let place = json!({ "beforeId": foreign["id"] });
    board.reorder(&board.views()[1], &place).refuses(400, "VALIDATION_ERROR").of("beforeId", "anchor_not_sibling");
    let stranger = board.office.server.person("Mallory");
    stranger.get(&format!("{}/views", board.path)).send().refuses(404, "NOT_FOUND");
    stranger.patch(&board.path_of(&board.views()[0]), &json!({ "name": "Mine" })).send().refuses(404, "NOT_FOUND");
}

fn a_retry_is_answered_as_before(engine: Engine) {
    let board = board(engine);
    let member = &board.office.member;
    let call = |method: &str, path: &str, key: &str, body: &Value| {
        let request = member.request(method, path).header("X-Service-Workspace", &board.office.id);
        let request = request.header("Idempotency-Key", key);
        if body.is_null() { request.send() } else { request.json(body).send() }
    };
    let create = || call("POST", &format!("{}/views", board.path), "create-1", &table("Once")).data(201);
    let made = create();
    assert_eq!(create(), made);
    assert_eq!(board.names(), ["Table", "Once"]);
    for _ in 0..2 {
        call("DELETE", &board.path_of(&made), "delete-1", &Value::Null).is(204);
    }
    assert_eq!(board.names(), ["Table"]);
}

fn changes_of_views_are_reported(engine: Engine) {
    let board = board(engine);
    let before = board.office.get(&board.office.member, &board.path).data(200);
    let view = board.create(&json!({
        "name": "A",
        "type": "table",
        "sort": [{ "propertyId": board.property("Points") }],
    }));
    board.change(&view, &json!({ "name": "B" })).is(200);
    board.change(&view, &json!({ "name": "B" })).is(200);
    board.reorder(&view, &json!({ "beforeId": before["views"][0]["id"] })).is(200);
    let points = format!("{}/properties/{}", board.path, board.property("Points").as_str().unwrap());
    board.office.delete(&board.office.member, &points).is(200);
    board.office.delete(&board.office.member, &board.path_of(&view)).is(204);
    let seen = poll::eventually("the events of the views", || {
        let list = board.office.get(&board.office.member, "/events?types=database.updated").body_of(200);
        Some(list["data"].as_array().unwrap().clone()).filter(|seen| seen.len() == 6)
    });
    let changes: Vec<_> = seen.iter().map(|event| event["data"]["change"].clone()).collect();
    let expected = ["view_added", "view_updated", "view_updated", "property_deleted", "view_updated", "view_deleted"];
    assert_eq!(changes, expected);
    for event in seen.iter().filter(|event| event["data"]["change"] != "property_deleted") {
        assert_eq!((&event["data"]["viewId"], &event["databaseId"]), (&view["id"], &board.made["id"]));
        assert_eq!(event["data"]["changedFields"], json!(["views"]));
    }
    let after = board.office.get(&board.office.member, &board.path).data(200);
    assert!(after["updatedAt"].as_str().unwrap() > before["updatedAt"].as_str().unwrap());
}

fn ten_writers_add_ten_views(engine: Engine) {
    let board = board(engine);
    at_once(10, |number| board.create(&table(&format!("V{number}"))));
    let views = board.views();
    assert_eq!(views.len(), 11);
    let positions: BTreeSet<_> = views.iter().map(|view| view["position"].to_string()).collect();
    assert_eq!(positions.len(), 11, "each writer saw the views of those before it");
}
