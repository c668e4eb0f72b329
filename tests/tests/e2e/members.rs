//! Members of a workspace.

use octavo_tests::{Answer, Engine, Person, Server, at_once::at_once, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_member_is_shown_as_the_account_is_now,
    the_list_comes_in_pages_and_narrows,
    a_removed_member_is_out_at_once,
    a_refused_change_of_rights_stands_in_the_trail,
    a_repeated_removal_replays_under_its_key,
    rights_are_checked_before_the_body,
    a_full_workspace_takes_nobody,
    of_twenty_who_add_somebody_one_succeeds,
    two_owners_who_leave_at_once_leave_one,
    two_owners_who_demote_each_other_leave_one,
}

/// A workspace of this person that is not the personal one.
fn workspace(owner: &Person) -> String {
    shape::text(&owner.post("/workspaces", &json!({ "name": "Acme" })).send().data(201)["id"])
}

fn members(workspace: &str) -> String {
    format!("/workspaces/{workspace}/members")
}

fn member(workspace: &str, person: &Person) -> String {
    format!("/workspaces/{workspace}/members/{}", person.id)
}

fn add(by: &Person, workspace: &str, person: &Person, role: &str) -> Answer {
    by.post(&members(workspace), &json!({ "userId": person.id, "role": role })).send()
}

fn ids(list: &Value) -> Vec<String> {
    list["data"].as_array().unwrap().iter().map(|member| shape::text(&member["userId"])).collect()
}

fn a_member_is_shown_as_the_account_is_now(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let acme = workspace(&ada);
    let added = add(&ada, &acme, &bob, "MEMBER").data(201);
    assert_eq!((&added["userId"], &added["role"]), (&json!(bob.id), &json!("MEMBER")));
    assert_eq!(added["invitedBy"], json!(ada.id));
    let user = json!({
        "id": bob.id, "name": "Bob", "displayName": "Bob", "email": bob.email, "avatarUrl": null, "status": "ACTIVE",
    });
    assert_eq!(added["user"], user);
    assert!(added["id"].as_str().unwrap().starts_with("wm_") && added["joinedAt"] == added["createdAt"]);
    assert!(added.get("teams").is_none());
    bob.patch("/users/me", &json!({ "name": "Robert", "displayName": "Bobby" })).send().is(200);
    server.run(&["user", "suspend", &bob.email]).exits(0);
    let list = ada.get(&members(&acme)).send().body_of(200);
    assert_eq!(ids(&list), [&*bob.id, &*ada.id]);
    let seen = &list["data"][0]["user"];
    assert_eq!([&seen["name"], &seen["displayName"], &seen["status"]], ["Robert", "Bobby", "SUSPENDED"]);
    assert_eq!((&list["data"][1]["role"], &list["data"][1]["invitedBy"]), (&json!("OWNER"), &Value::Null));
}

fn the_list_comes_in_pages_and_narrows(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = workspace(&ada);
    let others: Vec<_> = (1..=4).map(|number| server.person(&format!("Guest {number}"))).collect();
    for other in &others {
        add(&ada, &acme, other, "GUEST").is(201);
    }
    let path = members(&acme);
    let whole = ids(&ada.get(&path).send().body_of(200));
    assert_eq!(whole.len(), 5);
    let mut pages = Vec::new();
    let mut next = format!("{path}?limit=2");
    loop {
        let page = others[0].get(&next).send().body_of(200);
        pages.push(ids(&page));
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        next = format!("{path}?limit=2&cursor={cursor}");
    }
    assert_eq!((pages.len(), pages.concat()), (3, whole));
    let of = |query: &str| ids(&ada.get(&format!("{path}?{query}")).send().body_of(200));
    assert_eq!(of("role=OWNER"), [&*ada.id]);
    assert_eq!(of("q=gUEST%202"), [&*others[1].id]);
    assert_eq!(of("q=guest.3@"), [&*others[2].id]);
    assert_eq!(of("q=%25").len() + of("q=_").len() + of("q=%5C").len(), 0);
    assert_eq!(of("role=GUEST&q=ada").len(), 0);
    for wrong in ["role=BOSS", "q=%00", "limit=0", "role=GUEST&role=OWNER", "cursor=x"] {
        ada.get(&format!("{path}?{wrong}")).send().refuses(400, "VALIDATION_ERROR");
    }
}

fn a_removed_member_is_out_at_once(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob, eve) = (server.person("Ada"), server.person("Bob"), server.person("Eve"));
    let acme = workspace(&ada);
    add(&ada, &acme, &bob, "ADMIN").is(201);
    add(&bob, &acme, &eve, "OWNER").refuses(403, "FORBIDDEN").because("requires_OWNER");
    add(&bob, &acme, &eve, "GUEST").is(201);
    eve.delete(&member(&acme, &bob)).send().refuses(403, "FORBIDDEN").because("requires_ADMIN");
    bob.delete(&member(&acme, &ada)).send().refuses(403, "FORBIDDEN").because("requires_OWNER");
    ada.patch(&member(&acme, &bob), &json!({ "role": "MEMBER" })).send().is(200);
    add(&bob, &acme, &eve, "MEMBER").refuses(403, "FORBIDDEN").because("requires_ADMIN");
    ada.delete(&member(&acme, &bob)).send().is(204);
    bob.get(&members(&acme)).send().refuses(403, "FORBIDDEN").because("workspace_mismatch");
    ada.delete(&member(&acme, &bob)).send().refuses(404, "NOT_FOUND");
    eve.delete(&member(&acme, &eve)).send().is(204);
    let own = eve.get("/users/me").send().data(200);
    assert_eq!(own["workspaces"].as_array().unwrap().len(), 1);
    ada.delete(&member(&acme, &ada)).send().refuses(409, "CONFLICT").issue("last_owner");
    ada.delete(&member(&ada.workspace, &ada)).send().refuses(409, "CONFLICT");
}

