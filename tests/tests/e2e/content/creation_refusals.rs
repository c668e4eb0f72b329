//! Content with which no page can be created. A refused call leaves nothing behind.

use super::{block, instance, mentioning, paragraph, pointer, with_children, with_id};
use crate::pages::{Office, office, titles};
use octavo_tests::{Engine, both_engines};
use serde_json::{Value, json};

both_engines! {
    flaws_are_reported_by_their_path,
    too_much_is_refused,
    blocks_stand_only_where_they_may,
    named_things_have_to_be_visible_to_the_caller,
    a_taken_id_is_refused,
}

const PAGE: &str = "pg_01J8Z3K4M5N6P7Q8R9S0T1V2W3";

/// Asserts that a page cannot be created, and that its chosen id does not exist afterwards.
fn refused(office: &Office, mut body: Value, status: u16, code: &str) -> octavo_tests::answer::Refusal {
    body["id"] = json!(PAGE);
    let refusal = office.post(&office.member, "/pages", &body).refuses(status, code);
    office.get(&office.member, &format!("/pages/{PAGE}")).refuses(404, "NOT_FOUND");
    refusal
}

fn flaws_are_reported_by_their_path(engine: Engine) {
    let office = office(engine);
    let outside = json!({ "text": "ab", "marks": [{ "type": "bold", "from": 0, "to": 3 }] });
    let below =
        |third: Value| json!([{ "type": "toggle", "children": [{ "type": "divider" }, { "type": "divider" }, third] }]);
    for (blocks, field, issue) in [
        (json!("x"), "blocks", "invalid_type"),
        (json!({}), "blocks", "invalid_type"),
        (json!([1]), "blocks.0", "invalid_type"),
        (json!([{ "type": "divider" }, {}]), "blocks.1.type", "required"),
        (below(json!({ "type": "nonsense" })), "blocks.0.children.2.type", "invalid_value"),
        (below(json!({ "type": "toggle", "children": "x" })), "blocks.0.children.2.children", "invalid_type"),
        (
            below(json!({ "type": "spacer", "content": { "heightPx": 7 } })),
            "blocks.0.children.2.content.heightPx",
            "too_small",
        ),
        (
            below(json!({ "type": "paragraph", "content": outside })),
            "blocks.0.children.2.content.marks.0",
            "invalid_mark",
        ),
        (
            below(json!({ "type": "todo", "properties": { "checked": 1 } })),
            "blocks.0.children.2.properties.checked",
            "invalid_type",
        ),
        (json!([{ "type": "divider", "id": "blk_1" }]), "blocks.0.id", "invalid_id"),
        (json!([{ "type": "divider", "content": "text" }]), "blocks.0.content", "invalid_type"),
    ] {
        refused(&office, json!({ "blocks": blocks }), 400, "VALIDATION_ERROR").of(field, issue);
    }
    let all = json!([{ "type": "x" }, { "type": "y", "id": 1 }]);
    let refusal = refused(&office, json!({ "blocks": all }), 400, "VALIDATION_ERROR");
    for (field, issue) in
        [("blocks.0.type", "invalid_value"), ("blocks.1.type", "invalid_value"), ("blocks.1.id", "invalid_type")]
    {
        refusal.of(field, issue);
    }
    let both = json!({ "blocks": [], "markdown": "a" });
    refused(&office, both, 400, "VALIDATION_ERROR").of("markdown", "invalid_value");
    refused(&office, json!({ "markdown": 1 }), 400, "VALIDATION_ERROR").of("markdown", "invalid_type");
    refused(&office, json!({ "templateId": "x" }), 400, "VALIDATION_ERROR").of("templateId", "unsupported");
}

fn too_much_is_refused(engine: Engine) {
    let office = office(engine);
    let many = |count: usize| vec![json!({ "type": "divider" }); count];
    refused(&office, json!({ "blocks": many(1001) }), 400, "VALIDATION_ERROR").of("blocks", "too_long");
    let below = with_children(json!({ "type": "toggle" }), &many(1000));
    refused(&office, json!({ "blocks": [below] }), 400, "VALIDATION_ERROR").of("blocks", "too_long");
    let most = with_children(json!({ "type": "toggle" }), &many(999));
    let page = office.page_of("Most", &[most]);
    assert_eq!(office.blocks(&office.member, &page)[0]["children"].as_array().unwrap().len(), 999);
    let blank = |length: usize| json!({ "markdown": " ".repeat(length) });
    refused(&office, blank((1 << 20) + 1), 413, "PAYLOAD_TOO_LARGE");
    office.post(&office.member, "/pages", &blank(1 << 20)).is(201);
    refused(&office, blank(2 << 20), 413, "PAYLOAD_TOO_LARGE");
}

