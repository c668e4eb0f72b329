//! `/invitations`: previewing, accepting and declining, and what the resulting sessions may reach.

use crate::invitations::{create_workspace, handed, joined, list, proven, try_invite};
use octavo_tests::{Answer, Engine, Person, Server, at_once::at_once, both_engines, jwt, shape};
use serde_json::{Value, json};

both_engines! {
    the_mailed_token_makes_a_proven_account,
    the_handed_token_makes_an_unproven_account,
    using_one_token_kills_both,
    the_link_alone_reaches_one_workspace_only,
    a_session_by_the_link_is_not_extended,
    a_signed_in_user_joins_with_their_own_session,
    an_invitation_is_for_its_address_only,
    the_first_proof_of_a_mailbox_ends_earlier_sessions,
    an_own_invitation_is_accepted_by_its_id,
    own_invitations_wait_in_a_list,
    declining_kills_the_invitation_and_is_repeatable,
    unknown_tokens_and_wrong_forms_are_refused,
    a_credential_without_a_use_is_ignored,
    signup_decides_who_may_make_an_account,
    a_full_workspace_takes_nobody,
    a_suspended_account_does_not_join,
    a_deleted_workspace_takes_nobody,
    of_twenty_acceptances_at_once_one_wins,
    of_twenty_newcomers_at_once_one_wins,
    accepting_and_taking_back_do_not_both_succeed,
    a_retry_gets_the_same_answer,
    lists_and_trails_hold_no_token,
}

const PASSWORD: &str = "Correct-Horse-9";

struct Invited {
    workspace: String,
    id: String,
    /// The token in the letter to the invited address.
    mailed: String,
    /// The token that the inviter received.
    handed: String,
}

/// Invites an address into a new workspace whose owner has a verified address.
fn invited(server: &Server, owner: &Person, email: &str, role: &str) -> Invited {
    let workspace = create_workspace(owner, "Acme");
    let sent = try_invite(owner, &workspace, &json!({ "email": email, "role": role })).data(201);
    let mailed = server.mailbox().token(email, "itn_");
    Invited { workspace, id: shape::id(&sent["id"], "inv_"), mailed, handed: handed(&sent) }
}

fn accept(server: &Server, body: &Value) -> Answer {
    server.post("/invitations/accept", body).send()
}

fn newcomer(token: &str) -> Value {
    json!({ "token": token, "password": PASSWORD, "name": "Grace" })
}

/// The person who accepted, as the answer describes them.
fn member(server: &Server, data: &Value) -> Person {
    Person {
        site: *server.site(),
        email: shape::text(&data["user"]["email"]),
        password: PASSWORD.to_owned(),
        id: shape::text(&data["user"]["id"]),
        workspace: shape::text(&data["workspace"]["id"]),
        session: shape::text(&data["session"]["id"]),
        access: shape::text(&data["accessToken"]),
        refresh: shape::text(&data["refreshToken"]),
    }
}

fn the_mailed_token_makes_a_proven_account(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let invited = invited(&server, &ada, "grace@example.com", "ADMIN");
    let data = accept(&server, &newcomer(&invited.mailed)).data(200);
    shape::exactly(&data["user"], &["id", "email", "name"]);
    shape::exactly(&data["membership"], &["role", "joinedAt"]);
    assert_eq!(data["workspace"], json!({ "id": invited.workspace, "name": "Acme" }));
    assert_eq!(data["membership"]["role"], "ADMIN");
    shape::token(&data["refreshToken"], "rft_");
    let grace = member(&server, &data);
    assert_eq!(grace.me()["emailVerification"], "VERIFIED");
    let me = grace.get("/users/me").send().data(200);
    let own: Vec<_> = me["workspaces"].as_array().unwrap().iter().map(|own| own["isPersonal"].clone()).collect();
    assert_eq!(own.len(), 2, "a personal workspace and the one that was joined");
    assert!(own.contains(&json!(true)));
    assert_eq!(jwt::claims(&grace.access)["workspaceId"], json!(invited.workspace));
    assert_eq!(jwt::claims(&grace.refreshed().access)["workspaceId"], json!(invited.workspace));
    assert_eq!(list(&ada, &invited.workspace, "ACCEPTED").len(), 1);
    grace.login().get("/sessions").send().is(200);
}

