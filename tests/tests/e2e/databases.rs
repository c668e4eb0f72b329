//! Databases and their properties.

use crate::pages::{Office, office};
use octavo_tests::{Engine, Person, Server, both_engines, poll};
use serde_json::{Value, json};

both_engines! {
    a_database_without_properties_has_a_title,
    a_database_has_the_properties_that_it_was_created_with,
    properties_of_a_new_database_are_all_checked,
    a_database_is_visible_where_its_page_is,
    only_full_access_archives_a_database,
    an_archived_database_cannot_be_changed,
    properties_are_added_changed_and_deleted,
    names_of_properties_are_unique_whatever_their_case,
    options_keep_their_ids,
    a_text_becomes_the_title,
    a_schema_edit_can_be_based_on_a_version,
    lists_are_by_title_and_can_be_narrowed,
    a_database_goes_to_the_trash_with_its_page,
    changes_of_a_database_are_reported,
    a_workspace_has_so_many_databases_and_no_more,
    ids_of_databases_are_not_ids_of_pages,
    a_database_is_shown_on_its_page,
    a_block_that_is_there_shows_a_new_database,
}

const UNKNOWN: &str = "db_01J8Z3K4M5N6P7Q8R9S0T1V2W3";

fn create(office: &Office, by: &Person, body: &Value) -> Value {
    office.post(by, "/databases", body).data(201)
}

fn path_of(database: &Value) -> String {
    format!("/databases/{}", database["id"].as_str().unwrap())
}

fn property<'a>(database: &'a Value, name: &str) -> &'a Value {
    let all = database["properties"].as_array().unwrap();
    all.iter().find(|property| property["name"] == name).unwrap()
}

fn products() -> Value {
    json!({
        "title": "Products",
        "icon": "\u{1F4E6}",
        "description": "What we sell.",
        "properties": [
            { "name": "Name", "type": "title" },
            { "name": "Price", "type": "number", "config": { "format": "currency", "currency": "EUR", "precision": 2 } },
            { "name": "Stage", "type": "select", "config": { "options": [{ "name": "To do", "color": "red" }, { "name": "Done" }] } },
        ],
    })
}

fn a_database_without_properties_has_a_title(engine: Engine) {
    let office = office(engine);
    let made = create(&office, &office.member, &json!({}));
    assert_eq!((&made["title"], &made["pageId"], &made["recordCount"]), (&json!(""), &Value::Null, &json!(0)));
    assert_eq!(
        (&made["schemaVersion"], &made["isArchived"], &made["accessLevel"]),
        (&json!(1), &json!(false), &json!("FULL_ACCESS"))
    );
    let properties = made["properties"].as_array().unwrap();
    assert_eq!(properties.len(), 1);
    assert_eq!(
        (&properties[0]["name"], &properties[0]["type"], &properties[0]["isTitle"]),
        (&json!("Name"), &json!("title"), &json!(true))
    );
    let shown = office.get(&office.member, &path_of(&made)).data(200);
    assert_eq!(shown, made);
    office.post(&office.guest, "/databases", &json!({})).refuses(403, "FORBIDDEN").because("requires_EDIT");
}

fn a_database_has_the_properties_that_it_was_created_with(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Shop");
    let mut body = products();
    body["parentId"] = json!(page);
    let made = create(&office, &office.member, &body);
    assert_eq!(
        (&made["pageId"], &made["icon"], &made["description"]),
        (&json!(page), &body["icon"], &body["description"])
    );
    let names: Vec<_> =
        made["properties"].as_array().unwrap().iter().map(|property| property["name"].clone()).collect();
    assert_eq!(names, ["Name", "Price", "Stage"]);
    assert_eq!(property(&made, "Price")["config"], json!({ "format": "currency", "currency": "EUR", "precision": 2 }));
    let options = &property(&made, "Stage")["config"]["options"];
    assert_eq!((&options[0]["id"], &options[1]["id"]), (&json!("opt-to-do"), &json!("opt-done")));
    let listed = office.get(&office.member, &format!("{}/properties", path_of(&made))).data(200);
    assert_eq!(listed, made["properties"]);
}

