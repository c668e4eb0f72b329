//! `GET`, `DELETE /sessions` and `DELETE /sessions/:sessionId`.

use crate::invitations::create_workspace;
use octavo_tests::{Engine, Server, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_session_says_what_it_is,
    sessions_are_listed_newest_first,
    only_sessions_of_the_caller_are_listed,
    ended_sessions_are_listed_when_asked_for,
    a_session_is_revoked_once_and_for_all,
    the_current_session_can_be_revoked,
    sessions_of_others_and_unknown_ones_look_alike,
    all_others_can_be_revoked_at_once,
    an_ended_session_lets_nobody_in,
    a_proof_shows_in_the_session,
}

fn list(answer: &octavo_tests::Answer) -> Vec<Value> {
    answer.data(200).as_array().unwrap().clone()
}

fn a_session_says_what_it_is(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let login = ada.login_request().header("User-Agent", "Tester/1.0").send();
    let ada = ada.with_tokens_of(&login.data(200));
    let sessions = list(&ada.get("/sessions").send());
    let session = &sessions[0];
    assert_eq!(session["id"], ada.session);
    assert_eq!(session["userAgent"], "Tester/1.0");
    assert_eq!(session["ipAddress"], server.client_address().to_string());
    assert_eq!(session["status"], "ACTIVE");
    assert_eq!(session["isCurrent"], true);
    assert_eq!(session["kind"], "LOGIN");
    assert_eq!(session["amr"], json!(["pwd"]));
    for field in ["lastActiveAt", "createdAt", "authTime"] {
        assert!(shape::seconds_ahead(&session[field]).abs() < 60, "{field} in {session}");
    }
    let hours = shape::seconds_ahead(&session["expiresAt"]) / 3600;
    assert!((29 * 24..=30 * 24).contains(&hours), "{session}");
    assert!(!session.to_string().contains(&ada.refresh[4..]));
}

fn sessions_are_listed_newest_first(engine: Engine) {
    let server = Server::start(engine);
    let first = server.person("Ada");
    let (second, third) = (first.login(), first.login());
    let sessions = list(&second.get("/sessions").send());
    let ids: Vec<_> = sessions.iter().map(|session| session["id"].as_str().unwrap()).collect();
    assert_eq!(ids, [&third.session, &second.session, &first.session]);
    let current: Vec<_> = sessions.iter().filter(|session| session["isCurrent"] == true).collect();
    assert!(current.len() == 1 && current[0]["id"] == second.session, "{current:?}");
}

fn only_sessions_of_the_caller_are_listed(engine: Engine) {
    let server = Server::start(engine);
    let (ada, eve) = (server.person("Ada"), server.person("Eve"));
    let sessions = list(&eve.get("/sessions").send());
    assert!(sessions.len() == 1 && sessions[0]["id"] != ada.session, "{sessions:?}");
    server.get("/sessions").send().refuses(401, "UNAUTHORIZED");
}

