//! Copies of pages with their blocks.

use super::{
    block, each, instance, marked, mentioning, paragraph, pointer, texts, types, with_children, with_id, without_ids,
};
use crate::{
    pages::{Office, office},
    share_links::{link, token},
};
use octavo_tests::{Engine, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_copy_says_what_its_original_does,
    links_within_the_copied_pages_lead_to_the_copies,
    links_to_pages_that_are_not_copied_stay,
    a_copy_in_another_workspace_links_nothing_back,
    a_copy_by_a_link_holds_what_the_link_shows,
    a_copy_is_one_event,
}

fn copy(office: &Office, page: &str, body: &Value) -> Value {
    office.post(&office.member, &format!("/pages/{page}/duplicate"), body).body_of(201)
}

fn of(copied: &Value, page: &str) -> String {
    shape::text(&copied["idMap"][page])
}

fn a_copy_says_what_its_original_does(engine: Engine) {
    let office = office(engine);
    let page = office.page_of(
        "Plan",
        &[
            with_id(1, paragraph("second")),
            with_children(
                json!({ "type": "todo", "content": "third", "properties": { "checked": true } }),
                &[paragraph("in it")],
            ),
        ],
    );
    let first = json!({ "type": "paragraph", "content": "first", "beforeBlockId": block(1) });
    office.post(&office.owner, &format!("/pages/{page}/blocks"), &first).is(201);
    let gone = with_id(2, paragraph("gone"));
    office.post(&office.owner, &format!("/pages/{page}/blocks"), &gone).is(201);
    office.delete(&office.owner, &format!("/blocks/{}", block(2))).is(200);
    let copied = copy(&office, &page, &json!({}));
    let there = of(&copied, &page);
    let (before, after) = (office.blocks(&office.member, &page), office.blocks(&office.other, &there));
    assert_eq!(without_ids(&after), without_ids(&before));
    assert_eq!(
        (texts(&after), each(&after, "position")),
        (vec!["first", "second", "third"], each(&before, "position"))
    );
    for (old, new) in before.as_array().unwrap().iter().zip(after.as_array().unwrap()) {
        assert_ne!(old["id"], new["id"]);
        assert_eq!((&new["pageId"], &new["version"]), (&json!(there), &json!(1)));
        assert_eq!((&new["createdBy"], &new["updatedBy"]), (&json!(office.member.id), &json!(office.member.id)));
    }
    assert_eq!(after[2]["children"][0]["parentId"], after[2]["id"]);
    assert_eq!((office.counted(&there), office.counted(&page)), (json!(4), json!(4)));
    let id = shape::text(&after[0]["id"]);
    office.patch(&office.other, &format!("/blocks/{id}"), &json!({ "content": "changed" })).is(200);
    assert_eq!(texts(&office.blocks(&office.other, &page))[0], "first");
}

fn links_within_the_copied_pages_lead_to_the_copies(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "A");
    let below = office
        .page(&office.owner, &json!({ "parentId": page, "title": "B", "blocks": [with_id(1, paragraph("shown"))] }));
    let address = format!("https://example.com/{below}");
    let mut cell = mentioning("B", "page", &below);
    let table = json!({ "type": "table", "content": { "rows": [[cell["content"].take()]] } });
    for body in [
        pointer(&below),
        mentioning("B", "page", &below),
        instance(&block(1)),
        table,
        marked("B", (0, 1), "link", &json!({ "url": address })),
    ] {
        office.post(&office.owner, &format!("/pages/{page}/blocks"), &body).is(201);
    }
    let copied = copy(&office, &page, &json!({}));
    let (there, below_there) = (of(&copied, &page), of(&copied, &below));
    let blocks = office.blocks(&office.member, &there);
    assert_eq!(blocks[0]["content"]["pageId"], json!(below_there));
    assert_eq!(blocks[1]["content"]["marks"][0]["attrs"]["mentionId"], json!(below_there));
    let source = &office.blocks(&office.member, &below_there)[0]["id"];
    assert_eq!((&blocks[2]["syncedSourceId"], &blocks[2]["content"]["text"]), (source, &json!("shown")));
    assert_eq!(blocks[3]["content"]["rows"][0][0]["marks"][0]["attrs"]["mentionId"], json!(below_there));
    assert_eq!(blocks[4]["content"]["marks"][0]["attrs"]["url"], json!(address), "an address is a text");
    let changed = json!({ "content": "of the copy" });
    office.patch(&office.member, &format!("/blocks/{}", shape::text(source)), &changed).is(200);
    assert_eq!(office.blocks(&office.member, &there)[2]["content"]["text"], "of the copy");
    assert_eq!(office.blocks(&office.member, &page)[2]["content"]["text"], "shown");
    let mut kinds = each(&office.backlinks(&office.member, &below_there), "kind")
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>();
    kinds.sort_unstable();
    assert_eq!(kinds, ["mention", "mention", "pointer", "synced"]);
    assert_eq!(office.backlinks(&office.member, &below).as_array().unwrap().len(), 6, "the link of the copy besides");
}

