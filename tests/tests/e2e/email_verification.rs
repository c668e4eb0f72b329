//! `/auth/email-verification/*`: verifying an email address, or reporting that somebody else used it.

use octavo_tests::{Answer, Engine, Person, Server, at_once::at_once, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_mailed_token_verifies_the_account,
    a_token_works_once,
    of_twenty_confirmations_at_once_one_wins,
    malformed_and_unknown_tokens_are_refused_alike,
    a_token_of_another_kind_is_refused,
    a_new_link_can_be_asked_for,
    nothing_is_sent_to_another_address,
    nothing_is_sent_for_a_verified_account,
    asking_needs_a_credential_and_an_address,
    a_stranger_to_the_account_can_reject_it,
    a_verified_account_is_not_rejected,
}

fn confirm(server: &Server, token: &str) -> Answer {
    server.post("/auth/email-verification/confirm", &json!({ "token": token })).send()
}

fn request(person: &Person, email: &str) -> Answer {
    person.post("/auth/email-verification/request", &json!({ "email": email })).send()
}

fn a_mailed_token_verifies_the_account(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let token = server.mailbox().token(&ada.email, "evt_");
    let user = confirm(&server, &token).data(200)["user"].clone();
    shape::has(&user, &["id", "email", "emailVerification", "emailVerifiedAt"]);
    assert_eq!(user["id"], ada.id);
    assert_eq!(user["email"], ada.email);
    assert_eq!(user["emailVerification"], "VERIFIED");
    assert!(shape::seconds_ahead(&user["emailVerifiedAt"]).abs() < 60);
    let me = ada.me();
    assert_eq!(me["emailVerification"], "VERIFIED");
    assert_eq!(me["emailVerifiedAt"], user["emailVerifiedAt"]);
    ada.refresh_request().send().is(200);
}

fn a_token_works_once(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let token = server.mailbox().token(&ada.email, "evt_");
    confirm(&server, &token).is(200);
    confirm(&server, &token).refuses(409, "CONFLICT");
}

fn of_twenty_confirmations_at_once_one_wins(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let token = server.mailbox().token(&ada.email, "evt_");
    let mut statuses = at_once(20, |_| confirm(&server, &token).status);
    statuses.sort_unstable();
    assert_eq!((statuses[0], &statuses[1..]), (200, &[409; 19][..]));
}

fn malformed_and_unknown_tokens_are_refused_alike(engine: Engine) {
    let server = Server::start(engine);
    let unknown = confirm(&server, &format!("evt_{}", "A".repeat(43)));
    unknown.refuses(400, "VALIDATION_ERROR").names("token");
    for malformed in ["evt_", "nonsense", "evt_with spaces"] {
        unknown.is_like(&confirm(&server, malformed));
    }
    let refusal = server.post("/auth/email-verification/confirm", &json!({})).send().refuses(400, "VALIDATION_ERROR");
    refusal.of("token", "required");
}

fn a_token_of_another_kind_is_refused(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    server.post("/auth/password-reset/request", &json!({ "email": ada.email })).send().is(202);
    let reset = server.mailbox().token(&ada.email, "pwrt_");
    confirm(&server, &reset).refuses(400, "VALIDATION_ERROR");
    confirm(&server, &reset.replace("pwrt_", "evt_")).refuses(400, "VALIDATION_ERROR");
    assert_eq!(ada.me()["emailVerification"], "PENDING");
}

fn a_new_link_can_be_asked_for(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    server.mailbox().token(&ada.email, "evt_");
    assert_eq!(request(&ada, &ada.email).data(202), json!({ "sent": true }));
    let tokens = server.mailbox().tokens(&ada.email, "evt_", 2);
    assert!(tokens.iter().any(|token| confirm(&server, token).status == 200));
    assert_eq!(ada.me()["emailVerification"], "VERIFIED");
}

fn nothing_is_sent_to_another_address(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    server.mailbox().token(&bob.email, "evt_");
    for email in [&bob.email, "nobody@example.com"] {
        assert_eq!(request(&ada, email).data(202), json!({ "sent": true }));
    }
    // Letters are sent in order: the later one has arrived, so an earlier one would have arrived too.
    request(&ada, &ada.email).is(202);
    server.mailbox().tokens(&ada.email, "evt_", 2);
    assert_eq!(server.mailbox().mails_to(&bob.email).len(), 1);
    assert_eq!(server.mailbox().mails_to("nobody@example.com").len(), 0);
}

fn nothing_is_sent_for_a_verified_account(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let token = server.mailbox().token(&ada.email, "evt_");
    confirm(&server, &token).is(200);
    assert_eq!(request(&ada, &ada.email).data(202), json!({ "sent": true }));
    request(&bob, &bob.email).is(202);
    server.mailbox().tokens(&bob.email, "evt_", 2);
    assert_eq!(server.mailbox().mails_to(&ada.email).len(), 1);
}

fn asking_needs_a_credential_and_an_address(engine: Engine) {
    let server = Server::start(engine);
    let path = "/auth/email-verification/request";
    server.post(path, &json!({ "email": "ada@example.com" })).send().refuses(401, "UNAUTHORIZED");
    let ada = server.person("Ada");
    ada.post(path, &json!({})).send().refuses(400, "VALIDATION_ERROR").of("email", "required");
    ada.post(path, &json!({ "email": "ada" })).send().refuses(400, "VALIDATION_ERROR").of("email", "invalid_format");
}

fn a_stranger_to_the_account_can_reject_it(engine: Engine) {
    let server = Server::start(engine);
    let trap = server.person("Ada");
    let token = server.mailbox().token(&trap.email, "evt_");
    let reject = || server.post("/auth/email-verification/reject", &json!({ "token": token })).send();
    assert_eq!(reject().data(200), json!({ "rejected": true }));
    trap.try_login().refuses(401, "UNAUTHORIZED");
    trap.get("/users/me").send().refuses(401, "UNAUTHORIZED");
    trap.refresh_request().send().is(401);
    let again = reject();
    assert!([400, 409].contains(&again.status), "{}", again.text());
    let ada = server.person("Ada");
    assert_ne!(ada.id, trap.id, "the address is free again");
}

fn a_verified_account_is_not_rejected(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    request(&ada, &ada.email).is(202);
    let tokens = server.mailbox().tokens(&ada.email, "evt_", 2);
    let works: Vec<&String> = tokens.iter().filter(|token| confirm(&server, token).status == 200).take(1).collect();
    assert_eq!(works.len(), 1);
    for token in &tokens {
        server.post("/auth/email-verification/reject", &json!({ "token": token })).send();
    }
    assert_eq!(ada.me()["emailVerification"], Value::from("VERIFIED"));
}
