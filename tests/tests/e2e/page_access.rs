//! Which access level allows what on pages.

use crate::pages::{Office, office};
use octavo_tests::{Answer, Engine, Person, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    access_flows_down_and_is_narrowed_and_widened,
    the_deciding_entry_is_shown,
    grants_are_written_as_a_set_and_one_by_one,
    a_page_is_cut_off_and_opened_again,
    locking_oneself_out_takes_force,
    force_lets_users_remove_their_own_grant,
    removing_a_team_or_member_raises_the_version_of_permissions,
    grants_end,
    somebody_without_a_membership_is_invited,
    invalid_grants_are_refused,
    a_level_has_its_reason,
    everybody_who_sees_a_page_is_listed,
    every_level_on_every_route,
}

impl Office {
    fn permissions(&self, by: &Person, page: &str) -> Value {
        self.get(by, &format!("/pages/{page}/permissions")).data(200)
    }

    fn put(&self, by: &Person, page: &str, body: &Value) -> Answer {
        self.call(by, "PUT", &format!("/pages/{page}/permissions"), body)
    }

    fn levels(&self, by: &Person, pages: [&str; 3]) -> [String; 3] {
        pages.map(|page| self.level(by, page))
    }
}

/// The cases that the documentation explains. A is a page at the root, B its child, C the child of B.
fn access_flows_down_and_is_narrowed_and_widened(engine: Engine) {
    let office = office(engine);
    let team = office.team("T", false);
    office.join(&team, &office.member, "MEMBER");
    let (mia, gus, other) = (&office.member, &office.guest, &office.other);
    let (none, workspace) = ("404", ("workspace", office.id.as_str()));
    let abc = || {
        let a = office.below(None, "A");
        let b = office.below(Some(&a), "B");
        let c = office.below(Some(&b), "C");
        [a, b, c]
    };
    let check = |pages: &[String; 3], by: &Person, expected: [&str; 3]| {
        assert_eq!(office.levels(by, pages.each_ref().map(String::as_str)), expected);
    };
    let pages = abc();
    check(&pages, mia, ["EDIT"; 3]);
    check(&pages, gus, [none; 3]);
    check(&pages, &office.owner, ["FULL_ACCESS"; 3]);
    office.grant(&pages[0], &[("user", &gus.id, "VIEW")]);
    check(&pages, gus, ["VIEW"; 3]);
    office.grant(&pages[0], &[("user", &gus.id, "EDIT")]);
    office.grant(&pages[1], &[("user", &gus.id, "NONE")]);
    check(&pages, gus, ["EDIT", none, none]);
    let pages = abc();
    office.grant(&pages[1], &[(workspace.0, workspace.1, "VIEW")]);
    check(&pages, mia, ["EDIT", "VIEW", "VIEW"]);
    let pages = abc();
    office.grant(&pages[1], &[("team", &team, "VIEW")]);
    check(&pages, mia, ["EDIT"; 3]);
    office.grant(&pages[1], &[(workspace.0, workspace.1, "NONE"), ("team", &team, "COMMENT")]);
    check(&pages, mia, ["EDIT", "COMMENT", "COMMENT"]);
    check(&pages, other, ["EDIT", none, none]);
    let pages = abc();
    office.grant(&pages[0], &[("user", &mia.id, "FULL_ACCESS")]);
    office.grant(&pages[1], &[(workspace.0, workspace.1, "VIEW")]);
    check(&pages, mia, ["FULL_ACCESS"; 3]);
    let pages = abc();
    office.put(&office.owner, &pages[1], &json!({ "inherit": false })).is(200);
    check(&pages, mia, ["EDIT", none, none]);
    check(&pages, &office.owner, ["FULL_ACCESS"; 3]);
    let pages = abc();
    office.grant(&pages[2], &[("user", &gus.id, "VIEW")]);
    check(&pages, gus, [none, none, "VIEW"]);
    office.grant(&pages[0], &[("user", &gus.id, "FULL_ACCESS")]);
    check(&pages, gus, ["EDIT", "EDIT", "VIEW"]);
    let (open, secret) = (office.team("U", false), office.team("V", true));
    for (team, outside) in [(&open, "VIEW"), (&secret, none)] {
        let page = office.page(&office.owner, &json!({ "teamId": team }));
        assert_eq!(office.level(other, &page), outside);
        office.join(team, other, "MEMBER");
        assert_eq!(office.level(other, &page), "EDIT");
        let raise = json!({ "role": "ADMIN" });
        office
            .owner
            .patch(&format!("/workspaces/{}/teams/{team}/members/{}", office.id, other.id), &raise)
            .send()
            .is(200);
        assert_eq!(office.level(other, &page), "FULL_ACCESS");
    }
}

