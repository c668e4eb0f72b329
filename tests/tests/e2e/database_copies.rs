//! Databases in copies of pages.

#![allow(clippy::too_many_lines, reason = "one copy with everything that it contains")]

use crate::{
    pages::{Office, office},
    records::{Table, path_of},
    share_links::{link, token},
};
use octavo_tests::{Engine, Person, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_copied_page_has_its_own_databases,
    relations_lead_to_what_was_copied_along,
    a_relation_to_another_database_leads_there_from_the_copy,
    a_copy_holds_only_records_that_one_sees,
    records_are_left_out_on_request,
    pages_of_records_are_copied_with_their_records,
    a_copy_in_another_workspace_knows_nothing_of_the_old_one,
    what_a_link_covers_is_copied,
    a_copy_is_not_too_large,
}

fn copy(office: &Office, by: &Person, page: &str, body: &Value) -> Value {
    office.post(by, &format!("/pages/{page}/duplicate"), body).body_of(201)
}

/// The id of the copy of a page or database.
fn of(made: &Value, original: &str) -> String {
    shape::text(&made["idMap"][original])
}

/// A database that exists, with its properties.
fn table(office: &Office, by: &Person, id: &str) -> Table {
    let found = office.get(by, &format!("/databases/{id}")).data(200);
    Table::from(&found)
}

fn records(office: &Office, table: &Table) -> Vec<Value> {
    let list = office.get(&office.owner, &format!("{}/records?includeArchived=true", table.path)).body_of(200);
    list["data"].as_array().unwrap().clone()
}

fn a_copied_page_has_its_own_databases(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let body = json!({
        "title": "Tasks", "description": "What to do", "pageId": page,
        "properties": [
            { "name": "Name", "type": "title" },
            { "name": "Stage", "type": "select", "config": { "options": [{ "name": "To do", "color": "red" }, { "name": "Done" }] } },
            { "name": "Number", "type": "unique_id", "config": { "prefix": "T" } },
            { "name": "Who", "type": "person" },
        ],
        "views": [{ "name": "Board", "type": "board", "group": [{ "propertyId": "Stage" }],
            "filter": { "op": "and", "conditions": [{ "propertyId": "Stage", "op": "is_not_empty" }] } }],
    });
    let original = Table::create(&office, &body);
    for title in ["First", "Second", "Third"] {
        let who = json!({ "userIds": [office.member.id] });
        let values = [("Name", json!({ "text": title })), ("Stage", json!({ "optionId": "Done" })), ("Who", who)];
        original.send(&office, &office.owner, &values).is(201);
    }
    let all = records(&office, &original);
    office.post(&office.owner, &format!("{}/archive", path_of(&all[0])), &Value::Null).is(200);
    let part = json!({ "parentRecordId": all[1]["id"] });
    office.patch(&office.owner, &path_of(&all[2]), &part).is(200);
    let made = copy(&office, &office.member, &page, &json!({}));
    assert_eq!(made["idMap"].as_object().unwrap().len(), 2, "the page and the database");
    let id = of(&made, &original.id);
    let shown = office.get(&office.other, &format!("/databases/{id}")).data(200);
    assert_eq!((&shown["title"], &shown["description"]), (&json!("Tasks"), &json!("What to do")));
    assert_eq!((&shown["pageId"], &shown["createdBy"]), (&made["data"]["id"], &json!(office.member.id)));
    assert_eq!((&shown["recordCount"], &shown["schemaVersion"]), (&json!(2), &json!(1)));
    let duplicate = Table::from(&shown);
    for name in ["Name", "Stage", "Number", "Who"] {
        assert_ne!(duplicate.property(name), original.property(name), "{name}");
    }
    let view = &shown["views"][0];
    assert_eq!((&view["name"], &view["type"]), (&json!("Board"), &json!("board")));
    assert_eq!(view["group"][0]["propertyId"], json!(duplicate.property("Stage")));
    assert_eq!(view["filter"]["conditions"][0]["propertyId"], json!(duplicate.property("Stage")));
    let copies = records(&office, &duplicate);
    let value = |record: &Value, name: &str| record["properties"][duplicate.property(name)].clone();
    assert_eq!(
        copies.iter().map(|record| value(record, "Name")["text"].clone()).collect::<Vec<_>>(),
        ["First", "Second", "Third"]
    );
    assert_eq!(
        copies.iter().map(|record| value(record, "Number")["value"].clone()).collect::<Vec<_>>(),
        ["T-0001", "T-0002", "T-0003"]
    );
    assert_eq!(value(&copies[1], "Stage"), json!({ "optionId": "opt-done" }));
    assert_eq!(value(&copies[1], "Who"), json!({ "userIds": [office.member.id] }));
    assert_eq!(copies.iter().map(|record| record["archivedAt"].is_null()).collect::<Vec<_>>(), [false, true, true]);
    assert_eq!((&copies[2]["parentRecordId"], &copies[2]["version"]), (&copies[1]["id"], &json!(1)));
    assert_eq!(value(&duplicate.put(&office, "Fourth"), "Number")["value"], "T-0004");
    // The block on the page shows the copy.
    let blocks = office.get(&office.other, &format!("/pages/{}/blocks", shape::text(&made["data"]["id"]))).body_of(200);
    assert_eq!(
        (&blocks["data"][0]["type"], &blocks["data"][0]["content"]["databaseId"]),
        (&json!("database"), &json!(id))
    );
    // Original and copy have nothing in common.
    office
        .patch(
            &office.owner,
            &path_of(&copies[1]),
            &json!({ "properties": { duplicate.property("Name"): { "text": "New" } } }),
        )
        .is(200);
    assert_eq!(original.titles(&office, &office.owner, ""), ["Second", "Third"]);
    let event =
        office.events(&office.owner, "page.created", 2).into_iter().find(|event| event["data"]["via"] == "duplicate");
    assert_eq!(event.unwrap()["data"]["pageCount"], 1);
}

