//! Changing, ordering and deleting views of databases.

use crate::{
    database_views::{UNKNOWN, UNKNOWN_PROPERTY, board, table, unprocessable},
    pages::office,
};
use octavo_tests::{Engine, Person, both_engines};
use serde_json::{Value, json};

both_engines! {
    a_change_names_only_what_it_changes,
    a_locked_view_is_protected,
    the_last_view_stays,
    views_are_put_before_others,
    views_at_one_position_can_be_reordered,
    a_deleted_property_leaves_the_views,
    only_editors_change_views,
    archived_and_trashed_databases_keep_their_views,
}

fn a_change_names_only_what_it_changes(engine: Engine) {
    let board = board(engine);
    let (stage, points) = (board.property("Stage"), board.property("Points"));
    let before = board.create(&json!({
        "name": "Open",
        "type": "table",
        "config": { "zebra": true, "visibleProperties": [points] },
        "filter": { "propertyId": stage, "op": "is_empty" },
        "sort": [{ "propertyId": points, "direction": "asc" }],
        "pageSize": 20,
    }));
    assert_eq!(board.change(&before, &json!({})).data(200), before, "nothing changes, also not the time");
    let same = json!({ "type": "table", "name": "Open", "pageSize": 20 });
    assert_eq!(board.change(&before, &same).data(200), before);
    let patch =
        json!({ "name": "All", "filter": null, "config": { "zebra": null, "density": "compact" }, "position": "a5" });
    let after = board.change(&before, &patch).data(200);
    assert_eq!((&after["name"], &after["filter"], &after["position"]), (&json!("All"), &Value::Null, &json!("a5")));
    assert_eq!(after["config"], json!({ "visibleProperties": [points], "density": "compact" }));
    assert_eq!((&after["sort"], &after["pageSize"]), (&before["sort"], &json!(20)));
    assert_eq!((&after["recordCount"], &after["createdAt"]), (&json!(0), &before["createdAt"]));
    assert!(board.views().contains(&after));
    let cleared = board.change(&before, &json!({ "sort": null, "pageSize": null })).data(200);
    assert_eq!((&cleared["sort"], &cleared["pageSize"]), (&json!([]), &json!(50)));
    unprocessable(&board.change(&before, &json!({ "type": "list" })), "immutable", "field", "type");
    board.change(&before, &json!({ "name": null })).refuses(400, "VALIDATION_ERROR").of("name", "invalid_type");
    let group = json!({ "group": [{ "propertyId": UNKNOWN_PROPERTY }] });
    unprocessable(&board.change(&before, &group), "invalid_group", "path", "group.0.propertyId");
    let unknown = format!("{}/views/{UNKNOWN}", board.path);
    board.office.patch(&board.office.member, &unknown, &json!({ "name": 1 })).refuses(404, "NOT_FOUND");
    board
        .office
        .patch(&board.office.member, &format!("{}/views/mine", board.path), &json!({}))
        .refuses(404, "NOT_FOUND");
}

fn a_locked_view_is_protected(engine: Engine) {
    let board = board(engine);
    let view = board.create(&table("Mine"));
    board.change(&view, &json!({ "isLocked": true, "config": { "zebra": true } })).is(200);
    let sort = json!([{ "propertyId": board.property("Points") }]);
    for patch in [json!({ "config": { "zebra": false } }), json!({ "sort": sort }), json!({ "group": sort })] {
        board.change(&view, &patch).refuses(409, "CONFLICT").issue("view_locked");
    }
    assert_eq!(board.change(&view, &json!({ "name": "Ours", "pageSize": 5 })).data(200)["name"], "Ours");
    board.reorder(&view, &json!({ "beforeId": board.views()[0]["id"] })).is(200);
    let unlocked = board.change(&view, &json!({ "isLocked": false, "sort": sort })).data(200);
    assert_eq!((&unlocked["isLocked"], unlocked["sort"].as_array().unwrap().len()), (&json!(false), 1));
    board.change(&view, &json!({ "isLocked": null })).refuses(400, "VALIDATION_ERROR").of("isLocked", "invalid_type");
}