fn properties_of_a_new_database_are_all_checked(engine: Engine) {
    let office = office(engine);
    let send = |properties: Value| office.post(&office.member, "/databases", &json!({ "properties": properties }));
    let title = json!({ "name": "Name", "type": "title" });
    send(json!([])).refuses(400, "VALIDATION_ERROR").of("properties", "too_short");
    send(json!([{ "name": "A", "type": "text" }])).refuses(400, "VALIDATION_ERROR").of("properties", "required");
    let both = send(json!([title, { "name": "", "type": "text" }, { "name": "B", "type": "colour" }]));
    let refused = both.refuses(400, "VALIDATION_ERROR");
    refused.of("properties.1.name", "too_short");
    refused.of("properties.2.type", "invalid_value");
    send(json!([title, { "name": "name", "type": "text" }]))
        .refuses(409, "CONFLICT")
        .of("properties.1.name", "already_exists");
    let many: Vec<_> = (0..201).map(|number| json!({ "name": format!("P{number}"), "type": "text" })).collect();
    send(json!(many)).refuses(400, "VALIDATION_ERROR").of("properties", "too_long");
    let unknown = "prop_01J8Z3K4M5N6P7Q8R9S0T1V2W3";
    let rollup = json!({ "relationPropertyId": unknown, "targetPropertyId": unknown, "aggregate": "COUNT" });
    send(json!([title, { "name": "R", "type": "rollup", "config": rollup }]))
        .refuses(400, "VALIDATION_ERROR")
        .of("properties.1.config.relationPropertyId", "invalid_value");
    let formula = json!({ "expression": "1 +" });
    send(json!([title, { "name": "F", "type": "formula", "config": formula }]))
        .refuses(400, "VALIDATION_ERROR")
        .of("properties.1.config.expression", "formula_parse_error");
    let long = json!({ "title": "x".repeat(201) });
    office.post(&office.member, "/databases", &long).refuses(400, "VALIDATION_ERROR").of("title", "too_long");
    let nowhere = json!({ "parentId": "pg_01J8Z3K4M5N6P7Q8R9S0T1V2W3" });
    office.post(&office.member, "/databases", &nowhere).refuses(404, "NOT_FOUND");
}

fn a_database_is_visible_where_its_page_is(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let made = create(&office, &office.owner, &json!({ "title": "Budget", "parentId": page }));
    let path = path_of(&made);
    office.get(&office.guest, &path).refuses(404, "NOT_FOUND");
    office.get(&office.owner, &format!("/databases/{UNKNOWN}")).refuses(404, "NOT_FOUND");
    office.get(&office.owner, "/databases/nonsense").refuses(404, "NOT_FOUND");
    office.grant(&page, &[("user", &office.guest.id, "VIEW"), ("user", &office.member.id, "NONE")]);
    assert_eq!(office.get(&office.guest, &path).data(200)["accessLevel"], "VIEW");
    office.patch(&office.guest, &path, &json!({ "title": 7 })).refuses(403, "FORBIDDEN").because("requires_EDIT");
    let property = json!({ "name": 7 });
    let refused = office.post(&office.guest, &format!("{path}/properties"), &property);
    refused.refuses(403, "FORBIDDEN").because("requires_EDIT");
    office.get(&office.member, &path).refuses(404, "NOT_FOUND");
    office.patch(&office.member, &path, &json!({ "title": "Mine" })).refuses(404, "NOT_FOUND");
    let titles = |by: &Person| office.get(by, "/databases").body_of(200)["data"].as_array().unwrap().len();
    assert_eq!([&office.owner, &office.other, &office.guest, &office.member].map(titles), [1, 1, 1, 0]);
}

fn only_full_access_archives_a_database(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let made = create(&office, &office.owner, &json!({ "parentId": page }));
    let archive = json!({ "archived": true });
    let refused = office.patch(&office.member, &path_of(&made), &archive);
    refused.refuses(403, "FORBIDDEN").because("requires_FULL_ACCESS");
    let unchanged =
        office.patch(&office.member, &path_of(&made), &json!({ "archived": false, "title": "Plans" })).data(200);
    assert_eq!((&unchanged["isArchived"], &unchanged["title"]), (&json!(false), &json!("Plans")));
    assert_eq!(office.patch(&office.owner, &path_of(&made), &archive).data(200)["isArchived"], true);
}