fn blocks_stand_only_where_they_may(engine: Engine) {
    let office = office(engine);
    let column = |children: &[Value]| with_children(with_id(2, json!({ "type": "column" })), children);
    for (blocks, block_id, parent) in [
        (json!([column(&[with_id(3, json!({ "type": "column_list" }))])]), 3, 2),
        (json!([with_children(with_id(1, json!({ "type": "column_list" })), &[with_id(2, paragraph("a"))])]), 2, 1),
        (
            json!([with_children(
                json!({ "type": "column_list" }),
                &[column(&[with_id(3, json!({ "type": "column" }))])]
            )]),
            3,
            2,
        ),
    ] {
        let refusal = refused(&office, json!({ "blocks": blocks }), 422, "UNPROCESSABLE_ENTITY");
        let (child, parent) = (block(block_id), block(parent));
        let expected = json!({ "field": "parentId", "issue": "invalid_nesting", "block": child, "parent": parent });
        assert_eq!(refusal.detail(), &expected);
    }
    let within = with_children(with_id(1, json!({ "type": "toggle" })), &[instance(&block(1))]);
    refused(&office, json!({ "blocks": [within] }), 422, "UNPROCESSABLE_ENTITY").issue("sync_cycle");
    let chain = json!([with_id(1, paragraph("a")), with_id(2, instance(&block(1))), instance(&block(2))]);
    refused(&office, json!({ "blocks": chain }), 422, "UNPROCESSABLE_ENTITY").issue("sync_cycle");
    office.page_of("Elsewhere", &[with_id(1, paragraph("a")), with_id(2, instance(&block(1)))]);
    let elsewhere = json!([instance(&block(2))]);
    refused(&office, json!({ "blocks": elsewhere }), 422, "UNPROCESSABLE_ENTITY").issue("sync_cycle");
}

fn named_things_have_to_be_visible_to_the_caller(engine: Engine) {
    let office = office(engine);
    let secret = [with_id(1, paragraph("secret")), with_id(3, instance(&block(1)))];
    let hidden = office.page(&office.owner, &json!({ "inherit": false, "blocks": secret }));
    let stranger = office.server.person("Zoe");
    for body in [
        mentioning("Zoe", "user", &stranger.id),
        mentioning("Page", "page", &hidden),
        mentioning("Team", "team", "tm_01J8Z3K4M5N6P7Q8R9S0T1V2W3"),
        pointer(&hidden),
        pointer("pg_01J8Z3K4M5N6P7Q8R9S0T1V2W4"),
        instance(&block(1)),
        instance(&block(3)),
        instance(&block(9)),
        json!({ "type": "database", "content": { "databaseId": "db_01J8Z3K4M5N6P7Q8R9S0T1V2W3" } }),
        json!({ "type": "image", "content": { "fileId": "fil_01J8Z3K4M5N6P7Q8R9S0T1V2W3" } }),
    ] {
        let nested = with_children(json!({ "type": "toggle" }), std::slice::from_ref(&body));
        let refusal = refused(&office, json!({ "blocks": [nested] }), 404, "NOT_FOUND");
        assert_eq!(refusal.detail().get("op"), None, "there are no operations");
    }
    assert_eq!(titles(&office.get(&office.member, "/pages").body_of(200)), Vec::<String>::new());
    let own = office.backlinks(&office.owner, &hidden);
    assert_eq!(super::each(&own, "sourceId"), [block(3)], "none but its own");
    office.page_of(
        "Of who sees it",
        &[pointer(&hidden), instance(&block(1)), mentioning("Bob", "user", &office.member.id)],
    );
}

fn a_taken_id_is_refused(engine: Engine) {
    let office = office(engine);
    let page = office.page_of("First", &[with_id(1, paragraph("a"))]);
    let free = with_id(2, paragraph("b"));
    for blocks in [
        json!([free, with_id(1, paragraph("c"))]),
        json!([free, with_children(paragraph("c"), std::slice::from_ref(&free))]),
        json!([with_children(free.clone(), std::slice::from_ref(&free))]),
    ] {
        refused(&office, json!({ "blocks": blocks }), 409, "CONFLICT").of("id", "already_exists");
    }
    office.get(&office.owner, &format!("/blocks/{}", block(2))).refuses(404, "NOT_FOUND");
    office.delete(&office.owner, &format!("/blocks/{}", block(1))).is(200);
    let deleted = json!({ "blocks": [with_id(1, paragraph("c"))] });
    refused(&office, deleted, 409, "CONFLICT").of("id", "already_exists");
    let taken = json!({ "id": page, "blocks": [free] });
    office.post(&office.owner, "/pages", &taken).refuses(409, "CONFLICT").of("id", "already_exists");
    office.get(&office.owner, &format!("/blocks/{}", block(2))).refuses(404, "NOT_FOUND");
    let stranger = office.server.person("Zoe");
    stranger.post("/pages", &json!({ "blocks": [with_id(1, paragraph("z"))] })).send().is(201);
}