fn the_deciding_entry_is_shown(engine: Engine) {
    let office = office(engine);
    let team = office.team("T", false);
    office.join(&team, &office.member, "ADMIN");
    let root = office.page(&office.owner, &json!({ "teamId": team }));
    let page = office.below(Some(&root), "B");
    office.grant(&root, &[("user", &office.guest.id, "VIEW")]);
    office.grant(&page, &[("user", &office.guest.id, "EDIT")]);
    let shown = office.permissions(&office.member, &page);
    assert_eq!(
        (&shown["inherit"], &shown["publicAccess"], &shown["version"]),
        (&json!(true), &json!("none"), &json!(2))
    );
    let grant = &shown["grants"][0];
    shape::id(&grant["id"], "grt_");
    for (field, value) in [
        ("resourceId", json!(page)),
        ("principalType", json!("user")),
        ("principalId", json!(office.guest.id)),
        ("email", json!(null)),
        ("level", json!("EDIT")),
        ("expiresAt", json!(null)),
        ("createdBy", json!(office.owner.id)),
    ] {
        assert_eq!(grant[field], value, "{field}");
    }
    let mut inherited: Vec<_> = shown["inherited"].as_array().unwrap().iter().map(Value::to_string).collect();
    inherited.sort_unstable();
    let entry = |kind: &str, id: &str, level: &str, source: &str, from: &str| json!({ "principalType": kind, "principalId": id, "level": level, "sourceType": source, "sourceId": from });
    let mut expected = [
        entry("workspace", &office.id, "VIEW", "team", &team),
        entry("team", &team, "EDIT", "team", &team),
        entry("user", &office.member.id, "FULL_ACCESS", "team", &team),
        entry("user", &office.guest.id, "VIEW", "page", &root),
    ]
    .map(|entry| entry.to_string());
    expected.sort_unstable();
    assert_eq!(inherited, expected);
    assert_eq!(
        office.get(&office.member, &format!("/pages/{page}?include=permissions")).data(200)["permissions"],
        shown
    );
    for path in [format!("/pages/{page}?include=permissions"), format!("/pages/{page}/permissions")] {
        office.get(&office.other, &path).refuses(403, "FORBIDDEN").because("requires_EDIT");
    }
}

fn grants_are_written_as_a_set_and_one_by_one(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "A");
    let path = format!("/pages/{page}/permissions");
    let to_guest = |level: &str| json!({ "principalType": "user", "principalId": office.guest.id, "level": level });
    let first = office.post(&office.owner, &path, &to_guest("VIEW")).data(201);
    let second = office.post(&office.owner, &path, &to_guest("EDIT")).data(200);
    assert_eq!((&second["id"], &second["level"]), (&first["id"], &json!("EDIT")));
    assert_eq!(
        office.post(&office.owner, &path, &json!({ "principalType": "workspace", "level": "VIEW" })).data(201)["principalId"],
        json!(office.id)
    );
    assert_eq!(office.permissions(&office.owner, &page)["version"], 4);
    let set = json!({ "grants": [to_guest("EDIT")], "version": 4 });
    let shown = office.put(&office.owner, &page, &set).data(200);
    assert_eq!((&shown["grants"][0]["id"], shown["grants"].as_array().unwrap().len()), (&first["id"], 1));
    assert_eq!(shown["version"], 5);
    assert_eq!(office.put(&office.owner, &page, &json!({ "grants": [to_guest("EDIT")] })).data(200)["version"], 5);
    office.put(&office.owner, &page, &set).refuses(409, "CONFLICT").of("version", "version_mismatch");
    assert_eq!(office.level(&office.guest, &page), "EDIT");
    let one = format!("{path}/{}", shape::text(&first["id"]));
    for _ in 0..2 {
        office.delete(&office.owner, &one).is(204);
    }
    assert_eq!(office.level(&office.guest, &page), "404");
    assert_eq!(
        office.get(&office.owner, &format!("/pages/{page}")).data(200)["version"],
        1,
        "grants are no change of the page"
    );
    for answer in [
        office.put(&office.member, &page, &set),
        office.post(&office.member, &path, &to_guest("VIEW")),
        office.delete(&office.member, &one),
    ] {
        answer.refuses(403, "FORBIDDEN").because("requires_FULL_ACCESS");
    }
    let audited =
        office.owner.get(&format!("/workspaces/{}/audit?action=permission.changed", office.id)).send().body_of(200);
    assert_eq!(audited["data"].as_array().unwrap().len(), 5);
}

