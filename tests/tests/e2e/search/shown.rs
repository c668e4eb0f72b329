//! What is shown of results.

use super::{eventually, eventually_all, find, result};
use crate::{comments::begin, pages::office, records::Table};
use octavo_tests::{Engine, both_engines, shape};
use serde_json::json;

both_engines! {
    a_page_is_shown_with_its_place_and_level,
    records_databases_and_comments_are_shown_with_theirs,
    highlights_show_what_was_found,
    highlights_count_in_utf_16,
}

fn a_page_is_shown_with_its_place_and_level(engine: Engine) {
    let office = office(engine);
    let top = office.below(None, "Top");
    let body = json!({ "title": "Gecko", "icon": "\u{1F98E}", "parentId": top });
    let page = office.page(&office.member, &body);
    eventually(&office, &office.member, "gecko", "", &[&page]);
    let found = result(&office, &office.member, "gecko", &page);
    for (field, value) in [
        ("type", json!("page")),
        ("pageId", json!(page)),
        ("databaseId", json!(null)),
        ("title", json!("Gecko")),
        ("icon", json!("\u{1F98E}")),
        ("ancestors", json!([{ "id": top, "type": "page", "title": "Top" }])),
        ("accessLevel", json!("EDIT")),
        ("createdBy", json!(office.member.id)),
        ("updatedBy", json!(office.member.id)),
    ] {
        assert_eq!(found[field], value, "{field}");
    }
    let shown = office.get(&office.member, &format!("/pages/{page}")).data(200);
    for field in ["createdAt", "updatedAt"] {
        assert_eq!(found[field], shown[field], "{field}");
    }
    let title = json!([{ "field": "title", "blockId": null, "propertyId": null, "text": "Gecko", "ranges": [[0, 5]] }]);
    assert_eq!(found["highlights"], title);
}

fn records_databases_and_comments_are_shown_with_theirs(engine: Engine) {
    let office = office(engine);
    let top = office.below(None, "Top");
    let table = Table::create(&office, &json!({ "title": "Newt list", "icon": "\u{1F98E}", "parentId": top }));
    let record = table.put(&office, "Newt one");
    let (id, page) = (shape::text(&record["id"]), shape::text(&record["pageId"]));
    let thread = begin(&office, &office.owner, &json!({ "pageId": top, "body": "a newt" }));
    let thread = shape::text(&thread["id"]);
    eventually_all(&office, &office.owner, "newt", "", &[&table.id, &id, &thread]);
    let found = result(&office, &office.owner, "newt", &id);
    let above = json!([{ "id": top, "type": "page", "title": "Top" }, { "id": table.id, "type": "database", "title": "Newt list" }]);
    assert_eq!((&found["type"], &found["ancestors"]), (&json!("record"), &above));
    assert_eq!((&found["pageId"], &found["databaseId"]), (&json!(page), &json!(table.id)));
    assert_eq!((&found["title"], &found["highlights"][0]["field"]), (&json!("Newt one"), &json!("title")));
    let found = result(&office, &office.owner, "newt", &table.id);
    assert_eq!(
        (&found["type"], &found["pageId"], &found["icon"]),
        (&json!("database"), &json!(top), &json!("\u{1F98E}"))
    );
    assert_eq!(found["ancestors"], json!([{ "id": top, "type": "page", "title": "Top" }]));
    let found = result(&office, &office.owner, "newt", &thread);
    assert_eq!((&found["type"], &found["pageId"], &found["title"]), (&json!("comment"), &json!(top), &json!("Top")));
    assert_eq!(found["highlights"][0]["field"], "comment");
    // The page of a record that is used is still found once.
    office.line(&page, None, "more newts");
    eventually_all(&office, &office.owner, "newt", "", &[&table.id, &id, &thread]);
    // The first comment gives the page of a record its row, after the tree of pages was read for the searches above.
    let other = table.put(&office, "Two");
    let on_record = begin(&office, &office.owner, &json!({ "recordId": other["id"], "body": "an axolotl" }));
    let on_record = shape::text(&on_record["id"]);
    eventually_all(&office, &office.owner, "axolotl", "", &[&on_record]);
    let found = result(&office, &office.owner, "axolotl", &on_record);
    assert_eq!((&found["pageId"], &found["title"]), (&other["pageId"], &json!("Two")));
}

fn highlights_show_what_was_found(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let text = format!("{} a red-eyed frog {}", "before ".repeat(60), "after ".repeat(60));
    let line = office.line(&page, None, &text);
    office.line(&page, None, "a toad");
    eventually(&office, &office.owner, "\"eyed frog\" toad", "", &[&page]);
    let found = result(&office, &office.owner, "\"eyed frog\" toad", &page);
    let highlights = found["highlights"].as_array().unwrap();
    assert_eq!(highlights.len(), 2);
    let shown = shape::text(&highlights[0]["text"]);
    assert_eq!((&highlights[0]["field"], &highlights[0]["blockId"]), (&json!("text"), &json!(line)));
    assert!(shown.chars().count() <= 240 && text.contains(&shown), "{shown}");
    let at = shown.find("eyed frog").unwrap();
    assert_eq!(highlights[0]["ranges"], json!([[at, at + 9]]));
    for _ in 0..5 {
        office.line(&page, None, "one more frog");
    }
    eventually(&office, &office.owner, "\"more frog\"", "", &[&page]);
    let found = result(&office, &office.owner, "\"more frog\"", &page);
    assert_eq!(found["highlights"].as_array().unwrap().len(), 3);
    let table = Table::of(&office, None, &[json!({ "name": "Note", "type": "text" })]);
    let values = [("Name", json!({ "text": "Pond" })), ("Note", json!({ "text": "a salamander" }))];
    let record = table.send(&office, &office.owner, &values).data(201);
    let id = shape::text(&record["id"]);
    eventually(&office, &office.owner, "salamander", "", &[&id]);
    let found = result(&office, &office.owner, "salamander", &id);
    let note = json!({
        "field": "property", "blockId": null, "propertyId": table.property("Note"),
        "text": "a salamander", "ranges": [[2, 12]],
    });
    assert_eq!(found["highlights"], json!([note]));
}

fn highlights_count_in_utf_16(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "\u{1F600}\u{1F600} axolotl e\u{301}t\u{e9}");
    eventually(&office, &office.owner, "axolotl", "", &[&page]);
    let body = find(&office, &office.owner, "axolotl ete", "").body_of(200);
    assert_eq!(body["data"][0]["highlights"][0]["ranges"], json!([[5, 12], [13, 17]]));
}
