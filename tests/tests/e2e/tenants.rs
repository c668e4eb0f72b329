//! Two tenants: for each of them, what belongs to the other looks exactly as if it did not exist.

use octavo_tests::{Engine, Person, Server, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    ids_of_another_tenant_are_like_unknown_ones,
    a_hidden_team_is_like_an_absent_one,
    a_cursor_belongs_to_its_workspace_and_filters,
}

/// An id with this prefix that does not exist.
fn unknown(prefix: &str) -> String {
    format!("{prefix}01KAHQ5ZJ8T3M6N9P2R4S7V0WX")
}

/// A workspace with one resource of every kind.
struct Tenant {
    owner: Person,
    workspace: String,
    team: String,
    member: String,
    invitation: String,
    key: String,
}

impl Tenant {
    fn create(server: &Server, name: &str) -> Self {
        let (owner, member) = (server.person(name), server.person(&format!("{name} Max")));
        let workspace = shape::text(&owner.post("/workspaces", &json!({ "name": "Acme" })).send().data(201)["id"]);
        let make = |what: &str, body: Value| {
            shape::text(&owner.post(&format!("/workspaces/{workspace}/{what}"), &body).send().data(201)["id"])
        };
        let team = make("teams", json!({ "name": "Design" }));
        make("members", json!({ "userId": member.id, "role": "MEMBER" }));
        make(&format!("teams/{team}/members"), json!({ "userId": member.id }));
        let invitation = make("invitations", json!({ "email": format!("{name}-guest@example.com") }));
        let key = make("api-keys", json!({ "name": "Importer", "scopes": ["READ"] }));
        Self { member: member.id, owner, workspace, team, invitation, key }
    }

    fn path(&self, rest: &str) -> String {
        format!("/workspaces/{}/{rest}", self.workspace)
    }

    /// All resources of the workspace, as its owner reads them.
    fn portrait(&self) -> Vec<Value> {
        let team = format!("teams/{}", self.team);
        ["teams", &team, "members", "invitations", "api-keys"]
            .map(|what| self.owner.get(&self.path(what)).send().body_of(200))
            .into()
    }
}

fn ids_of_another_tenant_are_like_unknown_ones(engine: Engine) {
    let server = Server::start(engine);
    let (ours, theirs) = (Tenant::create(&server, "Ada"), Tenant::create(&server, "Eve"));
    let before = theirs.portrait();
    let own_team = &ours.team;
    let (name, role) = (json!({ "name": "Mine" }), json!({ "role": "ADMIN" }));
    for (method, path, foreign, prefix, body) in [
        ("GET", "teams/<id>", &theirs.team, "tm_", None),
        ("PATCH", "teams/<id>", &theirs.team, "tm_", Some(&name)),
        ("DELETE", "teams/<id>", &theirs.team, "tm_", None),
        ("GET", "teams/<id>/members", &theirs.team, "tm_", None),
        ("POST", "teams/<id>/members", &theirs.team, "tm_", Some(&json!({ "userId": ours.member }))),
        ("PATCH", &format!("teams/<id>/members/{}", ours.member), &theirs.team, "tm_", Some(&role)),
        ("DELETE", &format!("teams/<id>/members/{}", ours.member), &theirs.team, "tm_", None),
        ("PATCH", &format!("teams/{own_team}/members/<id>"), &theirs.member, "usr_", Some(&role)),
        ("DELETE", &format!("teams/{own_team}/members/<id>"), &theirs.member, "usr_", None),
        ("PATCH", "members/<id>", &theirs.member, "usr_", Some(&role)),
        ("DELETE", "members/<id>", &theirs.member, "usr_", None),
        ("DELETE", "invitations/<id>", &theirs.invitation, "inv_", None),
        ("POST", "invitations/<id>/resend", &theirs.invitation, "inv_", Some(&json!({}))),
        ("PATCH", "api-keys/<id>", &theirs.key, "apk_", Some(&name)),
        ("DELETE", "api-keys/<id>", &theirs.key, "apk_", None),
        ("POST", "api-keys/<id>/rotate", &theirs.key, "apk_", Some(&json!({}))),
    ] {
        assert!(foreign.starts_with(prefix), "{foreign}");
        let call = |id: &str| {
            let request = ours.owner.request(method, &ours.path(&path.replace("<id>", id)));
            body.map_or(request.clone(), |body| request.json(body)).send()
        };
        let answer = call(foreign);
        answer.refuses(404, "NOT_FOUND");
        answer.is_like(&call(&unknown(prefix)));
        answer.is_like(&call("nonsense"));
    }
    let team_members = ours.path(&format!("teams/{own_team}/members"));
    let add = |id: &str| ours.owner.post(&team_members, &json!({ "userId": id })).send();
    add(&theirs.member).is_like(&add(&unknown("usr_")));
    assert_eq!(theirs.portrait(), before, "nothing of theirs has changed");
}