fn a_refused_change_of_rights_stands_in_the_trail(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob, eve) = (server.person("Ada"), server.person("Bob"), server.person("Eve"));
    let acme = workspace(&ada);
    add(&ada, &acme, &bob, "ADMIN").is(201);
    bob.patch(&member(&acme, &bob), &json!({ "role": "OWNER" })).send().refuses(403, "FORBIDDEN");
    bob.delete(&member(&acme, &ada)).send().refuses(403, "FORBIDDEN");
    add(&bob, &acme, &eve, "OWNER").refuses(403, "FORBIDDEN");
    add(&eve, &acme, &eve, "GUEST").refuses(403, "FORBIDDEN");
    let path = format!("/workspaces/{acme}/audit?outcome=FAILURE&action=permission.changed");
    let entries = ada.get(&path).send().data(200);
    let entries = entries.as_array().unwrap();
    assert_eq!(entries.len(), 3, "strangers leave no trace here");
    assert!(entries.iter().all(|entry| entry["actor"]["id"] == bob.id));
    assert!(entries.iter().any(|entry| entry["target"]["id"] == ada.id));
}

fn a_repeated_removal_replays_under_its_key(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let acme = workspace(&ada);
    add(&ada, &acme, &bob, "GUEST").is(201);
    let removal = ada.delete(&member(&acme, &bob)).header("Idempotency-Key", "once");
    removal.send().is(204);
    let again = removal.send();
    again.is(204);
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
}

fn rights_are_checked_before_the_body(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let acme = workspace(&ada);
    for (body, field, issue) in [
        (json!({ "role": "MEMBER" }), "userId", "required"),
        (json!({ "userId": bob.id }), "role", "required"),
        (json!({ "userId": bob.id, "role": "BOSS" }), "role", "invalid_value"),
        (json!({ "userId": "nonsense", "role": "MEMBER" }), "userId", "invalid_id"),
    ] {
        ada.post(&members(&acme), &body).send().refuses(400, "VALIDATION_ERROR").of(field, issue);
        bob.post(&members(&acme), &body).send().refuses(403, "FORBIDDEN");
    }
    let unknown = json!({ "userId": "usr_00000000000000000000000000", "role": "MEMBER" });
    ada.post(&members(&acme), &unknown).send().refuses(404, "NOT_FOUND");
    ada.patch(&format!("{}/nonsense", members(&acme)), &json!({})).send().refuses(404, "NOT_FOUND");
    ada.patch(&member(&acme, &ada), &json!({})).send().refuses(400, "VALIDATION_ERROR").of("role", "required");
    add(&ada, &acme, &bob, "MEMBER").is(201);
    add(&ada, &acme, &bob, "GUEST").refuses(409, "CONFLICT").of("userId", "already_exists");
}

fn a_full_workspace_takes_nobody(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_LIMIT_MEMBERS", "2")]);
    let (ada, bob, eve) = (server.person("Ada"), server.person("Bob"), server.person("Eve"));
    let acme = workspace(&ada);
    add(&ada, &acme, &bob, "MEMBER").is(201);
    add(&ada, &acme, &eve, "MEMBER").refuses(403, "FORBIDDEN").because("member_quota");
    let usage = ada.get(&format!("/workspaces/{acme}")).send().data(200);
    assert_eq!((&usage["usage"]["members"], &usage["usageLimits"]["members"]), (&json!(2), &json!(2)));
}

fn of_twenty_who_add_somebody_one_succeeds(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let acme = workspace(&ada);
    let answers = at_once(20, |_| add(&ada, &acme, &bob, "MEMBER").status);
    assert_eq!(answers.iter().filter(|status| **status == 201).count(), 1, "{answers:?}");
    assert!(answers.iter().all(|status| [201, 409].contains(status)), "{answers:?}");
}

fn two_owners_who_leave_at_once_leave_one(engine: Engine) {
    let server = Server::start(engine);
    let owners = [server.person("Ada"), server.person("Bob")];
    let acme = workspace(&owners[0]);
    add(&owners[0], &acme, &owners[1], "OWNER").is(201);
    let answers = at_once(2, |index| owners[index].delete(&member(&acme, &owners[index])).send());
    let mut statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 409]);
    let stays = answers.iter().position(|answer| answer.status == 409).unwrap();
    let left = owners[stays].get(&format!("/workspaces/{acme}")).send().data(200);
    assert_eq!((&left["ownerId"], &left["usage"]["members"]), (&json!(owners[stays].id), &json!(1)));
}

fn two_owners_who_demote_each_other_leave_one(engine: Engine) {
    let server = Server::start(engine);
    let owners = [server.person("Ada"), server.person("Bob")];
    let acme = workspace(&owners[0]);
    add(&owners[0], &acme, &owners[1], "OWNER").is(201);
    let demotion = json!({ "role": "ADMIN" });
    at_once(2, |index| owners[index].patch(&member(&acme, &owners[1 - index]), &demotion).send().status);
    let left = owners[0].get(&format!("{}?role=OWNER", members(&acme))).send().body_of(200);
    assert_eq!(ids(&left).len(), 1, "{left}");
    let shown = owners[0].get(&format!("/workspaces/{acme}")).send().data(200);
    assert_eq!(json!(ids(&left)[0]), shown["ownerId"]);
}