fn links_to_pages_that_are_not_copied_stay(engine: Engine) {
    let office = office(engine);
    let outside = office.page_of("Outside", &[with_id(1, paragraph("outside"))]);
    let page = office.below(None, "A");
    let below = office.page(&office.owner, &json!({ "parentId": page, "blocks": [with_id(2, paragraph("below"))] }));
    let hidden = office.page(
        &office.owner,
        &json!({ "parentId": page, "inherit": false, "blocks": [with_id(3, paragraph("hidden"))] }),
    );
    for body in [
        pointer(&outside),
        instance(&block(1)),
        pointer(&below),
        instance(&block(2)),
        pointer(&hidden),
        instance(&block(3)),
    ] {
        office.post(&office.owner, &format!("/pages/{page}/blocks"), &body).is(201);
    }
    let named = |blocks: &Value| [0, 2, 4].map(|index| shape::text(&blocks[index]["content"]["pageId"]));
    let shown = |blocks: &Value| [1, 3, 5].map(|index| shape::text(&blocks[index]["syncedSourceId"]));
    let whole = copy(&office, &page, &json!({}));
    let blocks = office.blocks(&office.owner, &of(&whole, &page));
    assert_eq!(named(&blocks), [outside.clone(), of(&whole, &below), hidden.clone()]);
    assert_eq!((shown(&blocks)[0].clone(), shown(&blocks)[2].clone()), (block(1), block(3)));
    assert_eq!(texts(&office.blocks(&office.member, &of(&whole, &page)))[5], "", "who copies sees no more by that");
    let alone = copy(&office, &page, &json!({ "includeChildren": false }));
    let blocks = office.blocks(&office.owner, &of(&alone, &page));
    assert_eq!(named(&blocks), [outside, below, hidden]);
    assert_eq!(shown(&blocks), [1, 2, 3].map(block));
}

fn a_copy_in_another_workspace_links_nothing_back(engine: Engine) {
    let office = office(engine);
    let outside = office.page_of("Outside", &[with_id(1, paragraph("outside"))]);
    let page = office.below(None, "A");
    let below = office.page(&office.owner, &json!({ "parentId": page, "blocks": [with_id(2, paragraph("below"))] }));
    for body in [
        pointer(&outside),
        mentioning("Outside", "page", &outside),
        mentioning("Bob", "user", &office.member.id),
        instance(&block(1)),
        pointer(&below),
        instance(&block(2)),
        marked("bold", (0, 4), "bold", &json!({})),
    ] {
        office.post(&office.owner, &format!("/pages/{page}/blocks"), &body).is(201);
    }
    let copied = copy(&office, &page, &json!({ "workspaceId": office.member.workspace }));
    let there = of(&copied, &page);
    let blocks = office.member.get(&format!("/pages/{there}?include=blocks")).send().data(200)["blocks"].clone();
    assert_eq!(
        each(&blocks, "type"),
        ["child_page", "paragraph", "paragraph", "child_page", "synced_block", "paragraph"]
    );
    assert_eq!(blocks[0]["content"]["pageId"], json!(null));
    for index in [1, 2] {
        assert_eq!(blocks[index]["content"]["marks"], json!([]), "the text stays");
    }
    assert_eq!(texts(&blocks)[1..3], ["Outside", "Bob"]);
    assert_eq!(blocks[3]["content"]["pageId"], json!(of(&copied, &below)));
    assert_eq!((texts(&blocks)[4], &blocks[4]["workspaceId"]), ("below", &json!(office.member.workspace)));
    assert_eq!(blocks[5]["content"]["marks"][0]["type"], "bold");
}

fn a_copy_by_a_link_holds_what_the_link_shows(engine: Engine) {
    let office = office(engine);
    let page = office.page_of("Page", &[paragraph("top")]);
    let below = office.page(&office.owner, &json!({ "parentId": page, "blocks": [with_id(1, paragraph("below"))] }));
    let cut = office
        .page(&office.owner, &json!({ "parentId": page, "inherit": false, "blocks": [with_id(2, paragraph("cut"))] }));
    for body in [pointer(&below), pointer(&cut), instance(&block(1)), instance(&block(2))] {
        office.post(&office.owner, &format!("/pages/{page}/blocks"), &body).is(201);
    }
    let token = token(&link(&office, &office.owner, &page, &json!({ "allowDuplicate": true })));
    let zoe = office.server.person("Zoe");
    let copied = zoe.post(&format!("/public/shares/{token}/duplicate"), &json!({})).send().body_of(201);
    let shown = zoe.get(&format!("/pages/{}?include=blocks", of(&copied, &page))).send().data(200);
    let blocks = &shown["blocks"];
    assert_eq!(each(blocks, "type"), ["paragraph", "child_page", "child_page", "synced_block"]);
    assert_eq!(
        (&blocks[1]["content"]["pageId"], &blocks[2]["content"]["pageId"]),
        (&json!(of(&copied, &below)), &json!(null))
    );
    assert_eq!((texts(blocks)[0], texts(blocks)[3]), ("top", "below"));
    assert_eq!(blocks[0]["createdBy"], json!(zoe.id));
    assert!(!shown.to_string().contains(&cut) && !shown.to_string().contains(&office.owner.id), "{shown}");
}

fn a_copy_is_one_event(engine: Engine) {
    let office = office(engine);
    let page = office.page_of("Page", &[paragraph("a")]);
    let below = office.page(&office.owner, &json!({ "parentId": page, "blocks": [paragraph("b")] }));
    let copied = copy(&office, &page, &json!({}));
    let events = office.events_about(&of(&copied, &page));
    assert_eq!(types(&events), ["page.created"]);
    let event = &events[0]["data"];
    assert_eq!(
        (&event["via"], &event["sourcePageId"], &event["pageCount"]),
        (&json!("duplicate"), &json!(page), &json!(2))
    );
    assert_eq!(types(&office.events_about(&of(&copied, &below))), Vec::<&str>::new());
    assert_eq!(types(&office.events_about(&page)), ["page.created"], "nothing became of the original");
    assert_eq!((office.kept(&of(&copied, &page)), &copied["data"]["version"]), (0, &json!(1)));
}