fn a_page_is_cut_off_and_opened_again(engine: Engine) {
    let office = office(engine);
    let a = office.page(&office.member, &json!({ "title": "A" }));
    let b = office.page(&office.member, &json!({ "title": "B", "parentId": a }));
    let c = office.page(&office.member, &json!({ "title": "C", "parentId": b }));
    office.grant(&a, &[("user", &office.member.id, "FULL_ACCESS"), ("user", &office.guest.id, "COMMENT")]);
    let shown = office.put(&office.member, &b, &json!({ "inherit": false })).data(200);
    assert_eq!((&shown["inherited"], &shown["grants"][0]["principalId"]), (&json!([]), &json!(office.member.id)));
    for page in [&b, &c] {
        assert_eq!(office.level(&office.member, page), "FULL_ACCESS");
        assert_eq!(office.level(&office.other, page), "404");
        assert_eq!(office.level(&office.guest, page), "404");
    }
    assert_eq!(office.get(&office.other, &format!("/pages/{a}")).data(200)["childCount"], 0);
    office.put(&office.member, &b, &json!({ "inherit": true, "grants": [] })).is(200);
    assert_eq!(
        (office.level(&office.other, &c), office.level(&office.guest, &c)),
        ("EDIT".to_owned(), "COMMENT".to_owned())
    );
    let kept = office.put(&office.member, &b, &json!({ "inherit": false, "copyInherited": true })).data(200);
    let mut levels: Vec<_> =
        kept["grants"].as_array().unwrap().iter().map(|grant| shape::text(&grant["level"])).collect();
    levels.sort_unstable();
    assert_eq!(levels, ["COMMENT", "EDIT", "FULL_ACCESS"]);
    assert_eq!(
        (office.level(&office.other, &c), office.level(&office.guest, &c)),
        ("EDIT".to_owned(), "COMMENT".to_owned())
    );
    office.grant(&a, &[("user", &office.member.id, "FULL_ACCESS")]);
    assert_eq!(office.level(&office.guest, &c), "COMMENT", "what was copied stands on its own");
}

fn locking_oneself_out_takes_force(engine: Engine) {
    let office = office(engine);
    let page = office.page(&office.member, &json!({ "title": "Own" }));
    let path = format!("/pages/{page}/permissions");
    let own = office.permissions(&office.member, &page)["grants"][0]["id"].clone();
    let less = json!({ "principalType": "user", "principalId": office.member.id, "level": "EDIT" });
    for answer in [
        office.put(&office.member, &page, &json!({ "grants": [] })),
        office.put(&office.member, &page, &json!({ "inherit": false, "grants": [less.clone()] })),
        office.post(&office.member, &path, &less),
        office.delete(&office.member, &format!("{path}/{}", shape::text(&own))),
    ] {
        answer.refuses(422, "UNPROCESSABLE_ENTITY").issue("self_lockout");
    }
    assert_eq!(office.level(&office.member, &page), "FULL_ACCESS");
    office.put(&office.owner, &page, &json!({ "grants": [] })).is(200);
    assert_eq!(office.level(&office.member, &page), "EDIT");
    let page = office.page(&office.member, &json!({ "title": "Own" }));
    office.put(&office.member, &page, &json!({ "grants": [], "force": true })).is(200);
    assert_eq!(office.level(&office.member, &page), "EDIT");
}

fn force_lets_users_remove_their_own_grant(engine: Engine) {
    let office = office(engine);
    for (query, body) in [("", json!({ "force": true })), ("?force=true", json!({}))] {
        let page = office.page(&office.member, &json!({ "title": "Own" }));
        let own = shape::text(&office.permissions(&office.member, &page)["grants"][0]["id"]);
        let path = format!("/pages/{page}/permissions/{own}{query}");
        office.call(&office.member, "DELETE", &path, &body).is(204);
        assert_eq!(office.level(&office.member, &page), "EDIT");
    }
}

