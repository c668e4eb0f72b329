//! Teams of a workspace.

use octavo_tests::{Answer, Engine, Person, Server, at_once::at_once, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_team_lives_from_founding_to_deletion,
    a_private_team_is_hidden_from_other_members,
    teams_come_in_the_order_of_their_places,
    a_list_goes_on_behind_the_last_place,
    a_slug_is_made_or_taken_as_it_is,
    team_members_come_and_go,
    guests_see_their_own_teams,
    leaving_the_workspace_leaves_its_teams,
    members_show_their_teams,
    invalid_bodies_are_refused,
    of_twenty_who_want_a_slug_one_gets_it,
    of_twenty_who_add_somebody_to_a_team_one_succeeds,
}

struct Office {
    server: Server,
    id: String,
    owner: Person,
    member: Person,
    other: Person,
    guest: Person,
}

fn office(engine: Engine) -> Office {
    let server = Server::start(engine);
    let [owner, member, other, guest] = ["Ada", "Bob", "Eve", "Gus"].map(|name| server.person(name));
    let id = shape::text(&owner.post("/workspaces", &json!({ "name": "Acme" })).send().data(201)["id"]);
    for (person, role) in [(&member, "MEMBER"), (&other, "MEMBER"), (&guest, "GUEST")] {
        let body = json!({ "userId": person.id, "role": role });
        owner.post(&format!("/workspaces/{id}/members"), &body).send().is(201);
    }
    Office { server, id, owner, member, other, guest }
}

impl Office {
    fn teams(&self) -> String {
        format!("/workspaces/{}/teams", self.id)
    }

    fn team(&self, body: &Value) -> String {
        let made = self.owner.post(&self.teams(), body).send().data(201);
        format!("{}/{}", self.teams(), shape::text(&made["id"]))
    }

    fn join(&self, team: &str, person: &Person, role: &str) -> Answer {
        self.owner.post(&format!("{team}/members"), &json!({ "userId": person.id, "role": role })).send()
    }

    fn names(&self, person: &Person) -> Vec<String> {
        named(&person.get(&self.teams()).send().body_of(200))
    }
}

fn named(list: &Value) -> Vec<String> {
    list["data"].as_array().unwrap().iter().map(|team| shape::text(&team["name"])).collect()
}

fn a_team_lives_from_founding_to_deletion(engine: Engine) {
    let office = office(engine);
    let body = json!({ "name": "Design", "description": "Looks", "color": "#AABBCC", "iconUrl": "https://x.test/i" });
    let made = office.owner.post(&office.teams(), &body).send().data(201);
    for (field, value) in [
        ("name", json!("Design")),
        ("slug", json!("design")),
        ("description", json!("Looks")),
        ("color", json!("#aabbcc")),
        ("iconUrl", json!("https://x.test/i")),
        ("position", json!("a0")),
        ("isPrivate", json!(false)),
        ("memberCount", json!(0)),
        ("pageCount", json!(0)),
    ] {
        assert_eq!(made[field], value, "{field}");
    }
    assert!(made["id"].as_str().unwrap().starts_with("tm_") && made.get("members").is_none());
    let path = format!("{}/{}", office.teams(), shape::text(&made["id"]));
    office.join(&path, &office.member, "MEMBER").is(201);
    let shown = office.other.get(&path).send().data(200);
    assert_eq!((&shown["memberCount"], &shown["rootPages"]), (&json!(1), &json!([])));
    let user = json!({ "id": office.member.id, "name": "Bob", "email": office.member.email });
    assert_eq!(shown["members"][0]["user"], user);
    let changed = office.owner.patch(&path, &json!({ "name": "Looks", "description": null })).send().data(200);
    assert_eq!(
        (&changed["name"], &changed["description"], &changed["slug"]),
        (&json!("Looks"), &Value::Null, &json!("design"))
    );
    assert_eq!(changed["memberCount"], 1);
    let deletion = office.owner.delete(&path).header("Idempotency-Key", "once");
    assert_eq!(deletion.send().data(202), json!({ "status": "deleting", "unassignedPageCount": 0 }));
    assert_eq!(deletion.send().header("idempotency-replayed"), Some("true"));
    office.owner.delete(&path).send().refuses(404, "NOT_FOUND");
    office.owner.get(&path).send().refuses(404, "NOT_FOUND");
    office.owner.get(&format!("{path}/members")).send().refuses(404, "NOT_FOUND");
}

