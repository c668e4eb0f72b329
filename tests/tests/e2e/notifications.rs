//! Notifications: who is told of what, what they may see of it, and how they mark it.

use crate::{
    comments::{begin, on_page, path, reply},
    pages::{Office, office},
    records::{Table, path_of},
};
use octavo_tests::{Engine, Person, both_engines, poll, shape};
use serde_json::{Value, json};

both_engines! {
    mentions_reach_members_teams_and_strangers_once,
    an_edit_tells_only_those_who_are_newly_mentioned,
    a_thread_tells_everybody_who_takes_part,
    followers_and_creators_of_a_page_are_told,
    the_nearest_follow_decides,
    titles_are_hidden_from_those_who_may_not_see_them,
    reactions_and_assignments_are_told,
    mentions_on_a_page_are_told,
    shared_pages_and_requests_are_told,
    new_members_and_ended_jobs_are_told,
    notifications_are_marked_and_counted,
    preferences_are_kept,
    only_people_have_notifications,
    follows_come_and_go,
}

/// The notifications of somebody, apart from that of their membership.
pub(crate) fn list(who: &Person, query: &str) -> Vec<Value> {
    let found = who.get(&format!("/notifications{query}")).send().body_of(200);
    let all = found["data"].as_array().unwrap().iter();
    all.filter(|told| told["type"] != "MEMBER_ADDED").cloned().collect()
}

/// Waits until somebody has these notifications, newest first, and returns them.
pub(crate) fn told(who: &Person, types: &[&str]) -> Vec<Value> {
    let names = |found: &[Value]| found.iter().map(|told| shape::text(&told["type"])).collect::<Vec<_>>();
    let mut found = Vec::new();
    let seen = poll::within(poll::DEADLINE, || {
        found = list(who, "?limit=100");
        (names(&found) == types).then_some(())
    });
    assert!(seen.is_some(), "told of {:?}, not of {types:?}", names(&found));
    found
}

fn user(person: &Person) -> Value {
    json!({ "type": "user", "id": person.id })
}

/// A thread with mentions of these.
fn mentioning(office: &Office, by: &Person, page: &str, mentions: &[Value]) -> Value {
    begin(office, by, &json!({ "pageId": page, "body": "Look", "mentions": mentions }))
}

fn mentions_reach_members_teams_and_strangers_once(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let team = office.team("Night", false);
    for person in [&office.member, &office.other] {
        office.join(&team, person, "MEMBER");
    }
    let stranger = office.server.person("Sam");
    let of_team = json!({ "type": "team", "id": team });
    let thread = mentioning(
        &office,
        &office.member,
        &page,
        &[user(&office.other), of_team, user(&office.member), user(&stranger)],
    );
    let mention = told(&office.other, &["MENTION"]).remove(0);
    shape::id(&mention["id"], "ntf_");
    let link = json!({ "type": "comment", "id": thread["id"] });
    let name = office.member.me()["displayName"].clone();
    for (field, value) in [
        ("workspaceId", json!(office.id)),
        ("actor", json!({ "id": office.member.id, "name": name, "avatarUrl": null })),
        ("resource", json!({ "type": "comment", "id": thread["id"], "title": "Plan" })),
        ("deepLink", link.clone()),
        ("title", json!(null)),
        ("preview", json!("Look")),
        ("count", json!(1)),
        ("readAt", json!(null)),
        ("archivedAt", json!(null)),
        ("updatedAt", mention["createdAt"].clone()),
    ] {
        assert_eq!(mention[field], value, "{field}");
    }
    let hidden = told(&stranger, &["MENTION"]).remove(0);
    assert_eq!(
        (&hidden["preview"], &hidden["resource"]["title"], &hidden["deepLink"]),
        (&json!(null), &json!(null), &link)
    );
    // Whoever is told of the next thread was told of everything before.
    mentioning(&office, &office.owner, &page, &[user(&office.member)]);
    told(&office.member, &["MENTION"]);
    told(&office.owner, &["COMMENT"]);
    office.delete(&office.member, &path(&thread)).is(204);
    let gone = told(&office.other, &["MENTION"]).remove(0);
    assert_eq!((&gone["preview"], &gone["resource"]["title"]), (&json!(null), &json!("Plan")));
}

