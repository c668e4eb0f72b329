//! Blocks: creating, reading, changing, copying and deleting single ones.

use crate::pages::{Office, office};
use octavo_tests::{Answer, Engine, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_block_lives_from_creation_to_deletion,
    a_change_says_what_it_rests_on,
    a_block_turns_into_another_type,
    flaws_of_a_single_block_are_reported_by_their_path,
    a_deleted_block_comes_back_with_what_went_along,
    a_block_comes_back_where_there_is_room_for_it,
    a_copy_keeps_the_order_of_what_is_copied,
    a_copy_stands_where_it_is_put,
}

/// An id that no block has.
pub(crate) const UNKNOWN: &str = "blk_01J8Z3K4M5N6P7Q8R9S0T1V2W3";

impl Office {
    /// Adds a block to a page as the owner.
    pub(crate) fn add(&self, page: &str, body: &Value) -> Answer {
        self.post(&self.owner, &format!("/pages/{page}/blocks"), body)
    }

    /// Adds a block with this body and returns its id.
    #[track_caller]
    pub(crate) fn block(&self, page: &str, body: &Value) -> String {
        shape::id(&self.add(page, body).data(201)["id"], "blk_")
    }

    /// Adds a paragraph to a block, or to the top of the page, and returns its id.
    #[track_caller]
    pub(crate) fn line(&self, page: &str, parent: Option<&str>, text: &str) -> String {
        self.block(page, &json!({ "type": "paragraph", "content": text, "parentId": parent }))
    }

    /// Sends a batch as the owner.
    pub(crate) fn batch(&self, page: &str, ops: &Value) -> Answer {
        self.post(&self.owner, "/blocks", &json!({ "pageId": page, "ops": ops }))
    }

    #[track_caller]
    pub(crate) fn read_block(&self, block: &str) -> Value {
        self.get(&self.owner, &format!("/blocks/{block}")).data(200)
    }

    #[track_caller]
    pub(crate) fn page_version(&self, page: &str) -> i64 {
        self.get(&self.owner, &format!("/pages/{page}")).data(200)["version"].as_i64().unwrap()
    }

    /// The texts of the blocks of a page in order; dashes show their depth.
    #[track_caller]
    pub(crate) fn outline(&self, page: &str) -> Vec<String> {
        let body = self.get(&self.owner, &format!("/pages/{page}/blocks?limit=500")).body_of(200);
        let mut lines = Vec::new();
        write_down(&body["data"], 0, &mut lines);
        lines
    }
}

fn write_down(blocks: &Value, depth: usize, lines: &mut Vec<String>) {
    for block in blocks.as_array().unwrap() {
        lines.push(format!("{}{}", "-".repeat(depth), block["content"]["text"].as_str().unwrap_or_default()));
        write_down(&block["children"], depth + 1, lines);
    }
}

