//! Who may read, write and manage comments, and who gets their events.

use crate::{
    comments::{begin, ids, on_page, path, reply},
    pages::{Office, office},
    records::Table,
};
use octavo_tests::{Answer, Engine, Person, both_engines};
use serde_json::{Value, json};

both_engines! {
    a_thread_has_the_access_of_its_page,
    people_manage_what_is_theirs,
    keys_comment_for_the_people_who_made_them,
    comments_of_other_workspaces_do_not_exist,
    events_of_comments_name_their_place_and_people,
    events_of_comments_are_for_those_who_see_the_page,
    a_retried_call_is_answered_once,
}

fn statuses(office: &Office, by: &Person, page: &str, thread: &Value) -> [u16; 5] {
    [
        office.get(by, &path(thread)).status,
        office.get(by, &format!("/pages/{page}/comments")).status,
        office.post(by, "/comments", &on_page(page)).status,
        office.post(by, &format!("{}/replies", path(thread)), &json!({ "body": "x" })).status,
        office.post(by, &format!("{}/reactions", path(thread)), &json!({ "emoji": "\u{1F44D}" })).status,
    ]
}

fn a_thread_has_the_access_of_its_page(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let thread = begin(&office, &office.owner, &on_page(&page));
    for (level, expected) in [
        ("NONE", [404, 404, 404, 404, 404]),
        ("VIEW", [200, 200, 403, 403, 403]),
        ("COMMENT", [200, 200, 201, 201, 200]),
        ("EDIT", [200, 200, 201, 201, 200]),
    ] {
        for person in [&office.member, &office.guest] {
            office.grant(&page, &[("user", &person.id, level)]);
            assert_eq!(statuses(&office, person, &page, &thread), expected, "{level}");
        }
    }
    office.grant(&page, &[("user", &office.guest.id, "VIEW")]);
    let refused = office.post(&office.guest, "/comments", &json!({ "pageId": page }));
    refused.refuses(403, "FORBIDDEN").because("requires_COMMENT");
    let stranger = office.server.person("Zoe");
    stranger.request("GET", &path(&thread)).send().refuses(404, "NOT_FOUND");
    let record = Table::of(&office, None, &[]).put(&office, "Chair");
    let on_record = begin(&office, &office.owner, &json!({ "recordId": record["id"], "body": "Why?" }));
    let home = record["pageId"].as_str().unwrap();
    office.grant(home, &[("user", &office.member.id, "NONE"), ("user", &office.guest.id, "VIEW")]);
    office.get(&office.member, &path(&on_record)).refuses(404, "NOT_FOUND");
    office.get(&office.guest, &path(&on_record)).is(200);
    let send = json!({ "recordId": record["id"], "body": "x" });
    office.post(&office.member, "/comments", &send).refuses(404, "NOT_FOUND");
    office.post(&office.guest, "/comments", &send).refuses(403, "FORBIDDEN").because("requires_COMMENT");
}

fn people_manage_what_is_theirs(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    office.grant(&page, &[("user", &office.member.id, "COMMENT"), ("user", &office.other.id, "COMMENT")]);
    let thread = begin(&office, &office.member, &on_page(&page));
    let answer = reply(&office, &office.other, &thread, "Because.");
    let one = |comment: &Value, reply: &Value| format!("{}/replies/{}", path(comment), reply["id"].as_str().unwrap());
    let edit = |by: &Person| office.patch(by, &path(&thread), &json!({ "body": "Edited." }));
    let act = |by: &Person, act: &str| office.post(by, &format!("{}/{act}", path(&thread)), &Value::Null);
    edit(&office.other).refuses(403, "FORBIDDEN").because("not_author");
    for refused in [
        act(&office.other, "resolve"),
        act(&office.other, "reopen"),
        office.delete(&office.other, &path(&thread)),
        office.delete(&office.member, &one(&thread, &answer)),
    ] {
        refused.refuses(403, "FORBIDDEN").because("requires_EDIT");
    }
    // An author who may only read the page by now still manages what is theirs, but adds nothing.
    office.grant(&page, &[("user", &office.member.id, "VIEW"), ("user", &office.other.id, "EDIT")]);
    edit(&office.member).is(200);
    act(&office.member, "resolve").is(200);
    act(&office.member, "reopen").is(200);
    let own = office.post(&office.member, &format!("{}/replies", path(&thread)), &json!({ "body": "x" }));
    own.refuses(403, "FORBIDDEN").because("requires_COMMENT");
    edit(&office.other).refuses(403, "FORBIDDEN").because("not_author");
    edit(&office.owner).is(200);
    act(&office.other, "resolve").is(200);
    let by_owner = reply(&office, &office.owner, &thread, "Mine.");
    office.delete(&office.other, &one(&thread, &by_owner)).is(204);
    office.grant(&page, &[("user", &office.member.id, "NONE")]);
    edit(&office.member).refuses(404, "NOT_FOUND");
    office.grant(&page, &[("user", &office.member.id, "VIEW")]);
    office.delete(&office.member, &path(&thread)).is(204);
}