fn removing_a_team_or_member_raises_the_version_of_permissions(engine: Engine) {
    let office = office(engine);
    let (page, team) = (office.below(None, "A"), office.team("T", false));
    office.grant(
        &page,
        &[("team", &team, "VIEW"), ("user", &office.guest.id, "VIEW"), ("user", &office.other.id, "VIEW")],
    );
    let read = || office.permissions(&office.owner, &page);
    let is_stale = |before: &Value| {
        let now = read();
        assert_eq!(now["version"].as_i64(), before["version"].as_i64().map(|version| version + 1));
        let stale = json!({ "inherit": true, "version": before["version"] });
        office.put(&office.owner, &page, &stale).refuses(409, "CONFLICT").of("version", "version_mismatch");
    };
    let before = read();
    office.owner.delete(&format!("/workspaces/{}/teams/{team}", office.id)).send().is(202);
    is_stale(&before);
    let before = read();
    office.owner.delete(&format!("/workspaces/{}/members/{}", office.id, office.guest.id)).send().is(204);
    is_stale(&before);
    let invited = json!({ "principalType": "email", "email": "zoe@example.com", "level": "VIEW" });
    office.post(&office.owner, &format!("/pages/{page}/permissions"), &invited).is(201);
    let before = read();
    let invitations = format!("/workspaces/{}/invitations", office.id);
    let sent = office.owner.get(&invitations).send().body_of(200);
    office.owner.delete(&format!("{invitations}/{}", shape::text(&sent["data"][0]["id"]))).send().is(204);
    is_stale(&before);
    assert_eq!(read()["grants"].as_array().unwrap().len(), 1);
}

fn grants_end(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "A");
    let path = format!("/pages/{page}/permissions");
    let to_guest = |end: &str| json!({ "principalType": "user", "principalId": office.guest.id, "level": "VIEW", "expiresAt": end });
    let answer = office.post(&office.owner, &path, &to_guest("2020-01-01T00:00:00Z"));
    answer.refuses(400, "VALIDATION_ERROR").of("expiresAt", "too_small");
    let set = json!({ "grants": [to_guest("2020-01-01T00:00:00Z")] });
    office.put(&office.owner, &page, &set).refuses(400, "VALIDATION_ERROR").of("grants.0.expiresAt", "too_small");
    let made = office.post(&office.owner, &path, &to_guest("2100-01-01T02:00:00+02:00")).data(201);
    assert_eq!(made["expiresAt"], "2100-01-01T00:00:00.000Z");
    let soon = shape::timestamp(shape::now_millis() + 1200);
    office.post(&office.owner, &path, &to_guest(&soon)).is(200);
    assert_eq!(office.level(&office.guest, &page), "VIEW");
    octavo_tests::poll::eventually("the grant ends", || (office.level(&office.guest, &page) == "404").then_some(()));
    assert_eq!(office.permissions(&office.owner, &page)["grants"], json!([]));
}

fn somebody_without_a_membership_is_invited(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "A");
    let path = format!("/pages/{page}/permissions");
    let by_address = |email: &str| json!({ "principalType": "email", "email": email, "level": "COMMENT" });
    let known = office.post(&office.owner, &path, &by_address(&office.guest.email)).data(201);
    assert_eq!((&known["principalType"], &known["principalId"]), (&json!("user"), &json!(office.guest.id)));
    let invitations = || {
        let path = format!("/workspaces/{}/invitations", office.id);
        office.owner.get(&path).send().body_of(200)["data"].as_array().unwrap().clone()
    };
    assert_eq!(invitations().len(), 0);
    let zoe = office.server.person("Zoe");
    let made = office.post(&office.owner, &path, &by_address(&zoe.email)).data(201);
    assert_eq!(
        (&made["principalType"], &made["principalId"], &made["email"]),
        (&json!("email"), &json!(null), &json!(zoe.email))
    );
    let open = invitations();
    assert_eq!((open.len(), &open[0]["role"], &open[0]["email"]), (1, &json!("GUEST"), &json!(zoe.email)));
    office.post(&office.owner, &path, &by_address(&zoe.email)).is(200);
    assert_eq!(invitations().len(), 1, "an open invitation is enough");
    let manager = office.below(None, "Managed");
    office.grant(&manager, &[("user", &office.member.id, "FULL_ACCESS")]);
    let theirs = format!("/pages/{manager}/permissions");
    let answer = office.post(&office.member, &theirs, &by_address("new@example.com"));
    answer.refuses(403, "FORBIDDEN").because("requires_ADMIN");
    let body = json!({ "userId": zoe.id, "role": "GUEST" });
    office.owner.post(&format!("/workspaces/{}/members", office.id), &body).send().is(201);
    assert_eq!(office.level(&zoe, &page), "COMMENT", "who joins has what their address was granted");
    let max = office.post(&office.owner, &path, &by_address("max@example.com")).data(201);
    let open = invitations();
    let invitation = open.iter().find(|open| open["email"] == "max@example.com").unwrap();
    let path = format!("/workspaces/{}/invitations/{}", office.id, shape::text(&invitation["id"]));
    office.owner.delete(&path).send().is(204);
    let left = office.permissions(&office.owner, &page)["grants"].clone();
    assert!(left.as_array().unwrap().iter().all(|grant| grant["id"] != max["id"]), "{left}");
}