fn an_edit_tells_only_those_who_are_newly_mentioned(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let thread = mentioning(&office, &office.member, &page, &[user(&office.other)]);
    let edit = json!({ "mentions": [user(&office.other), user(&office.owner)] });
    office.patch(&office.member, &path(&thread), &edit).is(200);
    told(&office.owner, &["MENTION", "COMMENT"]);
    told(&office.other, &["MENTION"]);
}

fn a_thread_tells_everybody_who_takes_part(engine: Engine) {
    let office = office(engine);
    let page = office.page(&office.member, &json!({ "title": "Mine" }));
    let thread = begin(&office, &office.other, &on_page(&page));
    told(&office.member, &["COMMENT"]);
    let answer = reply(&office, &office.owner, &thread, "Because.");
    let comment = told(&office.other, &["COMMENT"]).remove(0);
    assert_eq!((&comment["preview"], &comment["resource"]["title"]), (&json!("Because."), &json!("Mine")));
    assert_eq!(comment["deepLink"]["id"], thread["id"]);
    let mute = json!({ "mode": "MUTED" });
    office.call(&office.other, "PUT", &format!("/follows/{}", shape::text(&thread["id"])), &mute).is(200);
    reply(&office, &office.member, &thread, "So?");
    told(&office.owner, &["COMMENT"]);
    told(&office.other, &["COMMENT"]);
    let gone = format!("{}/replies/{}", path(&thread), shape::text(&answer["id"]));
    office.delete(&office.owner, &gone).is(204);
    assert_eq!(told(&office.other, &["COMMENT"])[0]["preview"], json!(null));
}

fn followers_and_creators_of_a_page_are_told(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let below = office.below(Some(&page), "Detail");
    let follow = |by: &Person, mode: &str| {
        office.call(by, "PUT", &format!("/follows/{page}"), &json!({ "mode": mode })).is(200);
    };
    follow(&office.other, "ALL");
    office.patch(&office.member, &format!("/pages/{below}"), &json!({ "title": "Details" })).is(200);
    let update = told(&office.other, &["PAGE_UPDATED"]).remove(0);
    assert_eq!(update["deepLink"], json!({ "type": "page", "id": below }));
    assert_eq!((&update["resource"]["title"], &update["preview"]), (&json!("Details"), &json!(null)));
    office.patch(&office.member, &format!("/pages/{below}"), &json!({ "title": "All details" })).is(200);
    poll::eventually("the second count", || (list(&office.other, "")[0]["count"] == 2).then_some(()));
    begin(&office, &office.member, &on_page(&below));
    told(&office.other, &["COMMENT", "PAGE_UPDATED"]);
    told(&office.owner, &["COMMENT"]);
}

fn the_nearest_follow_decides(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let (quiet, loud) = (office.below(Some(&page), "Quiet"), office.below(Some(&page), "Loud"));
    for (target, mode) in [(&page, "ALL"), (&quiet, "MUTED"), (&loud, "COMMENTS")] {
        office.call(&office.other, "PUT", &format!("/follows/{target}"), &json!({ "mode": mode })).is(200);
    }
    begin(&office, &office.member, &on_page(&quiet));
    mentioning(&office, &office.member, &quiet, &[user(&office.other)]);
    office.patch(&office.member, &format!("/pages/{loud}"), &json!({ "title": "Louder" })).is(200);
    begin(&office, &office.member, &on_page(&loud));
    told(&office.other, &["COMMENT", "MENTION"]);
    office.delete(&office.other, &format!("/follows/{quiet}")).is(204);
    begin(&office, &office.member, &on_page(&quiet));
    told(&office.other, &["COMMENT", "COMMENT", "MENTION"]);
}

fn titles_are_hidden_from_those_who_may_not_see_them(engine: Engine) {
    let office = office(engine);
    let page = office.page(&office.owner, &json!({ "title": "Pay", "inherit": false }));
    office.grant(&page, &[("user", &office.member.id, "COMMENT")]);
    mentioning(&office, &office.owner, &page, &[user(&office.member), user(&office.other)]);
    let seen = told(&office.member, &["MENTION", "PAGE_SHARED"]).remove(0);
    assert_eq!((&seen["resource"]["title"], &seen["preview"]), (&json!("Pay"), &json!("Look")));
    let hidden = told(&office.other, &["MENTION"]).remove(0);
    assert_eq!((&hidden["resource"]["title"], &hidden["preview"]), (&json!(null), &json!(null)));
    office.grant(&page, &[]);
    let lost = told(&office.member, &["MENTION", "PAGE_SHARED"]).remove(0);
    assert_eq!((&lost["resource"]["title"], &lost["preview"]), (&json!(null), &json!(null)), "access is lost");
}

