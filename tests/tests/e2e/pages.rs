//! Pages: creating, reading and changing them.

use octavo_tests::{Answer, Engine, Person, Server, both_engines, poll, shape};
use serde_json::{Value, json};

both_engines! {
    a_page_lives_from_creation_to_removal,
    a_page_stands_where_it_is_put,
    who_may_make_pages,
    a_page_is_changed_under_its_version,
    a_lock_keeps_a_page,
    content_and_places_are_refused_where_they_do_not_belong,
}

pub(crate) struct Office {
    pub(crate) server: Server,
    pub(crate) id: String,
    pub(crate) owner: Person,
    pub(crate) member: Person,
    pub(crate) other: Person,
    pub(crate) guest: Person,
}

/// A workspace with an owner, two members and a guest.
pub(crate) fn office(engine: Engine) -> Office {
    office_on(Server::start(engine))
}

/// The same on a server that was started with other settings.
pub(crate) fn office_on(server: Server) -> Office {
    let [owner, member, other, guest] = ["Ada", "Bob", "Eve", "Gus"].map(|name| server.person(name));
    let id = shape::text(&owner.post("/workspaces", &json!({ "name": "Acme" })).send().data(201)["id"]);
    for (person, role) in [(&member, "MEMBER"), (&other, "MEMBER"), (&guest, "GUEST")] {
        let body = json!({ "userId": person.id, "role": role });
        owner.post(&format!("/workspaces/{id}/members"), &body).send().is(201);
    }
    Office { server, id, owner, member, other, guest }
}

impl Office {
    /// A call in this workspace; null means no body.
    pub(crate) fn call(&self, by: &Person, method: &str, path: &str, body: &Value) -> Answer {
        let request = by.request(method, path).header("X-Service-Workspace", &self.id);
        if body.is_null() { request.send() } else { request.json(body).send() }
    }

    pub(crate) fn get(&self, by: &Person, path: &str) -> Answer {
        self.call(by, "GET", path, &Value::Null)
    }

    pub(crate) fn post(&self, by: &Person, path: &str, body: &Value) -> Answer {
        self.call(by, "POST", path, body)
    }

    pub(crate) fn patch(&self, by: &Person, path: &str, body: &Value) -> Answer {
        self.call(by, "PATCH", path, body)
    }

    pub(crate) fn delete(&self, by: &Person, path: &str) -> Answer {
        self.call(by, "DELETE", path, &Value::Null)
    }

    /// The events of these types that somebody sees, once there are as many. The log numbers them after their commit.
    pub(crate) fn events(&self, by: &Person, types: &str, count: usize) -> Vec<Value> {
        poll::eventually("the events", || {
            let list = self.get(by, &format!("/events?types={types}")).body_of(200)["data"].clone();
            list.as_array().filter(|list| list.len() >= count).cloned()
        })
    }

    /// Creates a page with this body and returns its id.
    pub(crate) fn page(&self, by: &Person, body: &Value) -> String {
        shape::text(&self.post(by, "/pages", body).data(201)["id"])
    }

    /// Creates a page of the owner, inside another page or at the root, and returns its id.
    pub(crate) fn below(&self, parent: Option<&str>, title: &str) -> String {
        self.page(&self.owner, &json!({ "title": title, "parentId": parent }))
    }

    pub(crate) fn team(&self, name: &str, private: bool) -> String {
        let body = json!({ "name": name, "isPrivate": private });
        shape::text(&self.owner.post(&format!("/workspaces/{}/teams", self.id), &body).send().data(201)["id"])
    }

    pub(crate) fn join(&self, team: &str, person: &Person, role: &str) {
        let body = json!({ "userId": person.id, "role": role });
        self.owner.post(&format!("/workspaces/{}/teams/{team}/members", self.id), &body).send().is(201);
    }