#[expect(clippy::too_many_lines, reason = "a life reads best in one piece")]
fn a_block_lives_from_creation_to_deletion(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let todo = json!({ "type": "todo", "content": "Buy milk", "properties": { "checked": false, "unheard": 1 } });
    let made = office.post(&office.member, &format!("/pages/{page}/blocks"), &todo).body_of(201);
    shape::exactly(&made, &["data", "pageVersion"]);
    assert_eq!(made["pageVersion"], 2);
    let block = &made["data"];
    let fields = [
        "id",
        "pageId",
        "workspaceId",
        "parentId",
        "type",
        "position",
        "properties",
        "content",
        "isSynced",
        "syncedSourceId",
        "createdBy",
        "updatedBy",
        "version",
        "createdAt",
        "updatedAt",
    ];
    shape::exactly(block, &fields);
    let id = shape::id(&block["id"], "blk_");
    for (field, value) in [
        ("pageId", json!(page)),
        ("workspaceId", json!(office.id)),
        ("parentId", json!(null)),
        ("type", json!("todo")),
        ("position", json!("a0")),
        ("properties", json!({ "checked": false })),
        ("content", json!({ "text": "Buy milk", "marks": [] })),
        ("isSynced", json!(false)),
        ("syncedSourceId", json!(null)),
        ("createdBy", json!(office.member.id)),
        ("updatedBy", json!(office.member.id)),
        ("version", json!(1)),
    ] {
        assert_eq!(block[field], value, "{field}");
    }
    shape::millis(&block["createdAt"]);
    let path = format!("/blocks/{id}");
    let mut with_children = block.clone();
    with_children["children"] = json!([]);
    assert_eq!(office.get(&office.other, &path).data(200), with_children);
    let changed = office.patch(&office.other, &path, &json!({ "properties": { "checked": true } })).body_of(200);
    shape::exactly(&changed, &["data", "pageVersion"]);
    assert_eq!((&changed["data"]["version"], &changed["pageVersion"]), (&json!(2), &json!(3)));
    assert_eq!(
        (&changed["data"]["createdBy"], &changed["data"]["updatedBy"]),
        (&json!(office.member.id), &json!(office.other.id))
    );
    assert_eq!(changed["data"]["content"]["text"], "Buy milk", "what is left out stays");
    let cleared = office.patch(&office.other, &path, &json!({ "properties": null })).data(200);
    assert_eq!(cleared["properties"], json!({}), "all of them are replaced");
    let before = office.page_version(&page);
    assert_eq!(office.patch(&office.other, &path, &json!({})).data(200), cleared);
    assert_eq!(office.page_version(&page), before, "nothing is no change");
    let child = office.line(&page, Some(&id), "Skimmed");
    let gone = office.delete(&office.member, &path).body_of(200);
    assert_eq!(gone["data"], json!({ "id": id, "deleted": true, "blockIds": [id, child] }));
    assert_eq!(gone["pageVersion"], json!(before + 2));
    for block in [&id, &child] {
        office.get(&office.owner, &format!("/blocks/{block}")).refuses(404, "NOT_FOUND");
        office.delete(&office.owner, &format!("/blocks/{block}")).refuses(404, "NOT_FOUND");
    }
    assert_eq!(office.outline(&page), [""; 0]);
}

fn a_change_says_what_it_rests_on(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let id = office.line(&page, None, "a");
    let path = format!("/blocks/{id}");
    office.patch(&office.owner, &path, &json!({ "content": "b" })).is(200);
    let sent = |method: &str, path: &str, version: &str, body: Value| {
        let request = office.owner.request(method, path).header("X-Service-Workspace", &office.id);
        request.header("If-Match", version).json(&body).send()
    };
    let stale = json!({ "field": "version", "issue": "version_mismatch", "expected": 2, "received": 1 });
    let stale_page = json!({ "field": "baseVersion", "issue": "version_mismatch", "expected": 3, "received": 1 });
    let move_path = format!("{path}/move");
    for answer in [
        sent("PATCH", &path, "1", json!({ "content": "c" })),
        sent("PATCH", &path, "\"1\"", json!({ "archived": true })),
        sent("POST", &move_path, "1", json!({})),
        sent("POST", &format!("{path}/duplicate"), "1", json!({})),
        sent("DELETE", &path, "1", json!({})),
        office.patch(&office.owner, &path, &json!({ "content": "c", "version": 1 })),
        office.post(&office.owner, &move_path, &json!({ "version": 1 })),
    ] {
        assert_eq!(answer.refuses(409, "CONFLICT").details(), std::slice::from_ref(&stale));
    }
    for answer in [
        office.patch(&office.owner, &path, &json!({ "content": "c", "baseVersion": 1 })),
        office.patch(&office.owner, &path, &json!({ "archived": true, "baseVersion": 1 })),
        sent("POST", &format!("/pages/{page}/blocks"), "1", json!({ "type": "divider" })),
    ] {
        assert_eq!(answer.refuses(409, "CONFLICT").details(), std::slice::from_ref(&stale_page));
    }
    sent("PATCH", &path, "x", json!({ "content": "c" })).refuses(400, "VALIDATION_ERROR");
    let both = sent("PATCH", &path, "2", json!({ "content": "c", "version": 1 }));
    both.refuses(400, "VALIDATION_ERROR").of("version", "invalid_value");
    assert_eq!(office.outline(&page), ["b"]);
    sent("PATCH", &path, "*", json!({ "content": "c" })).is(200);
    sent("PATCH", &path, "3", json!({ "content": "d", "baseVersion": 4 })).is(200);
    sent("DELETE", &path, "\"4\"", json!({})).is(200);
}

