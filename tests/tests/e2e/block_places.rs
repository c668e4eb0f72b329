//! Places of blocks: neighbours, keys, nesting, and concurrent inserts at one place.

use crate::{blocks::UNKNOWN, pages::office};
use octavo_tests::{Engine, at_once::at_once, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    neighbours_say_where_a_block_stands,
    a_neighbour_is_a_sibling,
    a_key_of_the_callers_own_is_kept,
    invalid_keys_are_refused,
    a_block_does_not_stand_in_itself,
    blocks_lie_fifty_deep_at_most,
    columns_hold_no_columns,
    a_block_stays_on_its_page,
    room_is_made_where_there_is_none,
    writers_at_one_place_come_into_one_order,
}

fn neighbours_say_where_a_block_stands(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let b = office.line(&page, None, "b");
    let paragraph = |text: &str, more: Value| {
        let mut body = json!({ "type": "paragraph", "content": text });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        office.block(&page, &body)
    };
    paragraph("d", json!({}));
    let c = paragraph("c", json!({ "afterBlockId": b }));
    let a = paragraph("a", json!({ "beforeBlockId": b, "parentId": null }));
    assert_eq!(office.outline(&page), ["a", "b", "c", "d"]);
    let inner = paragraph("inner", json!({ "parentId": c }));
    let first = paragraph("first", json!({ "beforeBlockId": inner }));
    assert_eq!(office.read_block(&first)["parentId"], json!(c), "the parent is that of the neighbour");
    let go =
        |block: &str, body: Value| office.post(&office.owner, &format!("/blocks/{block}/move"), &body).body_of(200);
    let moved = go(&a, json!({ "afterBlockId": inner }));
    shape::exactly(&moved, &["data", "pageVersion"]);
    assert_eq!((&moved["data"]["parentId"], &moved["data"]["version"]), (&json!(c), &json!(2)));
    assert_eq!(office.outline(&page), ["b", "c", "-first", "-inner", "-a", "d"]);
    go(&inner, json!({ "parentId": null, "beforeBlockId": b }));
    go(&b, json!({}));
    assert_eq!(office.outline(&page), ["inner", "c", "-first", "-a", "d", "b"]);
    go(&c, json!({ "parentId": b }));
    assert_eq!(office.outline(&page), ["inner", "d", "b", "-c", "--first", "--a"]);
    let still = go(&c, json!({ "parentId": b }));
    assert_eq!(
        (&still["data"]["version"], still["pageVersion"].as_i64()),
        (&json!(2), Some(office.page_version(&page)))
    );
}

fn a_neighbour_is_a_sibling(engine: Engine) {
    let office = office(engine);
    let (page, other) = (office.below(None, "Plan"), office.below(None, "Other"));
    let (a, b) = (office.line(&page, None, "a"), office.line(&page, None, "b"));
    let inner = office.line(&page, Some(&a), "inner");
    let elsewhere = office.line(&other, None, "x");
    let gone = office.line(&page, None, "gone");
    office.delete(&office.owner, &format!("/blocks/{gone}")).is(200);
    let version = office.page_version(&page);
    for (body, field, issue) in [
        (json!({ "afterBlockId": inner, "parentId": null }), "afterBlockId", "anchor_not_sibling"),
        (json!({ "beforeBlockId": a, "parentId": a }), "beforeBlockId", "anchor_not_sibling"),
        (json!({ "afterBlockId": UNKNOWN }), "afterBlockId", "anchor_not_sibling"),
        (json!({ "afterBlockId": elsewhere }), "afterBlockId", "anchor_not_sibling"),
        (json!({ "afterBlockId": gone }), "afterBlockId", "anchor_not_sibling"),
        (json!({ "afterBlockId": a, "beforeBlockId": inner }), "beforeBlockId", "invalid_value"),
        (json!({ "afterBlockId": a, "position": "a1" }), "position", "invalid_value"),
        (json!({ "beforeBlockId": a, "position": "a1" }), "position", "invalid_value"),
        (json!({ "afterBlockId": "blk_x" }), "afterBlockId", "invalid_id"),
    ] {
        let mut block = body.clone();
        block["type"] = "divider".into();
        office.add(&page, &block).refuses(400, "VALIDATION_ERROR").of(field, issue);
        let moving = office.post(&office.owner, &format!("/blocks/{b}/move"), &body);
        moving.refuses(400, "VALIDATION_ERROR").of(field, issue);
        let batch = office.batch(&page, &json!([{ "op": "move", "blockId": b, "move": body }]));
        batch.refuses(400, "VALIDATION_ERROR").of(&format!("move.{field}"), issue);
    }
    let itself = json!({ "afterBlockId": b });
    let moving = office.post(&office.owner, &format!("/blocks/{b}/move"), &itself);
    moving.refuses(400, "VALIDATION_ERROR").of("afterBlockId", "anchor_not_sibling");
    assert_eq!(office.page_version(&page), version);
}