fn keys_comment_for_the_people_who_made_them(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let [read, write, admin] = ["READ", "WRITE", "ADMIN"].map(|scope| office.key(scope));
    let call = |key: &str, method: &str, path: &str, body: &Value| -> Answer {
        let request = office.server.site().request(method, path).bearer(key);
        if body.is_null() { request.send() } else { request.json(body).send() }
    };
    call(&read, "POST", "/comments", &on_page(&page)).refuses(403, "FORBIDDEN").because("api_key_scope_write");
    let made = call(&write, "POST", "/comments", &on_page(&page)).data(201);
    assert_eq!(made["author"]["id"], office.owner.id.as_str());
    assert_eq!(call(&read, "GET", &path(&made), &Value::Null).data(200)["body"], "Why?");
    assert_eq!(ids(&call(&read, "GET", "/comments", &Value::Null)), [made["id"].clone()]);
    let reaction = json!({ "emoji": "\u{1F44D}" });
    let state = call(&write, "POST", &format!("{}/reactions", path(&made)), &reaction).data(200);
    assert_eq!(state["userIds"], json!([office.owner.id]), "it counts as the creator of the key");
    let replied = call(&write, "POST", &format!("{}/replies", path(&made)), &json!({ "body": "x" })).data(201);
    let one = format!("{}/replies/{}", path(&made), replied["id"].as_str().unwrap());
    for (method, path, body) in [
        ("PATCH", path(&made), json!({ "body": "x" })),
        ("POST", format!("{}/resolve", path(&made)), Value::Null),
        ("POST", format!("{}/reopen", path(&made)), Value::Null),
        ("DELETE", one, Value::Null),
        ("DELETE", format!("{}/reactions?emoji=%F0%9F%91%8D", path(&made)), Value::Null),
    ] {
        call(&admin, method, &path, &body).refuses(403, "FORBIDDEN").because("requires_user_credentials");
    }
    let refused = call(&write, "DELETE", &path(&made), &Value::Null);
    refused.refuses(403, "FORBIDDEN").because("api_key_scope_admin");
    call(&admin, "DELETE", &path(&made), &Value::Null).is(204);
}

fn comments_of_other_workspaces_do_not_exist(engine: Engine) {
    let office = office(engine);
    let thread = begin(&office, &office.owner, &on_page(&office.below(None, "Plan")));
    let at_home = |method: &str, path: &str| office.owner.request(method, path).send();
    at_home("GET", &path(&thread)).refuses(404, "NOT_FOUND");
    at_home("DELETE", &path(&thread)).refuses(404, "NOT_FOUND");
    let home = office.owner.get("/comments").send();
    assert_eq!(ids(&home), [Value::Null; 0]);
    office
        .owner
        .post("/comments", &json!({ "pageId": thread["pageId"], "body": "x" }))
        .send()
        .refuses(404, "NOT_FOUND");
}

