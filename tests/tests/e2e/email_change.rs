//! Moving an account to another address, and undoing that.

use octavo_tests::{Answer, Engine, Person, Server, at_once::at_once, both_engines};
use serde_json::json;

both_engines! {
    a_confirmed_change_moves_the_account,
    other_sessions_end_with_the_old_address,
    before_the_confirmation_nothing_changes,
    a_token_works_once,
    a_taken_address_gets_a_notice,
    an_address_taken_meanwhile_is_a_conflict,
    of_two_who_want_one_address_one_gets_it,
    the_old_mailbox_can_take_it_back,
    whoever_registered_the_old_address_gives_it_back,
    a_registration_at_the_same_time_does_not_stop_a_revert,
    a_revert_works_once,
    malformed_and_unknown_tokens_are_refused,
    the_new_address_has_to_look_like_one,
    it_needs_a_credential,
}

const NEW: &str = "new@example.com";

fn ask(person: &Person, email: &str) -> Answer {
    person.post("/users/me/email-change", &json!({ "email": email })).send()
}

fn confirm(server: &Server, token: &str) -> Answer {
    server.post("/auth/email-change/confirm", &json!({ "token": token })).send()
}

fn revert(server: &Server, token: &str) -> Answer {
    server.post("/auth/email-change/revert", &json!({ "token": token })).send()
}

fn token(server: &Server, person: &Person) -> String {
    assert_eq!(ask(person, NEW).data(202), json!({ "sent": true }));
    server.mailbox().token(NEW, "ect_")
}

fn at(person: &Person, email: &str) -> Person {
    Person { email: email.to_owned(), ..person.clone() }
}

fn a_confirmed_change_moves_the_account(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let user = confirm(&server, &token(&server, &ada)).data(200)["user"].clone();
    assert_eq!(user["id"], ada.id);
    assert_eq!(user["email"], NEW);
    assert_eq!(user["emailVerification"], "VERIFIED");
    assert_eq!(ada.me()["email"], NEW);
    ada.try_login().refuses(401, "UNAUTHORIZED");
    at(&ada, NEW).try_login().is(200);
    server.mailbox().token(&ada.email, "ecr_");
    let events = ada.get("/users/me/security-events").send().data(200);
    assert!(events.as_array().unwrap().iter().any(|event| event["action"] == "user.email_changed"), "{events}");
    assert!(!events.to_string().contains("ect_"));
    server.person("Ada");
}

fn other_sessions_end_with_the_old_address(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let other = ada.login();
    confirm(&server, &token(&server, &ada)).is(200);
    other.refresh_request().send().refuses(403, "FORBIDDEN").because("session_revoked");
    ada.refresh_request().send().is(200);
}

fn before_the_confirmation_nothing_changes(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    token(&server, &ada);
    assert_eq!(ada.me()["email"], ada.email);
    ada.try_login().is(200);
    at(&ada, NEW).try_login().refuses(401, "UNAUTHORIZED");
}

fn a_token_works_once(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let token = token(&server, &ada);
    let mut statuses = at_once(10, |_| confirm(&server, &token).status);
    statuses.sort_unstable();
    assert_eq!((statuses[0], &statuses[1..]), (200, &[409; 9][..]));
    confirm(&server, &token).refuses(409, "CONFLICT");
}

fn a_taken_address_gets_a_notice(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    server.mailbox().token(&bob.email, "evt_");
    let taken = ask(&ada, &bob.email);
    assert_eq!(taken.data(202), json!({ "sent": true }));
    taken.is_like(&ask(&ada, "free@example.com"));
    let mail = server.mailbox().mail(&bob.email, "a notice", |mail| mail.token("evt_").is_none());
    assert_eq!(mail.token("ect_"), None);
    assert_eq!(ada.me()["email"], ada.email);
}

fn an_address_taken_meanwhile_is_a_conflict(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let token = token(&server, &ada);
    let rival = server.post("/auth/register", &json!({ "email": NEW, "password": "Correct-Horse-9", "name": "Eve" }));
    rival.send().is(201);
    confirm(&server, &token).refuses(409, "CONFLICT");
    assert_eq!(ada.me()["email"], ada.email);
}