fn a_key_of_the_callers_own_is_kept(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let longest = "z".repeat(100);
    for (text, position) in [("c", "b0"), ("a", "A"), ("b", "a9"), ("d", &longest)] {
        let made = office.add(&page, &json!({ "type": "paragraph", "content": text, "position": position })).data(201);
        assert_eq!(made["position"], position);
    }
    assert_eq!(office.outline(&page), ["a", "b", "c", "d"]);
    let last = office.line(&page, None, "behind the last key there is");
    assert_eq!(office.outline(&page), ["a", "b", "c", "d", "behind the last key there is"]);
    let moved = office.post(&office.owner, &format!("/blocks/{last}/move"), &json!({ "position": "0" })).data(200);
    assert_eq!((&moved["position"], office.outline(&page)[0].as_str()), (&json!("0"), "behind the last key there is"));
}

fn invalid_keys_are_refused(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let a = office.block(&page, &json!({ "type": "toggle", "position": "a1" }));
    let b = office.line(&page, None, "b");
    for (position, issue) in [
        (json!(""), "invalid_position"),
        (json!("a b"), "invalid_position"),
        (json!("\u{e4}"), "invalid_position"),
        (json!("z".repeat(101)), "invalid_position"),
        (json!(5), "invalid_type"),
        (json!("a1"), "position_taken"),
    ] {
        let at = json!({ "position": position });
        let block = json!({ "type": "divider", "position": position });
        office.add(&page, &block).refuses(400, "VALIDATION_ERROR").of("position", issue);
        let moving = office.post(&office.owner, &format!("/blocks/{b}/move"), &at);
        moving.refuses(400, "VALIDATION_ERROR").of("position", issue);
        let patch = office.batch(&page, &json!([{ "op": "update", "blockId": b, "patch": at }]));
        patch.refuses(400, "VALIDATION_ERROR").of("patch.position", issue);
    }
    office.block(&page, &json!({ "type": "divider", "position": "a1", "parentId": a }));
    office.post(&office.owner, &format!("/blocks/{a}/move"), &json!({ "position": "a1" })).is(200);
    let twice = json!([
        { "op": "upsert", "block": { "type": "divider", "position": "m" } },
        { "op": "upsert", "block": { "type": "divider", "position": "m" } },
    ]);
    let refusal = office.batch(&page, &twice).refuses(400, "VALIDATION_ERROR");
    assert_eq!(refusal.of("block.position", "position_taken").detail()["op"], 1);
}

fn a_block_does_not_stand_in_itself(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let a = office.line(&page, None, "a");
    let b = office.line(&page, Some(&a), "b");
    let c = office.line(&page, Some(&b), "c");
    for parent in [&a, &b, &c] {
        let body = json!({ "parentId": parent });
        let moving = office.post(&office.owner, &format!("/blocks/{a}/move"), &body);
        moving.refuses(422, "UNPROCESSABLE_ENTITY").issue("cycle_detected");
        let batch = office.batch(&page, &json!([{ "op": "update", "blockId": a, "patch": body }]));
        assert_eq!(batch.refuses(422, "UNPROCESSABLE_ENTITY").issue("cycle_detected").detail()["op"], 0);
    }
    let anchor = office.post(&office.owner, &format!("/blocks/{a}/move"), &json!({ "afterBlockId": c }));
    anchor.refuses(422, "UNPROCESSABLE_ENTITY").issue("cycle_detected");
    assert_eq!(office.outline(&page), ["a", "-b", "--c"]);
}

fn blocks_lie_fifty_deep_at_most(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let ids: Vec<_> = (0..51).map(|number| format!("blk_01J8Z3K4M5N6P7Q8R9S0T1V{number:03}")).collect();
    let nested = |count: usize| {
        let block = |number: usize| {
            let parent = number.checked_sub(1).map(|above| &ids[above]);
            json!({ "op": "upsert", "block": { "type": "paragraph", "id": ids[number], "parentId": parent } })
        };
        Value::Array((0..count).map(block).collect())
    };
    let refusal = office.batch(&page, &nested(51)).refuses(422, "UNPROCESSABLE_ENTITY");
    assert_eq!(refusal.issue("max_depth").detail()["op"], 50);
    office.batch(&page, &nested(50)).is(201);
    let deep = json!({ "type": "divider", "parentId": ids[49] });
    office.add(&page, &deep).refuses(422, "UNPROCESSABLE_ENTITY").issue("max_depth");
    let pair = office.line(&page, None, "pair");
    office.line(&page, Some(&pair), "below");
    let go = |parent: &str| office.post(&office.owner, &format!("/blocks/{pair}/move"), &json!({ "parentId": parent }));
    go(&ids[48]).refuses(422, "UNPROCESSABLE_ENTITY").issue("max_depth");
    go(&ids[47]).is(200);
    let copy = json!({ "parentId": ids[48] });
    let copying = office.post(&office.owner, &format!("/blocks/{pair}/duplicate"), &copy);
    copying.refuses(422, "UNPROCESSABLE_ENTITY").issue("max_depth");
}

