//! Creating pages with initial content.

use super::{block, each, instance, paragraph, types, with_children, with_id, without_ids};
use crate::pages::office;
use octavo_tests::{Engine, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_page_is_made_with_its_blocks,
    initial_blocks_are_not_reported_as_a_change,
    an_instance_may_stand_before_or_behind_its_source,
    a_text_becomes_blocks_and_its_first_heading_the_title,
    a_retry_creates_nothing_twice,
    blocks_created_by_a_key_name_its_creator,
}

fn a_page_is_made_with_its_blocks(engine: Engine) {
    let office = office(engine);
    let column = |text: &str| with_children(json!({ "type": "column" }), &[paragraph(text)]);
    let inner = with_children(
        json!({ "type": "todo", "content": "b", "properties": { "checked": true } }),
        &[with_id(3, json!({ "type": "heading_2", "content": { "text": "c", "marks": [] } }))],
    );
    let blocks = [
        with_children(with_id(1, json!({ "type": "toggle", "content": "a" })), &[with_id(2, inner), paragraph("d")]),
        with_children(json!({ "type": "column_list" }), &[column("e"), column("f")]),
        json!({ "type": "code", "content": "let x;" }),
    ];
    let made = office.post(&office.member, "/pages", &json!({ "title": "Plan", "blocks": blocks })).data(201);
    assert_eq!((&made["version"], made.get("blocks")), (&json!(1), None));
    let page = shape::text(&made["id"]);
    let shown = office.blocks(&office.other, &page);
    assert_eq!(each(&shown, "type"), ["toggle", "column_list", "code"]);
    assert_eq!(each(&shown, "position"), ["a0", "a1", "a2"]);
    let (toggle, columns) = (&shown[0], &shown[1]["children"]);
    assert_eq!((&toggle["id"], &toggle["children"][0]["id"]), (&json!(block(1)), &json!(block(2))));
    assert_eq!(toggle["children"][0]["properties"], json!({ "checked": true }));
    let deep = &toggle["children"][0]["children"][0];
    assert_eq!(
        (&deep["id"], &deep["parentId"], &deep["content"]["text"]),
        (&json!(block(3)), &json!(block(2)), &json!("c"))
    );
    assert_eq!(toggle["children"][1]["content"]["text"], "d");
    assert_eq!(each(columns, "type"), ["column", "column"]);
    assert_eq!(columns[1]["children"][0]["content"]["text"], "f");
    assert_eq!(shown[2]["content"], json!({ "code": "let x;", "language": "plain" }));
    for block in [toggle, deep, &shown[2]] {
        assert_eq!((&block["version"], &block["createdBy"]), (&json!(1), &json!(office.member.id)));
        assert_eq!((&block["pageId"], &block["isSynced"]), (&json!(page), &json!(false)));
    }
    assert_eq!(office.counted(&page), 10);
    assert_eq!(office.get(&office.other, &format!("/blocks/{}", block(3))).data(200)["pageId"], json!(page));
}

fn initial_blocks_are_not_reported_as_a_change(engine: Engine) {
    let office = office(engine);
    let page = office.page_of("Plan", &[paragraph("a"), paragraph("b")]);
    let events = office.events_about(&page);
    assert_eq!(types(&events), ["page.created"]);
    assert_eq!(events[0]["version"], 1);
    assert_eq!(office.kept(&page), 0);
    let append = json!({ "edits": [{ "op": "append", "markdown": "c" }], "version": 1 });
    let edited = office.patch(&office.member, &format!("/pages/{page}/markdown"), &append).data(200);
    assert_eq!(edited["version"], 2);
    let versions = office.get(&office.owner, &format!("/pages/{page}/versions")).body_of(200);
    assert_eq!((&versions["data"][0]["pageVersion"], &versions["data"][0]["blockCount"]), (&json!(1), &json!(2)));
    let first = format!("/pages/{page}/versions/{}", shape::text(&versions["data"][0]["id"]));
    let first = office.get(&office.owner, &first).data(200);
    assert_eq!(super::texts(&first["blocks"]), ["a", "b"], "the first version holds what it was made with");
}