fn relation(name: &str, target: &str, bidirectional: bool) -> Value {
    json!({ "name": name, "type": "relation", "config": {
        "targetDatabaseId": target, "cardinality": "one_to_many", "bidirectional": bidirectional, "reverseName": "Back",
    } })
}

fn linked(office: &Office, table: &Table, record: &Value, name: &str) -> Value {
    office.get(&office.owner, &path_of(record)).data(200)["properties"][table.property(name)]["recordIds"].clone()
}

fn relations_lead_to_what_was_copied_along(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Library");
    let people = Table::of(&office, Some(&page), &[]);
    let books = Table::of(&office, Some(&page), &[relation("Authors", &people.id, true)]);
    let people = table(&office, &office.owner, &people.id);
    let [ada, bea] = ["Ada", "Bea"].map(|name| people.put(&office, name));
    let values = [("Name", json!({ "text": "Notes" })), ("Authors", json!({ "recordIds": [bea["id"], ada["id"]] }))];
    books.send(&office, &office.owner, &values).is(201);
    office.post(&office.owner, &format!("{}/views", books.path), &json!({ "name": "Of Ada", "type": "list", "filter":
        { "op": "and", "conditions": [{ "propertyId": books.property("Authors"), "op": "contains_any", "value": { "recordIds": [ada["id"]] } }] } })).is(201);
    let made = copy(&office, &office.owner, &page, &json!({}));
    let [people_copy, books_copy] =
        [&people, &books].map(|original| table(&office, &office.owner, &of(&made, &original.id)));
    let copied_people = records(&office, &people_copy);
    let by_name = |name: &str| {
        let title = people_copy.property("Name");
        copied_people.iter().find(|record| record["properties"][title]["text"] == name).unwrap()["id"].clone()
    };
    let book = &records(&office, &books_copy)[0];
    assert_eq!(
        linked(&office, &books_copy, book, "Authors"),
        json!([by_name("Bea"), by_name("Ada")]),
        "in the same order"
    );
    assert_eq!(linked(&office, &people_copy, &copied_people[0], "Back"), json!([book["id"]]));
    let shown = office.get(&office.owner, &books_copy.path).data(200);
    let filtered = shown["views"].as_array().unwrap().iter().find(|view| view["name"] == "Of Ada").unwrap();
    assert_eq!(filtered["filter"]["conditions"][0]["value"]["recordIds"], json!([by_name("Ada")]));
    let relations = office.get(&office.owner, &format!("{}/relations", books_copy.path)).data(200);
    assert_eq!(relations[0]["targetDatabaseId"], json!(people_copy.id));
    assert_eq!(relations[0]["reversePropertyId"], json!(people_copy.property("Back")));
    // Writing one side of the copy changes the other side of the copy only.
    let cleared = json!({ "properties": { people_copy.property("Back"): { "recordIds": [] } } });
    office.patch(&office.owner, &path_of(&copied_people[0]), &cleared).is(200);
    assert_eq!(linked(&office, &books_copy, book, "Authors").as_array().unwrap().len(), 1);
    assert_eq!(linked(&office, &people, &ada, "Back").as_array().unwrap().len(), 1);
}

