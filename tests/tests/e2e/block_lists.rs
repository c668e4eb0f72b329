//! Reading the blocks of a page.

use crate::{blocks::UNKNOWN, pages::office};
use octavo_tests::{Engine, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    blocks_are_listed_as_a_tree_or_in_one_list,
    a_list_may_begin_in_a_block,
    deleted_blocks_are_shown_to_those_in_charge,
    the_first_level_is_read_page_by_page,
    no_block_is_lost_or_doubled_while_siblings_are_added,
    a_list_goes_on_after_room_was_made,
    invalid_queries_are_refused,
}

fn texts(list: &Value) -> Vec<String> {
    list["data"].as_array().unwrap().iter().map(|block| shape::text(&block["content"]["text"])).collect()
}

fn blocks_are_listed_as_a_tree_or_in_one_list(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let path = format!("/pages/{page}/blocks");
    let empty = office.get(&office.member, &path).body_of(200);
    assert_eq!(empty, json!({ "data": [], "nextCursor": null }));
    let a = office.line(&page, None, "a");
    office.line(&page, None, "d");
    let b = office.line(&page, Some(&a), "b");
    office.line(&page, Some(&b), "c");
    office.line(&page, Some(&a), "b2");
    let tree = office.get(&office.member, &path).body_of(200);
    assert_eq!(texts(&tree), ["a", "d"]);
    assert_eq!(office.outline(&page), ["a", "-b", "--c", "-b2", "d"]);
    let flat = office.get(&office.member, &format!("{path}?flat=true")).body_of(200);
    assert_eq!(texts(&flat), ["a", "b", "c", "b2", "d"], "each before what stands in it");
    assert!(flat["data"].as_array().unwrap().iter().all(|block| block.get("children").is_none()));
    assert_eq!(flat["data"][1]["parentId"], json!(a));
    let one = office.get(&office.member, &format!("/blocks/{a}")).data(200);
    assert_eq!(one, tree["data"][0]);
    assert_eq!(office.get(&office.member, &format!("/blocks/{b}")).data(200), tree["data"][0]["children"][0]);
}

fn a_list_may_begin_in_a_block(engine: Engine) {
    let office = office(engine);
    let (page, other) = (office.below(None, "Plan"), office.below(None, "Other"));
    let a = office.line(&page, None, "a");
    let b = office.line(&page, Some(&a), "b");
    office.line(&page, Some(&b), "c");
    let there = office.line(&other, None, "there");
    let list = |query: &str| office.get(&office.member, &format!("/pages/{page}/blocks?{query}"));
    assert_eq!(texts(&list(&format!("parentBlockId={a}")).body_of(200)), ["b"]);
    assert_eq!(texts(&list(&format!("parentBlockId={a}&flat=true")).body_of(200)), ["b", "c"]);
    assert_eq!(texts(&list("parentBlockId=").body_of(200)), ["a"], "nothing is the top of the page");
    office.delete(&office.owner, &format!("/blocks/{b}")).is(200);
    for parent in [&there, UNKNOWN, &b] {
        list(&format!("parentBlockId={parent}")).refuses(400, "VALIDATION_ERROR").of("parentBlockId", "invalid_value");
    }
    list("parentBlockId=x").refuses(400, "VALIDATION_ERROR").of("parentBlockId", "invalid_id");
}

fn deleted_blocks_are_shown_to_those_in_charge(engine: Engine) {
    let office = office(engine);
    let page = office.page(&office.member, &json!({ "title": "Plan" }));
    let a = office.line(&page, None, "a");
    office.line(&page, Some(&a), "b");
    office.line(&page, None, "c");
    office.delete(&office.owner, &format!("/blocks/{a}")).is(200);
    let path = format!("/pages/{page}/blocks");
    let with_deleted = format!("{path}?includeDeleted=true&flat=true");
    let shown = office.get(&office.owner, &with_deleted).body_of(200);
    assert_eq!(texts(&shown), ["a", "b", "c"]);
    let deleted: Vec<_> =
        shown["data"].as_array().unwrap().iter().map(|block| block.get("deletedAt").is_some()).collect();
    assert_eq!(deleted, [true, true, false]);
    let of_deleted = format!("{path}?includeDeleted=true&parentBlockId={a}");
    assert_eq!(texts(&office.get(&office.owner, &of_deleted).body_of(200)), ["b"]);
    office.get(&office.member, &with_deleted).refuses(403, "FORBIDDEN").because("requires_ADMIN");
    assert_eq!(texts(&office.get(&office.member, &format!("{path}?includeDeleted=false")).body_of(200)), ["c"]);
    office.get(&office.guest, &with_deleted).refuses(404, "NOT_FOUND");
    let role = format!("/workspaces/{}/members/{}", office.id, office.other.id);
    office.owner.patch(&role, &json!({ "role": "ADMIN" })).send().is(200);
    office.get(&office.other, &with_deleted).is(200);
}

