//! Registration that must not reveal whether an address has an account.

use octavo_tests::{Answer, Browser, Engine, OwnServer, Server, both_engines};
use serde_json::{Value, json};

both_engines! {
    known_and_new_addresses_get_the_same_answer,
    the_owner_of_a_known_address_is_notified,
    a_new_account_works_once_its_address_is_verified,
    a_bad_form_is_still_refused,
}

const LOGIN: &str = "/api/v1/oauth/login";

fn server(engine: Engine) -> OwnServer {
    Server::with(engine, &[("OCTAVO_REGISTER_CONCEAL", "true")])
}

fn register(server: &Server, email: &str, password: &str) -> Answer {
    server.post("/auth/register", &json!({ "email": email, "password": password, "name": "Ada" })).send()
}

fn verify(server: &Server, email: &str) {
    let token = server.mailbox().token(email, "evt_");
    server.post("/auth/email-verification/confirm", &json!({ "token": token })).send().is(200);
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
    verify(&server, "ada@example.com");
    register(&server, "ada@example.com", "Other-Horse-10").is(202);
    server.mailbox().mail("ada@example.com", "a notice without a token", |mail| mail.token("evt_").is_none());
    let login = |password: &str| {
        server.post("/auth/login", &json!({ "email": "ada@example.com", "password": password })).send().status
    };
    assert_eq!(login("Correct-Horse-9"), 200);
    assert_eq!(login("Other-Horse-10"), 401);
}

fn a_new_account_works_once_its_address_is_verified(engine: Engine) {
    let server = server(engine);
    register(&server, "ada@example.com", "Correct-Horse-9").is(202);
    let login = |password: &str| {
        server.post("/auth/login", &json!({ "email": "ada@example.com", "password": password })).send()
    };
    // Otherwise the next sign-in would show whether the address had an account before.
    login("Correct-Horse-9").is_like(&login("Wrong-Horse-10"));
    let browser_login = |password: &str| {
        let mut browser = Browser::at(server.site());
        let form = browser.open(LOGIN).form("/oauth/login").with("email", "ada@example.com").with("password", password);
        browser.submit(&form).answer.status
    };
    assert_eq!(browser_login("Correct-Horse-9"), browser_login("Wrong-Horse-10"));
    verify(&server, "ada@example.com");
    let data = login("Correct-Horse-9").data(200);
    let me = server.get("/users/me").bearer(data["accessToken"].as_str().unwrap()).send().data(200);
    assert_eq!(me["workspaces"][0]["isPersonal"], Value::Bool(true));
}

fn a_bad_form_is_still_refused(engine: Engine) {
    let server = server(engine);
    register(&server, "ada@example.com", "weak").refuses(400, "VALIDATION_ERROR").names("password");
}