fn a_relation_to_another_database_leads_there_from_the_copy(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Books");
    let people = Table::of(&office, None, &[]);
    let books = Table::of(&office, Some(&page), &[relation("Authors", &people.id, true)]);
    let people = table(&office, &office.owner, &people.id);
    let [ada, bea] = ["Ada", "Bea"].map(|name| people.put(&office, name));
    let values = [("Name", json!({ "text": "Notes" })), ("Authors", json!({ "recordIds": [ada["id"], bea["id"]] }))];
    let book = books.send(&office, &office.owner, &values).data(201);
    office.grant(&shape::text(&bea["pageId"]), &[("user", &office.member.id, "NONE")]);
    let made = copy(&office, &office.member, &page, &json!({}));
    let duplicate = table(&office, &office.owner, &of(&made, &books.id));
    let copied = &records(&office, &duplicate)[0];
    assert_eq!(linked(&office, &duplicate, copied, "Authors"), json!([ada["id"]]), "what the copier sees");
    let relations = office.get(&office.owner, &format!("{}/relations", duplicate.path)).data(200);
    let config =
        (&relations[0]["targetDatabaseId"], &relations[0]["bidirectional"], &relations[0]["reversePropertyId"]);
    assert_eq!(config, (&json!(people.id), &json!(false), &Value::Null));
    assert_eq!(linked(&office, &people, &ada, "Back"), json!([book["id"]]), "nothing is added over there");
    let properties = office.get(&office.owner, &format!("{}/properties", people.path)).data(200);
    assert_eq!(properties.as_array().unwrap().len(), 2);
    // The other side becomes a relation of its own as well.
    let home = office.page(&office.owner, &json!({ "title": "People" }));
    let inside = Table::of(&office, Some(&home), &[relation("Friends", &books.id, false)]);
    assert!(inside.property("Friends").starts_with("prop_"));
    let again = copy(&office, &office.owner, &home, &json!({}));
    let again = table(&office, &office.owner, &of(&again, &inside.id));
    let relations = office.get(&office.owner, &format!("{}/relations", again.path)).data(200);
    assert_eq!(relations[0]["targetDatabaseId"], json!(books.id));
}

fn a_copy_holds_only_records_that_one_sees(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let original = Table::of(&office, Some(&page), &[]);
    let [_, secret] = ["Open", "Secret"].map(|title| original.put(&office, title));
    let hidden = Table::of(&office, Some(&page), &[]);
    office
        .call(&office.owner, "PUT", &format!("{}/permissions", hidden.path), &json!({ "inherit": false, "grants": [] }))
        .is(200);
    office.grant(&shape::text(&secret["pageId"]), &[("workspace", &office.id, "NONE")]);
    let below = office.page(&office.owner, &json!({ "title": "Details", "parentId": secret["pageId"] }));
    let made = copy(&office, &office.member, &page, &json!({}));
    assert_eq!(made["idMap"].as_object().unwrap().len(), 2, "{made}");
    assert!(made["idMap"][&below].is_null() && made["idMap"][&hidden.id].is_null());
    let duplicate = table(&office, &office.owner, &of(&made, &original.id));
    assert_eq!(duplicate.titles(&office, &office.owner, ""), ["Open"]);
    let by_owner = copy(&office, &office.owner, &page, &json!({}));
    assert_eq!(by_owner["idMap"].as_object().unwrap().len(), 4, "two databases and the page in a record");
    let duplicate = table(&office, &office.owner, &of(&by_owner, &original.id));
    assert_eq!(duplicate.titles(&office, &office.other, ""), ["Open", "Secret"], "grants are not copied");
    office.get(&office.other, &format!("/pages/{}", of(&by_owner, &below))).is(200);
}

