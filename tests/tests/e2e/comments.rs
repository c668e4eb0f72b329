//! Comments: threads and their replies.

use crate::{
    pages::{Office, office},
    records::Table,
};
use octavo_tests::{Answer, Engine, Person, at_once::at_once, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_thread_lives_from_creation_to_deletion,
    replies_come_and_go,
    a_thread_is_on_a_page_a_block_or_a_record,
    a_selection_is_a_part_of_the_text_of_its_block,
    what_is_named_together_belongs_together,
    threads_are_listed_newest_first,
    the_threads_of_all_pages_are_listed,
    flaws_of_a_comment_name_their_field,
    a_thread_is_resolved_and_reopened,
    comments_go_with_their_block_and_come_back_with_it,
    comments_go_with_their_page_or_record,
    comments_stay_with_a_page_that_becomes_a_record,
    replies_at_once_are_all_counted,
    a_reply_and_a_deletion_at_once_leave_nothing_behind,
    one_person_comments_as_often_as_the_bucket_allows,
}

pub(crate) const UNKNOWN: &str = "cmt_01J8Z3K4M5N6P7Q8R9S0T1V2W3";

pub(crate) fn on_page(page: &str) -> Value {
    json!({ "pageId": page, "body": "Why?" })
}

pub(crate) fn begin(office: &Office, by: &Person, body: &Value) -> Value {
    office.post(by, "/comments", body).data(201)
}

pub(crate) fn path(comment: &Value) -> String {
    format!("/comments/{}", comment["id"].as_str().unwrap())
}

pub(crate) fn reply(office: &Office, by: &Person, comment: &Value, body: &str) -> Value {
    office.post(by, &format!("{}/replies", path(comment)), &json!({ "body": body })).data(201)
}

pub(crate) fn block(office: &Office, page: &str, text: &str) -> String {
    let body = json!({ "type": "paragraph", "content": text });
    shape::text(&office.post(&office.owner, &format!("/pages/{page}/blocks"), &body).data(201)["id"])
}

/// The ids of the listed threads.
pub(crate) fn ids(list: &Answer) -> Vec<Value> {
    list.body_of(200)["data"].as_array().unwrap().iter().map(|comment| comment["id"].clone()).collect()
}

fn a_thread_lives_from_creation_to_deletion(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let answer = office.post(&office.member, "/comments", &on_page(&page));
    let made = answer.data(201);
    shape::id(&made["id"], "cmt_");
    assert_eq!(answer.header("location"), Some(format!("/api/v1{}", path(&made)).as_str()));
    let me = office.member.me();
    for (field, value) in [
        ("workspaceId", json!(office.id)),
        ("teamId", json!(null)),
        ("pageId", json!(page)),
        ("blockId", json!(null)),
        ("recordId", json!(null)),
        ("selection", json!(null)),
        ("body", json!("Why?")),
        ("mentions", json!([])),
        ("pageMentions", json!([])),
        ("status", json!("open")),
        ("resolvedAt", json!(null)),
        ("resolvedBy", json!(null)),
        ("replyCount", json!(0)),
        ("reactions", json!([])),
        ("author", json!({ "id": office.member.id, "name": me["name"], "avatarUrl": null })),
    ] {
        assert_eq!(made[field], value, "{field}");
    }
    assert_eq!(made["createdAt"], made["updatedAt"]);
    let mut whole = made.clone();
    whole["replies"] = json!([]);
    assert_eq!(office.get(&office.other, &path(&made)).data(200), whole);
    let changed = office.patch(&office.member, &path(&made), &json!({ "body": "  Why not? " })).data(200);
    assert_eq!(changed["body"], "  Why not? ", "nothing is trimmed");
    assert!(changed["updatedAt"].as_str() > made["updatedAt"].as_str());
    assert_eq!(office.patch(&office.member, &path(&made), &json!({ "body": "  Why not? " })).data(200), changed);
    assert_eq!(office.patch(&office.member, &path(&made), &json!({})).data(200), changed);
    assert_eq!(office.get(&office.owner, &format!("/pages/{page}")).data(200)["version"], 1, "the page is the same");
    office.delete(&office.member, &path(&made)).is(204);
    office.get(&office.member, &path(&made)).refuses(404, "NOT_FOUND");
    office.delete(&office.member, &path(&made)).refuses(404, "NOT_FOUND");
    for method in ["GET", "DELETE"] {
        for missing in [UNKNOWN, "cmt_x", "pg_01J8Z3K4M5N6P7Q8R9S0T1V2W3"] {
            office.call(&office.owner, method, &format!("/comments/{missing}"), &Value::Null).refuses(404, "NOT_FOUND");
        }
    }
}