fn a_private_team_is_hidden_from_other_members(engine: Engine) {
    let office = office(engine);
    let open = office.team(&json!({ "name": "Open" }));
    let secret = office.team(&json!({ "name": "Secret", "isPrivate": true }));
    office.join(&secret, &office.member, "MEMBER").is(201);
    office.join(&open, &office.member, "MEMBER").is(201);
    assert_eq!(office.names(&office.owner), ["Open", "Secret"]);
    assert_eq!(office.names(&office.member), ["Open", "Secret"]);
    assert_eq!(office.names(&office.other), ["Open"]);
    office.member.get(&secret).send().is(200);
    for request in [
        office.other.get(&secret),
        office.other.get(&format!("{secret}/members")),
        office.other.patch(&secret, &json!({ "name": "Mine" })),
        office.other.post(&format!("{secret}/members"), &json!({ "userId": office.other.id })),
    ] {
        request.send().refuses(404, "NOT_FOUND");
    }
    office.other.delete(&secret).send().refuses(403, "FORBIDDEN").because("requires_ADMIN");
    let rename = json!({ "name": "Renamed" });
    office.member.patch(&open, &rename).send().is(200);
    for (person, path, body) in [
        (&office.other, &open, &rename),
        (&office.member, &secret, &rename),
        (&office.member, &open, &json!({ "isPrivate": true })),
        (&office.member, &open, &json!({ "isPrivate": false, "name": "Both" })),
    ] {
        person.patch(path, body).send().refuses(403, "FORBIDDEN").because("requires_ADMIN");
    }
    office.member.post(&office.teams(), &rename).send().refuses(403, "FORBIDDEN").because("requires_ADMIN");
    office.owner.patch(&open, &json!({ "isPrivate": true })).send().is(200);
    assert_eq!(office.names(&office.other), [""; 0]);
}

fn teams_come_in_the_order_of_their_places(engine: Engine) {
    let office = office(engine);
    for (name, position) in
        [("One", Some("a5")), ("Two", None), ("Three", Some("a1")), ("Four", Some("Zz")), ("Five", Some("a1"))]
    {
        let mut body = json!({ "name": name });
        if let Some(position) = position {
            body["position"] = json!(position);
        }
        office.team(&body);
    }
    let whole = office.names(&office.member);
    assert_eq!(whole, ["Four", "Three", "Five", "One", "Two"]);
    let mut pages = Vec::new();
    let mut next = format!("{}?limit=1", office.teams());
    loop {
        let page = office.other.get(&next).send().body_of(200);
        pages.extend(named(&page));
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        next = format!("{}?limit=1&cursor={cursor}", office.teams());
    }
    assert_eq!(pages, whole);
    for position in ["", "a b", "a-", &"z".repeat(101)] {
        let answer = office.owner.post(&office.teams(), &json!({ "name": "X", "position": position })).send();
        answer.refuses(400, "VALIDATION_ERROR").of("position", "invalid_position");
    }
}

fn a_list_goes_on_behind_the_last_place(engine: Engine) {
    let office = office(engine);
    let far = "z".repeat(100);
    office.team(&json!({ "name": "Far", "position": far }));
    for name in ["One", "Two", "Three"] {
        let made = office.owner.post(&office.teams(), &json!({ "name": name })).send().data(201);
        assert!(shape::text(&made["position"]).len() <= 100, "{made}");
    }
    let mut seen = Vec::new();
    let mut next = format!("{}?limit=1", office.teams());
    loop {
        let page = office.owner.get(&next).send().body_of(200);
        seen.extend(named(&page));
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        assert!(cursor.len() <= 512, "{cursor}");
        next = format!("{}?limit=1&cursor={cursor}", office.teams());
    }
    assert_eq!(seen, ["Far", "One", "Two", "Three"]);
}

fn a_slug_is_made_or_taken_as_it_is(engine: Engine) {
    let office = office(engine);
    let slug_of = |body: Value| shape::text(&office.owner.post(&office.teams(), &body).send().data(201)["slug"]);
    assert_eq!(slug_of(json!({ "name": "Über Design!" })), "ber-design");
    assert_eq!(slug_of(json!({ "name": "ber design" })), "ber-design-2");
    assert_eq!(slug_of(json!({ "name": "Ber-Design" })), "ber-design-3");
    assert_eq!(slug_of(json!({ "name": "\u{65e5}\u{672c}" })), "team");
    assert_eq!(slug_of(json!({ "name": "Other", "slug": "mine" })), "mine");
    let taken = json!({ "name": "Another", "slug": "mine" });
    office.owner.post(&office.teams(), &taken).send().refuses(409, "CONFLICT").of("slug", "already_exists");
    let path = office.team(&json!({ "name": "Last" }));
    office.owner.patch(&path, &json!({ "slug": "mine" })).send().refuses(409, "CONFLICT").of("slug", "already_exists");
    office.owner.patch(&path, &json!({ "slug": "last" })).send().is(200);
    assert_eq!(office.owner.patch(&path, &json!({ "slug": "ours" })).send().data(200)["slug"], "ours");
    let elsewhere = office.server.person("Zoe");
    let body = json!({ "name": "Other", "slug": "mine" });
    elsewhere.post(&format!("/workspaces/{}/teams", elsewhere.workspace), &body).send().is(201);
}