fn an_archived_database_cannot_be_changed(engine: Engine) {
    let office = office(engine);
    let made = create(&office, &office.owner, &products());
    let path = path_of(&made);
    let price = format!("{path}/properties/{}", property(&made, "Price")["id"].as_str().unwrap());
    office.patch(&office.owner, &path, &json!({ "archived": true })).is(200);
    for answer in [
        office.patch(&office.owner, &path, &json!({ "title": "Other" })),
        office.post(&office.owner, &format!("{path}/properties"), &json!({ "name": "Note", "type": "text" })),
        office.patch(&office.owner, &price, &json!({ "name": "Cost" })),
        office.delete(&office.owner, &price),
    ] {
        answer.refuses(409, "CONFLICT").issue("database_archived");
    }
    office.get(&office.owner, &path).is(200);
    assert_eq!(office.get(&office.owner, "/databases").body_of(200)["data"], json!([]));
    let all = office.get(&office.owner, "/databases?includeArchived=true").body_of(200);
    assert_eq!(all["data"][0]["isArchived"], true);
    office.patch(&office.owner, &path, &json!({ "archived": false, "title": "Goods" })).is(200);
    office.patch(&office.owner, &price, &json!({ "name": "Cost" })).is(200);
}

fn properties_are_added_changed_and_deleted(engine: Engine) {
    let office = office(engine);
    let made = create(&office, &office.member, &products());
    let (path, all) = (path_of(&made), format!("{}/properties", path_of(&made)));
    let sent = json!({ "name": "Due", "type": "date", "required": true, "isVisible": false, "config": { "includeTime": true } });
    let due = office.post(&office.member, &all, &sent).data(201);
    assert_eq!((&due["name"], &due["required"], &due["isVisible"]), (&json!("Due"), &json!(true), &json!(false)));
    assert_eq!(due["config"]["includeTime"], true);
    let single = format!("{all}/{}", due["id"].as_str().unwrap());
    let changed = office
        .patch(&office.member, &single, &json!({ "name": "Deadline", "required": false, "position": "Z" }))
        .data(200);
    assert_eq!(
        (&changed["name"], &changed["required"], &changed["affectedRecords"]),
        (&json!("Deadline"), &json!(false), &json!(0))
    );
    office
        .patch(&office.member, &single, &json!({ "type": "text" }))
        .refuses(400, "VALIDATION_ERROR")
        .of("type", "immutable");
    office.patch(&office.member, &single, &json!({ "type": "date" })).is(200);
    office
        .post(&office.member, &all, &json!({ "type": "text" }))
        .refuses(400, "VALIDATION_ERROR")
        .of("name", "required");
    office.post(&office.member, &all, &json!({ "name": "A", "type": "title" })).refuses(400, "VALIDATION_ERROR");
    let now = office.get(&office.member, &path).data(200);
    let names: Vec<_> = now["properties"].as_array().unwrap().iter().map(|property| property["name"].clone()).collect();
    assert_eq!(names, ["Deadline", "Name", "Price", "Stage"]);
    assert_eq!(now["schemaVersion"], 3, "a change that changes nothing does not count");
    let gone = office.delete(&office.member, &single).data(200);
    assert_eq!((&gone["deletedProperty"], &gone["affectedRecords"]), (&due["id"], &json!(0)));
    office.delete(&office.member, &single).refuses(404, "NOT_FOUND");
    office.patch(&office.member, &single, &json!({})).refuses(404, "NOT_FOUND");
    let title = format!("{all}/{}", property(&made, "Name")["id"].as_str().unwrap());
    office.delete(&office.member, &title).refuses(422, "UNPROCESSABLE_ENTITY").issue("cannot_delete_title_property");
}

fn names_of_properties_are_unique_whatever_their_case(engine: Engine) {
    let office = office(engine);
    let made = create(&office, &office.member, &products());
    let all = format!("{}/properties", path_of(&made));
    let twice = office.post(&office.member, &all, &json!({ "name": "pRICE", "type": "text" }));
    twice.refuses(409, "CONFLICT").of("name", "already_exists");
    let stage = format!("{all}/{}", property(&made, "Stage")["id"].as_str().unwrap());
    office
        .patch(&office.member, &stage, &json!({ "name": "Price" }))
        .refuses(409, "CONFLICT")
        .of("name", "already_exists");
    office.patch(&office.member, &stage, &json!({ "name": "STAGE" })).is(200);
}

