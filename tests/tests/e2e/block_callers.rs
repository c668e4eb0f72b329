//! Blocks for all kinds of callers: levels, keys, strangers, retries, readers of the log.

use crate::{
    blocks::UNKNOWN,
    pages::{Office, office},
};
use octavo_tests::{Answer, Engine, Person, both_engines, poll, shape};
use serde_json::{Value, json};

both_engines! {
    who_reads_and_who_writes_blocks,
    rights_are_checked_before_the_body,
    the_blocks_of_others_are_not_there,
    keys_read_and_write_by_their_scope,
    locked_and_trashed_pages_stay_unchanged,
    a_retry_does_nothing_twice,
    nothing_is_replayed_after_losing_access,
    a_request_emits_two_events,
}

/// Every route that changes blocks: method, path and a valid body.
fn changes(page: &str, block: &str) -> Vec<(&'static str, String, Value)> {
    let upsert = json!({ "op": "upsert", "block": { "type": "divider" } });
    vec![
        ("POST", "/blocks".to_owned(), json!({ "pageId": page, "ops": [upsert] })),
        ("POST", "/blocks/batch".to_owned(), json!({ "pageId": page, "ops": [upsert] })),
        ("POST", format!("/pages/{page}/blocks"), json!({ "type": "divider" })),
        ("PATCH", format!("/blocks/{block}"), json!({ "content": "changed" })),
        ("POST", format!("/blocks/{block}/move"), json!({ "position": "0" })),
        ("POST", format!("/blocks/{block}/duplicate"), json!({})),
        ("PATCH", format!("/blocks/{block}"), json!({ "archived": true })),
        ("PATCH", format!("/blocks/{block}"), json!({ "archived": false })),
        ("DELETE", format!("/blocks/{block}"), Value::Null),
    ]
}

fn reads(page: &str, block: &str) -> [String; 2] {
    [format!("/pages/{page}/blocks"), format!("/blocks/{block}")]
}

fn who_reads_and_who_writes_blocks(engine: Engine) {
    let office = office(engine);
    let page = office.page(&office.owner, &json!({ "title": "Plan", "inherit": false }));
    let block = office.line(&page, None, "a");
    office.grant(
        &page,
        &[
            ("user", &office.member.id, "VIEW"),
            ("user", &office.guest.id, "EDIT"),
            ("user", &office.owner.id, "FULL_ACCESS"),
        ],
    );
    for path in reads(&page, &block) {
        office.get(&office.member, &path).is(200);
        office.get(&office.guest, &path).is(200);
        office.get(&office.other, &path).refuses(404, "NOT_FOUND");
    }
    for (method, path, body) in changes(&page, &block) {
        office.call(&office.other, method, &path, &body).refuses(404, "NOT_FOUND");
        office.call(&office.member, method, &path, &body).refuses(403, "FORBIDDEN").because("requires_EDIT");
    }
    assert_eq!(office.page_version(&page), 2);
    for (method, path, body) in changes(&page, &block) {
        let answer = office.call(&office.guest, method, &path, &body);
        assert!([200, 201].contains(&answer.status), "{method} {path}: {}", answer.text());
    }
    office.grant(&page, &[("user", &office.guest.id, "COMMENT"), ("user", &office.owner.id, "FULL_ACCESS")]);
    let adding = office.post(&office.guest, &format!("/pages/{page}/blocks"), &json!({ "type": "divider" }));
    adding.refuses(403, "FORBIDDEN").because("requires_EDIT");
}