fn team_members_come_and_go(engine: Engine) {
    let office = office(engine);
    let team = office.team(&json!({ "name": "Design" }));
    let members = format!("{team}/members");
    let place = |person: &Person| format!("{members}/{}", person.id);
    let add = |by: &Person, person: &Person, role: &str| {
        by.post(&members, &json!({ "userId": person.id, "role": role })).send()
    };
    add(&office.member, &office.member, "MEMBER").refuses(403, "FORBIDDEN").because("requires_ADMIN");
    let added = office.owner.post(&members, &json!({ "userId": office.member.id })).send().data(201);
    assert_eq!((&added["role"], &added["userId"]), (&json!("MEMBER"), &json!(office.member.id)));
    assert!(added["id"].as_str().unwrap().starts_with("tmm_"));
    add(&office.member, &office.other, "ADMIN").refuses(403, "FORBIDDEN").because("requires_ADMIN");
    add(&office.member, &office.other, "MEMBER").is(201);
    add(&office.owner, &office.other, "MEMBER").refuses(409, "CONFLICT").of("userId", "already_exists");
    let stranger = office.server.person("Zoe");
    let foreign = add(&office.owner, &stranger, "MEMBER").refuses(404, "NOT_FOUND");
    assert_eq!(foreign.because("must_be_workspace_member").detail()["field"], "userId");
    let raise = json!({ "role": "ADMIN" });
    office.member.patch(&place(&office.other), &raise).send().refuses(403, "FORBIDDEN").because("requires_ADMIN");
    office.member.delete(&place(&office.other)).send().refuses(403, "FORBIDDEN").because("requires_ADMIN");
    assert_eq!(office.owner.patch(&place(&office.member), &raise).send().data(200)["role"], "ADMIN");
    office.member.patch(&place(&office.other), &raise).send().is(200);
    office.member.patch(&place(&office.other), &json!({ "role": "MEMBER" })).send().is(200);
    office.owner.patch(&place(&office.guest), &raise).send().refuses(404, "NOT_FOUND");
    let list = office.other.get(&members).send().body_of(200);
    let ids: Vec<_> = list["data"].as_array().unwrap().iter().map(|entry| shape::text(&entry["userId"])).collect();
    assert_eq!(ids, [&*office.other.id, &*office.member.id]);
    office.other.delete(&place(&office.other)).send().is(204);
    office.other.delete(&place(&office.other)).send().refuses(404, "NOT_FOUND");
    office.owner.delete(&place(&office.member)).send().is(204);
    assert_eq!(office.owner.get(&members).send().body_of(200)["data"], json!([]));
}

fn guests_see_their_own_teams(engine: Engine) {
    let office = office(engine);
    let open = office.team(&json!({ "name": "Open" }));
    let own = office.team(&json!({ "name": "Own", "isPrivate": true }));
    office.join(&own, &office.guest, "ADMIN").is(201);
    assert_eq!(office.names(&office.guest), ["Own"]);
    office.guest.get(&open).send().refuses(404, "NOT_FOUND");
    office.guest.get(&own).send().is(200);
    office.guest.patch(&own, &json!({ "name": "X" })).send().refuses(403, "FORBIDDEN").because("requires_ADMIN");
    let body = json!({ "userId": office.member.id });
    office.guest.post(&format!("{own}/members"), &body).send().refuses(403, "FORBIDDEN");
    office.guest.delete(&format!("{own}/members/{}", office.guest.id)).send().is(204);
    office.guest.get(&own).send().refuses(404, "NOT_FOUND");
}

