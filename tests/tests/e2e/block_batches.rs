//! Many changes of blocks in one call.

use crate::{blocks::UNKNOWN, pages::office};
use octavo_tests::{Answer, Engine, both_engines, poll, shape};
use serde_json::{Value, json};

both_engines! {
    a_batch_does_its_operations_in_their_order,
    each_form_works_under_both_names,
    exactly_one_form_is_sent,
    all_operations_are_of_one_page,
    a_batch_that_cannot_be_done_as_a_whole_changes_nothing,
    a_batch_that_changes_nothing_leaves_the_version,
    a_batch_rests_on_a_version,
    a_batch_has_its_limits,
    the_same_id_is_given_once,
}

const FIRST: &str = "blk_01J8Z3K4M5N6P7Q8R9S0T1V2A1";
const SECOND: &str = "blk_01J8Z3K4M5N6P7Q8R9S0T1V2A2";

fn line(text: &str) -> Value {
    json!({ "op": "upsert", "block": { "type": "paragraph", "content": text } })
}

fn a_batch_does_its_operations_in_their_order(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let old = office.line(&page, None, "old");
    let ops = json!([
        { "op": "upsert", "block": { "type": "toggle", "id": FIRST, "content": "first", "beforeBlockId": old } },
        { "op": "upsert", "block": { "type": "paragraph", "id": SECOND, "content": "second", "parentId": FIRST } },
        { "op": "insert", "block": { "type": "paragraph", "content": "third", "afterBlockId": FIRST } },
        { "op": "update", "blockId": SECOND, "patch": { "content": "changed" } },
        { "op": "move", "blockId": old, "move": { "parentId": FIRST, "beforeBlockId": SECOND } },
        { "op": "upsert", "block": { "type": "divider", "parentId": SECOND } },
        { "op": "delete", "blockId": SECOND },
        { "op": "update", "blockId": old, "patch": { "type": "todo", "properties": { "checked": true }, "parentId": null } },
    ]);
    let done = office.batch(&page, &ops).body_of(201);
    shape::exactly(&done, &["applied", "blockIds", "version"]);
    assert_eq!((&done["applied"], &done["version"]), (&json!(8), &json!(3)));
    let ids = done["blockIds"].as_array().unwrap();
    for (index, id) in [(0, FIRST), (1, SECOND), (3, SECOND), (4, &old), (6, SECOND), (7, &old)] {
        assert_eq!(ids[index], id, "{index}");
    }
    assert_eq!(office.outline(&page), ["first", "third", "old"]);
    let old = office.read_block(&old);
    assert_eq!((&old["type"], &old["version"]), (&json!("todo"), &json!(2)), "counted once for a batch");
    assert_eq!(office.page_version(&page), 3);
}

fn each_form_works_under_both_names(engine: Engine) {
    let office = office(engine);
    for path in ["/blocks", "/blocks/batch"] {
        let page = office.below(None, "Plan");
        let send = |body: Value| office.post(&office.owner, path, &body).body_of(201);
        let a = send(json!({ "pageId": page, "ops": [line("a")] }))["blockIds"][0].clone();
        let block = json!({ "type": "paragraph", "content": "b" });
        let b = send(json!({ "op": "insert", "pageId": page, "after": a, "block": block }))["blockIds"][0].clone();
        send(
            json!({ "op": "insert", "pageId": page, "after": null, "block": { "type": "paragraph", "content": "z" } }),
        );
        let first = FIRST.replace("A1", if path == "/blocks" { "B1" } else { "B2" });
        let done = send(json!({ "operations": [
            { "pageId": page, "op": "insert", "blockId": first, "block": block, "target": { "parentId": a } },
            { "pageId": page, "op": "upsert", "block": { "type": "paragraph", "content": "c" }, "target": { "afterBlockId": a } },
            { "pageId": page, "op": "update", "blockId": first, "version": 1, "block": { "content": "changed" } },
            { "pageId": page, "op": "move", "blockId": b, "version": 1, "target": { "beforeBlockId": a } },
        ] }));
        assert_eq!((&done["applied"], &done["blockIds"][0], &done["blockIds"][3]), (&json!(4), &json!(first), &b));
        assert_eq!(office.outline(&page), ["b", "a", "-changed", "c", "z"]);
        let done = send(json!({ "pageId": page, "operations": [{ "op": "delete", "blockId": a, "version": 1 }] }));
        assert_eq!(done["version"], 6);
        assert_eq!(office.outline(&page), ["b", "c", "z"]);
        let stale =
            json!({ "pageId": page, "operations": [{ "op": "update", "blockId": b, "version": 1, "block": {} }] });
        office.post(&office.owner, path, &stale).refuses(409, "CONFLICT").of("version", "version_mismatch");
        let stale = json!({ "op": "insert", "pageId": page, "baseVersion": 1, "block": block });
        office.post(&office.owner, path, &stale).refuses(409, "CONFLICT").of("baseVersion", "version_mismatch");
    }
}