fn reactions_and_assignments_are_told(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[json!({ "name": "Who", "type": "person" })]);
    let made = table.send(
        &office,
        &office.member,
        &[("Name", json!({ "text": "Paint" })), ("Who", json!({ "userIds": [office.other.id, office.member.id] }))],
    );
    let record = made.data(201);
    let assigned = told(&office.other, &["ASSIGNED"]).remove(0);
    assert_eq!(assigned["deepLink"], json!({ "type": "record", "id": record["id"] }));
    assert_eq!(assigned["resource"]["title"], "Paint");
    let change = |users: Value| {
        let values = table.values(&[("Who", json!({ "userIds": users }))]);
        office.patch(&office.member, &path_of(&record), &json!({ "properties": values })).is(200);
    };
    change(json!([office.other.id, office.owner.id]));
    told(&office.owner, &["ASSIGNED"]);
    let thread = begin(&office, &office.other, &json!({ "recordId": record["id"], "body": "Which colour?" }));
    told(&office.member, &["COMMENT"]);
    let react = json!({ "emoji": "\u{1F44D}" });
    office.post(&office.member, &format!("{}/reactions", path(&thread)), &react).is(200);
    let reaction = told(&office.other, &["REACTION", "ASSIGNED"]).remove(0);
    assert_eq!(reaction["deepLink"], json!({ "type": "comment", "id": thread["id"] }));
}

fn mentions_on_a_page_are_told(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    office.call(&office.other, "PUT", &format!("/follows/{page}"), &json!({})).is(200);
    let content = |who: &Person| {
        let attrs = json!({ "mentionId": who.id, "mentionType": "user" });
        json!({ "text": "Ask Eve", "marks": [{ "type": "mention", "from": 4, "to": 7, "attrs": attrs }] })
    };
    let add = |kind: &str| {
        let body = json!({ "type": kind, "content": content(&office.other) });
        office.post(&office.member, &format!("/pages/{page}/blocks"), &body).data(201)
    };
    let text = add("paragraph");
    let mention = told(&office.other, &["MENTION"]).remove(0);
    assert_eq!(mention["deepLink"], json!({ "type": "block", "id": text["id"] }));
    assert_eq!(mention["resource"]["title"], "Plan");
    let todo = add("todo");
    let assigned = told(&office.other, &["ASSIGNED", "MENTION"]).remove(0);
    assert_eq!(assigned["deepLink"]["id"], todo["id"]);
    let block = format!("/blocks/{}", shape::text(&todo["id"]));
    office.patch(&office.member, &block, &json!({ "properties": { "checked": true } })).is(200);
    told(&office.other, &["PAGE_UPDATED", "ASSIGNED", "MENTION"]);
}

fn shared_pages_and_requests_are_told(engine: Engine) {
    let office = office(engine);
    let page = office.page(&office.owner, &json!({ "title": "Pay", "inherit": false }));
    office.grant(&page, &[("user", &office.guest.id, "VIEW")]);
    let shared = told(&office.guest, &["PAGE_SHARED"]).remove(0);
    assert_eq!(shared["deepLink"], json!({ "type": "page", "id": page }));
    let ask = json!({ "level": "COMMENT" });
    office.post(&office.member, &format!("/pages/{page}/access-requests"), &ask).is(202);
    told(&office.owner, &["ACCESS_REQUEST"]);
    let asked = office.get(&office.owner, "/access-requests").body_of(200)["data"][0]["id"].clone();
    office.post(&office.owner, &format!("/access-requests/{}/approve", shape::text(&asked)), &json!({})).is(200);
    let decided = told(&office.member, &["ACCESS_DECIDED"]).remove(0);
    assert_eq!(decided["resource"]["title"], "Pay");
    told(&office.other, &[]);
    // Somebody with full access by name decides alone.
    let own = office.page(&office.member, &json!({ "title": "Mine", "inherit": false }));
    office.post(&office.other, &format!("/pages/{own}/access-requests"), &ask).is(202);
    told(&office.member, &["ACCESS_REQUEST", "ACCESS_DECIDED"]);
    told(&office.owner, &["ACCESS_REQUEST"]);
    // A grant to somebody who could view the page before gives nothing.
    let open = office.below(None, "Open");
    office.grant(&open, &[("user", &office.other.id, "FULL_ACCESS")]);
    mentioning(&office, &office.owner, &open, &[user(&office.other)]);
    told(&office.other, &["MENTION"]);
}