fn rights_are_checked_before_the_body(engine: Engine) {
    let office = office(engine);
    let page = office.page(&office.owner, &json!({ "title": "Plan", "inherit": false }));
    let block = office.line(&page, None, "a");
    office.grant(&page, &[("user", &office.member.id, "VIEW"), ("user", &office.owner.id, "FULL_ACCESS")]);
    let wrong = json!({ "pageId": page, "ops": "none", "type": 5, "archived": "no", "parentId": 5 });
    for (method, path, _) in changes(&page, &block) {
        if method == "DELETE" {
            continue;
        }
        office.call(&office.other, method, &path, &wrong).refuses(404, "NOT_FOUND");
        office.call(&office.member, method, &path, &wrong).refuses(403, "FORBIDDEN").because("requires_EDIT");
        office.call(&office.owner, method, &path, &wrong).refuses(400, "VALIDATION_ERROR");
    }
    let many = json!({ "pageId": page, "ops": vec![json!({}); 201] });
    office.post(&office.member, "/blocks", &many).refuses(403, "FORBIDDEN").because("requires_EDIT");
}

fn the_blocks_of_others_are_not_there(engine: Engine) {
    let office = office(engine);
    let own = office.below(None, "Own");
    office.line(&own, None, "mine");
    let zoe = office.server.person("Zoe");
    let page = shape::text(&zoe.post("/pages", &json!({})).send().data(201)["id"]);
    let made = zoe.post(&format!("/pages/{page}/blocks"), &json!({ "type": "paragraph", "content": "theirs" })).send();
    let block = shape::text(&made.data(201)["id"]);
    let unknown_page = UNKNOWN.replace("blk_", "pg_");
    let ids = [(&*page, &*block), (&*unknown_page, UNKNOWN), ("pg_x", "blk_x")];
    let calls = |(page, block): (&str, &str)| -> Vec<Answer> {
        let reading = reads(page, block).map(|path| office.get(&office.owner, &path));
        let writing = changes(page, block)
            .into_iter()
            .filter(|(_, path, _)| !path.starts_with("/blocks/batch") && path != "/blocks");
        let writing = writing.map(|(method, path, body)| office.call(&office.owner, method, &path, &body));
        reading.into_iter().chain(writing).collect()
    };
    let [foreign, absent, malformed] = ids.map(calls);
    for ((foreign, absent), malformed) in foreign.iter().zip(&absent).zip(&malformed) {
        foreign.refuses(404, "NOT_FOUND");
        foreign.is_like(absent);
        foreign.is_like(malformed);
    }
    let batch = |page: &str| {
        let ops = json!([{ "op": "upsert", "block": { "type": "divider" } }]);
        office.post(&office.owner, "/blocks", &json!({ "pageId": page, "ops": ops }))
    };
    batch(&page).refuses(404, "NOT_FOUND");
    batch(&page).is_like(&batch(&unknown_page));
    let theirs = json!([{ "op": "delete", "blockId": block }]);
    let nobodys = json!([{ "op": "delete", "blockId": UNKNOWN }]);
    let refusal = office.batch(&own, &theirs).refuses(400, "VALIDATION_ERROR");
    assert_eq!(
        refusal.of("blockId", "unknown_block").details(),
        office.batch(&own, &nobodys).refuses(400, "VALIDATION_ERROR").details()
    );
    let theirs = format!("/pages/{own}/blocks?parentBlockId={block}");
    office.get(&office.owner, &theirs).refuses(400, "VALIDATION_ERROR").names("parentBlockId");
    let kept = zoe.get(&format!("/blocks/{block}")).send().data(200);
    assert_eq!((&kept["content"]["text"], &kept["version"]), (&json!("theirs"), &json!(1)));
}