fn an_instance_may_stand_before_or_behind_its_source(engine: Engine) {
    let office = office(engine);
    let page = office.page_of(
        "Both",
        &[
            instance(&block(1)),
            with_children(json!({ "type": "toggle" }), &[with_id(1, paragraph("shown"))]),
            instance(&block(1)),
        ],
    );
    let shown = office.blocks(&office.member, &page);
    for index in [0, 2] {
        assert_eq!(shown[index]["content"]["text"], "shown");
        assert_eq!((&shown[index]["isSynced"], &shown[index]["syncedSourceId"]), (&json!(true), &json!(block(1))));
        assert_eq!(shown[index]["properties"]["sourceSynced"], true);
    }
    let elsewhere = office.page_of("Elsewhere", &[instance(&block(1))]);
    assert_eq!(super::texts(&office.blocks(&office.member, &elsewhere)), ["shown"]);
}

fn a_text_becomes_blocks_and_its_first_heading_the_title(engine: Engine) {
    let office = office(engine);
    let make = |body: Value| {
        let made = office.post(&office.member, "/pages", &body).data(201);
        let blocks = office.blocks(&office.member, &shape::text(&made["id"]));
        (shape::text(&made["title"]), blocks)
    };
    let text = "# Plan\n\n- [x] Ship **it**\n  - soon\n";
    let (title, blocks) = make(json!({ "markdown": text }));
    assert_eq!((title.as_str(), each(&blocks, "type")), ("Plan", vec!["todo"]));
    assert_eq!(blocks[0]["content"], json!({ "text": "Ship it", "marks": [{ "type": "bold", "from": 5, "to": 7 }] }));
    assert_eq!(
        (&blocks[0]["properties"]["checked"], &blocks[0]["children"][0]["type"]),
        (&json!(true), &json!("bulleted_list"))
    );
    for (title, expected) in [("Mine", "Mine"), ("", "")] {
        let (shown, with_heading) = make(json!({ "markdown": text, "title": title }));
        assert_eq!((shown.as_str(), each(&with_heading, "type")), (expected, vec!["heading_1", "todo"]));
        assert_eq!(without_ids(&with_heading)[1], without_ids(&blocks)[0]);
    }
    for (text, kinds) in [("## Two", vec!["heading_2"]), ("a\n\n# Late", vec!["paragraph", "heading_1"]), ("", vec![])]
    {
        let (title, blocks) = make(json!({ "markdown": text }));
        assert_eq!((title.as_str(), each(&blocks, "type")), ("", kinds));
    }
    let long = "x".repeat(301);
    let (title, blocks) = make(json!({ "markdown": format!("# {long}") }));
    assert_eq!((title.as_str(), super::texts(&blocks)), ("", vec![long.as_str()]), "too long for a title");
}

fn a_retry_creates_nothing_twice(engine: Engine) {
    let office = office(engine);
    let body = json!({ "title": "Once", "blocks": [with_id(1, paragraph("a"))] });
    let send = || office.member.post("/pages", &body).header("X-Service-Workspace", &office.id).key("once").send();
    let made = send().data(201);
    let again = send();
    assert_eq!((again.header("Idempotency-Replayed"), again.data(201)), (Some("true"), made.clone()));
    assert_eq!(super::texts(&office.blocks(&office.member, &shape::text(&made["id"]))), ["a"]);
}

fn blocks_created_by_a_key_name_its_creator(engine: Engine) {
    let office = office(engine);
    let key = office.key("WRITE");
    let body = json!({ "title": "By key", "blocks": [paragraph("a")] });
    let made = office.server.post("/pages", &body).bearer(&key).send().data(201);
    let blocks = office.blocks(&office.member, &shape::text(&made["id"]));
    assert_eq!((&blocks[0]["createdBy"], &blocks[0]["updatedBy"]), (&json!(office.owner.id), &json!(office.owner.id)));
    let read = office.key("READ");
    let refused = office.server.post("/pages", &body).bearer(&read).send();
    refused.refuses(403, "FORBIDDEN").because("api_key_scope_write");
}
