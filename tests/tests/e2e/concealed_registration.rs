//! Registration that must not reveal whether an address has an account.

use octavo_tests::{Answer, Engine, OwnServer, Server, both_engines};
use serde_json::{Value, json};

both_engines! {
    known_and_new_addresses_get_the_same_answer,
    the_owner_of_a_known_address_is_notified,
    a_new_account_works_after_signing_in,
    a_bad_form_is_still_refused,
}

fn server(engine: Engine) -> OwnServer {
    Server::with(engine, &[("OCTAVO_REGISTER_CONCEAL", "true")])
}

fn register(server: &Server, email: &str, password: &str) -> Answer {
    server.post("/auth/register", &json!({ "email": email, "password": password, "name": "Ada" })).send()
}

fn known_and_new_addresses_get_the_same_answer(engine: Engine) {
    let server = server(engine);
    let new = register(&server, "ada@example.com", "Correct-Horse-9");
    let known = register(&server, "ada@example.com", "Other-Horse-10");
    assert_eq!(new.data(202), json!({ "sent": true }));
    new.is_like(&known);
}

fn the_owner_of_a_known_address_is_notified(engine: Engine) {
    let server = server(engine);
    register(&server, "ada@example.com", "Correct-Horse-9").is(202);
    server.mailbox().token("ada@example.com", "evt_");
    register(&server, "ada@example.com", "Other-Horse-10").is(202);
    server.mailbox().mail("ada@example.com", "a notice without a token", |mail| mail.token("evt_").is_none());
    let login = |password: &str| {
        server.post("/auth/login", &json!({ "email": "ada@example.com", "password": password })).send().status
    };
    assert_eq!(login("Correct-Horse-9"), 200);
    assert_eq!(login("Other-Horse-10"), 401);
}

fn a_new_account_works_after_signing_in(engine: Engine) {
    let server = server(engine);
    register(&server, "ada@example.com", "Correct-Horse-9").is(202);
    let login = json!({ "email": "ada@example.com", "password": "Correct-Horse-9" });
    let data = server.post("/auth/login", &login).send().data(200);
    let me = server.get("/users/me").bearer(data["accessToken"].as_str().unwrap()).send().data(200);
    assert_eq!(me["workspaces"][0]["isPersonal"], Value::Bool(true));
    let token = server.mailbox().token("ada@example.com", "evt_");
    server.post("/auth/email-verification/confirm", &json!({ "token": token })).send().is(200);
}

fn a_bad_form_is_still_refused(engine: Engine) {
    let server = server(engine);
    register(&server, "ada@example.com", "weak").refuses(400, "VALIDATION_ERROR").names("password");
}