fn events_of_comments_name_their_place_and_people(engine: Engine) {
    let office = office(engine);
    let record = Table::of(&office, None, &[]).put(&office, "Chair");
    let mention = json!([{ "type": "user", "id": office.owner.id }]);
    let body = json!({ "recordId": record["id"], "body": "Why?", "mentions": mention });
    let thread = begin(&office, &office.member, &body);
    let answer = office.post(&office.other, &format!("{}/replies", path(&thread)), &json!({ "body": "So." })).data(201);
    let reacted = json!({ "emoji": "\u{1F44D}", "replyId": answer["id"] });
    office.post(&office.owner, &format!("{}/reactions", path(&thread)), &reacted).is(200);
    office.patch(&office.member, &path(&thread), &json!({ "body": "How?" })).is(200);
    office.delete(&office.owner, &path(&thread)).is(204);
    let events = office.events(&office.owner, "comment.*", 6);
    let kinds: Vec<_> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(
        kinds,
        [
            "comment.created",
            "comment.mentioned",
            "comment.reply_created",
            "comment.reaction_added",
            "comment.updated",
            "comment.deleted"
        ]
    );
    for event in &events {
        assert_eq!(event["resource"], json!({ "type": "comment", "id": thread["id"] }));
        let data = &event["data"];
        for (field, value) in [
            ("commentId", &thread["id"]),
            ("workspaceId", &json!(office.id)),
            ("pageId", &record["pageId"]),
            ("recordId", &record["id"]),
            ("databaseId", &record["databaseId"]),
            ("blockId", &Value::Null),
        ] {
            assert_eq!(&data[field], value, "{field} of {event}");
        }
    }
    let user = json!({ "type": "user", "id": office.owner.id });
    let data = |index: usize| &events[index]["data"];
    assert_eq!((&data(0)["mentions"], &data(0)["body"]), (&json!([user]), &json!("Why?")));
    assert_eq!(data(1)["mention"], user);
    assert_eq!((&data(2)["replyId"], &data(2)["mentions"]), (&answer["id"], &json!([])));
    assert_eq!(data(2)["authorId"], office.other.id.as_str());
    assert_eq!(data(2)["threadAuthorId"], office.member.id.as_str());
    assert_eq!(data(2)["participantIds"], json!([office.member.id, office.other.id]));
    assert_eq!((&data(3)["emoji"], &data(3)["replyId"]), (&json!("\u{1F44D}"), &answer["id"]));
    assert_eq!((&data(3)["actor"], &data(3)["authorId"]), (&json!(office.owner.id), &json!(office.other.id)));
    assert_eq!((&data(3)["userId"], &data(3)["count"]), (&json!(office.owner.id), &json!(1)));
    assert_eq!((&data(5)["replyCount"], &data(5)["authorId"]), (&json!(1), &json!(office.member.id)));
}

fn events_of_comments_are_for_those_who_see_the_page(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let thread = begin(&office, &office.owner, &on_page(&page));
    office.delete(&office.owner, &path(&thread)).is(204);
    assert_eq!(office.events(&office.member, "comment.created,comment.deleted", 2).len(), 2);
    office.grant(&page, &[("user", &office.member.id, "NONE")]);
    let marker = office.below(None, "Marker");
    office.events(&office.member, "page.created", 1);
    let seen = office.get(&office.member, "/events?types=comment.*").body_of(200)["data"].clone();
    assert_eq!(seen, json!([]), "{marker}");
    assert_eq!(
        office.get(&office.owner, &format!("/events?pageId={page}&types=comment.*")).body_of(200)["data"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

fn a_retried_call_is_answered_once(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let send = || {
        let request = office.member.request("POST", "/comments").header("X-Service-Workspace", &office.id);
        request.header("Idempotency-Key", "one-thread").json(&on_page(&page)).send()
    };
    let (first, second) = (send().data(201), send().data(201));
    assert_eq!(first, second);
    assert_eq!(ids(&office.get(&office.member, &format!("/pages/{page}/comments"))).len(), 1);
    office.grant(&page, &[("user", &office.member.id, "VIEW")]);
    send().refuses(403, "FORBIDDEN").because("requires_COMMENT");
}