    /// Replaces the grants of a page; each is a principal type, an id and a level.
    pub(crate) fn grant(&self, page: &str, grants: &[(&str, &str, &str)]) {
        let grants: Vec<_> = grants
            .iter()
            .map(|(kind, id, level)| json!({ "principalType": kind, "principalId": id, "level": level }))
            .collect();
        self.call(&self.owner, "PUT", &format!("/pages/{page}/permissions"), &json!({ "grants": grants })).is(200);
    }

    /// A person's access level on a page; `404` if the page does not exist for them.
    pub(crate) fn level(&self, by: &Person, page: &str) -> String {
        let answer = self.get(by, &format!("/pages/{page}"));
        match answer.status {
            200 => shape::text(&answer.data(200)["accessLevel"]),
            status => status.to_string(),
        }
    }

    pub(crate) fn key(&self, scope: &str) -> String {
        let body = json!({ "name": scope, "scopes": [scope] });
        shape::text(&self.owner.post(&format!("/workspaces/{}/api-keys", self.id), &body).send().data(201)["key"])
    }
}

pub(crate) fn titles(list: &Value) -> Vec<String> {
    list["data"].as_array().unwrap().iter().map(|page| shape::text(&page["title"])).collect()
}

fn a_page_lives_from_creation_to_removal(engine: Engine) {
    let office = office(engine);
    let made = office.post(&office.member, "/pages", &json!({ "title": "Roadmap", "icon": "\u{1F680}" })).data(201);
    shape::id(&made["id"], "pg_");
    for (field, value) in [
        ("workspaceId", json!(office.id)),
        ("teamId", json!(null)),
        ("parentType", json!("workspace")),
        ("parentId", json!(null)),
        ("recordId", json!(null)),
        ("title", json!("Roadmap")),
        ("icon", json!("\u{1F680}")),
        ("coverUrl", json!(null)),
        ("position", json!("a0")),
        ("state", json!("active")),
        ("trashedAt", json!(null)),
        ("isLocked", json!(false)),
        ("inherit", json!(true)),
        ("publicAccess", json!("none")),
        ("accessLevel", json!("FULL_ACCESS")),
        ("isFavorite", json!(false)),
        ("childCount", json!(0)),
        ("version", json!(1)),
        ("createdBy", json!(office.member.id)),
        ("updatedBy", json!(office.member.id)),
    ] {
        assert_eq!(made[field], value, "{field}");
    }
    let path = format!("/pages/{}", shape::text(&made["id"]));
    let shown = office.get(&office.other, &path).data(200);
    assert_eq!((&shown["accessLevel"], &shown["ancestors"]), (&json!("EDIT"), &json!([])));
    let changed = office.patch(&office.other, &path, &json!({ "title": "Plan", "icon": null })).data(200);
    assert_eq!((&changed["title"], &changed["icon"], &changed["version"]), (&json!("Plan"), &json!(null), &json!(2)));
    assert_eq!(changed["updatedBy"], json!(office.other.id));
    let thrown = office.delete(&office.other, &path).data(200);
    assert_eq!((&thrown["state"], &thrown["trashedCount"]), (&json!("trashed"), &json!(1)));
    assert_eq!(office.delete(&office.member, &path).data(200), thrown);
    let permanent = format!("{path}?permanent=true");
    let confirm = json!({ "confirm": made["id"] });
    office
        .call(&office.other, "DELETE", &permanent, &confirm)
        .refuses(403, "FORBIDDEN")
        .because("requires_FULL_ACCESS");
    for wrong in [Value::Null, json!({}), json!({ "confirm": office.id })] {
        office.call(&office.member, "DELETE", &permanent, &wrong).refuses(422, "CONFIRM_REQUIRED");
    }
    let gone = office.call(&office.member, "DELETE", &permanent, &confirm).data(202);
    assert_eq!(gone, json!({ "id": made["id"], "status": "deleting" }));
    office.get(&office.owner, &path).refuses(404, "NOT_FOUND");
    office.call(&office.member, "DELETE", &permanent, &confirm).refuses(404, "NOT_FOUND");
    assert_eq!(office.page(&office.owner, &json!({ "id": made["id"] })), shape::text(&made["id"]), "the id is free");
}