fn replies_come_and_go(engine: Engine) {
    let office = office(engine);
    let thread = begin(&office, &office.member, &on_page(&office.below(None, "Plan")));
    let first = reply(&office, &office.other, &thread, "Because.");
    shape::id(&first["id"], "crr_");
    for (field, value) in [
        ("commentId", thread["id"].clone()),
        ("body", json!("Because.")),
        ("mentions", json!([])),
        ("reactions", json!([])),
        ("updatedAt", first["createdAt"].clone()),
    ] {
        assert_eq!(first[field], value, "{field}");
    }
    assert_eq!(first["author"]["id"], office.other.id.as_str());
    let second = reply(&office, &office.owner, &thread, "\u{2026}");
    let shown = office.get(&office.guest, &path(&thread));
    shown.refuses(404, "NOT_FOUND");
    let shown = office.get(&office.member, &path(&thread)).data(200);
    assert_eq!((&shown["replies"], &shown["replyCount"]), (&json!([first, second]), &json!(2)));
    assert_eq!(shown["updatedAt"], thread["updatedAt"]);
    let one = format!("{}/replies/{}", path(&thread), first["id"].as_str().unwrap());
    office.patch(&office.other, &one, &json!({ "body": "x" })).refuses(405, "METHOD_NOT_ALLOWED");
    let elsewhere = begin(&office, &office.member, &on_page(&office.below(None, "Other")));
    let wrong = format!("{}/replies/{}", path(&elsewhere), first["id"].as_str().unwrap());
    office.delete(&office.owner, &wrong).refuses(404, "NOT_FOUND");
    office.delete(&office.other, &one).is(204);
    office.delete(&office.other, &one).refuses(404, "NOT_FOUND");
    let shown = office.get(&office.member, &path(&thread)).data(200);
    assert_eq!((&shown["replies"], &shown["replyCount"]), (&json!([second]), &json!(1)));
    let send = |body: Value| office.post(&office.member, &format!("{}/replies", path(&thread)), &body);
    send(json!({})).refuses(400, "VALIDATION_ERROR").of("body", "required");
    send(json!({ "body": "" })).refuses(400, "VALIDATION_ERROR").of("body", "too_short");
    office.delete(&office.member, &path(&thread)).is(204);
    send(json!({ "body": "x" })).refuses(404, "NOT_FOUND");
}

fn a_thread_is_on_a_page_a_block_or_a_record(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let block = block(&office, &page, "Ship it");
    let table = Table::of(&office, None, &[]);
    let record = table.put(&office, "Chair");
    let on = |body: Value| {
        let mut body = body;
        body["body"] = json!("Why?");
        let made = begin(&office, &office.member, &body);
        assert_eq!(office.get(&office.member, &path(&made)).data(200)["pageId"], made["pageId"]);
        [made["pageId"].clone(), made["blockId"].clone(), made["recordId"].clone()]
    };
    assert_eq!(on(json!({ "blockId": block })), [json!(page), json!(block), json!(null)]);
    assert_eq!(on(json!({ "blockId": block, "pageId": page })), [json!(page), json!(block), json!(null)]);
    let own_page = record["pageId"].as_str().unwrap();
    let on_record = [json!(own_page), json!(null), record["id"].clone()];
    assert_eq!(on(json!({ "recordId": record["id"] })), on_record);
    assert_eq!(on(json!({ "recordId": record["id"], "pageId": own_page })), on_record);
    assert_eq!(on(json!({ "pageId": own_page })), [json!(own_page), json!(null), json!(null)]);
    let block = self::block(&office, own_page, "Red");
    let on_block = [json!(own_page), json!(block), json!(null)];
    assert_eq!(on(json!({ "blockId": block })), on_block);
    assert_eq!(on(json!({ "blockId": block, "recordId": record["id"] })), on_block, "a block is more than its record");
    let list = office.get(&office.member, &format!("/pages/{own_page}/comments"));
    assert_eq!(ids(&list).len(), 5);
    // A record whose page nobody has used yet has no comments.
    let fresh = table.put(&office, "Table");
    let list = office.get(&office.member, &format!("/pages/{}/comments", fresh["pageId"].as_str().unwrap()));
    assert_eq!(ids(&list), [Value::Null; 0]);
    let team = office.team("Design", false);
    let body = json!({ "title": "Looks", "teamId": team });
    let inside = office.page(&office.owner, &body);
    let made = begin(&office, &office.owner, &json!({ "pageId": inside, "body": "x", "teamId": team }));
    assert_eq!(made["teamId"], team.as_str());
}