/// Every block of the first level, page by page; `between` runs after each page.
fn walk(office: &crate::pages::Office, page: &str, limit: usize, mut between: impl FnMut(usize)) -> Vec<String> {
    let (mut found, mut cursor) = (Vec::new(), String::new());
    for round in 0.. {
        let list = office.get(&office.member, &format!("/pages/{page}/blocks?limit={limit}{cursor}")).body_of(200);
        assert!(list["data"].as_array().unwrap().len() <= limit);
        found.extend(texts(&list));
        let Some(next) = list["nextCursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
        between(round);
    }
    found
}

fn lines(office: &crate::pages::Office, page: &str, count: usize) -> Vec<String> {
    let texts: Vec<_> = (0..count).map(|number| format!("line {number}")).collect();
    for some in texts.chunks(200) {
        let ops: Vec<_> = some
            .iter()
            .map(|text| json!({ "op": "upsert", "block": { "type": "paragraph", "content": text } }))
            .collect();
        office.batch(page, &json!(ops)).is(201);
    }
    texts
}

fn the_first_level_is_read_page_by_page(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let expected = lines(&office, &page, 510);
    let path = format!("/pages/{page}/blocks");
    let first = office.get(&office.member, &path).body_of(200);
    assert_eq!(texts(&first), expected[..100]);
    let long = office.get(&office.member, &format!("{path}?limit=501")).body_of(200);
    assert_eq!(texts(&long), expected[..500], "a limit above the longest is lowered to it");
    assert_eq!(walk(&office, &page, 200, |_| ()), expected);
    // Nested blocks are not counted.
    let holder = shape::text(&first["data"][0]["id"]);
    for text in ["x", "y", "z"] {
        office.line(&page, Some(&holder), text);
    }
    let flat = office.get(&office.member, &format!("{path}?limit=1&flat=true")).body_of(200);
    assert_eq!(texts(&flat), ["line 0", "x", "y", "z"]);
    let next = format!("{path}?limit=1&flat=true&cursor={}", flat["nextCursor"].as_str().unwrap());
    assert_eq!(texts(&office.get(&office.member, &next).body_of(200)), ["line 1"]);
    for limit in ["0", "-1", "x", "1.5"] {
        office.get(&office.member, &format!("{path}?limit={limit}")).refuses(400, "VALIDATION_ERROR").names("limit");
    }
}

fn no_block_is_lost_or_doubled_while_siblings_are_added(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let expected = lines(&office, &page, 12);
    let first = shape::text(&office.get(&office.owner, &format!("/pages/{page}/blocks")).body_of(200)["data"][0]["id"]);
    let found = walk(&office, &page, 3, |round| {
        let at = |place: &str| json!({ "type": "paragraph", "content": format!("new {round}"), place: first });
        office.add(&page, &at("beforeBlockId")).is(201);
        office.add(&page, &at("afterBlockId")).is(201);
        if round == 1 {
            office.line(&page, None, "at the end");
        }
    });
    assert_eq!(found, [&expected[..], &["at the end".to_owned()]].concat());
}

fn a_list_goes_on_after_room_was_made(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let at = |text: &str, position: &str| {
        office.block(&page, &json!({ "type": "paragraph", "content": text, "position": position }))
    };
    let a = at("a", "x");
    for (text, position) in [("b", "x0"), ("c", "x1"), ("d", "x2")] {
        at(text, position);
    }
    let found = walk(&office, &page, 2, |_| {
        // No key fits there, so all siblings get new ones.
        office.add(&page, &json!({ "type": "divider", "afterBlockId": a })).is(201);
    });
    assert_eq!(found, ["a", "b", "c", "d"]);
}

fn invalid_queries_are_refused(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    for (query, field) in [
        ("flat=maybe", "flat"),
        ("includeDeleted=1x", "includeDeleted"),
        ("cursor=x", "cursor"),
        ("flat=true&flat=false", "flat"),
    ] {
        office
            .get(&office.owner, &format!("/pages/{page}/blocks?{query}"))
            .refuses(400, "VALIDATION_ERROR")
            .names(field);
    }
}