fn a_page_stands_where_it_is_put(engine: Engine) {
    let office = office(engine);
    let root = office.below(None, "Root");
    let [a, b] = ["A", "B"].map(|title| office.below(Some(&root), title));
    let at = |body: Value| {
        let mut body = body;
        body["parentId"] = json!(root);
        shape::text(&office.post(&office.owner, "/pages", &body).data(201)["position"])
    };
    assert_eq!(at(json!({ "title": "between", "afterPageId": a })), "a0V");
    assert_eq!(at(json!({ "title": "first", "beforePageId": a })), "Zz");
    assert_eq!(at(json!({ "title": "last", "afterPageId": b })), "a2");
    assert_eq!(at(json!({ "title": "named", "position": "a0V" })), "a0V");
    let list = office.get(&office.member, &format!("/pages?parentId={root}")).body_of(200);
    assert_eq!(titles(&list), ["first", "A", "between", "named", "B", "last"]);
    let elsewhere = office.below(None, "Elsewhere");
    for (body, field, issue) in [
        (json!({ "parentId": root, "afterPageId": elsewhere }), "afterPageId", "anchor_not_sibling"),
        (json!({ "parentId": root, "beforePageId": root }), "beforePageId", "anchor_not_sibling"),
        (json!({ "parentId": root, "afterPageId": a, "beforePageId": b }), "beforePageId", "invalid_value"),
        (json!({ "parentId": root, "afterPageId": a, "position": "a5" }), "position", "invalid_value"),
        (json!({ "parentId": root, "position": "a-" }), "position", "invalid_position"),
        (json!({ "parentId": root, "teamId": "tm_01J8Z3K4M5N6P7Q8R9S0T1V2W3" }), "teamId", "invalid_value"),
        (json!({ "id": "pg_1" }), "id", "invalid_id"),
        (json!({ "id": root.to_lowercase() }), "id", "invalid_id"),
        (json!({ "parentId": "nonsense" }), "parentId", "invalid_id"),
        (json!({ "title": "x".repeat(301) }), "title", "too_long"),
        (json!({ "title": null }), "title", "invalid_type"),
        (json!({ "icon": "rocket" }), "icon", "invalid_format"),
        (json!({ "coverUrl": "ftp://x.test/a" }), "coverUrl", "invalid_format"),
    ] {
        office.post(&office.owner, "/pages", &body).refuses(400, "VALIDATION_ERROR").of(field, issue);
    }
    office.post(&office.owner, "/pages", &json!({ "id": a })).refuses(409, "CONFLICT").of("id", "already_exists");
    let database = json!({ "parentId": root.replace("pg_", "db_") });
    office.post(&office.owner, "/pages", &database).refuses(422, "UNPROCESSABLE_ENTITY").issue("database_parent");
    let record = json!({ "parentId": root.replace("pg_", "rpt_") });
    office.post(&office.owner, "/pages", &record).refuses(404, "NOT_FOUND");
    let mut deep = root;
    for _ in 2..=50 {
        deep = office.below(Some(&deep), "deeper");
    }
    let shown = office.get(&office.guest, &format!("/pages/{deep}"));
    shown.refuses(404, "NOT_FOUND");
    assert_eq!(
        office.get(&office.member, &format!("/pages/{deep}")).data(200)["ancestors"].as_array().unwrap().len(),
        49
    );
    let answer = office.post(&office.owner, "/pages", &json!({ "parentId": deep }));
    answer.refuses(422, "UNPROCESSABLE_ENTITY").issue("max_depth");
}