fn invalid_grants_are_refused(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "A");
    let path = format!("/pages/{page}/permissions");
    let unknown = "usr_01J8Z3K4M5N6P7Q8R9S0T1V2W3";
    for (kind, id) in
        [("user", unknown), ("team", "tm_01J8Z3K4M5N6P7Q8R9S0T1V2W3"), ("workspace", &*office.owner.workspace)]
    {
        let body = json!({ "principalType": kind, "principalId": id, "level": "VIEW" });
        let refusal = office.post(&office.owner, &path, &body).refuses(422, "UNPROCESSABLE_ENTITY");
        refusal.of("principalId", "unknown_principal");
        let known = json!({ "principalType": "user", "principalId": office.member.id, "level": "VIEW" });
        let listed = office.call(&office.owner, "PUT", &path, &json!({ "grants": [known, body] }));
        listed.refuses(422, "UNPROCESSABLE_ENTITY").of("grants.1.principalId", "unknown_principal");
    }
    for (body, field, issue) in [
        (json!({}), "principalType", "required"),
        (json!({ "principalType": "group", "level": "VIEW" }), "principalType", "invalid_value"),
        (json!({ "principalType": "user", "level": "VIEW" }), "principalId", "required"),
        (json!({ "principalType": "user", "principalId": "x", "level": "VIEW" }), "principalId", "invalid_id"),
        (json!({ "principalType": "user", "principalId": unknown, "level": "OWN" }), "level", "invalid_value"),
        (json!({ "principalType": "email", "level": "VIEW" }), "email", "required"),
        (
            json!({ "principalType": "user", "principalId": unknown, "email": "a@b.ch", "level": "VIEW" }),
            "email",
            "invalid_value",
        ),
    ] {
        office.post(&office.owner, &path, &body).refuses(400, "VALIDATION_ERROR").of(field, issue);
    }
    let misnamed = json!({ "principalType": "team", "principalId": unknown, "level": "VIEW" });
    let refused = office.post(&office.owner, &path, &misnamed).refuses(400, "VALIDATION_ERROR");
    assert_eq!(refused.names("principalId")["pattern"], "^tm_[0-7][0-9A-HJKMNP-TV-Z]{25}$");
    let to_guest = json!({ "principalType": "user", "principalId": office.guest.id, "level": "VIEW" });
    let twice = json!({ "grants": [to_guest, to_guest] });
    office.put(&office.owner, &page, &twice).refuses(400, "VALIDATION_ERROR").of("grants.1", "invalid_value");
    let many = json!({ "grants": vec![to_guest; 201] });
    office.put(&office.owner, &page, &many).refuses(400, "VALIDATION_ERROR").of("grants", "too_long");
    assert_eq!(office.permissions(&office.owner, &page)["grants"], json!([]));
}

fn a_level_has_its_reason(engine: Engine) {
    let office = office(engine);
    let team = office.team("T", false);
    office.join(&team, &office.member, "MEMBER");
    let page = office.below(None, "A");
    let below = office.below(Some(&page), "B");
    office.grant(&page, &[("user", &office.guest.id, "FULL_ACCESS"), ("team", &team, "FULL_ACCESS")]);
    let path = format!("/pages/{below}/permissions/effective");
    let own = |by: &Person| office.get(by, &path).data(200);
    let source =
        |kind: &str, id: &str, principal: &str, named: &str| (json!(kind), json!(id), json!(principal), json!(named));
    let reported = |found: &Value| {
        let of = |field: &str| found["source"][field].clone();
        (of("nodeType"), of("nodeId"), of("principalType"), of("principalId"))
    };
    let found = own(&office.owner);
    assert_eq!(
        (&found["level"], &found["source"], &found["caps"]),
        (&json!("FULL_ACCESS"), &json!({ "nodeType": "role" }), &json!([]))
    );
    let found = own(&office.guest);
    assert_eq!((&found["level"], &found["caps"]), (&json!("EDIT"), &json!(["guest"])));
    assert_eq!(reported(&found), source("page", &page, "user", &office.guest.id));
    shape::id(&found["source"]["grantId"], "grt_");
    assert_eq!(reported(&own(&office.member)), source("page", &page, "team", &team));
    let found = own(&office.other);
    assert_eq!(
        (reported(&found), &found["source"]["grantId"]),
        (source("workspace", &office.id, "workspace", &office.id), &json!(null))
    );
    let of = |by: &Person, user: &str| office.get(by, &format!("{path}?userId={user}"));
    assert_eq!(of(&office.member, &office.other.id).data(200)["level"], "EDIT");
    of(&office.other, &office.member.id).refuses(403, "FORBIDDEN").because("requires_FULL_ACCESS");
    assert_eq!(of(&office.other, &office.other.id).data(200)["userId"], json!(office.other.id));
    let stranger = of(&office.owner, "usr_01J8Z3K4M5N6P7Q8R9S0T1V2W3").data(200);
    assert_eq!((&stranger["level"], &stranger["source"]), (&json!("NONE"), &json!(null)));
}

