//! The effects of changing a block, what it does not affect, and which flaws are reported first.

use crate::{
    blocks::UNKNOWN,
    pages::{Office, office},
};
use octavo_tests::{Answer, Engine, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_patch_with_null_content_is_refused_and_changes_nothing,
    bad_content_is_refused_before_a_lock,
    a_batch_reports_malformed_impossible_and_unknown_operations_together,
    archived_false_beside_content_changes_a_live_block,
    a_change_of_content_leaves_what_it_does_not_name,
    a_request_raises_a_block_by_one,
    null_anchors_beside_after_say_nothing,
    parts_that_are_null_are_not_sent,
    deletions_of_one_batch_come_back_one_by_one,
}

fn patch(office: &Office, block: &str, body: &Value) -> Answer {
    office.patch(&office.owner, &format!("/blocks/{block}"), body)
}

fn a_patch_with_null_content_is_refused_and_changes_nothing(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let line = office.line(&page, None, "said");
    for wrong in [Value::Null, json!(5), json!(["said"]), json!(true)] {
        let body = json!({ "content": wrong });
        patch(&office, &line, &body).refuses(400, "VALIDATION_ERROR").of("content", "invalid_type");
        let batch = office.batch(&page, &json!([{ "op": "update", "blockId": line, "patch": body }]));
        batch.refuses(400, "VALIDATION_ERROR").of("patch.content", "invalid_type");
    }
    let wrong = json!([{ "op": "update", "blockId": line, "patch": { "properties": "x" } }]);
    office.batch(&page, &wrong).refuses(400, "VALIDATION_ERROR").of("patch.properties", "invalid_type");
    assert_eq!((office.outline(&page), office.page_version(&page)), (vec!["said".to_owned()], 2));
    // Null clears the properties, in a batch too.
    patch(&office, &line, &json!({ "properties": { "align": "left" } })).is(200);
    let clear = json!([{ "op": "update", "blockId": line, "patch": { "properties": null } }]);
    office.batch(&page, &clear).is(201);
    assert_eq!(office.read_block(&line)["properties"], json!({}));
}

fn bad_content_is_refused_before_a_lock(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let line = office.line(&page, None, "said");
    office.patch(&office.owner, &format!("/pages/{page}"), &json!({ "isLocked": true })).is(200);
    let marked = json!({ "text": "a", "marks": [{ "type": "bold", "from": 0, "to": 9 }] });
    for (content, field, issue) in [(json!(5), "content", "invalid_type"), (marked, "content.marks.0", "invalid_mark")]
    {
        let body = json!({ "content": content, "baseVersion": 1 });
        patch(&office, &line, &body).refuses(400, "VALIDATION_ERROR").of(field, issue);
    }
    let stale = json!({ "content": "x", "baseVersion": 1 });
    patch(&office, &line, &stale).refuses(409, "CONFLICT").of("baseVersion", "version_mismatch");
    patch(&office, &line, &json!({ "content": "x" })).refuses(409, "CONFLICT").issue("page_locked");
    // Flaws that depend on the state of the page are reported after that.
    let nowhere = json!([{ "op": "update", "blockId": UNKNOWN, "patch": { "content": "x" } }]);
    office.batch(&page, &nowhere).refuses(409, "CONFLICT").issue("page_locked");
}

fn a_batch_reports_malformed_impossible_and_unknown_operations_together(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let good = office.line(&page, None, "good");
    let made = "blk_01J8Z3K4M5N6P7Q8R9S0T1V2A1";
    let mention = json!({ "text": "Zoe", "marks": [{ "type": "mention", "from": 0, "to": 3,
        "attrs": { "mentionType": "user", "mentionId": "usr_01J8Z3K4M5N6P7Q8R9S0T1V2W3" } }] });
    let ops = json!([
        { "op": "upsert", "block": { "type": "poem", "id": made } },
        { "op": "update", "blockId": good, "patch": { "content": "better" } },
        { "op": "update", "blockId": UNKNOWN, "patch": { "content": "x" } },
        { "op": "upsert", "block": { "type": "divider", "parentId": made } },
        { "op": "upsert", "block": { "type": "paragraph", "content": mention } },
    ]);
    let refusal = office.batch(&page, &ops).refuses(400, "VALIDATION_ERROR");
    let seen: Vec<_> = refusal.details().iter().map(|flaw| json!([flaw["op"], flaw["field"], flaw["issue"]])).collect();
    assert_eq!(
        seen,
        [
            json!([0, "block.type", "invalid_value"]),
            json!([2, "blockId", "unknown_block"]),
            json!([4, "block.content.marks", "not_found"]),
        ]
    );
    assert_eq!((office.outline(&page), office.page_version(&page)), (vec!["good".to_owned()], 2));
}

fn archived_false_beside_content_changes_a_live_block(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let line = office.line(&page, None, "said");
    let whole = json!({ "type": "quote", "content": "changed", "properties": { "align": "left" }, "archived": false });
    let changed = patch(&office, &line, &whole).data(200);
    assert_eq!([&changed["type"], &changed["content"]["text"]], [&json!("quote"), &json!("changed")]);
    let archiving = json!({ "content": "gone", "archived": true });
    patch(&office, &line, &archiving).refuses(400, "VALIDATION_ERROR").of("content", "invalid_value");
    office.delete(&office.owner, &format!("/blocks/{line}")).is(200);
    let back = json!({ "content": "back", "archived": false });
    patch(&office, &line, &back).refuses(400, "VALIDATION_ERROR").of("content", "invalid_value");
    patch(&office, &line, &json!({ "content": "back" })).refuses(404, "NOT_FOUND");
    assert_eq!(patch(&office, &line, &json!({ "archived": false })).data(200)["content"]["text"], "changed");
}

