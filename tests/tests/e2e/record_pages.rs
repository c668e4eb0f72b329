//! The pages of records.

use crate::{
    pages::office,
    records::{Table, path_of},
};
use octavo_tests::{Engine, both_engines};
use serde_json::{Value, json};

both_engines! {
    the_page_of_a_record_can_be_read_at_once,
    the_page_of_a_record_takes_blocks_and_pages,
    titles_are_written_both_ways,
    the_page_of_a_record_goes_with_its_record_only,
    blocks_name_the_page_of_a_record_that_nobody_has_opened,
    the_page_of_a_record_is_a_favorite_like_any_other,
    a_page_goes_to_the_trash_with_its_database,
}

fn page_of(record: &Value) -> String {
    format!("/pages/{}", record["pageId"].as_str().unwrap())
}

fn the_page_of_a_record_can_be_read_at_once(engine: Engine) {
    let office = office(engine);
    let parent = office.below(None, "Plans");
    let table = Table::of(&office, Some(&parent), &[]);
    let made = table.put(&office, "Chair");
    let page = office.get(&office.member, &page_of(&made)).data(200);
    assert_eq!((&page["title"], &page["recordId"]), (&json!("Chair"), &made["id"]));
    assert_eq!((&page["parentType"], &page["parentId"]), (&json!("database"), &json!(table.id)));
    let ancestors: Vec<_> = page["ancestors"].as_array().unwrap().iter().map(|step| step["id"].clone()).collect();
    assert_eq!(ancestors, [json!(parent), json!(table.id)]);
    let blocks = office.get(&office.member, &format!("{}/blocks", page_of(&made))).body_of(200);
    assert!(blocks["data"].as_array().unwrap().is_empty());
    office.grant(&parent, &[("user", &office.member.id, "NONE")]);
    office.get(&office.member, &page_of(&made)).refuses(404, "NOT_FOUND");
    office.get(&office.guest, &page_of(&made)).refuses(404, "NOT_FOUND");
    // Neither lists nor trees show it unless it is asked for.
    let listed = office.get(&office.owner, "/pages").body_of(200);
    assert_eq!(listed["data"].as_array().unwrap().len(), 1);
}

fn the_page_of_a_record_takes_blocks_and_pages(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let made = table.put(&office, "Chair");
    let block = json!({ "pageId": made["pageId"], "ops": [{ "op": "upsert", "block": { "type": "paragraph", "content": { "text": "Made of oak" } } }] });
    office.post(&office.member, "/blocks/batch", &block).is(201);
    let text = office.get(&office.other, &format!("{}/markdown", page_of(&made)));
    assert!(text.text().contains("Made of oak"), "{}", text.text());
    let below = office.page(&office.member, &json!({ "title": "Details", "parentId": made["pageId"] }));
    let shown = office.get(&office.other, &format!("/pages/{below}")).data(200);
    assert_eq!(shown["parentId"], made["pageId"]);
    let other = table.put(&office, "Table");
    let by_record = office.page(&office.member, &json!({ "title": "More", "parentId": other["id"] }));
    assert_eq!(office.get(&office.other, &format!("/pages/{by_record}")).data(200)["parentId"], other["pageId"]);
    let records = office.get(&office.other, &format!("{}/records", table.path)).body_of(200);
    assert_eq!(records["data"].as_array().unwrap().len(), 2);
}

fn titles_are_written_both_ways(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let made = table.put(&office, "Chair");
    let name = table.property("Name");
    let title = |text: &str| json!({ "properties": { name: { "text": text } } });
    let page = |field: &str| office.get(&office.owner, &page_of(&made)).data(200)[field].clone();
    office.patch(&office.owner, &path_of(&made), &title("Stool")).is(200);
    assert_eq!(page("title"), "Stool");
    let change = json!({ "title": "Bench", "icon": "\u{1fa91}", "coverUrl": "https://example.com/b.png" });
    office.patch(&office.member, &page_of(&made), &change).is(200);
    let record = office.get(&office.owner, &path_of(&made)).data(200);
    assert_eq!(record["properties"][name]["text"], "Bench");
    assert_eq!((&record["icon"], &record["coverUrl"]), (&change["icon"], &change["coverUrl"]));
    assert_eq!((&record["version"], &record["lastEditedBy"]), (&json!(3), &json!(office.member.id)));
    let back = json!({ "properties": { name: { "text": "Sofa" } }, "icon": null });
    office.patch(&office.owner, &path_of(&made), &back).is(200);
    assert_eq!((page("title"), page("icon")), (json!("Sofa"), Value::Null));
    assert_eq!(office.events(&office.owner, "page.updated", 2).len(), 2);
    office.patch(&office.owner, &table.path, &json!({ "archived": true })).is(200);
    let refused = office.patch(&office.owner, &page_of(&made), &json!({ "title": "Desk" })).refuses(409, "CONFLICT");
    refused.issue("database_archived");
}