fn keys_read_and_write_by_their_scope(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let block = office.line(&page, None, "a");
    let [read, write, admin] = ["READ", "WRITE", "ADMIN"].map(|scope| office.key(scope));
    let call = |key: &str, method: &str, path: &str, body: &Value| {
        let request = office.server.request(method, path).bearer(key);
        if body.is_null() { request.send() } else { request.json(body).send() }
    };
    for path in reads(&page, &block) {
        call(&read, "GET", &path, &Value::Null).is(200);
    }
    for (method, path, body) in changes(&page, &block) {
        call(&read, method, &path, &body).refuses(403, "FORBIDDEN").because("api_key_scope_write");
    }
    for (method, path, body) in changes(&page, &block) {
        let answer = call(&write, method, &path, &body);
        assert!([200, 201].contains(&answer.status), "{method} {path}: {}", answer.text());
    }
    let made = call(&write, "POST", &format!("/pages/{page}/blocks"), &json!({ "type": "divider" })).data(201);
    assert_eq!(made["createdBy"], json!(office.owner.id), "who made the key");
    let deleted = format!("/pages/{page}/blocks?includeDeleted=true");
    for key in [&read, &write] {
        call(key, "GET", &deleted, &Value::Null).refuses(403, "FORBIDDEN").because("api_key_scope_admin");
    }
    call(&admin, "GET", &deleted, &Value::Null).is(200);
}

fn locked_and_trashed_pages_stay_unchanged(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let (block, gone) = (office.line(&page, None, "a"), office.line(&page, None, "gone"));
    office.delete(&office.owner, &format!("/blocks/{gone}")).is(200);
    let refused = |issue: &str| {
        for (method, path, body) in changes(&page, &block) {
            if body == json!({ "archived": false }) {
                continue;
            }
            office.call(&office.owner, method, &path, &body).refuses(409, "CONFLICT").issue(issue);
        }
        let back = office.patch(&office.owner, &format!("/blocks/{gone}"), &json!({ "archived": false }));
        back.refuses(409, "CONFLICT").issue(issue);
    };
    let lock = |locked: bool| {
        office.patch(&office.owner, &format!("/pages/{page}"), &json!({ "isLocked": locked })).is(200);
    };
    lock(true);
    refused("page_locked");
    let refusal = office.add(&page, &json!({ "type": "divider" })).refuses(409, "CONFLICT");
    assert_eq!(refusal.detail()["lockedBy"], json!(office.owner.id));
    lock(false);
    let [list, one] = reads(&page, &block);
    office.grant(&page, &[("workspace", &office.id, "VIEW")]);
    office.get(&office.member, &one).is(200);
    office.delete(&office.owner, &format!("/pages/{page}")).is(200);
    refused("page_trashed");
    for path in [&list, &one] {
        office.get(&office.owner, path).is(200);
        office.get(&office.member, path).refuses(403, "FORBIDDEN").because("requires_EDIT");
    }
    let confirm = json!({ "confirm": page });
    office.call(&office.owner, "DELETE", &format!("/pages/{page}?permanent=true"), &confirm).is(202);
    office.get(&office.owner, &one).refuses(404, "NOT_FOUND");
}

impl Office {
    fn tried(&self, by: &Person, (method, path, body): &(&str, String, Value), key: &str) -> Answer {
        let request = by.request(method, path).header("X-Service-Workspace", &self.id).key(key);
        if body.is_null() { request.send() } else { request.json(body).send() }
    }
}

fn a_retry_does_nothing_twice(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let block = office.line(&page, None, "a");
    for (number, call) in changes(&page, &block).iter().enumerate() {
        let key = format!("key-{number}");
        let first = office.tried(&office.member, call, &key);
        assert!([200, 201].contains(&first.status), "{call:?}: {}", first.text());
        let version = office.page_version(&page);
        let again = office.tried(&office.member, call, &key);
        assert_eq!((again.status, again.text()), (first.status, first.text()), "{call:?}");
        assert_eq!(again.header("Idempotency-Replayed"), Some("true"), "{call:?}");
        assert_eq!(office.page_version(&page), version, "{call:?}");
    }
    let other =
        ("POST", "/blocks".to_owned(), json!({ "pageId": page, "ops": [{ "op": "delete", "blockId": block }] }));
    office.tried(&office.member, &other, "key-0").refuses(422, "UNPROCESSABLE_ENTITY").issue("idempotency_key_reused");
}