fn ended_sessions_are_listed_when_asked_for(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let (revoked, left) = (ada.login(), ada.login());
    ada.delete(&format!("/sessions/{}", revoked.session)).send().is(204);
    left.post("/auth/logout", &json!({})).send().is(204);
    let ids = |path: &str| {
        let sessions = list(&ada.get(path).send());
        sessions.iter().map(|session| shape::text(&session["id"])).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(ids("/sessions"), ada.session);
    assert_eq!(ids("/sessions?status=ACTIVE"), ada.session);
    assert_eq!(ids("/sessions?status=REVOKED"), format!("{} {}", left.session, revoked.session));
    assert_eq!(ids("/sessions?status=EXPIRED"), "");
    for wrong in ["active", "NONE", ""] {
        let answer = ada.get(&format!("/sessions?status={wrong}")).send();
        answer.refuses(400, "VALIDATION_ERROR").names("status");
    }
}

fn a_session_is_revoked_once_and_for_all(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let other = ada.login();
    for _ in 0..2 {
        let answer = ada.delete(&format!("/sessions/{}", other.session)).send();
        assert!(answer.is(204).body.is_empty());
    }
    other.refresh_request().send().refuses(403, "FORBIDDEN").because("session_revoked");
    assert_eq!(other.me()["id"], ada.id, "the access token lives on until it expires");
    let events = ada.get("/users/me/security-events").send().data(200);
    let revoked = |event: &&Value| event["action"] == "session.revoked" && event["target"]["id"] == other.session;
    assert_eq!(events.as_array().unwrap().iter().filter(revoked).count(), 1, "{events}");
}

fn the_current_session_can_be_revoked(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    ada.delete(&format!("/sessions/{}", ada.session)).send().is(204);
    ada.refresh_request().send().refuses(403, "FORBIDDEN").because("session_revoked");
}

fn sessions_of_others_and_unknown_ones_look_alike(engine: Engine) {
    let server = Server::start(engine);
    let (ada, eve) = (server.person("Ada"), server.person("Eve"));
    let foreign = eve.delete(&format!("/sessions/{}", ada.session)).send();
    foreign.refuses(404, "NOT_FOUND");
    for unknown in ["ses_00000000000000000000000000", "ses_short", "usr_00000000000000000000000000", "%20", "ses_%00"] {
        foreign.is_like(&eve.delete(&format!("/sessions/{unknown}")).send());
    }
    ada.refresh_request().send().is(200);
}

fn all_others_can_be_revoked_at_once(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let others = [ada.login(), ada.login(), ada.login()];
    others[0].post("/auth/logout", &json!({})).send().is(204);
    assert_eq!(ada.delete("/sessions").send().data(200), json!({ "revoked": 2 }));
    assert_eq!(ada.delete("/sessions").send().data(200), json!({ "revoked": 0 }));
    assert_eq!(list(&ada.get("/sessions").send()).len(), 1);
    others[2].refresh_request().send().refuses(403, "FORBIDDEN").because("session_revoked");
    ada.refresh_request().send().is(200);
}

fn an_ended_session_lets_nobody_in(engine: Engine) {
    let server = Server::start(engine);
    let (ada, helper) = (server.person("Ada"), server.person("Helper"));
    let workspace = create_workspace(&ada, "Acme");
    let at = |path: &str| format!("/workspaces/{workspace}/{path}");
    let created = |path: &str, body: Value| shape::text(&ada.post(path, &body).send().data(201)["id"]);
    let key = created(&at("api-keys"), json!({ "name": "Old", "scopes": ["ADMIN"] }));
    let app = json!({ "name": "Old", "redirectUris": ["https://app.example.com/back"], "scopes": ["pages:read"] });
    let client = shape::text(&ada.post(&at("oauth/apps"), &app).send().data(201)["clientId"]);
    let invitation = created(&at("invitations"), json!({ "email": "one@example.com" }));
    let member = server.person("Max");
    let max = at(&format!("members/{}", member.id));
    ada.post(&at("members"), &json!({ "userId": member.id, "role": "MEMBER" })).send().is(201);
    let body = json!({ "title": "Plan" });
    let page = ada.post("/pages", &body).header("X-Service-Workspace", &workspace).send().data(201);
    let links = format!("/pages/{}/share-links", shape::text(&page["id"]));
    let link = ada.post(&links, &json!({})).header("X-Service-Workspace", &workspace).send().data(201);
    let link = format!("/share-links/{}", shape::text(&link["id"]));
    let grants = format!("/pages/{}/permissions", shape::text(&page["id"]));
    let guest = json!({ "principalType": "email", "email": "two@example.com", "level": "VIEW" });
    let thief = ada.login();
    ada.delete("/sessions").send().is(200);
    for (method, path, body) in [
        ("POST", at("api-keys"), json!({ "name": "New", "scopes": ["ADMIN"] })),
        ("POST", at(&format!("api-keys/{key}/rotate")), json!({})),
        ("POST", at("oauth/apps"), app.clone()),
        ("POST", at(&format!("oauth/apps/{client}/secret")), json!({})),
        ("POST", at("invitations"), json!({ "email": helper.email, "role": "OWNER" })),
        ("POST", at(&format!("invitations/{invitation}/resend")), json!({})),
        ("POST", at("members"), json!({ "userId": helper.id, "role": "OWNER" })),
        ("PATCH", max.clone(), json!({ "role": "OWNER" })),
        ("POST", links, json!({ "level": "EDIT" })),
        ("PATCH", link.clone(), json!({ "level": "EDIT" })),
        ("PATCH", link.clone(), json!({ "password": "open sesame" })),
        ("POST", grants, guest),
    ] {
        let request = thief.request(method, &path).json(&body).header("X-Service-Workspace", &workspace);
        let answer = request.send();
        assert_eq!(answer.status, 403, "{method} {path}: {}", answer.text());
        answer.refuses(403, "FORBIDDEN").because("session_revoked");
    }
    // Everything else works until the access token expires.
    thief.patch(&max, &json!({ "role": "GUEST" })).send().is(200);
    let narrower = thief.patch(&link, &json!({ "includeChildren": false }));
    narrower.header("X-Service-Workspace", &workspace).send().is(200);
}

fn a_proof_shows_in_the_session(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let before = list(&ada.get("/sessions").send())[0]["authTime"].clone();
    ada.post("/auth/reauthenticate", &json!({ "password": ada.password })).send().is(200);
    let after = list(&ada.get("/sessions").send())[0]["authTime"].clone();
    assert!(shape::millis(&after) >= shape::millis(&before), "{before} {after}");
}
