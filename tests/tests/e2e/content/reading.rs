//! Showing pages with their blocks, to members and through share links.

use super::{block, each, instance, mentioning, paragraph, pointer, texts, with_children, with_id};
use crate::{
    pages::office,
    share_links::{link, token},
};
use octavo_tests::{Engine, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_page_is_shown_with_its_blocks_where_that_is_asked_for,
    more_than_two_thousand_blocks_are_not_shown_whole,
    an_instance_shows_what_its_reader_may_see,
    a_link_shows_blocks_and_nobody,
    a_link_shows_no_source_that_it_does_not_cover,
}

fn a_page_is_shown_with_its_blocks_where_that_is_asked_for(engine: Engine) {
    let office = office(engine);
    let page = office.page_of("Plan", &[with_children(paragraph("a"), &[paragraph("b")])]);
    let path = format!("/pages/{page}");
    office.grant(&page, &[("user", &office.guest.id, "VIEW")]);
    let plain = office.get(&office.guest, &path).data(200);
    assert_eq!((plain.get("blocks"), plain.get("permissions")), (None, None));
    let shown = office.get(&office.guest, &format!("{path}?include=blocks")).data(200);
    assert_eq!((texts(&shown["blocks"]), texts(&shown["blocks"][0]["children"])), (vec!["a"], vec!["b"]));
    assert_eq!(shown["blocks"][0]["children"][0]["children"], json!([]));
    assert_eq!((shown.get("blocksTruncated"), shown.get("permissions"), &shown["title"]), (None, None, &json!("Plan")));
    let both = format!("{path}?include=blocks,permissions");
    let whole = office.get(&office.member, &both).data(200);
    assert_eq!((texts(&whole["blocks"]), &whole["permissions"]["grants"][0]["level"]), (vec!["a"], &json!("VIEW")));
    office.get(&office.guest, &both).refuses(403, "FORBIDDEN").because("requires_EDIT");
    office.get(&office.guest, &format!("{path}?include=comments")).refuses(400, "VALIDATION_ERROR");
    assert_eq!(office.blocks(&office.member, &office.below(None, "Empty")), json!([]));
    office.delete(&office.owner, &path).is(200);
    assert_eq!(texts(&office.blocks(&office.member, &page)), ["a"], "in the trash for those who edit");
    office.get(&office.guest, &format!("{path}?include=blocks")).refuses(403, "FORBIDDEN").because("requires_EDIT");
}

