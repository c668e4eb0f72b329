//! Share links: who manages them, what they say, and which pages they show to programs.

use crate::pages::{Office, office};
use octavo_tests::{Answer, Engine, Person, at_once::at_once, both_engines, poll::eventually, shape};
use serde_json::{Value, json};

both_engines! {
    a_link_is_made_listed_changed_and_revoked,
    who_manages_links,
    a_page_has_twenty_links,
    of_twenty_who_make_the_last_link_one_succeeds,
    invalid_bodies_are_refused,
    a_link_shows_its_page_and_what_is_below_without_a_cut,
    refusals_come_in_their_order,
    a_password_opens_a_link_for_a_while,
    answers_are_not_cached_and_indexed_only_where_allowed,
    pages_say_whether_links_show_them,
    views_are_counted,
    passwords_and_links_are_limited_for_each_link,
    events_of_links_are_for_those_who_edit_and_hold_no_secret,
    the_links_of_a_workspace_are_listed_for_owners_and_admins,
    a_retry_makes_no_second_link,
}

pub(crate) fn link(office: &Office, by: &Person, page: &str, body: &Value) -> Value {
    office.post(by, &format!("/pages/{page}/share-links"), body).data(201)
}

pub(crate) fn token(link: &Value) -> String {
    shape::text(&link["token"])
}

fn single(link: &Value) -> String {
    format!("/share-links/{}", shape::text(&link["id"]))
}

fn open(office: &Office, token: &str) -> Answer {
    office.server.site().get(&format!("/public/shares/{token}")).send()
}

fn read(office: &Office, token: &str, page: &str) -> Answer {
    office.server.site().get(&format!("/public/shares/{token}/pages/{page}")).send()
}

pub(crate) fn names(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|node| shape::text(&node["title"])).collect()
}

fn a_link_is_made_listed_changed_and_revoked(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Roadmap");
    let links = format!("/pages/{page}/share-links");
    let made = link(&office, &office.owner, &page, &json!({}));
    shape::id(&made["id"], "shr_");
    for (field, value) in [
        ("resourceId", json!(page)),
        ("level", json!("VIEW")),
        ("includeChildren", json!(true)),
        ("hasPassword", json!(false)),
        ("expiresAt", json!(null)),
        ("allowDuplicate", json!(false)),
        ("allowIndexing", json!(false)),
        ("status", json!("ACTIVE")),
        ("viewCount", json!(0)),
        ("lastViewedAt", json!(null)),
        ("createdBy", json!(office.owner.id)),
    ] {
        assert_eq!(made[field], value, "{field}");
    }
    let first = token(&made);
    assert!(first.starts_with("shl_") && first.len() == 47);
    assert_eq!(made["url"], format!("{}/share/{first}", office.server.site().public_origin()));
    let body = json!({ "level": "EDIT", "includeChildren": false, "password": "open sesame", "allowIndexing": true });
    let second = link(&office, &office.owner, &page, &body);
    assert_eq!(
        (&second["level"], &second["hasPassword"], &second["includeChildren"]),
        (&json!("EDIT"), &json!(true), &json!(false))
    );
    let list = office.get(&office.owner, &links).body_of(200);
    assert_eq!(list["nextCursor"], Value::Null);
    assert_eq!(list["data"], json!([second, made]), "newest first, each as it was shown");

    let change = json!({ "level": "COMMENT", "password": null, "rotateToken": true });
    let changed = office.patch(&office.owner, &single(&second), &change).data(200);
    assert_eq!((&changed["level"], &changed["hasPassword"]), (&json!("COMMENT"), &json!(false)));
    assert_ne!(changed["token"], second["token"]);
    open(&office, &token(&second)).refuses(404, "NOT_FOUND");
    open(&office, &token(&changed)).is(200);
    let same = office.patch(&office.owner, &single(&second), &json!({})).data(200);
    assert_eq!(same["updatedAt"], changed["updatedAt"]);

    for _ in 0..2 {
        office.delete(&office.owner, &single(&made)).is(204);
    }
    open(&office, &first).refuses(404, "NOT_FOUND");
    let revoked = &office.get(&office.owner, &links).body_of(200)["data"][1];
    assert_eq!(revoked["status"], "REVOKED");
    office
        .patch(&office.owner, &single(&made), &json!({ "level": "EDIT" }))
        .refuses(409, "CONFLICT")
        .issue("share_link_revoked");
}