fn records_are_left_out_on_request(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let original = Table::of(&office, Some(&page), &[json!({ "name": "Number", "type": "unique_id" })]);
    let made = original.put(&office, "First");
    office.page(&office.owner, &json!({ "title": "Details", "parentId": made["pageId"] }));
    let without = copy(&office, &office.owner, &page, &json!({ "includeRecords": false }));
    assert_eq!(without["idMap"].as_object().unwrap().len(), 2);
    let duplicate = table(&office, &office.owner, &of(&without, &original.id));
    assert!(records(&office, &duplicate).is_empty());
    let first = duplicate.put(&office, "First");
    assert_eq!(first["properties"][duplicate.property("Number")]["value"], "0001");
    let alone = copy(&office, &office.owner, &page, &json!({ "includeChildren": false }));
    assert_eq!(alone["idMap"].as_object().unwrap().len(), 1);
}

fn pages_of_records_are_copied_with_their_records(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let original = Table::of(&office, Some(&page), &[json!({ "name": "Notes", "type": "rich_text" })]);
    let [first, second] = ["First", "Second"].map(|title| original.put(&office, title));
    let text = json!({ "pageId": first["pageId"], "ops": [{ "op": "upsert", "block": { "type": "paragraph", "content": { "text": "Made of oak" } } }] });
    office.post(&office.owner, "/blocks/batch", &text).is(201);
    let below = office.page(&office.owner, &json!({ "title": "Details", "parentId": first["pageId"] }));
    let mention = json!({ "text": "See", "marks": [{ "type": "mention", "from": 0, "to": 3,
        "attrs": { "mentionType": "page", "mentionId": second["pageId"] } }] });
    let notes = json!({ "properties": { original.property("Notes"): mention } });
    office.patch(&office.owner, &path_of(&first), &notes).is(200);
    let made = copy(&office, &office.owner, &page, &json!({}));
    assert_eq!(made["idMap"].as_object().unwrap().len(), 3, "{made}");
    let duplicate = table(&office, &office.owner, &of(&made, &original.id));
    let copies = records(&office, &duplicate);
    let its_page = shape::text(&copies[0]["pageId"]);
    let markdown = office.get(&office.other, &format!("/pages/{its_page}/markdown"));
    assert!(markdown.text().contains("Made of oak"), "{}", markdown.text());
    let shown = office.get(&office.other, &format!("/pages/{its_page}")).data(200);
    assert_eq!(
        (&shown["recordId"], &shown["parentId"], &shown["title"]),
        (&copies[0]["id"], &json!(duplicate.id), &json!("First"))
    );
    let child = office.get(&office.other, &format!("/pages/{}", of(&made, &below))).data(200);
    assert_eq!(child["parentId"], copies[0]["pageId"]);
    let mark = &copies[0]["properties"][duplicate.property("Notes")]["marks"][0];
    assert_eq!(mark["attrs"]["mentionId"], copies[1]["pageId"], "mentions lead to copies");
    // The copy of the page of one record is a plain page beside the database.
    let single = copy(&office, &office.owner, &shape::text(&first["pageId"]), &json!({}));
    let data = &single["data"];
    assert_eq!(
        (&data["parentId"], &data["recordId"], &data["title"]),
        (&json!(page), &Value::Null, &json!("First (copy)"))
    );
    assert_eq!(single["idMap"][shape::text(&first["pageId"])], data["id"]);
}