fn a_selection_is_a_part_of_the_text_of_its_block(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let block = block(&office, &page, "Ship \u{1F600} it");
    let select = |block: &str, selection: Value| {
        office.post(&office.member, "/comments", &json!({ "blockId": block, "selection": selection, "body": "?" }))
    };
    let sent = json!({ "startOffset": 5, "endOffset": 7, "quotedText": " as sent " });
    let made = select(&block, sent.clone()).data(201);
    assert_eq!(made["selection"], sent);
    let quoted = select(&block, json!({ "startOffset": 5, "endOffset": 10 })).data(201);
    assert_eq!(quoted["selection"]["quotedText"], "\u{1F600} it");
    assert_eq!(select(&block, Value::Null).data(201)["selection"], json!(null));
    for (start, end) in [(5, 11), (6, 8), (3, 3), (4, 2), (10, 11)] {
        let outside = json!({ "startOffset": start, "endOffset": end, "quotedText": "x" });
        select(&block, outside).refuses(400, "VALIDATION_ERROR").of("selection", "invalid_value");
    }
    for (flawed, field, issue) in [
        (json!({ "startOffset": 0 }), "selection.endOffset", "required"),
        (json!({ "startOffset": -1, "endOffset": 2 }), "selection.startOffset", "too_small"),
        (
            json!({ "startOffset": 0, "endOffset": 2, "quotedText": "x".repeat(10_001) }),
            "selection.quotedText",
            "too_long",
        ),
        (json!("0-2"), "selection", "invalid_type"),
    ] {
        select(&block, flawed).refuses(400, "VALIDATION_ERROR").of(field, issue);
    }
    let alone = json!({ "pageId": page, "selection": sent, "body": "?" });
    office.post(&office.member, "/comments", &alone).refuses(400, "VALIDATION_ERROR").of("blockId", "required");
    let rule = office.post(&office.owner, &format!("/pages/{page}/blocks"), &json!({ "type": "divider" })).data(201);
    select(rule["id"].as_str().unwrap(), sent.clone()).refuses(400, "VALIDATION_ERROR");
    office.patch(&office.owner, &format!("/blocks/{block}"), &json!({ "content": "" })).is(200);
    assert_eq!(office.get(&office.member, &path(&made)).data(200)["selection"], sent, "it stays as it was");
}

