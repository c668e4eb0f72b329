//! Backlinks: the blocks that refer to a page.

use super::{block, each, instance, marked, mentioning, paragraph, pointer, with_id};
use crate::pages::office;
use octavo_tests::{Engine, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    references_to_a_page_are_listed_newest_first,
    only_visible_references_are_listed,
    removed_references_are_not_listed,
    no_reference_is_lost_or_doubled_between_pages,
    an_excerpt_is_short,
    comments_refer_to_the_pages_that_they_mention,
}

fn linked(text: &str, url: &str) -> Value {
    marked(text, (0, text.len()), "link", &json!({ "url": url }))
}

fn references_to_a_page_are_listed_newest_first(engine: Engine) {
    let office = office(engine);
    let page = office.page_of("Target", &[with_id(1, paragraph("shown"))]);
    let from = office.below(None, "From");
    for (number, body) in [
        (2, mentioning("see Target", "page", &page)),
        (3, linked("over there", &format!("https://example.com/acme/{page}?x=1#top"))),
        (4, pointer(&page)),
        (5, instance(&block(1))),
        (6, linked("elsewhere", &format!("https://example.com/{page}/more"))),
        (7, json!({ "type": "table", "content": { "rows": [["a", mentioning("b", "page", &page)["content"]]] } })),
    ] {
        office.post(&office.member, &format!("/pages/{from}/blocks"), &with_id(number, body)).is(201);
    }
    let listed = office.get(&office.other, &format!("/pages/{page}/backlinks")).body_of(200);
    assert_eq!(listed["nextCursor"], json!(null));
    let list = &listed["data"];
    assert_eq!(each(list, "kind"), ["mention", "synced", "pointer", "link", "mention"]);
    assert_eq!(each(list, "sourceId"), [7, 5, 4, 3, 2].map(block));
    assert_eq!(each(list, "excerpt"), ["a b", "", "", "over there", "see Target"]);
    for entry in list.as_array().unwrap() {
        shape::exactly(entry, &["sourceType", "sourceId", "pageId", "title", "kind", "excerpt"]);
        assert_eq!(
            (&entry["sourceType"], &entry["pageId"], &entry["title"]),
            (&json!("block"), &json!(from), &json!("From"))
        );
    }
    let itself =
        office.post(&office.member, &format!("/pages/{page}/blocks"), &mentioning("I", "page", &page)).data(201);
    assert_eq!(office.backlinks(&office.other, &page)[0]["sourceId"], itself["id"]);
}