fn a_hidden_team_is_like_an_absent_one(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let workspace = shape::text(&ada.post("/workspaces", &json!({ "name": "Acme" })).send().data(201)["id"]);
    let path = |rest: &str| format!("/workspaces/{workspace}/{rest}");
    ada.post(&path("members"), &json!({ "userId": bob.id, "role": "MEMBER" })).send().is(201);
    let body = json!({ "name": "Secret", "isPrivate": true });
    let team = shape::text(&ada.post(&path("teams"), &body).send().data(201)["id"]);
    for (method, rest, body) in [
        ("GET", "", None),
        ("PATCH", "", Some(json!({ "name": "Mine" }))),
        ("DELETE", "", None),
        ("GET", "/members", None),
        ("POST", "/members", Some(json!({ "userId": bob.id }))),
        ("PATCH", "/members/usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", Some(json!({ "role": "ADMIN" }))),
        ("DELETE", "/members/usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", None),
    ] {
        let call = |id: &str| {
            let request = bob.request(method, &path(&format!("teams/{id}{rest}")));
            body.as_ref().map_or(request.clone(), |body| request.json(body)).send()
        };
        let answer = call(&team);
        assert!([403, 404].contains(&answer.status), "{method} {rest}");
        answer.is_like(&call(&unknown("tm_")));
    }
}

fn a_cursor_belongs_to_its_workspace_and_filters(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let found = |name: &str| shape::text(&ada.post("/workspaces", &json!({ "name": name })).send().data(201)["id"]);
    let (acme, other) = (found("Acme"), found("Other"));
    for name in ["Guest 1", "Guest 2", "Guest 3"] {
        let guest = server.person(name);
        for workspace in [&acme, &other] {
            let body = json!({ "userId": guest.id, "role": "GUEST" });
            ada.post(&format!("/workspaces/{workspace}/members"), &body).send().is(201);
        }
    }
    let page = |workspace: &str, query: &str| ada.get(&format!("/workspaces/{workspace}/members?{query}")).send();
    let query = "limit=1&role=GUEST&q=guest";
    let cursor = shape::text(&page(&acme, query).body_of(200)["nextCursor"]);
    let next = |workspace: &str, query: &str| page(workspace, &format!("{query}&cursor={cursor}"));
    assert_eq!(next(&acme, query).body_of(200)["data"].as_array().unwrap().len(), 1);
    assert_eq!(next(&acme, "limit=2&q=guest&role=GUEST").body_of(200)["data"].as_array().unwrap().len(), 2);
    for (workspace, query) in [
        (&other, query),
        (&acme, "limit=1&role=GUEST"),
        (&acme, "limit=1&q=guest"),
        (&acme, "limit=1&role=GUEST&q=guest+"),
        (&acme, "limit=1&role=OWNER&q=guest"),
    ] {
        let refused = next(workspace, query).refuses(400, "VALIDATION_ERROR");
        assert_eq!(
            refused.names("cursor"),
            &json!({ "field": "cursor", "issue": "invalid_value", "received": cursor })
        );
    }
}