fn who_manages_links(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    let made = link(&office, &office.owner, &page, &json!({}));
    let links = format!("/pages/{page}/share-links");
    let requests: [(&str, &str, Value); 4] = [
        ("POST", &links, json!({})),
        ("GET", &links, Value::Null),
        ("PATCH", &single(&made), json!({ "level": "EDIT" })),
        ("DELETE", &single(&made), Value::Null),
    ];
    for (method, path, body) in &requests {
        let member = office.call(&office.member, method, path, body);
        member.refuses(403, "FORBIDDEN").because("requires_FULL_ACCESS");
        office.call(&office.guest, method, path, body).refuses(404, "NOT_FOUND");
    }
    for (scope, reason) in [("READ", "api_key_scope_admin"), ("WRITE", "api_key_scope_admin")] {
        let key = office.key(scope);
        let refused = office.server.site().get(&links).bearer(&key).send();
        refused.refuses(403, "FORBIDDEN").because(reason);
    }
    let key = office.key("ADMIN");
    let by_key = office.server.site().post(&links, &json!({})).bearer(&key).send().data(201);
    assert_eq!(by_key["createdBy"], json!(office.owner.id), "who made the key");
    office.grant(&page, &[("user", &office.member.id, "FULL_ACCESS")]);
    link(&office, &office.member, &page, &json!({}));
    office.patch(&office.member, &single(&made), &json!({ "level": "EDIT" })).is(200);
    // A link of another workspace looks as if it did not exist, whatever role the caller has elsewhere.
    let stranger = office.server.person("Zoe");
    let absent = stranger.patch("/share-links/shr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", &json!({})).send();
    absent.refuses(404, "NOT_FOUND");
    stranger.patch(&single(&made), &json!({})).send().is_like(&absent);
    office.delete(&office.owner, &format!("/pages/{page}")).is(200);
    let trashed = office.post(&office.owner, &links, &json!({}));
    trashed.refuses(409, "CONFLICT").issue("page_trashed");
    office.delete(&office.owner, &single(&made)).is(204);
}

fn a_page_has_twenty_links(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    let links: Vec<_> = (0..20).map(|_| link(&office, &office.owner, &page, &json!({}))).collect();
    let path = format!("/pages/{page}/share-links");
    let refused = office.post(&office.owner, &path, &json!({}));
    refused.refuses(409, "CONFLICT").issue("limit_reached");
    office.delete(&office.owner, &single(&links[0])).is(204);
    link(&office, &office.owner, &page, &json!({}));
}

fn of_twenty_who_make_the_last_link_one_succeeds(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    for _ in 0..19 {
        link(&office, &office.owner, &page, &json!({}));
    }
    let path = format!("/pages/{page}/share-links");
    let answers = at_once(20, |_| office.post(&office.owner, &path, &json!({})));
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
    assert_eq!(answers.iter().filter(|answer| answer.status == 409).count(), 19);
}

fn invalid_bodies_are_refused(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    let path = format!("/pages/{page}/share-links");
    for (field, value, issue) in [
        ("level", json!("FULL_ACCESS"), "invalid_value"),
        ("level", json!("NONE"), "invalid_value"),
        ("includeChildren", json!("yes"), "invalid_type"),
        ("password", json!("abc"), "too_short"),
        ("password", json!("x".repeat(129)), "too_long"),
        ("password", json!("\u{1F600}".repeat(129)), "too_long"),
        ("expiresAt", json!("tomorrow"), "invalid_format"),
        ("expiresAt", json!("2020-01-01T00:00:00Z"), "too_small"),
    ] {
        let refused = office.post(&office.owner, &path, &json!({ field: value }));
        let refusal = refused.refuses(400, "VALIDATION_ERROR");
        refusal.of(field, issue);
        assert_eq!(refusal.detail().get("received").is_some(), field != "password", "a password is never repeated");
    }
}