fn columns_hold_no_columns(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let list = office.block(&page, &json!({ "type": "column_list" }));
    let column = office.block(&page, &json!({ "type": "column", "parentId": list }));
    let inside = office.line(&page, Some(&column), "inside");
    let toggle = office.block(&page, &json!({ "type": "toggle", "parentId": column }));
    office.block(&page, &json!({ "type": "column_list", "parentId": toggle }));
    for (kind, parent) in [("paragraph", &list), ("column_list", &list), ("column", &column), ("column_list", &column)]
    {
        let answer = office.add(&page, &json!({ "type": kind, "parentId": parent }));
        let refusal = answer.refuses(422, "UNPROCESSABLE_ENTITY");
        assert_eq!(refusal.issue("invalid_nesting").detail()["parent"], json!(parent));
        shape::id(&refusal.detail()["block"], "blk_");
    }
    let go = |block: &str, parent: &str| {
        office.post(&office.owner, &format!("/blocks/{block}/move"), &json!({ "parentId": parent }))
    };
    let refusal = go(&inside, &list).refuses(422, "UNPROCESSABLE_ENTITY");
    assert_eq!(
        refusal.details(),
        [json!({ "field": "parentId", "issue": "invalid_nesting", "block": inside, "parent": list })]
    );
    for (block, kind) in [(&inside, "column"), (&column, "todo"), (&column, "column_list")] {
        let turning = office.patch(&office.owner, &format!("/blocks/{block}"), &json!({ "type": kind }));
        turning.refuses(422, "UNPROCESSABLE_ENTITY").issue("invalid_nesting");
    }
    let second = office.block(&page, &json!({ "type": "column", "parentId": list }));
    go(&inside, &second).is(200);
}

fn a_block_stays_on_its_page(engine: Engine) {
    let office = office(engine);
    let (page, other) = (office.below(None, "Plan"), office.below(None, "Other"));
    let (a, there) = (office.line(&page, None, "a"), office.line(&other, None, "there"));
    let zoe = office.server.person("Zoe");
    let theirs = shape::text(&zoe.post("/pages", &json!({})).send().data(201)["id"]);
    let path = format!("/pages/{theirs}/blocks");
    let foreign = shape::text(&zoe.post(&path, &json!({ "type": "divider" })).send().data(201)["id"]);
    let unknown = office.add(&page, &json!({ "type": "divider", "parentId": UNKNOWN }));
    for parent in [&there, &foreign] {
        let body = json!({ "type": "divider", "parentId": parent });
        office.add(&page, &body).is_like(&unknown);
        let moving = office.post(&office.owner, &format!("/blocks/{a}/move"), &json!({ "parentId": parent }));
        moving.refuses(404, "NOT_FOUND").of("parentId", "not_found").because("not_found");
    }
    assert_eq!((office.page_version(&page), office.page_version(&other)), (2, 2));
}

fn room_is_made_where_there_is_none(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    // No key fits between these.
    let first = office.block(&page, &json!({ "type": "paragraph", "content": "first", "position": "a" }));
    office.block(&page, &json!({ "type": "paragraph", "content": "last", "position": "a0" }));
    let between = json!({ "type": "paragraph", "content": "between", "afterBlockId": first });
    office.block(&page, &between);
    assert_eq!(office.outline(&page), ["first", "between", "last"]);
    assert_eq!(office.read_block(&first)["version"], 1, "it stands where it stood");
    // Always right after the first block, so that the room between two keys is halved each time.
    let mut ops = Vec::new();
    for number in 0..200 {
        ops.push(json!({ "op": "upsert", "block": { "type": "paragraph", "content": number.to_string(), "afterBlockId": first } }));
    }
    for _ in 0..4 {
        office.batch(&page, &json!(ops)).is(201);
    }
    let lines = office.outline(&page);
    let round: Vec<_> = (0..200).rev().map(|number: i32| number.to_string()).collect();
    let expected: Vec<_> = ["first".to_owned()].into_iter().chain(round.iter().cloned().cycle().take(499)).collect();
    assert_eq!(lines, expected);
}

fn writers_at_one_place_come_into_one_order(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let (first, _) = (office.line(&page, None, "first"), office.line(&page, None, "last"));
    let made = at_once(16, |number| {
        let body = json!({ "type": "paragraph", "content": number.to_string(), "afterBlockId": first });
        let writer = [&office.owner, &office.member, &office.other][number % 3];
        office.post(writer, &format!("/pages/{page}/blocks"), &body).body_of(201)
    });
    let mut versions: Vec<_> = made.iter().map(|answer| answer["pageVersion"].as_i64().unwrap()).collect();
    let mut by_version = made.clone();
    by_version.sort_by_key(|answer| std::cmp::Reverse(answer["pageVersion"].as_i64()));
    versions.sort_unstable();
    assert_eq!(versions, (4..=19).collect::<Vec<_>>());
    let lines = office.outline(&page);
    let expected: Vec<_> = by_version.iter().map(|answer| shape::text(&answer["data"]["content"]["text"])).collect();
    assert_eq!(lines[1..17], expected, "who came later stands nearer");
    assert_eq!((lines[0].as_str(), lines[17].as_str(), lines.len()), ("first", "last", 18));
}