fn who_may_make_pages(engine: Engine) {
    let office = office(engine);
    let (open, secret) = (office.team("Open", false), office.team("Secret", true));
    office.join(&open, &office.member, "MEMBER");
    office.join(&secret, &office.member, "ADMIN");
    let root = |by: &Person, team: Option<&str>| office.post(by, "/pages", &json!({ "teamId": team }));
    for team in [None, Some(&*open), Some(&*secret)] {
        root(&office.owner, team).is(201);
        assert_eq!(root(&office.member, team).data(201)["accessLevel"], "FULL_ACCESS");
    }
    root(&office.other, None).is(201);
    root(&office.other, Some(&open)).refuses(403, "FORBIDDEN").because("requires_EDIT");
    root(&office.other, Some(&secret)).refuses(404, "NOT_FOUND");
    root(&office.guest, None).refuses(403, "FORBIDDEN").because("requires_EDIT");
    root(&office.guest, Some(&open)).refuses(404, "NOT_FOUND");
    let shared = office.below(None, "Shared");
    office.grant(&shared, &[("user", &office.guest.id, "COMMENT")]);
    let below = json!({ "parentId": shared });
    office.post(&office.guest, "/pages", &below).refuses(403, "FORBIDDEN").because("requires_EDIT");
    office.grant(&shared, &[("user", &office.guest.id, "EDIT")]);
    assert_eq!(office.post(&office.guest, "/pages", &below).data(201)["accessLevel"], "EDIT");
    let corner = json!({ "parentId": shared, "inherit": false });
    let corner = office.page(&office.member, &corner);
    assert_eq!(
        ["FULL_ACCESS", "404", "404", "FULL_ACCESS"].map(str::to_owned),
        [
            office.level(&office.member, &corner),
            office.level(&office.other, &corner),
            office.level(&office.guest, &corner),
            office.level(&office.owner, &corner),
        ]
    );
    let team_page = office.page(&office.member, &json!({ "teamId": open }));
    let below = office.page(&office.member, &json!({ "parentId": team_page }));
    let shown = office.get(&office.other, &format!("/pages/{below}")).data(200);
    assert_eq!((&shown["teamId"], &shown["accessLevel"]), (&json!(open), &json!("VIEW")));
    let team = office.member.get(&format!("/workspaces/{}/teams/{open}", office.id)).send().data(200);
    assert_eq!((team["pageCount"].clone(), team["rootPages"].as_array().unwrap().len()), (json!(4), 3));
}

fn a_page_is_changed_under_its_version(engine: Engine) {
    let office = office(engine);
    let path = format!("/pages/{}", office.below(None, "Plan"));
    let send = |header: Option<&str>, body: Value| {
        let request = office.member.patch(&path, &body).header("X-Service-Workspace", &office.id);
        header.into_iter().fold(request, |request, value| request.header("If-Match", value)).send()
    };
    assert_eq!(send(Some("1"), json!({ "title": "Two" })).data(200)["version"], 2);
    assert_eq!(send(Some("\"2\""), json!({ "title": "Three" })).data(200)["version"], 3);
    assert_eq!(send(Some("*"), json!({ "title": "Four" })).data(200)["version"], 4);
    assert_eq!(send(None, json!({ "title": "Five", "version": 4 })).data(200)["version"], 5);
    assert_eq!(send(Some("5"), json!({ "title": "Five", "version": 5 })).data(200)["version"], 5, "nothing changed");
    for stale in [send(Some("4"), json!({ "title": "X" })), send(None, json!({ "title": "X", "version": 4 }))] {
        let refusal = stale.refuses(409, "CONFLICT");
        let expected = json!({ "field": "version", "issue": "version_mismatch", "expected": 5, "received": 4 });
        assert_eq!(refusal.detail(), &expected);
    }
    assert_eq!(send(Some("W/\"5\""), json!({ "title": "Five" })).data(200)["version"], 5, "proxies make weak ones");
    for wrong in ["five", "", "5, 6", "\"5"] {
        send(Some(wrong), json!({})).refuses(400, "VALIDATION_ERROR").of("If-Match", "invalid_format");
    }
    send(Some("5"), json!({ "version": 4 })).refuses(400, "VALIDATION_ERROR").of("version", "invalid_value");
    assert_eq!(send(None, json!({})).data(200)["title"], "Five");
    let moved = format!("{path}/move");
    let stale = office.post(&office.owner, &moved, &json!({ "position": "a9", "version": 1 }));
    stale.refuses(409, "CONFLICT").of("version", "version_mismatch");
    assert_eq!(office.post(&office.owner, &moved, &json!({ "position": "a9", "version": 5 })).data(200)["version"], 6);
}