fn a_link_shows_its_page_and_what_is_below_without_a_cut(engine: Engine) {
    let office = office(engine);
    let above = office.below(None, "Above");
    let page = office.below(Some(&above), "Page");
    let child = office.below(Some(&page), "Child");
    let deep = office.below(Some(&child), "Deep");
    let second = office.below(Some(&page), "Second");
    let cut = office.page(&office.owner, &json!({ "title": "Cut", "parentId": page, "inherit": false }));
    let behind = office.below(Some(&cut), "Behind");
    let made = link(&office, &office.owner, &page, &json!({}));
    let token = token(&made);
    let share = open(&office, &token).data(200);
    let resource = &share["resource"];
    assert_eq!(
        (&resource["id"], &resource["type"], &resource["title"]),
        (&json!(page), &json!("page"), &json!("Page"))
    );
    assert_eq!(
        (&share["level"], &share["allowDuplicate"], &share["includeChildren"]),
        (&json!("VIEW"), &json!(false), &json!(true))
    );

    let shown = read(&office, &token, &page).data(200);
    assert_eq!(
        (names(&shown["ancestors"]), names(&shown["children"])),
        (vec![], vec!["Child".to_owned(), "Second".to_owned()])
    );
    assert_eq!(shown["blocks"], json!([]));
    let fields: Vec<_> = shown["page"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(fields, ["coverUrl", "icon", "id", "title", "updatedAt"], "nothing of people");
    let shown = read(&office, &token, &deep).data(200);
    assert_eq!(names(&shown["ancestors"]), ["Page", "Child"]);
    assert_eq!(shown["ancestors"][0]["id"], json!(page));
    read(&office, &token, &second).is(200);

    let absent = read(&office, &token, "pg_01KAHQ5ZJ8T3M6N9P2R4S7V0WX");
    absent.refuses(404, "NOT_FOUND");
    for hidden in [&above, &cut, &behind] {
        read(&office, &token, hidden).is_like(&absent);
    }
    read(&office, &token, "nonsense").refuses(404, "NOT_FOUND");
    // A link to the page that cuts inheritance shows the pages below it.
    let inner = link(&office, &office.owner, &cut, &json!({}));
    assert_eq!(names(&read(&office, &shape::text(&inner["token"]), &behind).data(200)["ancestors"]), ["Cut"]);

    office.patch(&office.owner, &single(&made), &json!({ "includeChildren": false })).is(200);
    assert_eq!(read(&office, &token, &page).data(200)["children"], json!([]));
    read(&office, &token, &child).refuses(404, "NOT_FOUND");
    office.patch(&office.owner, &single(&made), &json!({ "includeChildren": true })).is(200);
    office.delete(&office.owner, &format!("/pages/{child}")).is(200);
    read(&office, &token, &deep).refuses(404, "NOT_FOUND");
    assert_eq!(names(&read(&office, &token, &page).data(200)["children"]), ["Second"]);
}

fn refusals_come_in_their_order(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    let made = link(&office, &office.owner, &page, &json!({ "password": "open sesame" }));
    let token = token(&made);
    open(&office, "shl_nonsense").refuses(404, "NOT_FOUND");
    open(&office, "shl_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80").refuses(404, "NOT_FOUND");
    open(&office, &token).refuses(401, "UNAUTHORIZED").because("share_password_required");
    let uncovered = read(&office, &token, "pg_01KAHQ5ZJ8T3M6N9P2R4S7V0WX");
    uncovered.refuses(401, "UNAUTHORIZED").because("share_password_required");
    let wrong =
        office.server.site().get(&format!("/public/shares/{token}")).header("X-Share-Access", "sha_nonsense").send();
    wrong.refuses(401, "UNAUTHORIZED").because("share_password_required");
    // A credential that the route does not use changes nothing.
    let signed_in = office.owner.get(&format!("/public/shares/{token}")).send();
    signed_in.refuses(401, "UNAUTHORIZED").because("share_password_required");
    assert!(signed_in.header("www-authenticate").is_some_and(|text| text.starts_with("Bearer")));
    let end = shape::timestamp(shape::now_millis() + 1500);
    office.patch(&office.owner, &single(&made), &json!({ "expiresAt": end })).is(200);
    let expired =
        eventually("the end of the link", || Some(open(&office, &token)).filter(|answer| answer.status == 410));
    expired.refuses(410, "GONE").because("share_expired");
    let password = json!({ "password": "open sesame" });
    office.server.site().post(&format!("/public/shares/{token}/unlock"), &password).send().refuses(410, "GONE");
    assert_eq!(
        office.get(&office.owner, &format!("/pages/{page}/share-links")).body_of(200)["data"][0]["status"],
        "EXPIRED"
    );
    office.patch(&office.owner, &single(&made), &json!({ "expiresAt": null })).is(200);
    office.delete(&office.owner, &format!("/pages/{page}")).is(200);
    open(&office, &token).refuses(404, "NOT_FOUND");
    office.post(&office.owner, &format!("/pages/{page}/restore"), &json!({})).is(200);
    open(&office, &token).refuses(401, "UNAUTHORIZED");
    office.delete(&office.owner, &single(&made)).is(204);
    open(&office, &token).refuses(404, "NOT_FOUND");
}

fn unlock(office: &Office, token: &str, password: &str) -> Answer {
    office.server.site().post(&format!("/public/shares/{token}/unlock"), &json!({ "password": password })).send()
}

fn a_password_opens_a_link_for_a_while(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    let made = link(&office, &office.owner, &page, &json!({ "password": "open sesame" }));
    let token = token(&made);
    unlock(&office, &token, "Open sesame").refuses(401, "UNAUTHORIZED").because("share_password_wrong");
    office
        .server
        .site()
        .post(&format!("/public/shares/{token}/unlock"), &json!({}))
        .send()
        .refuses(400, "VALIDATION_ERROR")
        .of("password", "required");
    unlock(&office, "shl_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80", "x").refuses(404, "NOT_FOUND");
    let unlocked = unlock(&office, &token, "open sesame").data(200);
    assert_eq!(unlocked["expiresIn"], 3600);
    let access = shape::text(&unlocked["accessToken"]);
    assert!(access.starts_with("sha_"));
    let with = |path: &str| office.server.site().get(path).header("X-Share-Access", &access).send();
    with(&format!("/public/shares/{token}")).is(200);
    with(&format!("/public/shares/{token}/pages/{page}")).is(200);
    let other = link(&office, &office.owner, &page, &json!({ "password": "open sesame" }));
    with(&format!("/public/shares/{}", shape::text(&other["token"]))).is(401);
    office.patch(&office.owner, &single(&made), &json!({ "password": "another one" })).is(200);
    with(&format!("/public/shares/{token}")).refuses(401, "UNAUTHORIZED").because("share_password_required");
    unlock(&office, &token, "open sesame").is(401);
    office.patch(&office.owner, &single(&made), &json!({ "password": null })).is(200);
    open(&office, &token).is(200);
}

fn answers_are_not_cached_and_indexed_only_where_allowed(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    let made = link(&office, &office.owner, &page, &json!({}));
    let token = token(&made);
    let answers = || [open(&office, &token), read(&office, &token, &page)];
    for answer in answers() {
        assert_eq!(answer.named("X-Robots-Tag"), "noindex");
        assert_eq!(answer.named("Referrer-Policy"), "no-referrer");
        assert_eq!(answer.named("Cache-Control"), "no-store");
    }
    assert_eq!(open(&office, "shl_nonsense").named("X-Robots-Tag"), "noindex");
    office.patch(&office.owner, &single(&made), &json!({ "allowIndexing": true })).is(200);
    for answer in answers() {
        assert_eq!(answer.is(200).header("X-Robots-Tag"), None);
    }
}

fn pages_say_whether_links_show_them(engine: Engine) {
    let office = office(engine);
    let top = office.below(None, "Top");
    let page = office.below(Some(&top), "Page");
    let child = office.below(Some(&page), "Child");
    let cut = office.page(&office.owner, &json!({ "title": "Cut", "parentId": page, "inherit": false }));
    let access = |id: &str| {
        let shown = shape::text(&office.get(&office.owner, &format!("/pages/{id}")).data(200)["publicAccess"]);
        let permissions = office.get(&office.owner, &format!("/pages/{id}/permissions")).data(200);
        assert_eq!(permissions["publicAccess"], shown);
        let list = office.get(&office.owner, "/pages").body_of(200);
        let listed = list["data"].as_array().unwrap().iter().find(|page| page["id"] == id).unwrap();
        assert_eq!(listed["publicAccess"], shown);
        let named = office.get(&office.owner, &format!("/pages?publicAccess={shown}")).body_of(200);
        assert!(named["data"].as_array().unwrap().iter().any(|page| page["id"] == id), "{shown} lists {id}");
        shown
    };
    let all = || [&top, &page, &child, &cut].map(|id| access(id));
    assert_eq!(all(), ["none"; 4]);
    let made = link(&office, &office.owner, &page, &json!({}));
    assert_eq!(all(), ["none", "direct", "inherited", "none"]);
    let new = office.post(&office.owner, "/pages", &json!({ "parentId": child })).data(201);
    assert_eq!(new["publicAccess"], "inherited");
    office.patch(&office.owner, &single(&made), &json!({ "includeChildren": false })).is(200);
    assert_eq!(all(), ["none", "direct", "none", "none"]);
    office.delete(&office.owner, &single(&made)).is(204);
    assert_eq!(all(), ["none"; 4]);
}

fn views_are_counted(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    let made = link(&office, &office.owner, &page, &json!({}));
    for _ in 0..3 {
        open(&office, &token(&made)).is(200);
    }
    open(&office, "shl_nonsense").is(404);
    // Another call to the shared server may be storing these views right now.
    let shown = eventually("three views", || {
        let listed = office.get(&office.owner, &format!("/pages/{page}/share-links")).body_of(200);
        (listed["data"][0]["viewCount"] == 3).then(|| listed["data"][0].clone())
    });
    assert!(shape::millis(&shown["lastViewedAt"]) > 0);
    open(&office, &token(&made)).is(200);
    let path = format!("/workspaces/{}/share-links", office.id);
    eventually("four views", || {
        (office.owner.get(&path).send().body_of(200)["data"][0]["viewCount"] == 4).then_some(())
    });
}

fn passwords_and_links_are_limited_for_each_link(engine: Engine) {
    let settings = [("OCTAVO_RATE_LIMIT_SHARE", "8"), ("OCTAVO_RATE_LIMIT_SHARE_UNLOCK", "3")];
    let server = octavo_tests::Server::with(engine, &settings);
    let ada = server.person("Ada");
    let page = shape::text(&ada.post("/pages", &json!({ "title": "Page" })).send().data(201)["id"]);
    let make = || {
        let body = json!({ "password": "open sesame" });
        shape::text(&ada.post(&format!("/pages/{page}/share-links"), &body).send().data(201)["token"])
    };
    let (first, second) = (make(), make());
    let guess =
        |token: &str| server.post(&format!("/public/shares/{token}/unlock"), &json!({ "password": "nonsense" })).send();
    for _ in 0..3 {
        guess(&first).is(401);
    }
    let refused = guess(&first);
    refused.refuses(429, "RATE_LIMITED");
    assert_eq!(refused.named("X-RateLimit-Bucket"), "share_unlock");
    guess(&second).is(401);
    let look = |token: &str| server.get(&format!("/public/shares/{token}")).send();
    for _ in 0..5 {
        look(&first).is(401);
    }
    let refused = look(&first);
    assert_eq!((refused.status, refused.named("X-RateLimit-Bucket")), (429, "share"));
    look(&second).is(401);
    // Tokens that no link could have share one count.
    for number in 0..8 {
        look(&format!("shl_{number}")).is(404);
    }
    look("shl_9").is(429);
}

fn events_of_links_are_for_those_who_edit_and_hold_no_secret(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    let made = link(&office, &office.owner, &page, &json!({ "password": "open sesame" }));
    office
        .patch(
            &office.owner,
            &single(&made),
            &json!({ "rotateToken": true, "password": "another one", "level": "EDIT" }),
        )
        .is(200);
    office.delete(&office.owner, &single(&made)).is(204);
    let kinds = |by: &Person| -> Vec<String> {
        let list = office.get(by, "/events?types=share_link.*").body_of(200);
        list["data"].as_array().unwrap().iter().map(|event| shape::text(&event["type"])).collect()
    };
    let expected = ["share_link.created", "share_link.updated", "share_link.revoked"];
    eventually("the events", || (kinds(&office.owner) == expected).then_some(()));
    assert_eq!(kinds(&office.member), expected, "who edits the page");
    office.grant(&page, &[("user", &office.member.id, "VIEW")]);
    assert_eq!(kinds(&office.member), [""; 0]);
    assert_eq!(kinds(&office.guest), [""; 0]);
    let text = office.get(&office.owner, "/events?types=share_link.*").text()
        + &office.owner.get(&format!("/workspaces/{}/audit", office.id)).send().text();
    for secret in ["shl_", "open sesame", "another one", "argon2"] {
        assert!(!text.contains(secret), "{secret}");
    }
    let list = office.get(&office.owner, "/events?types=share_link.*").body_of(200);
    let updated = &list["data"][1];
    assert_eq!(updated["data"]["changedFields"], json!(["level", "password", "token"]));
    assert_eq!(updated["data"]["resourceId"], json!(page));
}

fn the_links_of_a_workspace_are_listed_for_owners_and_admins(engine: Engine) {
    let office = office(engine);
    let (first, second) = (office.below(None, "First"), office.below(None, "Second"));
    office.grant(&second, &[("user", &office.member.id, "FULL_ACCESS")]);
    let one = link(&office, &office.owner, &first, &json!({}));
    let two = link(&office, &office.member, &second, &json!({}));
    let three = link(&office, &office.owner, &second, &json!({}));
    office.delete(&office.owner, &single(&three)).is(204);
    let path = format!("/workspaces/{}/share-links", office.id);
    let list = |query: &str| -> Vec<String> {
        let list = office.owner.get(&format!("{path}{query}")).send().body_of(200);
        list["data"].as_array().unwrap().iter().map(|link| shape::text(&link["id"])).collect()
    };
    let id = |link: &Value| shape::text(&link["id"]);
    assert_eq!(list(""), [id(&three), id(&two), id(&one)]);
    assert_eq!(list("?status=ACTIVE"), [id(&two), id(&one)]);
    assert_eq!(list("?status=REVOKED"), [id(&three)]);
    assert_eq!(list(&format!("?resourceId={second}")), [id(&three), id(&two)]);
    assert_eq!(list(&format!("?createdBy={}", office.member.id)), [id(&two)]);
    let page = office.owner.get(&format!("{path}?limit=1")).send().body_of(200);
    let cursor = shape::text(&page["nextCursor"]);
    assert_eq!(list(&format!("?limit=1&cursor={cursor}")), [id(&two)]);
    office.member.get(&path).send().refuses(403, "FORBIDDEN").because("requires_ADMIN");
}

fn a_retry_makes_no_second_link(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    let path = format!("/pages/{page}/share-links");
    let request = office.owner.post(&path, &json!({ "password": "open sesame" }));
    let request = request.header("X-Service-Workspace", &office.id).key("once");
    let (made, again) = (request.send(), request.send());
    assert_eq!((made.data(201), again.header("idempotency-replayed")), (again.data(201), Some("true")));
    assert_eq!(office.get(&office.owner, &path).body_of(200)["data"].as_array().unwrap().len(), 1);
    let gone = office.owner.delete(&single(&made.data(201))).header("X-Service-Workspace", &office.id).key("gone");
    gone.send().is(204);
    gone.send().is(204);
}
