//! `/auth/password-reset/*` and its aliases.

use octavo_tests::{Answer, Engine, Person, Server, at_once::at_once, both_engines};
use serde_json::json;

both_engines! {
    a_mailed_token_sets_a_new_password,
    every_session_ends_with_the_old_password,
    a_token_works_once,
    using_one_token_ends_the_others,
    of_twenty_confirmations_at_once_one_wins,
    a_weak_password_leaves_the_token_unused,
    malformed_and_unknown_tokens_are_refused_alike,
    known_and_unknown_addresses_get_the_same_answer,
    the_other_paths_are_the_same_routes,
    a_reset_proves_the_mailbox,
    the_mailed_link_has_the_public_origin,
    a_reset_is_audited_and_reported,
}

const NEW: &str = "New-Horse-10";

fn ask(server: &Server, email: &str) -> Answer {
    server.post("/auth/password-reset/request", &json!({ "email": email })).send()
}

fn confirm(server: &Server, token: &str, password: &str) -> Answer {
    server.post("/auth/password-reset/confirm", &json!({ "token": token, "password": password })).send()
}

/// Requests a password reset and waits for its token.
fn token(server: &Server, person: &Person) -> String {
    ask(server, &person.email).is(202);
    server.mailbox().token(&person.email, "pwrt_")
}

fn with_password(person: &Person, password: &str) -> Person {
    Person { password: password.to_owned(), ..person.clone() }
}

fn a_mailed_token_sets_a_new_password(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let token = token(&server, &ada);
    assert_eq!(confirm(&server, &token, NEW).data(200), json!({ "reset": true }));
    ada.try_login().refuses(401, "UNAUTHORIZED");
    with_password(&ada, NEW).try_login().is(200);
}

fn every_session_ends_with_the_old_password(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let verification = server.mailbox().token(&ada.email, "evt_");
    server.post("/auth/email-verification/confirm", &json!({ "token": verification })).send().is(200);
    let other = ada.login();
    confirm(&server, &token(&server, &ada), NEW).is(200);
    for session in [&ada, &other] {
        session.refresh_request().send().refuses(401, "REFRESH_TOKEN_REUSED");
    }
    let sessions = with_password(&ada, NEW).login().get("/sessions").send().data(200);
    assert_eq!(sessions.as_array().unwrap().len(), 1);
}

fn a_token_works_once(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let token = token(&server, &ada);
    confirm(&server, &token, NEW).is(200);
    confirm(&server, &token, "Third-Horse-11").refuses(409, "CONFLICT");
    with_password(&ada, NEW).try_login().is(200);
}

fn using_one_token_ends_the_others(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    ask(&server, &ada.email).is(202);
    ask(&server, &ada.email).is(202);
    let tokens = server.mailbox().tokens(&ada.email, "pwrt_", 2);
    let mut statuses: Vec<_> = tokens.iter().map(|token| confirm(&server, token, NEW).status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
}

fn of_twenty_confirmations_at_once_one_wins(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let token = token(&server, &ada);
    let answers = at_once(20, |who| confirm(&server, &token, &format!("Horse-Number-{who}")).status);
    let winners: Vec<_> = (0..20).filter(|who| answers[*who] == 200).collect();
    assert!(answers.iter().all(|status| [200, 409, 503].contains(status)), "{answers:?}");
    assert_eq!(winners.len(), 1, "{answers:?}");
    with_password(&ada, &format!("Horse-Number-{}", winners[0])).try_login().is(200);
}

fn a_weak_password_leaves_the_token_unused(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let token = token(&server, &ada);
    for weak in ["Short-1", "no-upper-case-1", "NO-LOWER-CASE-1", "No-Digit-At-All"] {
        let answer = confirm(&server, &token, weak);
        answer.refuses(400, "VALIDATION_ERROR").names("password");
        assert!(!answer.text().contains(weak), "{}", answer.text());
    }
    ada.try_login().is(200);
    confirm(&server, &token, NEW).is(200);
}

fn malformed_and_unknown_tokens_are_refused_alike(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let verification = server.mailbox().token(&ada.email, "evt_");
    let unknown = confirm(&server, &format!("pwrt_{}", "A".repeat(43)), NEW);
    unknown.refuses(400, "VALIDATION_ERROR").names("token");
    for malformed in ["", "pwrt_", "nonsense", &verification, &verification.replace("evt_", "pwrt_")] {
        unknown.is_like(&confirm(&server, malformed, NEW));
    }
    ada.try_login().is(200);
}

fn known_and_unknown_addresses_get_the_same_answer(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let unknown = ask(&server, "nobody@example.com");
    assert_eq!(unknown.data(202), json!({ "sent": true }));
    unknown.is_like(&ask(&server, "ADA@example.com"));
    server.mailbox().token(&ada.email, "pwrt_");
    assert_eq!(server.mailbox().mails_to("nobody@example.com").len(), 0);
    for wrong in [json!({}), json!({ "email": "nobody" }), json!({ "email": 1 })] {
        let answer = server.post("/auth/password-reset/request", &wrong).send();
        answer.refuses(400, "VALIDATION_ERROR").names("email");
    }
}

fn the_other_paths_are_the_same_routes(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let answer = server.post("/auth/reset-password", &json!({ "email": ada.email })).send();
    answer.is_like(&ask(&server, "nobody@example.com"));
    let token = server.mailbox().token(&ada.email, "pwrt_");
    let path = "/auth/reset-password/confirm";
    let body = json!({ "token": token, "password": NEW });
    assert_eq!(server.post(path, &body).send().data(200), json!({ "reset": true }));
    let used = server.post(path, &body).send();
    used.refuses(409, "CONFLICT");
    used.is_like(&confirm(&server, &token, NEW));
    with_password(&ada, NEW).try_login().is(200);
}

fn a_reset_proves_the_mailbox(engine: Engine) {
    let server = Server::start(engine);
    let trap = server.person("Ada");
    let other = trap.login();
    confirm(&server, &token(&server, &trap), NEW).is(200);
    let owner = with_password(&trap, NEW).login();
    assert_eq!(owner.me()["emailVerification"], "VERIFIED");
    for attacker in [trap, other] {
        assert_ne!(attacker.refresh_request().send().status, 200);
        attacker.try_login().refuses(401, "UNAUTHORIZED");
    }
}

fn the_mailed_link_has_the_public_origin(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_PUBLIC_URL", "https://octavo.example.org")]);
    let ada = server.person("Ada");
    let request = server.post("/auth/password-reset/request", &json!({ "email": ada.email }));
    request.header("Host", "evil.test").header("X-Forwarded-Host", "evil.test").send().is(202);
    let mail = server.mailbox().mail(&ada.email, "the link", |mail| mail.token("pwrt_").is_some());
    assert!(mail.text().contains("https://octavo.example.org/"), "{}", mail.raw);
    assert!(!mail.text().contains("evil.test"), "{}", mail.raw);
}

fn a_reset_is_audited_and_reported(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let verification = server.mailbox().token(&ada.email, "evt_");
    server.post("/auth/email-verification/confirm", &json!({ "token": verification })).send().is(200);
    confirm(&server, &token(&server, &ada), NEW).is(200);
    let events = with_password(&ada, NEW).login().get("/users/me/security-events").send().data(200);
    let reset = events.as_array().unwrap().iter().find(|event| event["action"] == "user.password_reset");
    assert_eq!(reset.unwrap()["outcome"], "SUCCESS");
    assert!(!events.to_string().contains("pwrt_"));
}