fn a_block_turns_into_another_type(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let bold = json!([{ "type": "bold", "from": 0, "to": 3 }]);
    let todo =
        json!({ "type": "todo", "content": { "text": "Buy milk", "marks": bold }, "properties": { "checked": true } });
    let path = format!("/blocks/{}", office.block(&page, &todo));
    let turn = |to: &str| office.patch(&office.owner, &path, &json!({ "type": to })).data(200);
    let heading = turn("heading_1");
    assert_eq!((&heading["type"], &heading["properties"]), (&json!("heading_1"), &json!({})));
    assert_eq!(heading["content"], json!({ "text": "Buy milk", "marks": bold }));
    assert_eq!(turn("code")["content"], json!({ "code": "Buy milk", "language": "plain" }));
    assert_eq!(turn("equation")["content"], json!({ "latex": "Buy milk" }));
    assert_eq!(turn("divider")["content"], json!({}));
    assert_eq!(turn("paragraph")["content"], json!({ "text": "", "marks": [] }));
    let both = json!({ "type": "numbered_list", "content": { "text": "one", "start": 4 }, "properties": {} });
    let list = office.patch(&office.owner, &path, &both).data(200);
    assert_eq!(list["content"], json!({ "text": "one", "marks": [], "start": 4 }));
    for (body, field, issue) in [
        (json!({ "type": "spacer", "content": { "heightPx": 7 } }), "content.heightPx", "too_small"),
        (json!({ "type": "poem" }), "type", "invalid_value"),
        (json!({ "type": "synced_block" }), "type", "invalid_value"),
    ] {
        office.patch(&office.owner, &path, &body).refuses(400, "VALIDATION_ERROR").of(field, issue);
    }
    assert_eq!(office.read_block(list["id"].as_str().unwrap())["type"], "numbered_list");
}