fn what_is_named_together_belongs_together(engine: Engine) {
    let office = office(engine);
    let (page, other) = (office.below(None, "Plan"), office.below(None, "Other"));
    let block = block(&office, &page, "Ship it");
    let record = Table::of(&office, None, &[]).put(&office, "Chair");
    let send = |by: &Person, body: &Value| {
        let mut body = body.clone();
        body["body"] = json!("Why?");
        office.post(by, "/comments", &body)
    };
    for (together, field) in [
        (json!({ "pageId": other, "blockId": block }), "blockId"),
        (json!({ "pageId": page, "recordId": record["id"] }), "recordId"),
        (json!({ "blockId": block, "recordId": record["id"] }), "recordId"),
    ] {
        send(&office.owner, &together).refuses(400, "VALIDATION_ERROR").of(field, "anchor_mismatch");
        let query = together.as_object().unwrap().iter().map(|(key, id)| format!("{key}={}", id.as_str().unwrap()));
        let list = format!("/comments?{}", query.collect::<Vec<_>>().join("&"));
        office.get(&office.owner, &list).refuses(400, "VALIDATION_ERROR").of(field, "anchor_mismatch");
    }
    let nothing = office.post(&office.owner, "/comments", &json!({ "body": "Why?" }));
    nothing.refuses(400, "VALIDATION_ERROR").of("pageId", "required");
    office.grant(&other, &[("user", &office.member.id, "NONE")]);
    send(&office.member, &json!({ "pageId": other, "blockId": block })).refuses(404, "NOT_FOUND");
    office.get(&office.member, &format!("/pages/{page}/comments?blockId={block}")).is(200);
    office.get(&office.owner, &format!("/pages/{other}/comments?blockId={block}")).refuses(400, "VALIDATION_ERROR");
    for unknown in [
        json!({ "pageId": "pg_01J8Z3K4M5N6P7Q8R9S0T1V2W3" }),
        json!({ "blockId": "blk_01J8Z3K4M5N6P7Q8R9S0T1V2W3" }),
        json!({ "recordId": "rpt_01J8Z3K4M5N6P7Q8R9S0T1V2W3" }),
        json!({ "recordId": page.replace("pg_", "rpt_") }),
        json!({ "pageId": record["databaseId"].as_str().unwrap().replace("db_", "pg_") }),
        json!({ "pageId": page, "teamId": "tm_01J8Z3K4M5N6P7Q8R9S0T1V2W3" }),
        json!({ "pageId": page, "teamId": office.team("Board", true) }),
    ] {
        send(&office.member, &unknown).refuses(404, "NOT_FOUND");
    }
    send(&office.member, &json!({ "pageId": "page" })).refuses(400, "VALIDATION_ERROR").of("pageId", "invalid_id");
    let team = json!({ "pageId": page, "teamId": office.team("Design", false) });
    send(&office.member, &team).refuses(400, "VALIDATION_ERROR").of("teamId", "invalid_value");
}

fn threads_are_listed_newest_first(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let block = block(&office, &page, "Ship it");
    let first = begin(&office, &office.member, &on_page(&page));
    let second = begin(&office, &office.other, &json!({ "blockId": block, "body": "Why?" }));
    let third = begin(&office, &office.member, &on_page(&page));
    let answer = reply(&office, &office.owner, &first, "Because.");
    office.post(&office.owner, &format!("{}/resolve", path(&third)), &Value::Null).is(200);
    let list = |query: &str| office.get(&office.guest, &format!("/pages/{page}/comments{query}"));
    list("").refuses(404, "NOT_FOUND");
    let list = |query: &str| office.get(&office.owner, &format!("/pages/{page}/comments{query}"));
    let [one, two, three] = [&first, &second, &third].map(|comment| comment["id"].clone());
    for (query, expected) in [
        ("", vec![&three, &two, &one]),
        ("?status=all", vec![&three, &two, &one]),
        ("?status=open", vec![&two, &one]),
        ("?status=resolved", vec![&three]),
        (&format!("?blockId={block}"), vec![&two]),
        (&format!("?blockId={block}&status=resolved"), vec![]),
    ] {
        assert_eq!(ids(&list(query)).iter().collect::<Vec<_>>(), expected, "{query}");
    }
    let plain = list("?include=reactions").body_of(200);
    assert_eq!((&plain["data"][2]["replyCount"], plain["data"][2].get("replies")), (&json!(1), None));
    let full = list("?include=replies,reactions").body_of(200);
    assert_eq!((&full["data"][2]["replies"], &full["data"][0]["replies"]), (&json!([answer]), &json!([])));
    let part = list("?limit=2").body_of(200);
    assert_eq!(part["data"].as_array().unwrap().len(), 2);
    let rest = list(&format!("?limit=2&cursor={}", part["nextCursor"].as_str().unwrap()));
    assert_eq!((ids(&rest), &rest.body_of(200)["nextCursor"]), (vec![one], &Value::Null));
    list("?status=closed").refuses(400, "VALIDATION_ERROR").of("status", "invalid_value");
    list("?include=pages").refuses(400, "VALIDATION_ERROR").of("include", "invalid_value");
    list("?blockId=x").refuses(400, "VALIDATION_ERROR").of("blockId", "invalid_id");
    list("?blockId=blk_01J8Z3K4M5N6P7Q8R9S0T1V2W3").refuses(404, "NOT_FOUND");
}