fn the_last_view_stays(engine: Engine) {
    let board = board(engine);
    let only = board.made["views"][0].clone();
    let delete = |view: &Value| board.office.delete(&board.office.member, &board.path_of(view));
    delete(&only).refuses(422, "UNPROCESSABLE_ENTITY").issue("last_view");
    let other = board.create(&table("Other"));
    delete(&only).is(204);
    assert_eq!(board.names(), ["Other"]);
    delete(&only).refuses(404, "NOT_FOUND");
    delete(&other).refuses(422, "UNPROCESSABLE_ENTITY").issue("last_view");
}

fn views_are_put_before_others(engine: Engine) {
    let board = board(engine);
    let [a, b, c] = ["A", "B", "C"].map(|name| board.create(&table(name)));
    let moved = board.reorder(&c, &json!({ "beforeId": a["id"] })).data(200);
    assert_eq!((&moved["id"], board.names()), (&c["id"], vec!["Table".to_owned(), "C".into(), "A".into(), "B".into()]));
    assert_eq!(board.reorder(&c, &json!({ "beforeId": a["id"] })).data(200), moved, "it is there already");
    board.reorder(&a, &json!({ "beforeId": null })).is(200);
    assert_eq!(board.names(), ["Table", "C", "B", "A"]);
    board.reorder(&c, &json!({})).is(200);
    assert_eq!(board.names(), ["Table", "B", "A", "C"]);
    board.reorder(&a, &json!({ "beforeId": board.views()[0]["id"] })).is(200);
    assert_eq!(board.names(), ["A", "Table", "B", "C"]);
    for wrong in [json!(UNKNOWN), b["id"].clone()] {
        let refused = board.reorder(&b, &json!({ "beforeId": wrong })).refuses(400, "VALIDATION_ERROR");
        refused.of("beforeId", "anchor_not_sibling");
    }
    board.reorder(&b, &json!({ "beforeId": "B" })).refuses(400, "VALIDATION_ERROR").of("beforeId", "invalid_id");
}

fn views_at_one_position_can_be_reordered(engine: Engine) {
    let board = board(engine);
    let place = &board.made["views"][0]["position"];
    for name in ["A", "B", "C"] {
        board.create(&json!({ "name": name, "type": "table", "position": place, "isLocked": true }));
    }
    let before = board.views();
    assert!(before.iter().all(|view| view["position"] == *place), "positions need not differ");
    let order = || board.views().into_iter().map(|view| view["id"].clone()).collect::<Vec<_>>();
    let expected = |order: [usize; 4]| order.map(|index| before[index]["id"].clone());
    let moved = board.reorder(&before[3], &json!({ "beforeId": before[2]["id"] })).data(200);
    assert_eq!(order(), expected([0, 1, 3, 2]));
    assert_eq!(board.views()[2], moved);
    board.reorder(&before[3], &json!({ "beforeId": before[0]["id"] })).is(200);
    assert_eq!(order(), expected([3, 0, 1, 2]));
}