fn exactly_one_form_is_sent(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let block = json!({ "type": "divider" });
    let refused = |body: Value, field: &str, issue: &str| {
        office.post(&office.owner, "/blocks", &body).refuses(400, "VALIDATION_ERROR").of(field, issue);
    };
    refused(json!({ "pageId": page }), "ops", "required");
    refused(json!({ "pageId": page, "ops": [] }), "ops", "too_short");
    refused(json!({ "pageId": page, "operations": [] }), "operations", "too_short");
    let empty = office.post(&office.owner, "/blocks", &json!({ "pageId": page, "ops": [] }));
    let empty = empty.refuses(400, "VALIDATION_ERROR").names("ops").clone();
    assert_eq!((&empty["min"], &empty["max"]), (&json!(1), &json!(200)), "{empty}");
    refused(json!({ "pageId": page, "ops": {} }), "ops", "invalid_type");
    refused(json!({ "pageId": page, "ops": [line("a")], "operations": [] }), "operations", "invalid_value");
    refused(json!({ "pageId": page, "ops": [line("a")], "op": "insert", "block": block }), "op", "invalid_value");
    refused(json!({ "pageId": page, "operations": [], "op": "insert", "block": block }), "op", "invalid_value");
    refused(json!({ "pageId": page, "op": "delete", "block": block }), "op", "invalid_value");
    refused(json!({ "pageId": page, "op": "insert" }), "block", "required");
    refused(json!({ "pageId": page, "op": "insert", "block": 5 }), "block", "invalid_type");
    for (name, value) in [("afterBlockId", FIRST), ("beforeBlockId", FIRST), ("position", "a1")] {
        let block = json!({ "type": "divider", name: value });
        refused(json!({ "pageId": page, "op": "insert", "after": SECOND, "block": block }), "after", "invalid_value");
    }
    assert_eq!(office.page_version(&page), 1);
}

fn all_operations_are_of_one_page(engine: Engine) {
    let office = office(engine);
    let (page, other) = (office.below(None, "Plan"), office.below(None, "Other"));
    let there = office.line(&other, None, "there");
    let entry = |page: &str| json!({ "pageId": page, "op": "insert", "block": { "type": "divider" } });
    for body in [
        json!({ "operations": [entry(&page), entry(&other)] }),
        json!({ "pageId": other, "operations": [entry(&page)] }),
        json!({ "pageId": "pg_x", "ops": [line("a")] }),
        json!({ "pageId": 5, "ops": [line("a")] }),
        json!({ "ops": [line("a")] }),
        json!({ "operations": [{ "op": "insert", "block": { "type": "divider" } }] }),
    ] {
        let answer = office.post(&office.owner, "/blocks", &body);
        answer.refuses(400, "VALIDATION_ERROR").names("pageId");
        office.post(&office.guest, "/blocks", &body).is_like(&answer);
    }
    office.post(&office.owner, "/blocks", &json!({ "operations": [entry(&page), entry(&page)] })).is(201);
    let version = office.page_version(&page);
    for op in ["update", "delete", "move"] {
        let op = json!({ "op": op, "blockId": there, "patch": { "content": "x" }, "move": {} });
        office.batch(&page, &json!([op])).refuses(400, "VALIDATION_ERROR").of("blockId", "unknown_block");
    }
    let inside = json!([{ "op": "upsert", "block": { "type": "divider", "parentId": there } }]);
    office.batch(&page, &inside).refuses(404, "NOT_FOUND").of("block.parentId", "not_found");
    assert_eq!((office.page_version(&page), office.page_version(&other)), (version, 2));
}