fn flaws_of_a_single_block_are_reported_by_their_path(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let path = format!("/blocks/{}", office.line(&page, None, "a"));
    let mark =
        |from: i32, to: i32| json!({ "text": "\u{1F600}a", "marks": [{ "type": "bold", "from": from, "to": to }] });
    for (body, field, issue) in [
        (json!({}), "type", "required"),
        (json!({ "type": 5 }), "type", "invalid_type"),
        (json!({ "type": "poem" }), "type", "invalid_value"),
        (json!({ "type": "paragraph", "content": 5 }), "content", "invalid_type"),
        (json!({ "type": "divider", "content": "text" }), "content", "invalid_type"),
        (json!({ "type": "paragraph", "content": { "text": 5 } }), "content.text", "invalid_type"),
        (json!({ "type": "paragraph", "content": "x".repeat(100_001) }), "content.text", "too_long"),
        (json!({ "type": "paragraph", "content": mark(0, 4) }), "content.marks.0", "invalid_mark"),
        (json!({ "type": "paragraph", "content": mark(2, 2) }), "content.marks.0", "invalid_mark"),
        (json!({ "type": "paragraph", "content": mark(0, 1) }), "content.marks.0", "invalid_mark"),
        (json!({ "type": "paragraph", "properties": [] }), "properties", "invalid_type"),
        (json!({ "type": "paragraph", "properties": { "align": "up" } }), "properties.align", "invalid_value"),
        (json!({ "type": "paragraph", "id": "blk_x" }), "id", "invalid_id"),
        (json!({ "type": "paragraph", "parentId": "x" }), "parentId", "invalid_id"),
        (json!({ "type": "paragraph", "position": "a-" }), "position", "invalid_position"),
    ] {
        office.add(&page, &body).refuses(400, "VALIDATION_ERROR").of(field, issue);
        if !["type", "id", "parentId", "position"].contains(&field) && body["type"] == "paragraph" {
            let mut parts = body.clone();
            parts.as_object_mut().unwrap().remove("type");
            office.patch(&office.owner, &path, &parts).refuses(400, "VALIDATION_ERROR").of(field, issue);
        }
    }
    let longest = "x".repeat(100_000);
    office.add(&page, &json!({ "type": "paragraph", "content": longest })).is(201);
    let surrogate = office.owner.request("POST", &format!("/pages/{page}/blocks"));
    let surrogate = surrogate.header("X-Service-Workspace", &office.id);
    surrogate
        .body("application/json", r#"{ "type": "paragraph", "content": "\ud800" }"#)
        .send()
        .refuses(400, "VALIDATION_ERROR");
    office
        .add(&page, &json!({ "type": "divider", "parentId": UNKNOWN }))
        .refuses(404, "NOT_FOUND")
        .of("parentId", "not_found");
    let taken = json!({ "type": "divider", "id": path.trim_start_matches("/blocks/") });
    office.add(&page, &taken).refuses(409, "CONFLICT").of("id", "already_exists");
    for (body, field) in [
        (json!({ "archived": true, "content": "x" }), "content"),
        (json!({ "archived": true, "type": "todo" }), "type"),
    ] {
        office.patch(&office.owner, &path, &body).refuses(400, "VALIDATION_ERROR").of(field, "invalid_value");
    }
    assert_eq!(office.page_version(&page), 3);
}

fn a_deleted_block_comes_back_with_what_went_along(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let (first, parent) = (office.line(&page, None, "first"), office.line(&page, None, "parent"));
    let child = office.line(&page, Some(&parent), "child");
    office.line(&page, Some(&child), "below");
    let earlier = office.line(&page, Some(&parent), "earlier");
    office.line(&page, None, "last");
    let path = |block: &str| format!("/blocks/{block}");
    office.delete(&office.owner, &path(&earlier)).is(200);
    let archived = office.patch(&office.owner, &path(&parent), &json!({ "archived": true })).body_of(200);
    shape::exactly(&archived, &["data", "pageVersion"]);
    assert_eq!((&archived["data"]["id"], &archived["data"]["version"]), (&json!(parent), &json!(2)));
    shape::millis(&archived["data"]["deletedAt"]);
    assert_eq!(office.outline(&page), ["first", "last"]);
    office.patch(&office.owner, &path(&parent), &json!({ "content": "x" })).refuses(404, "NOT_FOUND");
    office.add(&page, &json!({ "type": "divider", "parentId": parent })).refuses(404, "NOT_FOUND");
    office.add(&page, &json!({ "type": "divider", "id": parent })).refuses(409, "CONFLICT").issue("already_exists");
    office.batch(&page, &json!([{ "op": "delete", "blockId": parent }])).refuses(400, "VALIDATION_ERROR");
    let stale = json!({ "archived": false, "version": 1 });
    office.patch(&office.owner, &path(&parent), &stale).refuses(409, "CONFLICT").of("version", "version_mismatch");
    let stale = json!({ "archived": false, "baseVersion": 1 });
    office.patch(&office.owner, &path(&parent), &stale).refuses(409, "CONFLICT").of("baseVersion", "version_mismatch");
    let back = office.patch(&office.owner, &path(&parent), &json!({ "archived": false })).body_of(200);
    assert_eq!((&back["data"]["id"], back["data"].get("deletedAt")), (&json!(parent), None));
    assert_eq!(office.outline(&page), ["first", "parent", "-child", "--below", "last"]);
    let version = office.page_version(&page);
    assert_eq!(back["pageVersion"], version);
    let again = office.patch(&office.owner, &path(&parent), &json!({ "archived": false })).body_of(200);
    assert_eq!(again, back, "what is there is not brought back");
    office.patch(&office.owner, &path(&earlier), &json!({ "archived": false })).is(200);
    assert_eq!(office.outline(&page), ["first", "parent", "-child", "--below", "-earlier", "last"]);
    office.delete(&office.owner, &path(&first)).is(200);
    office.patch(&office.owner, &path(UNKNOWN), &json!({ "archived": false })).refuses(404, "NOT_FOUND");
}

fn a_block_comes_back_where_there_is_room_for_it(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let back = |block: &str| office.patch(&office.owner, &format!("/blocks/{block}"), &json!({ "archived": false }));
    let (parent, other) = (office.line(&page, None, "parent"), office.line(&page, None, "other"));
    let child = office.line(&page, Some(&parent), "child");
    for gone in [&child, &parent] {
        office.delete(&office.owner, &format!("/blocks/{gone}")).is(200);
    }
    assert_eq!(back(&child).data(200)["parentId"], Value::Null, "what it stood in is gone");
    assert_eq!(office.outline(&page), ["other", "child"]);
    // The place was taken meanwhile.
    let place = office.read_block(&other)["position"].clone();
    office.delete(&office.owner, &format!("/blocks/{other}")).is(200);
    office.block(&page, &json!({ "type": "paragraph", "content": "taker", "position": place }));
    back(&other).is(200);
    assert_eq!(office.outline(&page), ["taker", "other", "child"]);
    // Its old parent is too deep by now.
    let page = office.below(None, "Deep");
    let (holder, mut deepest) = (office.line(&page, None, "holder"), None::<String>);
    let held = office.line(&page, Some(&holder), "held");
    office.delete(&office.owner, &format!("/blocks/{held}")).is(200);
    for _ in 1..50 {
        deepest = Some(office.line(&page, deepest.as_deref(), "deeper"));
    }
    office.post(&office.owner, &format!("/blocks/{holder}/move"), &json!({ "parentId": deepest })).is(200);
    assert_eq!(back(&held).data(200)["parentId"], Value::Null);
}

fn a_copy_keeps_the_order_of_what_is_copied(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let top = office.line(&page, None, "top");
    let source = office.line(&page, Some(&top), "source");
    office.block(&page, &json!({ "type": "synced_block", "content": { "sourceBlockId": source }, "parentId": top, "beforeBlockId": source }));
    let last = office.line(&page, Some(&top), "last");
    office.line(&page, Some(&last), "below");
    office.line(&page, None, "end");
    let copy = office.post(&office.owner, &format!("/blocks/{top}/duplicate"), &json!({})).body_of(201);
    shape::exactly(&copy, &["duplicated", "newRootId", "blockIds"]);
    assert_eq!(copy["duplicated"], true);
    let root = office.read_block(&shape::id(&copy["newRootId"], "blk_"));
    let lines = ["top", "-source", "-source", "-last", "--below"];
    assert_eq!(office.outline(&page), [&lines[..], &lines[..], &["end"]].concat());
    let children = &root["children"];
    let in_order = [&root, &children[0], &children[1], &children[2], &children[2]["children"][0]];
    assert_eq!(copy["blockIds"], json!(in_order.map(|block| &block["id"])));
    assert_eq!(children[0]["syncedSourceId"], children[1]["id"], "a copied instance shows the copy");
    assert_eq!(root["version"], 1);
}

fn a_copy_stands_where_it_is_put(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let (a, b) = (office.line(&page, None, "a"), office.line(&page, None, "b"));
    let child = office.line(&page, Some(&a), "child");
    let copy = |body: Value| office.post(&office.owner, &format!("/blocks/{a}/duplicate"), &body);
    copy(json!({ "parentId": b })).is(201);
    assert_eq!(office.outline(&page), ["a", "-child", "b", "-a", "--child"]);
    copy(json!({ "parentId": null, "afterBlockId": b })).is(201);
    assert_eq!(office.outline(&page), ["a", "-child", "b", "-a", "--child", "a", "-child"]);
    let version = office.page_version(&page);
    copy(json!({ "parentId": UNKNOWN })).refuses(404, "NOT_FOUND").of("parentId", "not_found");
    copy(json!({ "parentId": b, "afterBlockId": child }))
        .refuses(400, "VALIDATION_ERROR")
        .of("afterBlockId", "anchor_not_sibling");
    copy(json!({ "afterBlockId": UNKNOWN })).refuses(400, "VALIDATION_ERROR").of("afterBlockId", "anchor_not_sibling");
    let elsewhere = office.line(&office.below(None, "Else"), None, "x");
    copy(json!({ "parentId": elsewhere })).refuses(404, "NOT_FOUND");
    office.post(&office.owner, &format!("/blocks/{UNKNOWN}/duplicate"), &json!({})).refuses(404, "NOT_FOUND");
    assert_eq!(office.page_version(&page), version);
}
