//! What people with an account can do with a share link: join, and take a copy.

use crate::{
    pages::{office, titles},
    share_links::{link, token},
};
use octavo_tests::{Answer, Engine, Person, Server, at_once::at_once, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_stranger_joins_as_a_guest_and_gets_the_level,
    joining_lowers_nobody,
    a_link_to_look_at_is_joined_by_nobody,
    joining_takes_a_person_and_what_opens_the_link,
    a_full_workspace_takes_nobody_in,
    of_twenty_joins_of_one_person_one_makes_a_member,
    grants_to_an_unproven_address_stay_with_the_address,
    a_copy_goes_where_its_maker_may_put_it,
}

fn join(by: &Person, token: &str) -> Answer {
    by.request("POST", &format!("/public/shares/{token}/join")).send()
}

fn copy(by: &Person, token: &str, body: &Value) -> Answer {
    by.post(&format!("/public/shares/{token}/duplicate"), body).send()
}

fn a_stranger_joins_as_a_guest_and_gets_the_level(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    let child = office.below(Some(&page), "Child");
    let other = office.below(None, "Other");
    let made = link(&office, &office.owner, &page, &json!({ "level": "COMMENT" }));
    let zoe = office.server.person("Zoe");
    let joined = join(&zoe, &token(&made)).data(200);
    assert_eq!(joined, json!({ "workspaceId": office.id, "resourceId": page, "level": "COMMENT" }));
    assert_eq!([&page, &child, &other].map(|id| office.level(&zoe, id)), ["COMMENT", "COMMENT", "404"]);
    let members = office.owner.get(&format!("/workspaces/{}/members", office.id)).send().body_of(200);
    let member = members["data"].as_array().unwrap().iter().find(|member| member["user"]["id"] == zoe.id).unwrap();
    assert_eq!(member["role"], "GUEST");
    let grants = office.get(&office.owner, &format!("/pages/{page}/permissions")).data(200)["grants"].clone();
    let granted: Vec<_> = grants.as_array().unwrap().iter().filter(|grant| grant["principalId"] == zoe.id).collect();
    assert_eq!((granted.len(), &granted[0]["level"]), (1, &json!("COMMENT")));
    // Deleting the link does not remove those who joined through it.
    office.delete(&office.owner, &format!("/share-links/{}", shape::text(&made["id"]))).is(204);
    assert_eq!(office.level(&zoe, &page), "COMMENT");
    join(&zoe, &token(&made)).refuses(404, "NOT_FOUND");
}

fn joining_lowers_nobody(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    let comment = token(&link(&office, &office.owner, &page, &json!({ "level": "COMMENT" })));
    let edit = token(&link(&office, &office.owner, &page, &json!({ "level": "EDIT" })));
    for (person, expected) in [(&office.owner, "FULL_ACCESS"), (&office.member, "EDIT"), (&office.guest, "COMMENT")] {
        assert_eq!(join(person, &comment).data(200)["level"], expected);
        assert_eq!(office.level(person, &page), expected);
    }
    assert_eq!(join(&office.guest, &edit).data(200)["level"], "EDIT");
    assert_eq!(join(&office.guest, &comment).data(200)["level"], "EDIT");
    office.grant(&page, &[("user", &office.member.id, "NONE")]);
    assert_eq!(office.level(&office.member, &page), "404");
    let refused = join(&office.member, &comment).refuses(403, "FORBIDDEN");
    assert_eq!(refused.details()[0]["reason"], "excluded");
    assert_eq!(office.level(&office.member, &page), "404");
}

fn a_link_to_look_at_is_joined_by_nobody(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    let view = token(&link(&office, &office.owner, &page, &json!({})));
    let zoe = office.server.person("Zoe");
    join(&zoe, &view).refuses(422, "UNPROCESSABLE_ENTITY").issue("view_only_link");
    office.get(&zoe, "/pages").refuses(403, "FORBIDDEN").because("workspace_mismatch");
}

fn joining_takes_a_person_and_what_opens_the_link(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    let made = token(&link(&office, &office.owner, &page, &json!({ "level": "EDIT", "password": "open sesame" })));
    let site = office.server.site();
    let path = format!("/public/shares/{made}/join");
    site.request("POST", &path).send().refuses(401, "UNAUTHORIZED").because("token_missing");
    let key = office.key("ADMIN");
    site.request("POST", &path).bearer(&key).send().refuses(403, "FORBIDDEN").because("requires_user_credentials");
    let zoe = office.server.person("Zoe");
    join(&zoe, &made).refuses(401, "UNAUTHORIZED").because("share_password_required");
    let unlock = json!({ "password": "open sesame" });
    let access = site.post(&format!("/public/shares/{made}/unlock"), &unlock).send().data(200);
    let access = shape::text(&access["accessToken"]);
    zoe.request("POST", &path).header("X-Share-Access", &access).send().is(200);
    let unknown = "shl_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80";
    join(&zoe, unknown).refuses(404, "NOT_FOUND");
    let retried = zoe.request("POST", &path).header("X-Share-Access", &access).key("once");
    retried.send().is(200);
    assert_eq!(retried.send().header("idempotency-replayed"), Some("true"));
}