fn the_threads_of_all_pages_are_listed(engine: Engine) {
    let office = office(engine);
    let team = office.team("Design", false);
    let (page, hidden) = (office.below(None, "Plan"), office.below(None, "Pay"));
    let inside = office.page(&office.owner, &json!({ "title": "Looks", "teamId": team }));
    let record = Table::of(&office, None, &[]).put(&office, "Chair");
    office.grant(&hidden, &[("user", &office.member.id, "NONE")]);
    let first = begin(&office, &office.owner, &on_page(&page));
    let second = begin(&office, &office.owner, &on_page(&hidden));
    let third = begin(&office, &office.other, &json!({ "recordId": record["id"], "body": "Why?" }));
    office.join(&team, &office.member, "MEMBER");
    let fourth = begin(&office, &office.member, &on_page(&inside));
    let [one, two, three, four] = [&first, &second, &third, &fourth].map(|comment| comment["id"].clone());
    let list = |by: &Person, query: &str| ids(&office.get(by, &format!("/comments{query}")));
    assert_eq!(list(&office.owner, ""), [&four, &three, &two, &one].map(Clone::clone));
    assert_eq!(list(&office.member, ""), [&four, &three, &one].map(Clone::clone), "without those on hidden pages");
    assert_eq!(list(&office.guest, ""), [Value::Null; 0]);
    let mine = format!("?authorId={}", office.owner.id);
    assert_eq!(list(&office.member, &mine), std::slice::from_ref(&one));
    assert_eq!(list(&office.member, &format!("?teamId={team}")), std::slice::from_ref(&four));
    assert_eq!(list(&office.member, &format!("?pageId={page}")), std::slice::from_ref(&one));
    assert_eq!(
        list(&office.member, &format!("?recordId={}", record["id"].as_str().unwrap())),
        std::slice::from_ref(&three)
    );
    assert_eq!(list(&office.member, &format!("?authorId={}", office.guest.id)), [Value::Null; 0]);
    for (by, query) in [
        (&office.member, format!("?pageId={hidden}")),
        (&office.member, format!("?teamId={}", office.team("Board", true))),
        (&office.member, "?teamId=tm_01J8Z3K4M5N6P7Q8R9S0T1V2W3".to_owned()),
        (&office.member, "?authorId=usr_01J8Z3K4M5N6P7Q8R9S0T1V2W3".to_owned()),
    ] {
        office.get(by, &format!("/comments{query}")).refuses(404, "NOT_FOUND");
    }
    office.delete(&office.owner, &format!("/pages/{page}")).is(200);
    assert_eq!(list(&office.owner, &mine), [two], "what is in the trash is not listed");
    let part = office.get(&office.owner, "/comments?limit=1").body_of(200);
    let rest = list(&office.owner, &format!("?limit=1&cursor={}", part["nextCursor"].as_str().unwrap()));
    assert_eq!(rest, [three]);
}

fn flaws_of_a_comment_name_their_field(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let send = |body: Value| office.post(&office.member, "/comments", &json!({ "pageId": page, "body": body }));
    for (body, issue) in [(json!(""), "too_short"), (json!(7), "invalid_type"), (json!("x".repeat(5001)), "too_long")] {
        send(body).refuses(400, "VALIDATION_ERROR").of("body", issue);
    }
    send(Value::Null).refuses(400, "VALIDATION_ERROR").names("body");
    assert_eq!(send(json!("\u{1F600}".repeat(5000))).data(201)["body"], "\u{1F600}".repeat(5000));
    let blank = send(json!(" \n ")).data(201);
    assert_eq!(blank["body"], " \n ");
    let change = |body: Value| office.patch(&office.member, &path(&blank), &body);
    change(json!({ "body": "" })).refuses(400, "VALIDATION_ERROR").of("body", "too_short");
    change(json!({ "body": null })).refuses(400, "VALIDATION_ERROR").names("body");
    change(json!({ "mentions": "x" })).refuses(400, "VALIDATION_ERROR").of("mentions", "invalid_type");
}