fn a_copy_in_another_workspace_knows_nothing_of_the_old_one(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let people = Table::of(&office, None, &[]);
    let ada = people.put(&office, "Ada");
    let properties = [relation("Friend", &people.id, false), json!({ "name": "Who", "type": "person" })];
    let original = Table::of(&office, Some(&page), &properties);
    let values = [
        ("Name", json!({ "text": "Plan" })),
        ("Friend", json!({ "recordIds": [ada["id"]] })),
        ("Who", json!({ "userIds": [office.other.id, office.member.id] })),
    ];
    original.send(&office, &office.owner, &values).is(201);
    let made = copy(&office, &office.member, &page, &json!({ "workspaceId": office.member.workspace }));
    let id = of(&made, &original.id);
    let shown = office.member.get(&format!("/databases/{id}")).send().data(200);
    let names: Vec<_> =
        shown["properties"].as_array().unwrap().iter().map(|property| property["name"].clone()).collect();
    assert_eq!(names, ["Name", "Who"], "a relation to what is not there is left out");
    let list = office.member.get(&format!("/databases/{id}/records")).send().body_of(200);
    let who = shown["properties"][1]["id"].as_str().unwrap();
    assert_eq!(list["data"][0]["properties"][who], json!({ "userIds": [office.member.id] }), "strangers are left out");
    let text = list.to_string() + &shown.to_string();
    for hidden in [&office.id, &office.other.id, &people.id] {
        assert!(!text.contains(hidden.as_str()), "{hidden}");
    }
}

fn what_a_link_covers_is_copied(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let people = Table::of(&office, None, &[]);
    let original = Table::of(&office, Some(&page), &[relation("Friend", &people.id, false)]);
    let [_, secret, old] = ["Open", "Secret", "Old"].map(|title| original.put(&office, title));
    let archived = Table::of(&office, Some(&page), &[]);
    office.grant(&shape::text(&secret["pageId"]), &[("user", &office.guest.id, "NONE")]);
    office.post(&office.owner, &format!("{}/archive", path_of(&old)), &Value::Null).is(200);
    office.patch(&office.owner, &archived.path, &json!({ "archived": true })).is(200);
    let made = link(&office, &office.owner, &page, &json!({ "allowDuplicate": true }));
    let stranger = office.server.person("Zoe");
    let made = stranger.post(&format!("/public/shares/{}/duplicate", token(&made)), &json!({})).send().body_of(201);
    assert_eq!(made["idMap"].as_object().unwrap().len(), 2, "{made}");
    let id = of(&made, &original.id);
    let shown = stranger.get(&format!("/databases/{id}")).send().data(200);
    assert_eq!((shown["properties"].as_array().unwrap().len(), &shown["recordCount"]), (1, &json!(1)));
    let list = stranger.get(&format!("/databases/{id}/records?includeArchived=true")).send().body_of(200);
    assert_eq!(list["data"].as_array().unwrap().len(), 1, "neither archived nor excluded records");
}

fn a_copy_is_not_too_large(engine: Engine) {
    let office = office(engine);
    let shelf = office.below(None, "Shelf");
    let page = office.below(Some(&shelf), "Plans");
    let original = Table::of(&office, Some(&page), &[]);
    let name = original.property("Name");
    let ops: Vec<_> = (0..500)
        .map(|number| json!({ "op": "create", "properties": { name: { "text": format!("Record {number}") } } }))
        .collect();
    for count in [500, 500, 500, 500, 500, 100] {
        let ops = json!({ "ops": ops[..count] });
        office.post(&office.owner, &format!("{}/records/bulk", original.path), &ops).is(200);
    }
    for _ in 0..7 {
        let made = copy(&office, &office.owner, &page, &json!({}));
        let shown = office.get(&office.owner, &format!("/databases/{}", of(&made, &original.id))).data(200);
        assert_eq!((&shown["recordCount"], &made["data"]["parentId"]), (&json!(2_600), &json!(shelf)));
    }
    let again = office.post(&office.owner, &format!("/pages/{shelf}/duplicate"), &json!({}));
    again.refuses(422, "UNPROCESSABLE_ENTITY").issue("too_large");
    let empty = copy(&office, &office.owner, &shelf, &json!({ "includeRecords": false }));
    assert_eq!(empty["idMap"].as_object().unwrap().len(), 1 + 8 * 2);
}