fn everybody_who_sees_a_page_is_listed(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "A");
    let path = format!("/pages/{page}/permissions/members");
    let list = |query: &str| office.get(&office.member, &format!("{path}{query}")).body_of(200);
    let names = |list: &Value| {
        let members = list["data"].as_array().unwrap().iter();
        members.map(|member| (shape::text(&member["user"]["name"]), shape::text(&member["level"]))).collect::<Vec<_>>()
    };
    let expected = [("Ada", "FULL_ACCESS"), ("Bob", "EDIT"), ("Eve", "EDIT")]
        .map(|(name, level)| (name.to_owned(), level.to_owned()));
    assert_eq!(names(&list("")), expected);
    let first = list("?limit=2");
    let cursor = shape::text(&first["nextCursor"]);
    assert_eq!([names(&first), names(&list(&format!("?limit=2&cursor={cursor}")))].concat(), expected);
    office.grant(&page, &[("user", &office.guest.id, "VIEW"), ("user", &office.other.id, "NONE")]);
    let found = list("");
    assert_eq!(names(&found).iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["Ada", "Bob", "Gus"]);
    assert_eq!((&found["data"][2]["role"], &found["data"][2]["source"]["nodeType"]), (&json!("GUEST"), &json!("page")));
    office.get(&office.guest, &path).refuses(403, "FORBIDDEN").because("requires_EDIT");
}

/// How each route about one page answers each access level.
fn every_level_on_every_route(engine: Engine) {
    let office = office(engine);
    let routes = [
        ("GET", "", Value::Null, "VIEW"),
        ("GET", "/backlinks", Value::Null, "VIEW"),
        ("GET", "/permissions/effective", Value::Null, "VIEW"),
        ("PATCH", "", json!({ "title": "X" }), "EDIT"),
        ("POST", "/move", json!({ "position": "a9" }), "EDIT"),
        ("GET", "/permissions", Value::Null, "EDIT"),
        ("GET", "/permissions/members", Value::Null, "EDIT"),
        ("PUT", "/permissions", json!({}), "FULL_ACCESS"),
        ("POST", "/permissions", json!({ "principalType": "workspace", "level": "EDIT" }), "FULL_ACCESS"),
        ("DELETE", "/permissions/grt_01J8Z3K4M5N6P7Q8R9S0T1V2W3", Value::Null, "FULL_ACCESS"),
        ("DELETE", "", Value::Null, "EDIT"),
        ("POST", "/restore", json!({}), "EDIT"),
    ];
    let order = ["NONE", "VIEW", "COMMENT", "EDIT", "FULL_ACCESS"];
    let rank = |level: &str| order.iter().position(|known| *known == level).unwrap();
    for level in order {
        let parent = office.below(None, "Parent");
        let page = office.below(Some(&parent), "Page");
        office.grant(&page, &[("user", &office.member.id, level)]);
        for (method, path, body, needed) in &routes {
            let answer = office.call(&office.member, method, &format!("/pages/{page}{path}"), body);
            let what = format!("{method} {path} with {level}: {}", answer.text());
            if level == "NONE" || (*path == "/restore" && rank(level) < rank("EDIT")) {
                let expected = if level == "NONE" { 404 } else { 403 };
                assert_eq!(answer.status, expected, "{what}");
            } else if rank(level) < rank(needed) {
                answer.refuses(403, "FORBIDDEN").because(&format!("requires_{needed}"));
            } else {
                assert!(answer.status < 300, "{what}");
            }
        }
    }
}