fn a_change_of_content_leaves_what_it_does_not_name(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let code = office.block(&page, &json!({ "type": "code", "content": { "code": "a", "language": "rust" } }));
    let changed = patch(&office, &code, &json!({ "content": { "code": "b" } })).data(200);
    assert_eq!(changed["content"], json!({ "code": "b", "language": "rust" }));
    let changed = patch(&office, &code, &json!({ "content": "c" })).data(200);
    assert_eq!(changed["content"], json!({ "code": "c", "language": "rust" }));
    let bold = json!([{ "type": "bold", "from": 0, "to": 4 }]);
    let said = json!({ "text": "said", "marks": bold, "citation": "Ada" });
    let quote = office.block(&page, &json!({ "type": "quote", "content": said }));
    let changed = patch(&office, &quote, &json!({ "content": { "citation": "Bob" } })).data(200);
    assert_eq!(changed["content"], json!({ "text": "said", "marks": bold, "citation": "Bob" }));
    // Marks belong to the text with which they were sent.
    for content in [json!({ "text": "a" }), json!("b")] {
        let marks = json!({ "content": { "text": "said", "marks": bold } });
        patch(&office, &quote, &marks).is(200);
        let changed = patch(&office, &quote, &json!({ "content": content })).data(200);
        assert_eq!([&changed["content"]["marks"], &changed["content"]["citation"]], [&json!([]), &json!("Bob")]);
    }
    let properties = json!({ "properties": { "align": "left" } });
    patch(&office, &quote, &properties).is(200);
    assert_eq!(patch(&office, &quote, &json!({ "properties": {} })).data(200)["properties"], json!({}));
}

fn a_request_raises_a_block_by_one(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let (line, source) = (office.line(&page, None, "said"), office.line(&page, None, "source"));
    let instance = office.block(&page, &json!({ "type": "synced_block", "content": { "sourceBlockId": source } }));
    let ops = json!([
        { "op": "update", "blockId": line, "patch": { "content": "changed" } },
        { "op": "move", "blockId": instance, "move": { "beforeBlockId": line } },
        { "op": "delete", "blockId": line },
        { "op": "delete", "blockId": source },
    ]);
    office.batch(&page, &ops).is(201);
    let list = office.get(&office.owner, &format!("/pages/{page}/blocks?includeDeleted=true")).body_of(200);
    let versions: Vec<_> = list["data"].as_array().unwrap().iter().map(|block| block["version"].clone()).collect();
    assert_eq!(versions, [2, 2, 2]);
}

fn null_anchors_beside_after_say_nothing(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let (first, _) = (office.line(&page, None, "first"), office.line(&page, None, "last"));
    let block = json!({ "type": "paragraph", "content": "between", "beforeBlockId": null, "afterBlockId": null });
    let body = json!({ "pageId": page, "op": "insert", "after": first, "block": block });
    office.post(&office.owner, "/blocks", &body).is(201);
    assert_eq!(office.outline(&page), ["first", "between", "last"]);
}

fn parts_that_are_null_are_not_sent(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let line = json!({ "id": null, "type": "paragraph", "content": "a" });
    let ops = json!([{ "op": "upsert", "block": line }]);
    for body in [
        json!({ "pageId": page, "ops": ops, "op": null, "operations": null }),
        json!({ "pageId": page, "op": "insert", "ops": null, "block": line }),
    ] {
        office.post(&office.owner, "/blocks", &body).is(201);
    }
    office.add(&page, &line).is(201);
    let edits = json!({ "edits": [
        { "op": "find_replace", "find": "a\n\na\n\na", "markdown": "b", "all": null },
        { "op": "insert_after", "find": "b", "blockId": null, "markdown": "c" },
    ] });
    office.patch(&office.owner, &format!("/pages/{page}/markdown"), &edits).is(200);
    assert_eq!(office.outline(&page), ["b", "c"]);
    office.post(&office.owner, "/blocks", &json!({ "pageId": page, "ops": null })).refuses(400, "VALIDATION_ERROR");
}

fn deletions_of_one_batch_come_back_one_by_one(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let (a, b, c) = (office.line(&page, None, "a"), office.line(&page, None, "b"), office.line(&page, None, "c"));
    let below = office.line(&page, Some(&c), "below");
    let ops: Vec<_> = [&a, &b, &c].map(|block| json!({ "op": "delete", "blockId": block })).to_vec();
    office.batch(&page, &json!(ops)).is(201);
    let back = json!({ "archived": false });
    patch(&office, &b, &back).is(200);
    assert_eq!(office.outline(&page), ["b"]);
    patch(&office, &c, &back).is(200);
    assert_eq!(
        (office.outline(&page), shape::text(&office.read_block(&below)["parentId"])),
        (["b", "c", "-below"].map(str::to_owned).to_vec(), c,)
    );
}