fn a_lock_keeps_a_page(engine: Engine) {
    let office = office(engine);
    let id = office.below(None, "Plan");
    let path = format!("/pages/{id}");
    let locked = office.patch(&office.member, &path, &json!({ "isLocked": true })).data(200);
    assert_eq!((&locked["isLocked"], &locked["lockedBy"]), (&json!(true), &json!(office.member.id)));
    assert!(locked["lockedAt"].is_string());
    for by in [&office.member, &office.owner] {
        let refusal = office.patch(by, &path, &json!({ "title": "X" })).refuses(409, "CONFLICT");
        assert_eq!(refusal.detail(), &json!({ "issue": "page_locked", "lockedBy": office.member.id }));
        office.delete(by, &path).refuses(409, "CONFLICT").issue("page_locked");
        office
            .post(by, &format!("{path}/move"), &json!({ "position": "a9" }))
            .refuses(409, "CONFLICT")
            .issue("page_locked");
    }
    let unlock = json!({ "isLocked": false });
    office.patch(&office.other, &path, &unlock).refuses(403, "FORBIDDEN").because("requires_FULL_ACCESS");
    let child = office.below(Some(&id), "Child");
    office.patch(&office.other, &format!("/pages/{child}"), &json!({ "title": "Changed" })).is(200);
    let both = office.patch(&office.owner, &path, &json!({ "isLocked": false, "title": "New" })).data(200);
    assert_eq!((&both["isLocked"], &both["lockedBy"], &both["title"]), (&json!(false), &json!(null), &json!("New")));
    office.patch(&office.other, &path, &json!({ "isLocked": true })).is(200);
    office.patch(&office.other, &path, &unlock).is(200);
    let parent = office.below(None, "Parent");
    let kept = office.below(Some(&parent), "Kept");
    office.patch(&office.owner, &format!("/pages/{kept}"), &json!({ "isLocked": true })).is(200);
    assert_eq!(office.delete(&office.owner, &format!("/pages/{parent}")).data(200)["trashedCount"], 2);
}

fn content_and_places_are_refused_where_they_do_not_belong(engine: Engine) {
    let office = office(engine);
    for field in ["templateId", "variables"] {
        let answer = office.post(&office.owner, "/pages", &json!({ "title": "X", field: "x" }));
        answer.refuses(400, "VALIDATION_ERROR").of(field, "unsupported");
    }
    assert_eq!(office.get(&office.owner, "/pages").body_of(200)["data"], json!([]), "nothing was stored");
    let path = format!("/pages/{}", office.below(None, "Plan"));
    for (field, value) in [("parentId", json!(null)), ("teamId", json!("x")), ("position", json!("a1"))] {
        let answer = office.patch(&office.owner, &path, &json!({ field: value }));
        answer.refuses(400, "VALIDATION_ERROR").of(field, "use_move_route");
    }
    let file = json!({ "icon": "fil_01J8Z3K4M5N6P7Q8R9S0T1V2W3" });
    office.patch(&office.owner, &path, &file).refuses(404, "NOT_FOUND");
    office.get(&office.owner, &format!("{path}?include=nonsense")).refuses(400, "VALIDATION_ERROR");
    assert_eq!(
        office.get(&office.owner, &format!("{path}/backlinks")).body_of(200),
        json!({ "data": [], "nextCursor": null })
    );
}
