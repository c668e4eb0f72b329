//! Deleting an account, and restoring it.

use octavo_tests::{Answer, Engine, Person, Server, at_once::at_once, both_engines, shape};
use serde_json::json;

both_engines! {
    the_header_has_to_name_the_account,
    a_deleted_account_is_closed_at_once,
    of_two_owners_who_leave_at_once_one_stays,
    its_password_still_tells_its_owner_from_others,
    its_address_stays_taken,
    the_mailed_token_restores_it,
    a_restore_token_works_once,
    malformed_and_unknown_tokens_are_refused,
    it_needs_a_credential,
}

fn delete(person: &Person) -> Answer {
    person.delete("/users/me").header("X-Confirm", format!("DELETE {}", person.id)).send()
}

fn restore(server: &Server, token: &str) -> Answer {
    server.post("/auth/account-restore", &json!({ "token": token })).send()
}

fn the_header_has_to_name_the_account(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    ada.delete("/users/me").send().refuses(400, "VALIDATION_ERROR").names("X-Confirm");
    let id = &ada.id;
    for wrong in
        [String::new(), id.clone(), format!("delete {id}"), format!("DELETE {}", bob.id), format!("DELETE  {id}")]
    {
        let answer = ada.delete("/users/me").header("X-Confirm", wrong).send();
        answer.refuses(400, "VALIDATION_ERROR").names("X-Confirm");
    }
    assert_eq!(ada.me()["status"], "ACTIVE");
}

fn a_deleted_account_is_closed_at_once(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let other = ada.login();
    let data = delete(&ada).data(202);
    assert_eq!(data["status"], "deleting");
    let days = shape::seconds_ahead(&data["scheduledPurgeAt"]) / 3600;
    assert!((30 * 24 - 1..=30 * 24).contains(&days), "{data}");
    for session in [&ada, &other] {
        session.get("/users/me").send().refuses(403, "FORBIDDEN").because("account_deleting");
        session.get("/sessions").send().refuses(403, "FORBIDDEN").because("account_deleting");
        session.refresh_request().send().refuses(403, "FORBIDDEN").because("account_deleting");
    }
    delete(&ada).refuses(403, "FORBIDDEN").because("account_deleting");
}

fn of_two_owners_who_leave_at_once_one_stays(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let acme = ada.post("/workspaces", &json!({ "name": "Acme" })).send().data(201);
    let path = format!("/workspaces/{}/members", shape::text(&acme["id"]));
    ada.post(&path, &json!({ "userId": bob.id, "role": "OWNER" })).send().is(201);
    let owners = [&ada, &bob];
    let mut statuses = at_once(2, |who| delete(owners[who]).status);
    statuses.sort_unstable();
    assert_eq!(statuses, [202, 409]);
}

fn its_password_still_tells_its_owner_from_others(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    delete(&ada).is(202);
    ada.try_login().refuses(403, "FORBIDDEN").because("account_deleting");
    let stranger = Person { password: "Wrong-Horse-9".to_owned(), ..ada };
    stranger.try_login().refuses(401, "UNAUTHORIZED").because("invalid_credentials");
}

fn its_address_stays_taken(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    delete(&ada).is(202);
    let form = json!({ "email": ada.email, "password": "Correct-Horse-9", "name": "Ada" });
    server.post("/auth/register", &form).send().refuses(409, "CONFLICT");
}

fn the_mailed_token_restores_it(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    delete(&ada).is(202);
    let token = server.mailbox().token(&ada.email, "urt_");
    assert_eq!(restore(&server, &token).data(200), json!({ "restored": true }));
    let back = ada.login();
    assert_eq!(back.me()["status"], "ACTIVE");
    assert_eq!(back.me()["id"], ada.id);
    ada.refresh_request().send().refuses(403, "FORBIDDEN").because("session_revoked");
    let events = back.get("/users/me/security-events").send().data(200);
    let actions: Vec<_> = events.as_array().unwrap().iter().map(|event| event["action"].as_str().unwrap()).collect();
    assert!(actions.contains(&"user.deletion_scheduled") && actions.contains(&"user.restored"), "{actions:?}");
}

fn a_restore_token_works_once(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    delete(&ada).is(202);
    let token = server.mailbox().token(&ada.email, "urt_");
    let mut statuses = at_once(10, |_| restore(&server, &token).status);
    statuses.sort_unstable();
    assert_eq!((statuses[0], &statuses[1..]), (200, &[409; 9][..]));
    delete(&ada.login()).is(202);
    restore(&server, &token).refuses(409, "CONFLICT");
    let tokens = server.mailbox().tokens(&ada.email, "urt_", 2);
    let new = tokens.iter().find(|new| **new != token).unwrap();
    restore(&server, new).is(200);
}

fn malformed_and_unknown_tokens_are_refused(engine: Engine) {
    let server = Server::start(engine);
    for wrong in ["", "nonsense", "urt_", &format!("urt_{}", "A".repeat(43))] {
        restore(&server, wrong).refuses(400, "VALIDATION_ERROR").names("token");
    }
    let answer = server.post("/auth/account-restore", &json!({})).send();
    answer.refuses(400, "VALIDATION_ERROR").of("token", "required");
}

fn it_needs_a_credential(engine: Engine) {
    let server = Server::start(engine);
    server.delete("/users/me").send().refuses(401, "UNAUTHORIZED").because("token_missing");
}