fn of_two_who_want_one_address_one_gets_it(engine: Engine) {
    let server = Server::start(engine);
    let people = [server.person("Ada"), server.person("Bob")];
    for person in &people {
        ask(person, NEW).is(202);
    }
    let tokens = server.mailbox().tokens(NEW, "ect_", 2);
    let mut statuses = at_once(2, |which| confirm(&server, &tokens[which]).status);
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    assert_eq!(people.iter().filter(|person| person.me()["email"] == NEW).count(), 1);
}

fn the_old_mailbox_can_take_it_back(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    confirm(&server, &token(&server, &ada)).is(200);
    let thief = at(&ada, NEW).login();
    let way_back = server.mailbox().token(&ada.email, "ecr_");
    revert(&server, &way_back).is(200);
    assert_eq!(ada.me()["email"], ada.email);
    for session in [&ada, &thief] {
        session.refresh_request().send().refuses(403, "FORBIDDEN").because("session_revoked");
    }
    for email in [ada.email.as_str(), NEW] {
        at(&ada, email).try_login().refuses(401, "UNAUTHORIZED");
    }
    server.post("/auth/password-reset/request", &json!({ "email": ada.email })).send().is(202);
    let reset = server.mailbox().token(&ada.email, "pwrt_");
    let body = json!({ "token": reset, "password": "New-Horse-10" });
    server.post("/auth/password-reset/confirm", &body).send().is(200);
    let ada = Person { password: "New-Horse-10".to_owned(), ..ada }.login();
    let events = ada.get("/users/me/security-events").send().data(200);
    assert!(events.as_array().unwrap().iter().any(|event| event["action"] == "user.email_reverted"), "{events}");
}

fn whoever_registered_the_old_address_gives_it_back(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    confirm(&server, &token(&server, &ada)).is(200);
    let way_back = server.mailbox().token(&ada.email, "ecr_");
    let squatter = server.person("Ada");
    assert_eq!(squatter.email, ada.email);
    assert_eq!(revert(&server, &way_back).data(200), json!({ "reverted": true }));
    assert_eq!(ada.me()["email"], ada.email);
    let lost = squatter.me();
    assert!(lost["email"].as_str().unwrap().ends_with("@no-address.invalid"), "{lost}");
    assert_eq!(lost["emailVerification"], "PENDING");
    squatter.try_login().refuses(401, "UNAUTHORIZED");
    squatter.refresh_request().send().is(200);
}

fn a_registration_at_the_same_time_does_not_stop_a_revert(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    confirm(&server, &token(&server, &ada)).is(200);
    let way_back = server.mailbox().token(&ada.email, "ecr_");
    let body = json!({ "email": ada.email, "password": "Correct-Horse-9", "name": "Eve" });
    let statuses = at_once(2, |which| match which {
        0 => revert(&server, &way_back).status,
        _ => server.post("/auth/register", &body).send().status,
    });
    assert_eq!(statuses[0], 200, "{statuses:?}");
    assert!([201, 409].contains(&statuses[1]), "{statuses:?}");
    assert_eq!(ada.me()["email"], ada.email);
}

fn a_revert_works_once(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    confirm(&server, &token(&server, &ada)).is(200);
    let way_back = server.mailbox().token(&ada.email, "ecr_");
    let mut statuses = at_once(10, |_| revert(&server, &way_back).status);
    statuses.sort_unstable();
    assert_eq!((statuses[0], &statuses[1..]), (200, &[409; 9][..]));
}

fn malformed_and_unknown_tokens_are_refused(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let change = token(&server, &ada);
    for wrong in ["", "nonsense", "ecr_", &format!("ecr_{}", "A".repeat(43)), &change] {
        revert(&server, wrong).refuses(400, "VALIDATION_ERROR").names("token");
    }
    for wrong in ["", "nonsense", "ect_", &format!("ect_{}", "A".repeat(43)), &change.replace("ect_", "ecr_")] {
        confirm(&server, wrong).refuses(400, "VALIDATION_ERROR").names("token");
    }
}

fn the_new_address_has_to_look_like_one(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    ada.post("/users/me/email-change", &json!({})).send().refuses(400, "VALIDATION_ERROR").of("email", "required");
    for wrong in ["", "nobody", "a@b@c.com", "x@example.com\r\nBcc: y@example.com"] {
        ask(&ada, wrong).refuses(400, "VALIDATION_ERROR").names("email");
    }
}

fn it_needs_a_credential(engine: Engine) {
    let server = Server::start(engine);
    let answer = server.post("/users/me/email-change", &json!({ "email": NEW })).send();
    answer.refuses(401, "UNAUTHORIZED").because("token_missing");
}