fn leaving_the_workspace_leaves_its_teams(engine: Engine) {
    let office = office(engine);
    let team = office.team(&json!({ "name": "Design" }));
    office.join(&team, &office.member, "ADMIN").is(201);
    office.join(&team, &office.other, "MEMBER").is(201);
    office.owner.delete(&format!("/workspaces/{}/members/{}", office.id, office.member.id)).send().is(204);
    assert_eq!(office.owner.get(&team).send().data(200)["memberCount"], 1);
    let body = json!({ "userId": office.member.id, "role": "MEMBER" });
    office.owner.post(&format!("/workspaces/{}/members", office.id), &body).send().is(201);
    assert_eq!(office.owner.get(&team).send().data(200)["memberCount"], 1, "coming back is no way into old teams");
}

fn members_show_their_teams(engine: Engine) {
    let office = office(engine);
    let open = office.team(&json!({ "name": "Open" }));
    let secret = office.team(&json!({ "name": "Secret", "isPrivate": true }));
    office.join(&secret, &office.member, "MEMBER").is(201);
    office.join(&open, &office.member, "ADMIN").is(201);
    let of_member = |by: &Person| {
        let list = by.get(&format!("/workspaces/{}/members?include=teams", office.id)).send().body_of(200);
        let entries = list["data"].as_array().unwrap();
        assert!(entries.iter().all(|entry| entry["teams"].is_array()), "{list}");
        entries.iter().find(|entry| entry["userId"] == office.member.id).unwrap()["teams"].clone()
    };
    let (open, secret) = (open.rsplit('/').next().unwrap(), secret.rsplit('/').next().unwrap());
    let in_open = json!({ "id": open, "name": "Open", "role": "ADMIN" });
    let both = json!([in_open, { "id": secret, "name": "Secret", "role": "MEMBER" }]);
    assert_eq!(of_member(&office.owner), both);
    assert_eq!(of_member(&office.member), both);
    assert_eq!(of_member(&office.other), json!([in_open]));
    assert_eq!(of_member(&office.guest), json!([]));
    let wrong = office.owner.get(&format!("/workspaces/{}/members?include=pages", office.id)).send();
    wrong.refuses(400, "VALIDATION_ERROR").of("include", "invalid_value");
}

fn invalid_bodies_are_refused(engine: Engine) {
    let office = office(engine);
    for (body, field, issue) in [
        (json!({}), "name", "required"),
        (json!({ "name": "x".repeat(61) }), "name", "too_long"),
        (json!({ "name": "X", "slug": "A b" }), "slug", "invalid_format"),
        (json!({ "name": "X", "slug": null }), "slug", "invalid_type"),
        (json!({ "name": "X", "color": "red" }), "color", "invalid_format"),
        (json!({ "name": "X", "description": "x".repeat(501) }), "description", "too_long"),
        (json!({ "name": "X", "isPrivate": "yes" }), "isPrivate", "invalid_type"),
    ] {
        office.owner.post(&office.teams(), &body).send().refuses(400, "VALIDATION_ERROR").of(field, issue);
    }
    let team = office.team(&json!({ "name": "Design" }));
    let answer = office.owner.patch(&team, &json!({ "name": null })).send();
    answer.refuses(400, "VALIDATION_ERROR").of("name", "invalid_type");
    assert_eq!(office.owner.patch(&team, &json!({})).send().data(200)["name"], "Design");
    let members = format!("{team}/members");
    let answer = office.owner.post(&members, &json!({ "userId": office.member.id, "role": "OWNER" })).send();
    answer.refuses(400, "VALIDATION_ERROR").of("role", "invalid_value");
    office.owner.get(&format!("{}/nonsense", office.teams())).send().refuses(404, "NOT_FOUND");
}

fn of_twenty_who_want_a_slug_one_gets_it(engine: Engine) {
    let office = office(engine);
    let body = json!({ "name": "Design", "slug": "design" });
    let answers = at_once(20, |_| office.owner.post(&office.teams(), &body).send().status);
    assert_eq!(answers.iter().filter(|status| **status == 201).count(), 1, "{answers:?}");
    assert!(answers.iter().all(|status| [201, 409].contains(status)), "{answers:?}");
    let made = at_once(8, |_| office.owner.post(&office.teams(), &json!({ "name": "Design" })).send().status);
    assert_eq!(made, [201; 8], "a slug that was not asked for is found");
}

fn of_twenty_who_add_somebody_to_a_team_one_succeeds(engine: Engine) {
    let office = office(engine);
    let team = office.team(&json!({ "name": "Design" }));
    let answers = at_once(20, |_| office.join(&team, &office.member, "MEMBER").status);
    assert_eq!(answers.iter().filter(|status| **status == 201).count(), 1, "{answers:?}");
    assert!(answers.iter().all(|status| [201, 409].contains(status)), "{answers:?}");
}