fn the_handed_token_makes_an_unproven_account(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let invited = invited(&server, &ada, "grace@example.com", "MEMBER");
    let grace = member(&server, &accept(&server, &newcomer(&invited.handed)).data(200));
    assert_eq!(grace.me()["emailVerification"], "PENDING");
    let proof = server.mailbox().token("grace@example.com", "evt_");
    server.post("/auth/email-verification/confirm", &json!({ "token": proof })).send().is(200);
    assert_eq!(grace.me()["emailVerification"], "VERIFIED");
}

fn using_one_token_kills_both(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let invited = invited(&server, &ada, "grace@example.com", "MEMBER");
    accept(&server, &newcomer(&invited.handed)).is(200);
    for token in [&invited.handed, &invited.mailed] {
        accept(&server, &newcomer(token)).refuses(409, "CONFLICT").of("email", "already_exists");
        let body = json!({ "token": token, "email": "grace@example.com" });
        accept(&server, &body).refuses(409, "CONFLICT").issue("invitation_accepted");
        let preview = server.post("/invitations/preview", &json!({ "token": token })).send();
        preview.refuses(409, "CONFLICT").issue("invitation_accepted");
        let decline = server.post("/invitations/decline", &json!({ "token": token })).send();
        decline.refuses(409, "CONFLICT").issue("invitation_accepted");
    }
}