fn new_members_and_ended_jobs_are_told(engine: Engine) {
    let office = office(engine);
    let all = |who: &Person| who.get("/notifications").send().body_of(200)["data"].clone();
    poll::eventually("the member is told", || (all(&office.member)[0]["type"] == "MEMBER_ADDED").then_some(()));
    let added = all(&office.member)[0].clone();
    assert_eq!(added["deepLink"], json!({ "type": "workspace", "id": office.id }));
    assert_eq!(added["resource"]["title"], "Acme");
    assert_eq!(added["actor"]["id"], office.owner.id.as_str());
    let exports = format!("/workspaces/{}/audit/exports", office.id);
    let job = office.post(&office.owner, &exports, &json!({ "format": "ndjson" })).data(202);
    let ended = told(&office.owner, &["JOB_FINISHED"]).remove(0);
    assert_eq!((&ended["actor"], &ended["deepLink"]), (&json!(null), &json!({ "type": "job", "id": job["id"] })));
}

fn notifications_are_marked_and_counted(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    for _ in 0..3 {
        mentioning(&office, &office.owner, &page, &[user(&office.member)]);
    }
    let found = told(&office.member, &["MENTION"; 3]);
    let member = |path: &str, body: &Value| office.member.post(path, body).send();
    let unread =
        |query: &str| office.member.get(&format!("/notifications{query}")).send().body_of(200)["unreadCount"].clone();
    assert_eq!((unread(""), unread(&format!("?workspaceId={}", office.id))), (json!(4), json!(4)));
    let one = format!("/notifications/{}", shape::text(&found[0]["id"]));
    let patch = |by: &Person, body: &Value| by.patch(&one, body).send();
    let read = patch(&office.member, &json!({ "read": true })).data(200);
    assert!(read["readAt"].is_string(), "{read}");
    assert_eq!(patch(&office.member, &json!({ "read": true })).data(200), read, "nothing changes");
    patch(&office.other, &json!({ "read": true })).refuses(404, "NOT_FOUND");
    patch(&office.member, &json!({ "read": "yes" })).refuses(400, "VALIDATION_ERROR").of("read", "invalid_type");
    assert_eq!(unread(""), 3);
    patch(&office.member, &json!({ "archived": true })).is(200);
    assert_eq!(list(&office.member, "").len(), 2);
    assert_eq!(list(&office.member, "?archived=true").len(), 1);
    patch(&office.member, &json!({ "archived": false, "read": false })).is(200);
    assert_eq!(list(&office.member, "?unread=true&type=MENTION,COMMENT").len(), 3);
    assert_eq!(list(&office.member, "?type=COMMENT").len(), 0);
    let before = json!({ "before": found[1]["updatedAt"] });
    assert_eq!(
        member("/notifications/read-all", &before).data(200),
        json!({ "updated": 2 }),
        "that and the membership"
    );
    assert_eq!(unread(""), 2);
    let all = json!({ "workspaceId": office.id, "archive": true });
    assert_eq!(member("/notifications/read-all", &all).data(200), json!({ "updated": 4 }));
    assert_eq!((unread(""), list(&office.member, "").len()), (json!(0), 0));
    let page = |query: &str| office.member.get(&format!("/notifications?archived=true{query}")).send().body_of(200);
    let first = page("&limit=3");
    let rest = page(&format!("&limit=3&cursor={}", shape::text(&first["nextCursor"])));
    assert_eq!((first["data"].as_array().unwrap().len(), rest["data"].as_array().unwrap().len()), (3, 1));
    assert_eq!(rest["nextCursor"], json!(null));
}