fn comments_refer_to_the_pages_that_they_mention(engine: Engine) {
    let office = office(engine);
    let (page, from) = (office.below(None, "Target"), office.below(None, "From"));
    let block = office.post(&office.owner, &format!("/pages/{from}/blocks"), &paragraph("here")).data(201);
    let naming = |text: &str| json!({ "body": text, "mentions": [{ "type": "page", "id": page }] });
    let on_block =
        json!({ "pageId": from, "blockId": block["id"], "body": "On the block", "mentions": naming("")["mentions"] });
    let first = office.post(&office.member, "/comments", &on_block).data(201);
    let second = office.post(&office.member, "/comments", &json!({ "pageId": from, "body": "Nothing yet" })).data(201);
    let path = |comment: &Value| format!("/comments/{}", comment["id"].as_str().unwrap());
    let reply = office.post(&office.member, &format!("{}/replies", path(&first)), &naming("In a reply")).data(201);
    office.patch(&office.member, &path(&second), &naming("By an edit")).is(200);
    office.post(&office.member, &format!("/pages/{from}/blocks"), &mentioning("Target", "page", &page)).is(201);
    let excerpts = || {
        let list = office.backlinks(&office.other, &page);
        each(&list, "excerpt").iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(excerpts(), ["Target", "By an edit", "In a reply", "On the block"]);
    let list = office.backlinks(&office.other, &page);
    let comment = json!({
        "sourceType": "comment", "sourceId": first["id"], "pageId": from, "title": "From", "kind": "mention",
        "excerpt": "In a reply",
    });
    assert_eq!(list[2], comment, "a reply stands for its thread");
    for limit in [1, 2, 3] {
        let (mut found, mut cursor) = (Vec::new(), String::new());
        loop {
            let some =
                office.get(&office.member, &format!("/pages/{page}/backlinks?limit={limit}{cursor}")).body_of(200);
            found.extend(some["data"].as_array().unwrap().clone());
            match some["nextCursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        assert_eq!(json!(found), list, "{limit} at a time");
    }
    office.grant(&from, &[("user", &office.other.id, "NONE")]);
    assert_eq!(excerpts(), Vec::<String>::new());
    office.grant(&from, &[("user", &office.other.id, "VIEW")]);
    office.patch(&office.member, &path(&second), &json!({ "body": "Never mind", "mentions": [] })).is(200);
    assert_eq!(excerpts(), ["Target", "In a reply", "On the block"]);
    office.delete(&office.member, &format!("{}/replies/{}", path(&first), reply["id"].as_str().unwrap())).is(204);
    assert_eq!(excerpts(), ["Target", "On the block"]);
    office.delete(&office.owner, &format!("/blocks/{}", block["id"].as_str().unwrap())).is(200);
    assert_eq!(excerpts(), ["Target"], "a thread goes with its block");
    let back = json!({ "archived": false });
    office.patch(&office.owner, &format!("/blocks/{}", block["id"].as_str().unwrap()), &back).is(200);
    assert_eq!(excerpts(), ["Target", "On the block"], "and comes back with it");
    office.delete(&office.member, &path(&first)).is(204);
    assert_eq!(excerpts(), ["Target"]);
}

fn only_visible_references_are_listed(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Target");
    let names = |title: &str, inherit: bool| {
        let body = json!({ "title": title, "inherit": inherit, "blocks": [mentioning(title, "page", &page)] });
        office.page(&office.owner, &body)
    };
    let (_hidden, open) = (names("Hidden", false), names("Open", true));
    let seen = |by| each(&office.backlinks(by, &page), "title").iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        (seen(&office.owner), seen(&office.member)),
        (vec!["Open".to_owned(), "Hidden".to_owned()], vec!["Open".to_owned()])
    );
    let path = format!("/pages/{page}/backlinks");
    office.get(&office.guest, &path).refuses(404, "NOT_FOUND");
    office.grant(&page, &[("user", &office.guest.id, "VIEW")]);
    assert_eq!(seen(&office.guest), Vec::<String>::new());
    let key = office.key("READ");
    assert_eq!(office.server.get(&path).bearer(&key).send().body_of(200)["data"].as_array().unwrap().len(), 2);
    office.delete(&office.owner, &format!("/pages/{open}")).is(200);
    assert_eq!(seen(&office.owner), ["Hidden"], "nothing in the trash");
    office.post(&office.owner, &format!("/pages/{open}/restore"), &json!({})).is(200);
    assert_eq!(seen(&office.member), ["Open"]);
    office.get(&office.member, &format!("{path}?limit=0")).refuses(400, "VALIDATION_ERROR").of("limit", "too_small");
    office.get(&office.member, &format!("{path}?cursor=x")).refuses(400, "VALIDATION_ERROR");
}

fn removed_references_are_not_listed(engine: Engine) {
    let office = office(engine);
    let page = office.page_of("Target", &[with_id(9, paragraph("shown"))]);
    let from = office.page_of(
        "From",
        &[
            with_id(1, mentioning("Target", "page", &page)),
            with_id(2, pointer(&page)),
            with_id(3, linked("Target", &format!("https://example.com/{page}"))),
            with_id(4, instance(&block(9))),
        ],
    );
    let left = || {
        let mut left = each(&office.backlinks(&office.member, &page), "sourceId")
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>();
        left.sort_unstable();
        left
    };
    assert_eq!(left(), [1, 2, 3, 4].map(block));
    office.patch(&office.member, &format!("/blocks/{}", block(1)), &json!({ "content": "changed" })).is(200);
    assert_eq!(left(), [2, 3, 4].map(block));
    office.delete(&office.member, &format!("/blocks/{}", block(2))).is(200);
    assert_eq!(left(), [3, 4].map(block));
    let edits = json!({ "edits": [{ "op": "find_replace", "find": page, "markdown": "nowhere" }] });
    office.patch(&office.member, &format!("/pages/{from}/markdown"), &edits).is(200);
    assert_eq!(left(), [block(4)]);
    office.delete(&office.member, &format!("/blocks/{}", block(9))).is(200);
    assert_eq!(left(), Vec::<String>::new(), "an instance goes with its source");
    let back = json!({ "archived": false });
    office.patch(&office.member, &format!("/blocks/{}", block(2)), &back).is(200);
    assert_eq!(left(), [block(2)], "what comes back refers again");
}

fn no_reference_is_lost_or_doubled_between_pages(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Target");
    let both = json!({ "type": "paragraph", "content": { "text": "one two", "marks": [
        { "type": "mention", "from": 0, "to": 3, "attrs": { "mentionId": page, "mentionType": "page" } },
        { "type": "link", "from": 4, "to": 7, "attrs": { "url": format!("https://example.com/{page}") } },
    ] } });
    let blocks: Vec<_> = (1..=4).map(|number| with_id(number, both.clone())).collect();
    office.page_of("From", &blocks);
    let path = format!("/pages/{page}/backlinks");
    let all = office.backlinks(&office.member, &page);
    assert_eq!(all.as_array().unwrap().len(), 8);
    for limit in [1, 3, 5] {
        let (mut found, mut cursor) = (Vec::new(), String::new());
        loop {
            let some = office.get(&office.member, &format!("{path}?limit={limit}{cursor}")).body_of(200);
            found.extend(some["data"].as_array().unwrap().clone());
            assert!(found.len() <= 8, "{found:?}");
            match some["nextCursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        assert_eq!(json!(found), all, "{limit} at a time");
    }
}

fn an_excerpt_is_short(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Target");
    let long = "\u{e9}".repeat(300);
    let mark =
        json!([{ "type": "mention", "from": 0, "to": 1, "attrs": { "mentionId": page, "mentionType": "page" } }]);
    office.page_of("From", &[json!({ "type": "paragraph", "content": { "text": long, "marks": mark } })]);
    assert_eq!(office.backlinks(&office.member, &page)[0]["excerpt"], "\u{e9}".repeat(240));
}