fn nothing_is_replayed_after_losing_access(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let block = office.line(&page, None, "a");
    let calls = changes(&page, &block);
    for (number, call) in calls.iter().enumerate() {
        office.tried(&office.member, call, &number.to_string());
    }
    office.grant(&page, &[("user", &office.member.id, "VIEW")]);
    for (number, call) in calls.iter().enumerate() {
        let answer = office.tried(&office.member, call, &number.to_string());
        answer.refuses(403, "FORBIDDEN").because("requires_EDIT");
    }
    office.grant(&page, &[("user", &office.member.id, "NONE")]);
    for (number, call) in calls.iter().enumerate() {
        let answer = office.tried(&office.member, call, &number.to_string());
        answer.refuses(404, "NOT_FOUND");
        assert_eq!(answer.header("Idempotency-Replayed"), None, "{call:?}");
    }
}

fn a_request_emits_two_events(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let (a, b) = (office.line(&page, None, "a"), office.line(&page, None, "b"));
    let ops = json!([
        { "op": "upsert", "block": { "type": "todo", "content": "new" } },
        { "op": "update", "blockId": a, "patch": { "type": "quote" } },
        { "op": "move", "blockId": b, "move": { "parentId": a } },
        { "op": "update", "blockId": a, "patch": {} },
    ]);
    let done = office.post(&office.member, "/blocks", &json!({ "pageId": page, "ops": ops })).body_of(201);
    let key = office.key("WRITE");
    let deletion = office.server.request("DELETE", &format!("/blocks/{a}")).bearer(&key).send();
    assert_eq!(deletion.body_of(200)["pageVersion"], 5);
    let list = poll::eventually("every event of the page", || {
        let list =
            office.get(&office.owner, &format!("/events?resourceId={page}&limit=100")).body_of(200)["data"].clone();
        let count = list.as_array().unwrap().iter().filter(|event| event["version"] == 5).count();
        (count == 2).then_some(list)
    });
    let of = |version: i64, kind: &str| -> Value {
        let of_kind = |event: &&Value| event["version"] == version && event["type"] == kind;
        let events: Vec<_> = list.as_array().unwrap().iter().filter(of_kind).collect();
        assert_eq!(events.len(), 1, "one {kind} of version {version}");
        events[0].clone()
    };
    let made = &done["blockIds"][0];
    let expected = json!([
        { "op": "insert", "blockId": made, "pageId": page, "type": "todo" },
        { "op": "update", "blockId": a, "pageId": page, "type": "quote" },
        {
            "op": "move",
            "blockId": b,
            "pageId": page,
            "type": "paragraph",
            "from": { "parentId": null, "position": "a1" },
            "to": { "parentId": a, "position": "a0" },
        },
    ]);
    let (changed, updated) = (of(4, "blocks.changed"), of(4, "page.updated"));
    for event in [&changed, &updated] {
        assert_eq!((&event["data"]["pageId"], &event["pageId"]), (&json!(page), &json!(page)));
        assert_eq!((&event["actor"]["id"], &event["resource"]["id"]), (&json!(office.member.id), &json!(page)));
    }
    assert_eq!(changed["data"]["changes"], expected);
    assert_eq!(updated["data"]["changedFields"], json!(["blocks"]));
    for once in ["changes", "before", "after"] {
        assert_eq!(updated["data"].get(once), None, "what was done stands in the other event alone");
    }
    let data = &changed["data"];
    assert_eq!((&data["actor"], &data["workspaceId"]), (&json!(office.member.id), &json!(office.id)));
    let deleted = of(5, "blocks.changed");
    assert_eq!(deleted["data"]["changes"], json!([{ "op": "delete", "blockId": a, "pageId": page, "type": "quote" }]));
    shape::id(&deleted["data"]["actor"], "apk_");
    let count = list.as_array().unwrap().iter().filter(|event| event["type"] == "blocks.changed").count();
    assert_eq!(count, 4, "one a request");
    let seen = office.get(&office.guest, &format!("/events?resourceId={page}")).body_of(200);
    assert_eq!(seen["data"], json!([]), "only those who see the page see its events");
}