fn options_keep_their_ids(engine: Engine) {
    let office = office(engine);
    let made = create(&office, &office.member, &products());
    let stage = format!("{}/properties/{}", path_of(&made), property(&made, "Stage")["id"].as_str().unwrap());
    let options =
        json!([{ "name": "Done", "color": "green" }, { "id": "opt-to-do", "name": "Open" }, { "name": "Done!" }]);
    let changed = office.patch(&office.member, &stage, &json!({ "config": { "options": options } })).data(200);
    let ids: Vec<_> =
        changed["config"]["options"].as_array().unwrap().iter().map(|option| option["id"].clone()).collect();
    assert_eq!(ids, ["opt-done", "opt-to-do", "opt-done-2"]);
    let many: Vec<_> = (0..501).map(|number| json!({ "name": format!("Option {number}") })).collect();
    office.patch(&office.member, &stage, &json!({ "config": { "options": many } })).refuses(400, "VALIDATION_ERROR");
}

fn a_text_becomes_the_title(engine: Engine) {
    let office = office(engine);
    let mut body = products();
    body["properties"][1] = json!({ "name": "Label", "type": "rich_text" });
    let made = create(&office, &office.member, &body);
    let id = |name: &str| property(&made, name)["id"].as_str().unwrap().to_owned();
    let set = |name: &str| {
        let path = format!("{}/properties/{}/set-title", path_of(&made), id(name));
        office.call(&office.member, "POST", &path, &Value::Null)
    };
    set("Stage").refuses(422, "UNPROCESSABLE_ENTITY").issue("not_text_compatible");
    let label = set("Label").data(200);
    assert_eq!(label, json!({ "titleProperty": id("Label"), "previousTitleProperty": id("Name") }));
    let now = office.get(&office.member, &path_of(&made)).data(200);
    assert_eq!((&property(&now, "Label")["type"], &property(&now, "Name")["type"]), (&json!("title"), &json!("text")));
    assert_eq!(set("Label").data(200)["previousTitleProperty"], id("Label"));
}

fn a_schema_edit_can_be_based_on_a_version(engine: Engine) {
    let office = office(engine);
    let made = create(&office, &office.member, &products());
    let all = format!("{}/properties", path_of(&made));
    let add = |name: &str, version: i64| {
        office.post(&office.member, &all, &json!({ "name": name, "type": "text", "schemaVersion": version }))
    };
    add("A", 1).is(201);
    let refusal = add("B", 1).refuses(409, "CONFLICT");
    refusal.of("schemaVersion", "version_mismatch");
    assert_eq!(refusal.detail()["expected"], 2);
    add("B", 2).is(201);
}