fn a_thread_is_resolved_and_reopened(engine: Engine) {
    let office = office(engine);
    let thread = begin(&office, &office.member, &on_page(&office.below(None, "Plan")));
    let act = |by: &Person, act: &str| office.post(by, &format!("{}/{act}", path(&thread)), &Value::Null).data(200);
    let open = office.get(&office.member, &path(&thread)).data(200);
    let mut unchanged = open.clone();
    unchanged.as_object_mut().unwrap().remove("replies");
    assert_eq!(act(&office.member, "reopen"), unchanged, "it is open");
    let resolved = act(&office.other, "resolve");
    assert_eq!(resolved["status"], "resolved");
    assert_eq!(resolved["resolvedBy"], office.other.id.as_str());
    assert_eq!(resolved.as_object().unwrap().len(), 4);
    assert_eq!(act(&office.member, "resolve"), resolved, "it is resolved");
    reply(&office, &office.member, &thread, "Good.");
    let shown = office.get(&office.member, &path(&thread)).data(200);
    assert_eq!((&shown["status"], &shown["replyCount"]), (&json!("resolved"), &json!(1)));
    assert_eq!(shown["resolvedAt"], resolved["resolvedAt"]);
    let reopened = act(&office.member, "reopen");
    assert_eq!((&reopened["status"], &reopened["resolvedAt"]), (&json!("open"), &Value::Null));
    assert_eq!((&reopened["resolvedBy"], &reopened["replyCount"]), (&Value::Null, &json!(1)));
    let events = office.events(&office.member, "comment.resolved,comment.reopened", 2);
    let kinds: Vec<_> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["comment.resolved", "comment.reopened"]);
    assert_eq!(events[0]["data"]["actor"], office.other.id.as_str());
    assert_eq!(events[0]["data"]["authorId"], office.member.id.as_str());
}

fn comments_go_with_their_block_and_come_back_with_it(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let (block, other) = (block(&office, &page, "Ship it"), block(&office, &page, "Stay"));
    let gone = begin(&office, &office.member, &json!({ "blockId": block, "body": "Why?" }));
    let kept = begin(&office, &office.member, &json!({ "blockId": other, "body": "Why?" }));
    reply(&office, &office.member, &gone, "Because.");
    let list = || ids(&office.get(&office.member, &format!("/pages/{page}/comments")));
    let version = office.post(&office.owner, &format!("/pages/{page}/versions"), &json!({})).data(201);
    office.delete(&office.owner, &format!("/blocks/{block}")).is(200);
    assert_eq!(list(), [kept["id"].clone()]);
    office.get(&office.member, &path(&gone)).refuses(404, "NOT_FOUND");
    office.post(&office.member, &format!("{}/replies", path(&gone)), &json!({ "body": "x" })).refuses(404, "NOT_FOUND");
    office.post(&office.member, "/comments", &json!({ "blockId": block, "body": "x" })).refuses(404, "NOT_FOUND");
    office.get(&office.member, &format!("/comments?blockId={block}")).refuses(404, "NOT_FOUND");
    let restore = format!("/pages/{page}/versions/{}/restore", version["id"].as_str().unwrap());
    office.post(&office.owner, &restore, &json!({ "blockIds": [block] })).is(200);
    assert_eq!(list(), [kept["id"].clone(), gone["id"].clone()]);
    assert_eq!(office.get(&office.member, &path(&gone)).data(200)["replyCount"], 1);
    office.post(&office.owner, &restore, &Value::Null).is(200);
    assert_eq!(list().len(), 2, "a restored page has the same blocks");
}