fn the_page_of_a_record_goes_with_its_record_only(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let made = table.put(&office, "Chair");
    office.delete(&office.owner, &page_of(&made)).refuses(422, "UNPROCESSABLE_ENTITY").issue("record_page");
    let home = office.below(None, "Home");
    let refused = office.post(&office.owner, &format!("{}/move", page_of(&made)), &json!({ "parentId": home }));
    refused.refuses(422, "UNPROCESSABLE_ENTITY").issue("record_page");
    let restored = office.post(&office.owner, &format!("{}/restore", page_of(&made)), &json!({})).body_of(200);
    assert_eq!((&restored["data"]["id"], &restored["relocated"]), (&made["pageId"], &json!(false)));
    let record = office.get(&office.owner, &path_of(&made)).data(200);
    assert_eq!(record["version"], made["version"], "an active page stays as it is");
}

fn blocks_name_the_page_of_a_record_that_nobody_has_opened(engine: Engine) {
    let office = office(engine);
    let parent = office.below(None, "Plans");
    let table = Table::of(&office, Some(&parent), &[]);
    let [mentioned, pointed] = ["Chair", "Desk"].map(|title| table.put(&office, title));
    let from = office.below(None, "From");
    let mention = |id: &Value| {
        let attrs = json!({ "mentionType": "page", "mentionId": id });
        json!({ "type": "paragraph", "content": { "text": "it", "marks": [{ "type": "mention", "from": 0, "to": 2, "attrs": attrs }] } })
    };
    let child = |id: &Value| json!({ "type": "child_page", "content": { "pageId": id } });
    let send = |block: &Value| office.post(&office.member, &format!("/pages/{from}/blocks"), block);
    send(&mention(&mentioned["pageId"])).is(201);
    send(&child(&pointed["pageId"])).is(201);
    for (record, kind) in [(&mentioned, "mention"), (&pointed, "pointer")] {
        let listed = office.get(&office.member, &format!("{}/backlinks", page_of(record))).body_of(200);
        assert_eq!((&listed["data"][0]["pageId"], &listed["data"][0]["kind"]), (&json!(from), &json!(kind)));
    }
    let unknown = json!("pg_01J8Z3K4M5N6P7Q8R9S0T1V2W3");
    let hidden = table.put(&office, "Lamp")["pageId"].clone();
    office.grant(&parent, &[("user", &office.member.id, "NONE")]);
    for id in [&unknown, &hidden] {
        send(&mention(id)).refuses(404, "NOT_FOUND").of("content.marks", "not_found");
        send(&child(id)).refuses(404, "NOT_FOUND").of("content.pageId", "not_found");
    }
}

fn the_page_of_a_record_is_a_favorite_like_any_other(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let made = table.put(&office, "Chair");
    let path = format!("/favorites/{}", made["pageId"].as_str().unwrap());
    office.call(&office.member, "PUT", &path, &json!({})).is(200);
    let favorites = office.get(&office.member, "/favorites").body_of(200);
    assert_eq!(favorites["data"].as_array().unwrap().len(), 1);
    office.call(&office.owner, "DELETE", &path_of(&made), &json!({ "confirm": made["id"] })).is(202);
    let favorites = office.get(&office.member, "/favorites").body_of(200);
    assert!(favorites["data"].as_array().unwrap().is_empty());
}

fn a_page_goes_to_the_trash_with_its_database(engine: Engine) {
    let office = office(engine);
    let parent = office.below(None, "Plans");
    let table = Table::of(&office, Some(&parent), &[]);
    let (used, unused) = (table.put(&office, "Used"), table.put(&office, "Unused"));
    let block = |record: &Value| json!({ "pageId": record["pageId"], "ops": [{ "op": "upsert", "block": { "type": "divider" } }] });
    office.post(&office.owner, "/blocks/batch", &block(&used)).is(201);
    office.delete(&office.owner, &format!("/pages/{parent}")).is(200);
    for record in [&used, &unused] {
        office.get(&office.owner, &page_of(record)).is(200);
        let refused = office.post(&office.owner, "/blocks/batch", &block(record));
        refused.refuses(409, "CONFLICT").issue("page_trashed");
    }
    let gone = json!({ "confirm": parent });
    office.call(&office.owner, "DELETE", &format!("/pages/{parent}?permanent=true"), &gone).is(202);
    for record in [&used, &unused] {
        office.get(&office.owner, &page_of(record)).refuses(404, "NOT_FOUND");
        office.get(&office.owner, &path_of(record)).refuses(404, "NOT_FOUND");
    }
}