fn the_link_alone_reaches_one_workspace_only(engine: Engine) {
    let server = Server::start(engine);
    let (ada, grace) = (proven(&server, "Ada"), proven(&server, "Grace"));
    let other = create_workspace(&grace, "Private");
    let invited = invited(&server, &ada, &grace.email, "ADMIN");
    let data = accept(&server, &json!({ "token": invited.handed, "email": "GRACE@example.com" })).data(200);
    assert_eq!(data["user"]["id"], json!(grace.id));
    let thief = member(&server, &data);
    let claims = jwt::claims(&thief.access);
    assert_eq!([&claims["amr"], &claims["workspaceId"]], [&json!(["inv"]), &json!(invited.workspace)]);
    thief.get(&format!("/workspaces/{}", invited.workspace)).send().is(200);
    try_invite(&thief, &invited.workspace, &json!({ "email": "friend@example.com" })).is(201);
    for foreign in [&other, &grace.workspace] {
        let path = format!("/workspaces/{foreign}");
        thief.get(&path).send().refuses(403, "FORBIDDEN").because("workspace_mismatch");
        let named = thief.get("/workspaces").header("X-Service-Workspace", foreign).send();
        named.refuses(403, "FORBIDDEN").because("workspace_mismatch");
    }
    for (method, path) in [
        ("GET", "/sessions"),
        ("DELETE", "/sessions"),
        ("PATCH", "/users/me"),
        ("GET", "/users/me/invitations"),
        ("GET", "/users/me/security-events"),
        ("POST", "/users/me/password"),
        ("POST", "/users/me/email-change"),
        ("POST", "/workspaces"),
        ("POST", &format!("/invitations/{}/accept", invited.id)),
    ] {
        let answer = thief.request(method, path).json(&json!({})).send();
        answer.refuses(403, "FORBIDDEN").because("requires_login");
    }
    let only = thief.get("/workspaces").send().data(200);
    assert_eq!(
        only.as_array().unwrap().iter().map(|one| one["id"].clone()).collect::<Vec<_>>(),
        [json!(invited.workspace)]
    );
    assert_eq!(thief.get("/users/me").send().data(200)["workspaces"].as_array().unwrap().len(), 1);
    assert_eq!(thief.get("/auth/me").send().data(200)["workspaceId"], json!(invited.workspace));
    thief.post("/auth/logout", &json!({ "sessionId": grace.session })).send().is(204);
    let grace = grace.refreshed();
    let mail = server.mailbox().mail(&grace.email, "the notice", |mail| mail.raw.contains("Your account joined"));
    assert!(mail.text().contains("Acme"), "{}", mail.raw);
    let events = grace.get("/users/me/security-events").send().data(200);
    assert!(events.to_string().contains(r#""inv""#), "{events}");
    thief.post("/auth/logout", &json!({})).send().is(204);
    thief.refresh_request().send().refuses(401, "REFRESH_TOKEN_REUSED");
}

fn a_session_by_the_link_is_not_extended(engine: Engine) {
    let server = Server::start(engine);
    let (ada, grace) = (proven(&server, "Ada"), proven(&server, "Grace"));
    let invited = invited(&server, &ada, &grace.email, "MEMBER");
    let data = accept(&server, &json!({ "token": invited.mailed, "email": grace.email })).data(200);
    assert!((shape::seconds_ahead(&data["session"]["expiresAt"]) - 86400).abs() < 600);
    let next = member(&server, &data).refreshed();
    let claims = jwt::claims(&next.access);
    assert_eq!([&claims["amr"], &claims["workspaceId"]], [&json!(["inv"]), &json!(invited.workspace)]);
    let sessions = grace.get("/sessions").send().data(200);
    let found = sessions.as_array().unwrap().iter().find(|session| session["kind"] == "INVITATION").unwrap();
    assert_eq!(found["expiresAt"], data["session"]["expiresAt"], "refreshing does not move the end");
    assert_eq!(found["amr"], json!(["inv"]));
}

fn a_signed_in_user_joins_with_their_own_session(engine: Engine) {
    let server = Server::start(engine);
    let (ada, grace) = (proven(&server, "Ada"), proven(&server, "Grace"));
    let invited = invited(&server, &ada, &grace.email, "MEMBER");
    let data = grace.post("/invitations/accept", &json!({ "token": invited.handed })).send().data(200);
    let member = member(&server, &data);
    let claims = jwt::claims(&member.access);
    assert_eq!([&claims["amr"], &claims["workspaceId"]], [&json!(["pwd"]), &json!(invited.workspace)]);
    member.get("/sessions").send().is(200);
    member.get(&format!("/workspaces/{}", grace.workspace)).send().is(200);
    grace.refreshed();
    grace.post("/invitations/accept", &json!({ "token": invited.mailed })).send().refuses(409, "CONFLICT");
}

fn an_invitation_is_for_its_address_only(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (proven(&server, "Ada"), proven(&server, "Bob"));
    let invited = invited(&server, &ada, "grace@example.com", "MEMBER");
    let by_token = bob.post("/invitations/accept", &json!({ "token": invited.mailed })).send();
    by_token.refuses(403, "FORBIDDEN").because("email_mismatch");
    let by_email = accept(&server, &json!({ "token": invited.mailed, "email": bob.email }));
    by_email.refuses(403, "FORBIDDEN").because("email_mismatch");
    bob.post(&format!("/invitations/{}/accept", invited.id), &json!({})).send().refuses(404, "NOT_FOUND");
    bob.post("/invitations/decline", &json!({ "invitationId": invited.id })).send().refuses(404, "NOT_FOUND");
    assert_eq!(bob.get("/users/me/invitations").send().data(200), json!([]));
    let unregistered = accept(&server, &json!({ "token": invited.mailed, "email": "grace@example.com" }));
    unregistered.refuses(400, "VALIDATION_ERROR").names("email");
    accept(&server, &newcomer(&invited.mailed)).is(200);
}

fn the_first_proof_of_a_mailbox_ends_earlier_sessions(engine: Engine) {
    let server = Server::start(engine);
    let (ada, trap) = (proven(&server, "Ada"), server.person("Grace"));
    let other = trap.login();
    let invited = invited(&server, &ada, &trap.email, "MEMBER");
    let data = accept(&server, &json!({ "token": invited.mailed, "email": trap.email })).data(200);
    let owner = member(&server, &data);
    assert_eq!(owner.me()["emailVerification"], "VERIFIED");
    for attacker in [&trap, &other] {
        attacker.refresh_request().send().refuses(403, "FORBIDDEN").because("session_revoked");
        attacker.try_login().refuses(401, "UNAUTHORIZED");
    }
    owner.refreshed();
}

fn an_own_invitation_is_accepted_by_its_id(engine: Engine) {
    let server = Server::start(engine);
    let (ada, grace) = (proven(&server, "Ada"), server.person("Grace"));
    let invited = invited(&server, &ada, &grace.email, "GUEST");
    let path = format!("/invitations/{}/accept", invited.id);
    grace.post(&path, &json!({})).send().refuses(403, "FORBIDDEN").because("email_unverified");
    let decline = grace.post("/invitations/decline", &json!({ "invitationId": invited.id })).send();
    decline.refuses(403, "FORBIDDEN").because("email_unverified");
    assert_eq!(grace.get("/users/me/invitations").send().data(200), json!([]));
    let token = server.mailbox().token(&grace.email, "evt_");
    server.post("/auth/email-verification/confirm", &json!({ "token": token })).send().is(200);
    let data = grace.post(&path, &json!({})).send().data(200);
    assert_eq!(data["membership"]["role"], "GUEST");
    member(&server, &data).get("/sessions").send().is(200);
    grace.post(&path, &json!({})).send().refuses(409, "CONFLICT").issue("invitation_accepted");
    server.post(&path, &json!({})).send().refuses(401, "UNAUTHORIZED").because("token_missing");
}

fn own_invitations_wait_in_a_list(engine: Engine) {
    let server = Server::start(engine);
    let (ada, grace) = (proven(&server, "Ada"), proven(&server, "Grace"));
    let first = invited(&server, &ada, &grace.email, "GUEST");
    let second = create_workspace(&ada, "Second");
    try_invite(&ada, &second, &json!({ "email": grace.email })).is(201);
    let gone = create_workspace(&ada, "Gone");
    try_invite(&ada, &gone, &json!({ "email": grace.email })).is(201);
    let confirm = format!("DELETE {gone}");
    ada.delete(&format!("/workspaces/{gone}")).header("X-Confirm", confirm).send().is(202);
    let found = grace.get("/users/me/invitations").send().data(200);
    let found = found.as_array().unwrap();
    assert_eq!(
        found.iter().map(|one| one["workspaceId"].clone()).collect::<Vec<_>>(),
        [json!(second), json!(first.workspace)]
    );
    assert_eq!(found[1]["id"], json!(first.id));
    assert_eq!(found[1]["workspace"], json!({ "name": "Acme", "iconUrl": null }));
    assert_eq!(found[1]["invitedBy"]["name"], "Ada");
    let page = grace.get("/users/me/invitations?limit=1").send().body_of(200);
    let cursor = shape::text(&page["nextCursor"]);
    let next = grace.get(&format!("/users/me/invitations?limit=1&cursor={cursor}")).send().body_of(200);
    assert_eq!([&next["data"][0]["id"], &next["nextCursor"]], [&json!(first.id), &Value::Null]);
    grace.post(&format!("/invitations/{}/accept", first.id), &json!({})).send().is(200);
    assert_eq!(grace.get("/users/me/invitations").send().data(200).as_array().unwrap().len(), 1);
}

fn declining_kills_the_invitation_and_is_repeatable(engine: Engine) {
    let server = Server::start(engine);
    let (ada, grace) = (proven(&server, "Ada"), proven(&server, "Grace"));
    let invited = invited(&server, &ada, &grace.email, "MEMBER");
    let expected = json!({ "id": invited.id, "status": "DECLINED" });
    for body in [json!({ "token": invited.handed }), json!({ "token": invited.mailed })] {
        assert_eq!(server.post("/invitations/decline", &body).send().data(200), expected);
    }
    let by_id = grace.post("/invitations/decline", &json!({ "invitationId": invited.id })).send();
    assert_eq!(by_id.data(200), expected);
    let accept = accept(&server, &json!({ "token": invited.mailed, "email": grace.email }));
    accept.refuses(409, "CONFLICT").issue("invitation_declined");
    assert_eq!(list(&ada, &invited.workspace, "DECLINED").len(), 1);
    assert_eq!(grace.get("/users/me/invitations").send().data(200), json!([]));
}

fn unknown_tokens_and_wrong_forms_are_refused(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let invited = invited(&server, &ada, "grace@example.com", "MEMBER");
    let unknown = format!("itn_{}", "A".repeat(43));
    for token in [unknown.as_str(), "itn_", "nonsense", &invited.mailed.replace("itn_", "evt_")] {
        accept(&server, &newcomer(token)).refuses(400, "VALIDATION_ERROR").of("token", "invalid_value");
        let body = json!({ "token": token });
        server.post("/invitations/preview", &body).send().refuses(404, "NOT_FOUND");
        server.post("/invitations/decline", &body).send().refuses(404, "NOT_FOUND");
    }
    let token = &invited.mailed;
    for (body, field) in [
        (json!({}), "token"),
        (json!({ "token": token }), "email"),
        (json!({ "token": token, "name": "Grace" }), "password"),
        (json!({ "token": token, "password": PASSWORD }), "name"),
        (json!({ "token": token, "password": "weak", "name": "Grace" }), "password"),
        (json!({ "token": token, "email": "grace" }), "email"),
    ] {
        accept(&server, &body).refuses(400, "VALIDATION_ERROR").names(field);
    }
    server.post("/invitations/decline", &json!({})).send().refuses(400, "VALIDATION_ERROR").names("token");
    let by_id = server.post("/invitations/decline", &json!({ "invitationId": invited.id })).send();
    by_id.refuses(401, "UNAUTHORIZED").because("token_missing");
    accept(&server, &newcomer(token)).is(200);
}

fn a_credential_without_a_use_is_ignored(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob, grace) = (proven(&server, "Ada"), proven(&server, "Bob"), proven(&server, "Grace"));
    let one = invited(&server, &ada, &grace.email, "MEMBER");
    let nonsense = |body: &Value| server.post("/invitations/accept", body).bearer("nonsense").send();
    nonsense(&json!({ "token": one.mailed })).refuses(401, "UNAUTHORIZED").because("token_malformed");
    nonsense(&json!({ "token": one.mailed, "email": grace.email })).is(200);
    let two = invited(&server, &ada, "new@example.com", "MEMBER");
    let data = bob.post("/invitations/accept", &newcomer(&two.mailed)).send().data(200);
    assert_eq!(data["user"]["email"], "new@example.com");
    let three = invited(&server, &ada, "other@example.com", "MEMBER");
    let body = json!({ "token": three.mailed });
    server.post("/invitations/decline", &body).bearer("nonsense").send().is(200);
}

fn signup_decides_who_may_make_an_account(engine: Engine) {
    for (signup, status) in [("invite", 200), ("closed", 403)] {
        let server = Server::with(engine, &[("OCTAVO_SIGNUP", signup)]);
        let create = ["user", "create", "ada@example.com", "--name", "Ada", "--password-stdin"];
        server.run_with_input(&create, PASSWORD).exits(0);
        let login = json!({ "email": "ada@example.com", "password": PASSWORD });
        let access = shape::text(&server.post("/auth/login", &login).send().data(200)["accessToken"]);
        let post = |path: &str, body: &Value| server.post(path, body).bearer(&access).send();
        let workspace = shape::text(&post("/workspaces", &json!({ "name": "Acme" })).data(201)["id"]);
        let path = format!("/workspaces/{workspace}/invitations");
        let sent = post(&path, &json!({ "email": "grace@example.com" })).data(201);
        let answer = accept(&server, &newcomer(&handed(&sent)));
        answer.is(status);
        if status == 403 {
            answer.refuses(403, "FORBIDDEN").because("signup_closed");
        }
    }
}

fn a_full_workspace_takes_nobody(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_LIMIT_MEMBERS", "2")]);
    let ada = proven(&server, "Ada");
    let invited = invited(&server, &ada, "grace@example.com", "MEMBER");
    joined(&server, &ada, &invited.workspace, "Max", "MEMBER");
    accept(&server, &newcomer(&invited.mailed)).refuses(403, "FORBIDDEN").because("member_quota");
    let login = json!({ "email": "grace@example.com", "password": PASSWORD });
    server.post("/auth/login", &login).send().refuses(401, "UNAUTHORIZED");
    assert_eq!(list(&ada, &invited.workspace, "PENDING").len(), 1);
}

fn a_suspended_account_does_not_join(engine: Engine) {
    let server = Server::start(engine);
    let (ada, grace) = (proven(&server, "Ada"), proven(&server, "Grace"));
    let invited = invited(&server, &ada, &grace.email, "MEMBER");
    server.run(&["user", "suspend", &grace.id]).exits(0);
    let by_link = accept(&server, &json!({ "token": invited.mailed, "email": grace.email }));
    by_link.refuses(403, "FORBIDDEN").because("account_suspended");
    assert_eq!(list(&ada, &invited.workspace, "PENDING").len(), 1);
}

fn a_deleted_workspace_takes_nobody(engine: Engine) {
    let server = Server::start(engine);
    let (ada, grace) = (proven(&server, "Ada"), proven(&server, "Grace"));
    let invited = invited(&server, &ada, &grace.email, "MEMBER");
    let path = format!("/workspaces/{}", invited.workspace);
    ada.delete(&path).header("X-Confirm", format!("DELETE {}", invited.workspace)).send().is(202);
    let body = json!({ "token": invited.mailed, "email": grace.email });
    accept(&server, &body).refuses(410, "GONE").because("workspace_deleting");
    let body = json!({ "token": invited.mailed });
    for path in ["/invitations/preview", "/invitations/decline"] {
        server.post(path, &body).send().refuses(410, "GONE").because("workspace_deleting");
    }
    ada.get(&format!("{path}/invitations")).send().refuses(410, "GONE").because("workspace_deleting");
}

fn of_twenty_acceptances_at_once_one_wins(engine: Engine) {
    let server = Server::start(engine);
    let (ada, grace) = (proven(&server, "Ada"), proven(&server, "Grace"));
    let invited = invited(&server, &ada, &grace.email, "MEMBER");
    let answers = at_once(20, |who| {
        let token = if who % 2 == 0 { &invited.mailed } else { &invited.handed };
        match who % 3 {
            0 => grace.post("/invitations/accept", &json!({ "token": token })).send().status,
            1 => grace.post(&format!("/invitations/{}/accept", invited.id), &json!({})).send().status,
            _ => accept(&server, &json!({ "token": token, "email": grace.email })).status,
        }
    });
    assert_eq!(answers.iter().filter(|status| **status == 200).count(), 1, "{answers:?}");
    assert!(answers.iter().all(|status| [200, 409, 503].contains(status)), "{answers:?}");
    let usage = ada.get(&format!("/workspaces/{}", invited.workspace)).send().data(200);
    assert_eq!(usage["usage"]["members"], 2);
}

fn of_twenty_newcomers_at_once_one_wins(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let invited = invited(&server, &ada, "grace@example.com", "MEMBER");
    let answers = at_once(20, |who| {
        let password = format!("Horse-Number-{who}");
        accept(&server, &json!({ "token": invited.mailed, "password": password, "name": "Grace" })).status
    });
    let winners: Vec<_> = (0..20).filter(|who| answers[*who] == 200).collect();
    assert_eq!(winners.len(), 1, "{answers:?}");
    assert!(answers.iter().all(|status| [200, 409, 503].contains(status)), "{answers:?}");
    let login = json!({ "email": "grace@example.com", "password": format!("Horse-Number-{}", winners[0]) });
    server.post("/auth/login", &login).send().is(200);
}

fn accepting_and_taking_back_do_not_both_succeed(engine: Engine) {
    let server = Server::start(engine);
    let (ada, grace) = (proven(&server, "Ada"), proven(&server, "Grace"));
    for _ in 0..5 {
        let workspace = create_workspace(&ada, "Acme");
        let sent = try_invite(&ada, &workspace, &json!({ "email": grace.email })).data(201);
        let (id, token) = (shape::id(&sent["id"], "inv_"), handed(&sent));
        let answers = at_once(2, |who| match who {
            0 => grace.post("/invitations/accept", &json!({ "token": token })).send().status,
            _ => ada.delete(&format!("/workspaces/{workspace}/invitations/{id}")).send().status,
        });
        assert_eq!(answers[1], 204);
        let (accepted, revoked) = (list(&ada, &workspace, "ACCEPTED").len(), list(&ada, &workspace, "REVOKED").len());
        assert_eq!(accepted + revoked, 1);
        let members = ada.get(&format!("/workspaces/{workspace}")).send().data(200)["usage"]["members"].clone();
        match answers[0] {
            200 => assert_eq!((accepted, members), (1, json!(2))),
            409 => assert_eq!((revoked, members), (1, json!(1))),
            other => panic!("{other}"),
        }
    }
}

fn a_retry_gets_the_same_answer(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let workspace = create_workspace(&ada, "Acme");
    let path = format!("/workspaces/{workspace}/invitations");
    let body = json!({ "email": "grace@example.com" });
    let invite = || ada.post(&path, &body).key("one").send();
    let sent = invite().data(201);
    assert_eq!(invite().data(201), sent);
    let accept = || {
        let request = server.post("/invitations/accept", &newcomer(&handed(&sent)));
        request.key("two").send()
    };
    let first = accept();
    let second = accept();
    assert_eq!(first.data(200), second.data(200));
    assert_eq!(second.named("Idempotency-Replayed"), "true");
    let path = format!("{path}/{}", shape::text(&sent["id"]));
    ada.delete(&path).key("three").send().is(204);
}

fn lists_and_trails_hold_no_token(engine: Engine) {
    let server = Server::start(engine);
    let (ada, grace) = (proven(&server, "Ada"), proven(&server, "Grace"));
    let invited = invited(&server, &ada, &grace.email, "MEMBER");
    let events = ada.get("/users/me/security-events").send().text();
    let listed = ada.get(&format!("/workspaces/{}/invitations", invited.workspace)).send().text();
    let waiting = grace.get("/users/me/invitations").send().text();
    for text in [events, listed, waiting] {
        assert!(!text.contains("itn_"), "{text}");
    }
}