#[expect(clippy::too_many_lines, reason = "flaws of every kind, and what is reported of each")]
fn a_batch_that_cannot_be_done_as_a_whole_changes_nothing(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let a = office.line(&page, None, "a");
    let flaws_of = |answer: &Answer| -> Vec<(Value, Value, Value)> {
        let error = answer.json()["error"]["details"].clone();
        let entry = |detail: &Value| (detail["op"].clone(), detail["field"].clone(), detail["issue"].clone());
        error.as_array().unwrap().iter().map(entry).collect()
    };
    let answer = office.batch(
        &page,
        &json!([
            line("good"),
            { "op": "upsert", "block": { "type": "poem" } },
            { "op": "rename", "blockId": a },
            { "op": "delete" },
            { "op": "delete", "blockId": "blk_x" },
            5,
            {},
            { "op": "update", "blockId": a },
            { "op": "upsert", "block": { "type": "paragraph", "content": { "text": 5 }, "position": "-" } },
            { "op": "move", "blockId": a, "move": { "parentId": "x" } },
        ]),
    );
    answer.refuses(400, "VALIDATION_ERROR");
    let flaw = |op: usize, field: &str, issue: &str| (json!(op), json!(field), json!(issue));
    assert_eq!(
        flaws_of(&answer),
        [
            flaw(1, "block.type", "invalid_value"),
            flaw(2, "op", "invalid_value"),
            flaw(3, "blockId", "required"),
            flaw(4, "blockId", "invalid_id"),
            flaw(5, "op", "invalid_type"),
            flaw(6, "op", "required"),
            flaw(7, "patch", "required"),
            flaw(8, "block.position", "invalid_position"),
            flaw(8, "block.content.text", "invalid_type"),
            flaw(9, "move.parentId", "invalid_id"),
        ]
    );
    let answer = office.batch(&page, &json!([
        line("good"),
        { "op": "update", "blockId": UNKNOWN, "patch": { "content": "x" } },
        { "op": "upsert", "block": { "type": "divider", "parentId": UNKNOWN } },
        { "op": "update", "blockId": a, "patch": { "content": { "text": "a", "marks": [{ "type": "bold", "from": 0, "to": 2 }] } } },
        { "op": "update", "blockId": a, "version": 7, "patch": { "content": "x" } },
        { "op": "move", "blockId": a, "move": { "parentId": a } },
    ]));
    answer.refuses(400, "VALIDATION_ERROR");
    assert_eq!(
        flaws_of(&answer),
        [
            flaw(1, "blockId", "unknown_block"),
            flaw(2, "block.parentId", "not_found"),
            flaw(3, "patch.content.marks.0", "invalid_mark"),
            flaw(4, "version", "version_mismatch"),
            flaw(5, "move.parentId", "cycle_detected"),
        ]
    );
    assert_eq!(office.outline(&page), ["a"]);
    assert_eq!(office.page_version(&page), 2);
}