fn preferences_are_kept(engine: Engine) {
    let office = office(engine);
    let (path, who) = ("/notifications/preferences", &office.member);
    let shown = who.get(path).send().data(200);
    for (kind, choice) in [
        ("MENTION", "instant"),
        ("COMMENT", "instant"),
        ("REACTION", "off"),
        ("SYSTEM", "instant"),
        ("AUTOMATION", "off"),
    ] {
        assert_eq!(shown["email"][kind], choice, "{kind}");
    }
    assert_eq!(
        (shown["email"].as_object().unwrap().len(), &shown["dailyAt"], &shown["pausedUntil"]),
        (13, &json!("08:00"), &json!(null))
    );
    let change = |body: Value| who.patch(path, &body).send();
    let until = "2100-01-01T00:00:00.000Z";
    let changed =
        change(json!({ "email": { "COMMENT": "daily" }, "dailyAt": "07:30", "pausedUntil": until })).data(200);
    assert_eq!((&changed["email"]["COMMENT"], &changed["email"]["MENTION"]), (&json!("daily"), &json!("instant")));
    assert_eq!((&changed["dailyAt"], &changed["pausedUntil"]), (&json!("07:30"), &json!(until)));
    assert_eq!(change(json!({})).data(200), changed);
    let back = change(json!({ "email": { "COMMENT": null }, "pausedUntil": null })).data(200);
    assert_eq!((&back["email"]["COMMENT"], &back["pausedUntil"]), (&json!("instant"), &json!(null)));
    for (body, field) in [
        (json!({ "email": { "BIRTHDAY": "off" } }), "email"),
        (json!({ "email": { "MENTION": "hourly" } }), "email"),
        (json!({ "dailyAt": "24:00" }), "dailyAt"),
    ] {
        assert_eq!(change(body).refuses(400, "VALIDATION_ERROR").detail()["field"], field);
    }
}

fn only_people_have_notifications(engine: Engine) {
    let office = office(engine);
    let key = office.key("ADMIN");
    for (method, path) in [
        ("GET", "/notifications"),
        ("POST", "/notifications/read-all"),
        ("GET", "/notifications/preferences"),
        ("GET", "/follows"),
    ] {
        let request = office.server.request(method, path).bearer(&key);
        let answer = if method == "GET" { request.send() } else { request.json(&json!({})).send() };
        answer.refuses(403, "FORBIDDEN").because("requires_user_credentials");
    }
    // What a key does is told of its creator, who is not told of it.
    let page = office.below(None, "Plan");
    let body = json!({ "pageId": page, "body": "Look", "mentions": [user(&office.owner), user(&office.member)] });
    office.server.request("POST", "/comments").bearer(&key).json(&body).send().is(201);
    let told = told(&office.member, &["MENTION"]).remove(0);
    assert_eq!(told["actor"]["id"], office.owner.id.as_str());
    assert_eq!(list(&office.owner, "").len(), 0);
}

fn follows_come_and_go(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let secret = office.page(&office.owner, &json!({ "title": "Pay", "inherit": false }));
    let thread = begin(&office, &office.owner, &on_page(&page));
    let put = |target: &str, body: &Value| office.call(&office.member, "PUT", &format!("/follows/{target}"), body);
    let followed = put(&page, &json!({})).data(200);
    assert!(followed["createdAt"].is_string(), "{followed}");
    assert_eq!((&followed["resourceId"], &followed["mode"]), (&json!(page), &json!("ALL")));
    assert_eq!(put(&page, &json!({})).data(200), followed);
    let comment = shape::text(&thread["id"]);
    put(&comment, &json!({ "mode": "MUTED" })).is(200);
    put(&page, &json!({ "mode": "LOUD" })).refuses(400, "VALIDATION_ERROR").of("mode", "invalid_value");
    for missing in [secret.as_str(), "pg_x", "cmt_01J8Z3K4M5N6P7Q8R9S0T1V2W3", "usr_01J8Z3K4M5N6P7Q8R9S0T1V2W3"] {
        put(missing, &json!({})).refuses(404, "NOT_FOUND");
    }
    let list = |query: &str| {
        let found = office.get(&office.member, &format!("/follows{query}")).body_of(200);
        found["data"].as_array().unwrap().iter().map(|follow| shape::text(&follow["resourceId"])).collect::<Vec<_>>()
    };
    assert_eq!(list(""), [comment.clone(), page.clone()]);
    assert_eq!(list("?mode=ALL"), std::slice::from_ref(&page));
    for _ in 0..2 {
        office.delete(&office.member, &format!("/follows/{comment}")).is(204);
    }
    assert_eq!(list(""), [page]);
}
