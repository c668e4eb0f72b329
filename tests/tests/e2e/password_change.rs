//! `POST /users/me/password`.

use octavo_tests::{Answer, Engine, Person, Server, at_once::at_once, both_engines};
use serde_json::json;

both_engines! {
    a_known_password_is_changed,
    other_sessions_end_unless_they_may_stay,
    a_wrong_current_password_changes_nothing,
    a_weak_new_password_changes_nothing,
    both_passwords_have_to_be_sent,
    of_ten_changes_at_once_from_one_password_one_wins,
    the_owner_is_notified,
    it_needs_a_credential,
}

const NEW: &str = "New-Horse-10";

fn change(person: &Person, current: &str, new: &str) -> Answer {
    person.post("/users/me/password", &json!({ "currentPassword": current, "newPassword": new })).send()
}

fn a_known_password_is_changed(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let data = change(&ada, &ada.password, NEW).data(200);
    assert_eq!(data, json!({ "changed": true, "sessionsRevoked": 0 }));
    ada.try_login().refuses(401, "UNAUTHORIZED");
    Person { password: NEW.to_owned(), ..ada.clone() }.try_login().is(200);
    ada.refresh_request().send().is(200);
}

fn other_sessions_end_unless_they_may_stay(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let others = [ada.login(), ada.login()];
    let stay = json!({ "currentPassword": ada.password, "newPassword": NEW, "revokeOtherSessions": false });
    let data = ada.post("/users/me/password", &stay).send().data(200);
    assert_eq!(data["sessionsRevoked"], 0);
    let others = others.map(|other| other.refreshed());
    assert_eq!(change(&ada, NEW, "Third-Horse-11").data(200)["sessionsRevoked"], 2);
    for other in others {
        other.refresh_request().send().refuses(401, "REFRESH_TOKEN_REUSED");
    }
    let wrong = json!({ "currentPassword": "Third-Horse-11", "newPassword": NEW, "revokeOtherSessions": "no" });
    let answer = ada.post("/users/me/password", &wrong).send();
    answer.refuses(400, "VALIDATION_ERROR").of("revokeOtherSessions", "invalid_type");
}

fn a_wrong_current_password_changes_nothing(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let other = ada.login();
    change(&ada, "Wrong-Horse-9", NEW).refuses(401, "UNAUTHORIZED").because("invalid_credentials");
    ada.try_login().is(200);
    other.refresh_request().send().is(200);
}

fn a_weak_new_password_changes_nothing(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for weak in ["Short-1", "no-upper-case-1", "NO-LOWER-CASE-1", "No-Digit-At-All"] {
        let answer = change(&ada, &ada.password, weak);
        answer.refuses(400, "VALIDATION_ERROR").names("newPassword");
        assert!(!answer.text().contains(weak), "{}", answer.text());
    }
    ada.try_login().is(200);
}

fn both_passwords_have_to_be_sent(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let refused =
        |body: serde_json::Value| ada.post("/users/me/password", &body).send().refuses(400, "VALIDATION_ERROR");
    refused(json!({ "currentPassword": ada.password })).of("newPassword", "required");
    refused(json!({ "newPassword": NEW })).names("currentPassword");
    refused(json!({ "currentPassword": 1, "newPassword": NEW })).of("currentPassword", "invalid_type");
}

fn of_ten_changes_at_once_from_one_password_one_wins(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let statuses = at_once(10, |who| change(&ada, &ada.password, &format!("Horse-Number-{who}")).status);
    let winners: Vec<_> = (0..10).filter(|who| statuses[*who] == 200).collect();
    assert_eq!(winners.len(), 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| [200, 401].contains(status)), "{statuses:?}");
    Person { password: format!("Horse-Number-{}", winners[0]), ..ada }.try_login().is(200);
}

fn the_owner_is_notified(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    server.mailbox().token(&ada.email, "evt_");
    change(&ada, &ada.password, NEW).is(200);
    let mail = server.mailbox().mail(&ada.email, "a notice", |mail| mail.token("evt_").is_none());
    assert!(!mail.text().contains(NEW));
    let events = ada.get("/users/me/security-events").send().data(200);
    assert!(events.as_array().unwrap().iter().any(|event| event["action"] == "user.password_changed"), "{events}");
}

fn it_needs_a_credential(engine: Engine) {
    let server = Server::start(engine);
    let body = json!({ "currentPassword": "Correct-Horse-9", "newPassword": NEW });
    server.post("/users/me/password", &body).send().refuses(401, "UNAUTHORIZED").because("token_missing");
}