fn a_deleted_property_leaves_the_views(engine: Engine) {
    let board = board(engine);
    let (stage, points, due) = (board.property("Stage"), board.property("Points"), board.property("Due"));
    let key = |property: &Value| json!({ "propertyId": property, "direction": "asc" });
    let view = board.create(&json!({
        "name": "Open",
        "type": "table",
        "config": { "visibleProperties": [stage, points], "columnWidths": { (stage.as_str().unwrap()): 90 } },
        "filter": { "op": "and", "conditions": [
            { "propertyId": stage, "op": "is_empty" },
            { "propertyId": points, "op": "is_not_empty" },
        ] },
        "sort": [key(&stage), key(&points)],
        "group": [key(&stage)],
        "isLocked": true,
    }));
    let only =
        board.create(&json!({ "name": "One", "type": "list", "filter": { "propertyId": stage, "op": "is_empty" } }));
    let untouched =
        board.create(&json!({ "name": "Due", "type": "timeline", "config": { "startDatePropertyId": due } }));
    let delete = |property: &Value| {
        let path = format!("{}/properties/{}", board.path, property.as_str().unwrap());
        board.office.delete(&board.office.member, &path).is(200);
    };
    delete(&stage);
    let find = |view: &Value| board.views().into_iter().find(|other| other["id"] == view["id"]).unwrap();
    let left = find(&view);
    assert_eq!(left["config"], json!({ "visibleProperties": [points], "columnWidths": {} }));
    let condition = json!({ "propertyId": points, "op": "is_not_empty" });
    assert!(
        !left["filter"].to_string().contains(stage.as_str().unwrap())
            && left["filter"].to_string().contains("is_not_empty"),
        "{condition}"
    );
    assert_eq!((&left["sort"], &left["group"]), (&json!([key(&points)]), &json!([])));
    assert_eq!(left["isLocked"], true);
    assert_eq!((&find(&only)["filter"], &find(&only)["recordCount"]), (&Value::Null, &json!(0)));
    assert_eq!(find(&untouched), untouched);
    delete(&due);
    let dateless = find(&untouched);
    assert_eq!(dateless["config"]["startDatePropertyId"], Value::Null);
    board.change(&dateless, &json!({ "name": "No dates" })).is(200);
}

fn only_editors_change_views(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let made = office.post(&office.owner, "/databases", &json!({ "parentId": page })).data(201);
    office.grant(&page, &[("user", &office.guest.id, "VIEW"), ("user", &office.member.id, "NONE")]);
    let views = format!("/databases/{}/views", made["id"].as_str().unwrap());
    let view = format!("{views}/{}", made["views"][0]["id"].as_str().unwrap());
    assert_eq!(office.get(&office.guest, &views).data(200), made["views"]);
    office.get(&office.member, &views).refuses(404, "NOT_FOUND");
    let calls = |by: &Person| {
        [
            office.post(by, &views, &json!({ "name": 7 })),
            office.patch(by, &view, &json!({ "name": 7 })),
            office.delete(by, &view),
            office.post(by, &format!("{view}/reorder"), &json!({ "beforeId": 7 })),
        ]
    };
    for answer in calls(&office.guest) {
        answer.refuses(403, "FORBIDDEN").because("requires_EDIT");
    }
    for answer in calls(&office.member) {
        answer.refuses(404, "NOT_FOUND");
    }
    office.grant(&page, &[("user", &office.guest.id, "EDIT")]);
    office.patch(&office.guest, &view, &json!({ "name": "Ours" })).is(200);
}

fn archived_and_trashed_databases_keep_their_views(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let made = office.post(&office.owner, "/databases", &json!({ "parentId": page })).data(201);
    let path = format!("/databases/{}", made["id"].as_str().unwrap());
    let views = format!("{path}/views");
    let view = format!("{views}/{}", made["views"][0]["id"].as_str().unwrap());
    let refused = |issue: &str| {
        for answer in [
            office.post(&office.owner, &views, &table("V")),
            office.patch(&office.owner, &view, &json!({ "name": "V" })),
            office.delete(&office.owner, &view),
            office.post(&office.owner, &format!("{view}/reorder"), &json!({})),
        ] {
            answer.refuses(409, "CONFLICT").issue(issue);
        }
        assert_eq!(office.get(&office.owner, &views).data(200), made["views"]);
    };
    office.patch(&office.owner, &path, &json!({ "archived": true })).is(200);
    refused("database_archived");
    office.patch(&office.owner, &path, &json!({ "archived": false })).is(200);
    office.delete(&office.owner, &format!("/pages/{page}")).is(200);
    refused("page_trashed");
    office.post(&office.owner, &format!("/pages/{page}/restore"), &json!({})).is(200);
    assert_eq!(office.get(&office.owner, &path).data(200)["views"], made["views"]);
}