fn comments_go_with_their_page_or_record(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let thread = begin(&office, &office.member, &on_page(&page));
    let answer = reply(&office, &office.member, &thread, "Because.");
    office.delete(&office.owner, &format!("/pages/{page}")).is(200);
    assert_eq!(office.get(&office.member, &path(&thread)).data(200)["body"], "Why?", "readable for those who edit");
    assert_eq!(ids(&office.get(&office.member, &format!("/pages/{page}/comments"))).len(), 1);
    let reactions = json!({ "emoji": "\u{1F44D}" });
    for (method, rest, body) in [
        ("POST", "/replies".to_owned(), json!({ "body": "x" })),
        ("PATCH", String::new(), json!({ "body": "x" })),
        ("POST", "/resolve".to_owned(), Value::Null),
        ("POST", "/reactions".to_owned(), reactions),
        ("DELETE", format!("/replies/{}", answer["id"].as_str().unwrap()), Value::Null),
        ("DELETE", String::new(), Value::Null),
    ] {
        let refused = office.call(&office.member, method, &format!("{}{rest}", path(&thread)), &body);
        refused.refuses(409, "CONFLICT").issue("page_trashed");
    }
    office.post(&office.member, "/comments", &on_page(&page)).refuses(409, "CONFLICT").issue("page_trashed");
    let confirmed = json!({ "confirm": page });
    office.call(&office.owner, "DELETE", &format!("/pages/{page}?permanent=true"), &confirmed).is(202);
    office.get(&office.owner, &path(&thread)).refuses(404, "NOT_FOUND");
    assert_eq!(ids(&office.get(&office.owner, "/comments")), [Value::Null; 0]);
    let record = Table::of(&office, None, &[]).put(&office, "Chair");
    let thread = begin(&office, &office.member, &json!({ "recordId": record["id"], "body": "Why?" }));
    let record_path = format!("/records/{}", record["id"].as_str().unwrap());
    office.post(&office.owner, &format!("{record_path}/archive"), &Value::Null).is(200);
    reply(&office, &office.member, &thread, "Archived.");
    office.call(&office.owner, "DELETE", &record_path, &json!({ "confirm": record["id"] })).is(202);
    office.get(&office.owner, &path(&thread)).refuses(404, "NOT_FOUND");
}

fn comments_stay_with_a_page_that_becomes_a_record(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let thread = begin(&office, &office.member, &on_page(&page));
    let lock = json!({ "isLocked": true });
    office.patch(&office.owner, &format!("/pages/{page}"), &lock).is(200);
    reply(&office, &office.member, &thread, "A locked page takes comments.");
    office.patch(&office.owner, &format!("/pages/{page}"), &json!({ "isLocked": false })).is(200);
    let table = Table::of(&office, None, &[]);
    office.post(&office.owner, &format!("/pages/{page}/move"), &json!({ "databaseId": table.id })).is(200);
    let shown = office.get(&office.member, &path(&thread)).data(200);
    assert_eq!((&shown["pageId"], &shown["replyCount"]), (&json!(page), &json!(1)));
    let copy = office.post(&office.owner, &format!("/pages/{page}/duplicate"), &json!({})).data(201);
    let copied = office.get(&office.owner, &format!("/pages/{}/comments", copy["id"].as_str().unwrap()));
    assert_eq!(ids(&copied), [Value::Null; 0], "copies have no comments");
}

fn replies_at_once_are_all_counted(engine: Engine) {
    let office = office(engine);
    let thread = begin(&office, &office.member, &on_page(&office.below(None, "Plan")));
    let people = [&office.owner, &office.member, &office.other];
    let made = at_once(20, |index| reply(&office, people[index % 3], &thread, &index.to_string())["id"].clone());
    let shown = office.get(&office.member, &path(&thread)).data(200);
    assert_eq!(shown["replyCount"], 20);
    let listed: Vec<_> = shown["replies"].as_array().unwrap().iter().map(|reply| reply["id"].clone()).collect();
    assert!(made.iter().all(|id| listed.contains(id)));
    assert!(listed.is_sorted_by_key(|id| id.as_str().unwrap().to_owned()), "from the oldest on");
}

fn a_reply_and_a_deletion_at_once_leave_nothing_behind(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    for _ in 0..5 {
        let thread = begin(&office, &office.member, &on_page(&page));
        let statuses = at_once(4, |index| match index {
            0 => office.delete(&office.owner, &path(&thread)).status,
            _ => office.post(&office.member, &format!("{}/replies", path(&thread)), &json!({ "body": "x" })).status,
        });
        assert_eq!(statuses[0], 204);
        assert!(statuses[1..].iter().all(|status| [201, 404].contains(status)), "{statuses:?}");
        office.get(&office.member, &path(&thread)).refuses(404, "NOT_FOUND");
    }
}

fn one_person_comments_as_often_as_the_bucket_allows(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let thread = begin(&office, &office.member, &on_page(&page));
    for _ in 1..120 {
        reply(&office, &office.member, &thread, "x");
    }
    let refused = office.post(&office.member, "/comments", &on_page(&page));
    refused.refuses(429, "RATE_LIMITED");
    assert_eq!(refused.named("X-RateLimit-Bucket"), "comment_create");
    begin(&office, &office.other, &on_page(&page));
}