fn more_than_two_thousand_blocks_are_not_shown_whole(engine: Engine) {
    let office = office(engine);
    let most = with_children(with_id(1, json!({ "type": "toggle" })), &vec![json!({ "type": "divider" }); 999]);
    let page = office.page_of("Long", &[most]);
    let path = format!("/pages/{page}?include=blocks");
    office.post(&office.owner, &format!("/blocks/{}/duplicate", block(1)), &json!({})).is(201);
    let whole = office.get(&office.member, &path).data(200);
    let children = |page: &Value| {
        page["blocks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|block| block["children"].as_array().map(Vec::len))
            .collect::<Vec<_>>()
    };
    assert_eq!((whole.get("blocksTruncated"), children(&whole)), (None, vec![Some(999), Some(999)]));
    office.post(&office.owner, &format!("/pages/{page}/blocks"), &paragraph("one more")).is(201);
    let cut = office.get(&office.member, &path).data(200);
    assert_eq!(
        (&cut["blocksTruncated"], each(&cut["blocks"], "type")),
        (&json!(true), vec!["toggle", "toggle", "paragraph"])
    );
}

fn an_instance_shows_what_its_reader_may_see(engine: Engine) {
    let office = office(engine);
    let hidden = office.page(&office.owner, &json!({ "inherit": false, "blocks": [with_id(1, paragraph("secret"))] }));
    let open = office.page_of("Open", &[with_id(2, paragraph("open"))]);
    let page = office.page_of("Both", &[instance(&block(1)), instance(&block(2))]);
    let synced = |blocks: &Value| [0, 1].map(|index| blocks[index]["properties"]["sourceSynced"].clone());
    let seen = office.blocks(&office.owner, &page);
    assert_eq!((texts(&seen), synced(&seen)), (vec!["secret", "open"], [json!(true), json!(true)]));
    let less = office.blocks(&office.member, &page);
    assert_eq!((texts(&less), synced(&less)), (vec!["", "open"], [json!(false), json!(true)]));
    assert_eq!(less[0]["content"]["marks"], json!([]));
    office.patch(&office.owner, &format!("/blocks/{}", block(2)), &json!({ "content": "new" })).is(200);
    assert_eq!(texts(&office.blocks(&office.member, &page)), ["", "new"], "what the source says now");
    office.delete(&office.owner, &format!("/pages/{open}")).is(200);
    office.delete(&office.owner, &format!("/pages/{hidden}")).is(200);
    assert_eq!(synced(&office.blocks(&office.owner, &page))[0], true, "in the trash for those who edit");
}

fn a_link_shows_blocks_and_nobody(engine: Engine) {
    let office = office(engine);
    let nested = with_children(with_id(1, json!({ "type": "toggle", "content": "a" })), &[paragraph("b")]);
    let page = office.page_of("Plan", &[nested, paragraph("c")]);
    let child = office.page(&office.owner, &json!({ "parentId": page, "blocks": [paragraph("d")] }));
    office.patch(&office.member, &format!("/blocks/{}", block(1)), &json!({ "content": "changed" })).is(200);
    let token = token(&link(&office, &office.owner, &page, &json!({})));
    let read = |id: &str| office.server.site().get(&format!("/public/shares/{token}/pages/{id}")).send().data(200);
    let shown = read(&page);
    assert_eq!(texts(&shown["blocks"]), ["changed", "c"]);
    assert_eq!(texts(&shown["blocks"][0]["children"]), ["b"]);
    assert_eq!(shown["blocks"][0]["version"], 2);
    assert_eq!(texts(&read(&child)["blocks"]), ["d"]);
    let named = |block: &Value| [block["createdBy"].clone(), block["updatedBy"].clone()];
    for block in [&shown["blocks"][0], &shown["blocks"][0]["children"][0], &shown["blocks"][1]] {
        assert_eq!(named(block), [Value::Null, Value::Null]);
    }
    for person in [&office.owner.id, &office.member.id] {
        assert!(!shown.to_string().contains(person), "{shown}");
    }
    assert_eq!(office.blocks(&office.guest_of(&page), &page)[0]["createdBy"], json!(office.owner.id));
}

impl crate::pages::Office {
    /// The guest, who may now view a page.
    fn guest_of(&self, page: &str) -> octavo_tests::Person {
        self.grant(page, &[("user", &self.guest.id, "VIEW")]);
        self.guest.clone()
    }
}

fn a_link_shows_no_source_that_it_does_not_cover(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    let source = |number: u16, body: Value| {
        let mut body = body;
        body["blocks"] = json!([with_id(number, paragraph(&format!("source {number}")))]);
        office.page(&office.owner, &body)
    };
    source(1, json!({ "parentId": page }));
    source(2, json!({ "parentId": page, "inherit": false }));
    let elsewhere = source(3, json!({}));
    let thrown = source(4, json!({ "parentId": page }));
    let cut = office.below(Some(&page), "Here");
    let blocks: Vec<_> = (1..=4)
        .map(|number| instance(&block(number)))
        .chain([mentioning("x", "page", &elsewhere), pointer(&elsewhere)])
        .collect();
    for body in blocks {
        office.post(&office.owner, &format!("/pages/{cut}/blocks"), &body).is(201);
    }
    office.delete(&office.owner, &format!("/pages/{thrown}")).is(200);
    let made = link(&office, &office.owner, &page, &json!({}));
    let path = format!("/public/shares/{}/pages/{cut}", token(&made));
    let read = |path: &str| office.server.site().get(path).send().data(200)["blocks"].clone();
    let shown = read(&path);
    assert_eq!(texts(&shown), ["source 1", "", "", "", "x", ""]);
    let synced: Vec<_> = (0..4).map(|index| shown[index]["properties"]["sourceSynced"].clone()).collect();
    assert_eq!(synced, [true, false, false, false].map(Value::from));
    let alone = token(&link(&office, &office.owner, &cut, &json!({ "includeChildren": false })));
    let shown = read(&format!("/public/shares/{alone}/pages/{cut}"));
    assert_eq!((texts(&shown)[0], &shown[0]["properties"]["sourceSynced"]), ("", &json!(false)));
    shape::id(&shown[0]["syncedSourceId"], "blk_");
}