fn a_batch_that_changes_nothing_leaves_the_version(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let (a, b) = (office.line(&page, None, "a"), office.line(&page, None, "b"));
    let ops = json!([
        { "op": "update", "blockId": a, "patch": { "content": "a" } },
        { "op": "update", "blockId": a, "patch": {} },
        { "op": "update", "blockId": a, "patch": { "parentId": null } },
        { "op": "move", "blockId": b, "move": { "afterBlockId": a } },
        { "op": "move", "blockId": b, "move": {} },
    ]);
    let done = office.batch(&page, &ops).body_of(201);
    assert_eq!(done, json!({ "applied": 5, "blockIds": [a, a, a, b, b], "version": 3 }));
    assert_eq!((office.page_version(&page), &office.read_block(&a)["version"]), (3, &json!(1)));
    office.line(&page, None, "c");
    let versions = poll::eventually("the events of the change behind it", || {
        let list = office.get(&office.owner, &format!("/events?resourceId={page}")).body_of(200)["data"].clone();
        let of_blocks = |event: &&Value| event["type"] == "blocks.changed";
        let versions: Vec<_> =
            list.as_array()?.iter().filter(of_blocks).map(|event| event["version"].clone()).collect();
        (versions.last() == Some(&json!(4))).then_some(versions)
    });
    assert_eq!(versions, [2, 3, 4], "it has no event");
}

fn a_batch_rests_on_a_version(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    office.line(&page, None, "a");
    let send = |header: Option<&str>, base: Value| {
        let mut body = json!({ "pageId": page, "ops": [line("b")] });
        if !base.is_null() {
            body["baseVersion"] = base;
        }
        let request = office.owner.post("/blocks", &body).header("X-Service-Workspace", &office.id);
        header.map_or(request.clone(), |header| request.header("If-Match", header)).send()
    };
    let stale = json!({ "field": "baseVersion", "issue": "version_mismatch", "expected": 2, "received": 1 });
    for answer in [send(None, json!(1)), send(Some("1"), Value::Null), send(Some("\"1\""), json!(1))] {
        assert_eq!(answer.refuses(409, "CONFLICT").details(), std::slice::from_ref(&stale));
    }
    send(Some("1"), json!(2)).refuses(400, "VALIDATION_ERROR").of("baseVersion", "invalid_value");
    send(None, json!("two")).refuses(400, "VALIDATION_ERROR").names("baseVersion");
    assert_eq!(send(Some("2"), json!(2)).body_of(201)["version"], 3);
    assert_eq!(send(Some("*"), Value::Null).body_of(201)["version"], 4);
}

fn a_batch_has_its_limits(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let many = |count: usize| Value::Array((0..count).map(|number| line(&number.to_string())).collect());
    let refusal = office.batch(&page, &many(201)).refuses(413, "PAYLOAD_TOO_LARGE");
    assert_eq!((refusal.issue("too_long").detail()["limit"].clone(), office.page_version(&page)), (json!(200), 1));
    assert_eq!(office.batch(&page, &many(200)).body_of(201)["applied"], 200);
    assert_eq!(office.outline(&page), (0..200).map(|number| number.to_string()).collect::<Vec<_>>());
    let sized = |bytes: usize| {
        let mut body = json!({ "pageId": page, "ops": [line("fits")] }).to_string();
        body.push_str(&" ".repeat(bytes - body.len()));
        let request = office.owner.request("POST", "/blocks").header("X-Service-Workspace", &office.id);
        request.body("application/json", body).send()
    };
    sized(1 << 20).is(201);
    sized((1 << 20) + 1).refuses(413, "PAYLOAD_TOO_LARGE");
}

fn the_same_id_is_given_once(engine: Engine) {
    let office = office(engine);
    let (page, other) = (office.below(None, "Plan"), office.below(None, "Other"));
    let with_id = json!({ "op": "upsert", "block": { "type": "paragraph", "id": FIRST, "content": "a" } });
    let twice = office.batch(&page, &json!([with_id, with_id]));
    let refusal = twice.refuses(409, "CONFLICT");
    assert_eq!(refusal.of("block.id", "already_exists").detail()["op"], 1);
    office.batch(&page, &json!([with_id])).is(201);
    for page in [&page, &other] {
        office.batch(page, &json!([with_id])).refuses(409, "CONFLICT").of("block.id", "already_exists");
    }
    let zoe = office.server.person("Zoe");
    let theirs = shape::text(&zoe.post("/pages", &json!({})).send().data(201)["id"]);
    zoe.post("/blocks", &json!({ "pageId": theirs, "ops": [with_id] })).send().is(201);
    assert_eq!(office.outline(&page), ["a"]);
}