fn lists_are_by_title_and_can_be_narrowed(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Home");
    for title in ["beta", "Alpha", "Gamma 100%"] {
        create(&office, &office.owner, &json!({ "title": title }));
    }
    create(&office, &office.owner, &json!({ "title": "Delta", "parentId": page }));
    let list = |query: &str| {
        let list = office.get(&office.owner, &format!("/databases{query}")).body_of(200);
        list["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|shown| shown["title"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(list(""), ["Alpha", "beta", "Delta", "Gamma 100%"]);
    assert_eq!(list("?q=A%20"), ["Gamma 100%"]);
    assert_eq!(list("?q=ETA"), ["beta"]);
    assert_eq!(list("?q=0%25"), ["Gamma 100%"]);
    assert_eq!(list(&format!("?pageId={page}")), ["Delta"]);
    assert_eq!(list("?sort=-updatedAt")[0], "Delta");
    let first = office.get(&office.owner, "/databases?limit=3").body_of(200);
    let cursor = first["nextCursor"].as_str().unwrap();
    assert_eq!(list(&format!("?limit=3&cursor={cursor}")), ["Gamma 100%"]);
    office.get(&office.owner, "/databases?sort=size").refuses(400, "VALIDATION_ERROR").of("sort", "invalid_value");
    let tree = office.get(&office.owner, "/pages").body_of(200);
    assert_eq!(tree["data"].as_array().unwrap().len(), 1, "databases are not pages");
}

fn a_database_goes_to_the_trash_with_its_page(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let made = create(&office, &office.owner, &json!({ "title": "Budget", "parentId": page }));
    let trashed = office.delete(&office.owner, &format!("/pages/{page}")).data(200);
    assert_eq!(trashed["trashedCount"], 1, "only pages are counted");
    office.get(&office.member, &path_of(&made)).is(200);
    office
        .patch(&office.member, &path_of(&made), &json!({ "title": "X" }))
        .refuses(409, "CONFLICT")
        .issue("page_trashed");
    assert_eq!(office.get(&office.owner, "/databases").body_of(200)["data"], json!([]));
    create_is_refused(&office, &page);
    office.post(&office.owner, &format!("/pages/{page}/restore"), &json!({})).is(200);
    assert_eq!(office.get(&office.owner, &path_of(&made)).data(200)["title"], "Budget");
    office.delete(&office.owner, &format!("/pages/{page}")).is(200);
    let confirm = json!({ "confirm": page });
    office.call(&office.owner, "DELETE", &format!("/pages/{page}?permanent=true"), &confirm).is(202);
    office.get(&office.owner, &path_of(&made)).refuses(404, "NOT_FOUND");
}

fn create_is_refused(office: &Office, page: &str) {
    let refused = office.post(&office.owner, "/databases", &json!({ "parentId": page }));
    refused.refuses(409, "CONFLICT").issue("page_trashed");
}

fn changes_of_a_database_are_reported(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Hidden");
    office.grant(&page, &[("user", &office.other.id, "NONE")]);
    let made = create(&office, &office.owner, &json!({ "title": "Budget", "parentId": page }));
    let path = path_of(&made);
    office.patch(&office.owner, &path, &json!({ "title": "Costs" })).is(200);
    let added =
        office.post(&office.owner, &format!("{path}/properties"), &json!({ "name": "Note", "type": "text" })).data(201);
    let events = |by: &Person| {
        let list = office.get(by, "/events?types=database.*").body_of(200);
        list["data"].as_array().unwrap().clone()
    };
    let seen =
        poll::eventually("the events of a database", || Some(events(&office.member)).filter(|seen| seen.len() == 3));
    let kinds: Vec<_> = seen.iter().map(|event| event["type"].clone()).collect();
    assert_eq!(kinds, ["database.created", "database.updated", "database.updated"]);
    assert!(seen.iter().all(|event| event["databaseId"] == made["id"] && event["resource"]["type"] == "database"));
    assert_eq!(
        (&seen[1]["data"]["before"], &seen[1]["data"]["after"]),
        (&json!({ "title": "Budget" }), &json!({ "title": "Costs" }))
    );
    assert_eq!((&seen[2]["data"]["change"], &seen[2]["data"]["propertyId"]), (&json!("property_added"), &added["id"]));
    assert_eq!(events(&office.other), [Value::Null; 0], "who cannot see the page cannot see these events");
}

fn a_workspace_has_so_many_databases_and_no_more(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_LIMIT_DATABASES", "2")]);
    let ada = server.person("Ada");
    let page = ada.post("/pages", &json!({})).send().data(201)["id"].as_str().unwrap().to_owned();
    let create = |body: Value| ada.post("/databases", &body).send();
    create(json!({})).is(201);
    create(json!({ "parentId": page })).is(201);
    let is_full = || {
        create(json!({})).refuses(403, "FORBIDDEN").because("database_quota");
    };
    is_full();
    ada.delete(&format!("/pages/{page}")).send().is(200);
    is_full();
    let confirm = json!({ "confirm": page });
    ada.request("DELETE", &format!("/pages/{page}?permanent=true")).json(&confirm).send().is(202);
    create(json!({})).is(201);
    is_full();
}

fn ids_of_databases_are_not_ids_of_pages(engine: Engine) {
    let office = office(engine);
    let made = create(&office, &office.owner, &json!({ "title": "Budget" }));
    let disguised = made["id"].as_str().unwrap().replace("db_", "pg_");
    let page = format!("/pages/{disguised}");
    for answer in [
        office.get(&office.owner, &page),
        office.get(&office.owner, &format!("{page}/blocks")),
        office.get(&office.owner, &format!("{page}/permissions")),
        office.get(&office.owner, &format!("{page}/markdown")),
        office.patch(&office.owner, &page, &json!({ "title": "Mine" })),
        office.delete(&office.owner, &page),
        office.post(&office.owner, &format!("{page}/move"), &json!({ "parentId": null })),
        office.post(&office.owner, &format!("{page}/duplicate"), &json!({})),
        office.post(&office.owner, &format!("{page}/share-links"), &json!({})),
        office.post(&office.owner, "/pages", &json!({ "parentId": disguised })),
        office.post(&office.owner, "/databases", &json!({ "parentId": disguised })),
        office.call(&office.owner, "PUT", &format!("/favorites/{disguised}"), &json!({})),
    ] {
        answer.refuses(404, "NOT_FOUND");
    }
    assert_eq!(office.get(&office.owner, &path_of(&made)).data(200)["title"], "Budget");
}

fn blocks_of(office: &Office, page: &str) -> Value {
    office.get(&office.owner, &format!("/pages/{page}/blocks")).body_of(200)["data"].clone()
}

fn a_database_is_shown_on_its_page(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let made = create(&office, &office.member, &json!({ "title": "Tasks", "pageId": page }));
    assert_eq!(made["pageId"], json!(page));
    let blocks = blocks_of(&office, &page);
    assert_eq!((&blocks[0]["type"], &blocks[0]["content"]["databaseId"]), (&json!("database"), &made["id"]));
    let events = office.events(&office.owner, "database.created,blocks.changed,page.updated", 3);
    let types: Vec<_> = events.iter().map(|event| event["type"].clone()).collect();
    assert_eq!(types, ["database.created", "blocks.changed", "page.updated"]);
    let below = create(&office, &office.member, &json!({ "title": "Quiet", "parentId": page }));
    assert_eq!((&below["pageId"], blocks_of(&office, &page).as_array().unwrap().len()), (&json!(page), 1));
    let both = json!({ "pageId": page, "parentId": page });
    office.post(&office.owner, "/databases", &both).refuses(400, "VALIDATION_ERROR").of("parentId", "invalid_value");
    office.patch(&office.owner, &format!("/pages/{page}"), &json!({ "isLocked": true })).is(200);
    let locked = office.post(&office.owner, "/databases", &json!({ "pageId": page }));
    locked.refuses(409, "CONFLICT").issue("page_locked");
    office.post(&office.owner, "/databases", &json!({ "parentId": page })).is(201);
    // A view of a database that the writer sees can be shown as well.
    let other = office.below(None, "Other");
    let view = office.get(&office.owner, &path_of(&made)).data(200)["views"][0]["id"].clone();
    let block = |view: Value| {
        let content = json!({ "databaseId": made["id"], "viewId": view });
        json!({ "pageId": other, "ops": [{ "op": "upsert", "block": { "type": "linked_database", "content": content } }] })
    };
    office.post(&office.member, "/blocks/batch", &block(view)).is(201);
    let unknown = block(json!("view_01J8Z3K4M5N6P7Q8R9S0T1V2W3"));
    office.post(&office.member, "/blocks/batch", &unknown).refuses(404, "NOT_FOUND");
}

fn a_block_that_is_there_shows_a_new_database(engine: Engine) {
    let office = office(engine);
    let (page, other) = (office.below(None, "Plans"), office.below(None, "Other"));
    create(&office, &office.owner, &json!({ "title": "Old", "pageId": page }));
    let block = blocks_of(&office, &page)[0]["id"].clone();
    let made = create(&office, &office.owner, &json!({ "title": "New", "pageId": page, "blockId": block }));
    let blocks = blocks_of(&office, &page);
    assert_eq!((blocks.as_array().unwrap().len(), &blocks[0]["content"]["databaseId"]), (1, &made["id"]));
    let alone = json!({ "blockId": block });
    office.post(&office.owner, "/databases", &alone).refuses(400, "VALIDATION_ERROR").of("pageId", "required");
    let elsewhere = json!({ "pageId": other, "blockId": block });
    office.post(&office.owner, "/databases", &elsewhere).refuses(404, "NOT_FOUND").names("blockId");
    let text =
        json!({ "pageId": page, "ops": [{ "op": "upsert", "block": { "type": "paragraph", "content": "Text" } }] });
    office.post(&office.owner, "/blocks/batch", &text).is(201);
    let paragraph = blocks_of(&office, &page)[1]["id"].clone();
    let wrong = json!({ "pageId": page, "blockId": paragraph });
    office.post(&office.owner, "/databases", &wrong).refuses(400, "VALIDATION_ERROR").of("blockId", "invalid_value");
    // Nothing is left of a creation that is refused.
    let listed = office.get(&office.owner, "/databases").body_of(200);
    assert_eq!(listed["data"].as_array().unwrap().len(), 2);
}