fn a_full_workspace_takes_nobody_in(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_LIMIT_MEMBERS", "2")]);
    let [ada, bob, zoe] = ["Ada", "Bob", "Zoe"].map(|name| server.person(name));
    let id = shape::text(&ada.post("/workspaces", &json!({ "name": "Acme" })).send().data(201)["id"]);
    let at = |request: octavo_tests::Request| request.header("X-Service-Workspace", &id).send();
    let page = shape::text(&at(ada.post("/pages", &json!({ "title": "Page" }))).data(201)["id"]);
    let made = at(ada.post(&format!("/pages/{page}/share-links"), &json!({ "level": "COMMENT" }))).data(201);
    join(&bob, &token(&made)).is(200);
    join(&zoe, &token(&made)).refuses(403, "FORBIDDEN").because("member_quota");
    join(&bob, &token(&made)).is(200);
}

fn of_twenty_joins_of_one_person_one_makes_a_member(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    let made = token(&link(&office, &office.owner, &page, &json!({ "level": "COMMENT" })));
    let zoe = office.server.person("Zoe");
    for answer in at_once(20, |_| join(&zoe, &made)) {
        assert_eq!(answer.data(200)["level"], "COMMENT");
    }
    let members = office.owner.get(&format!("/workspaces/{}/members?limit=100", office.id)).send().body_of(200);
    assert_eq!(members["data"].as_array().unwrap().len(), 5);
}

/// A person who registers with somebody else's address must not get what that address was granted.
fn grants_to_an_unproven_address_stay_with_the_address(engine: Engine) {
    let office = office(engine);
    let secret = office.below(None, "Secret");
    let shared = office.below(None, "Shared");
    let grant = json!({ "principalType": "email", "email": "zoe@example.com", "level": "VIEW" });
    office.post(&office.owner, &format!("/pages/{secret}/permissions"), &grant).is(201);
    let made = token(&link(&office, &office.owner, &shared, &json!({ "level": "COMMENT" })));
    let zoe = office.server.person("Zoe");
    join(&zoe, &made).is(200);
    assert_eq!([&shared, &secret].map(|id| office.level(&zoe, id)), ["COMMENT", "404"]);
}

fn a_copy_goes_where_its_maker_may_put_it(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    office.below(Some(&page), "Child");
    office.page(&office.owner, &json!({ "title": "Cut", "parentId": page, "inherit": false }));
    let made = link(&office, &office.owner, &page, &json!({}));
    let token = token(&made);
    let zoe = office.server.person("Zoe");
    copy(&zoe, &token, &json!({})).refuses(403, "FORBIDDEN").because("duplicate_not_allowed");
    let allow = json!({ "allowDuplicate": true });
    office.patch(&office.owner, &format!("/share-links/{}", shape::text(&made["id"])), &allow).is(200);
    let answer = copy(&zoe, &token, &json!({})).body_of(201);
    assert_eq!(
        (&answer["data"]["title"], &answer["data"]["workspaceId"]),
        (&json!("Page (copy)"), &json!(zoe.workspace))
    );
    assert_eq!((&answer["data"]["childCount"], &answer["data"]["publicAccess"]), (&json!(1), &json!("none")));
    assert_eq!(answer["idMap"].as_object().unwrap().len(), 2);
    let mut own = titles(&zoe.get("/pages").send().body_of(200));
    own.sort_unstable();
    assert_eq!(own, ["Child", "Page (copy)"]);

    let below = json!({ "parentId": answer["data"]["id"], "workspaceId": zoe.workspace });
    let nested = copy(&zoe, &token, &below).body_of(201);
    assert_eq!(nested["data"]["parentId"], answer["data"]["id"]);
    copy(&zoe, &token, &json!({ "workspaceId": office.id })).refuses(404, "NOT_FOUND");
    copy(&zoe, &token, &json!({ "parentId": page })).refuses(404, "NOT_FOUND");
    copy(&office.guest, &token, &json!({ "workspaceId": office.id }))
        .refuses(403, "FORBIDDEN")
        .because("requires_EDIT");
    copy(&office.member, &token, &json!({ "workspaceId": office.id })).is(201);
    let anonymous = office.server.site().post(&format!("/public/shares/{token}/duplicate"), &json!({})).send();
    anonymous.refuses(401, "UNAUTHORIZED").because("token_missing");
}
