//! `octavo user ...`, also while a server is running.

use octavo_tests::{Deployment, Engine, Person, Reason, Server, both_engines, poll, shape};
use serde_json::{Value, json};

both_engines! {
    a_created_account_signs_in_with_the_printed_password,
    a_password_can_be_given_on_stdin,
    an_account_is_created_without_a_server_too,
    a_taken_address_and_a_weak_password_fail,
    accounts_are_listed,
    a_reset_prints_a_link_and_ends_sessions,
    a_reset_can_be_mailed,
    a_suspended_account_is_out_at_once,
    a_reinstated_account_is_back,
    an_unknown_account_fails,
    an_empty_folder_has_no_accounts,
}

fn login(server: &Server, email: &str, password: &str) -> octavo_tests::Answer {
    server.post("/auth/login", &json!({ "email": email, "password": password })).send()
}

fn a_created_account_signs_in_with_the_printed_password(engine: Engine) {
    let server = Server::start(engine);
    let created = server.run(&["user", "create", "Ada@example.com", "--name", "Ada", "--json"]).exits(0).data();
    shape::id(&created["user"]["id"], "usr_");
    let password = created["password"].as_str().unwrap().to_owned();
    let data = login(&server, "ada@example.com", &password).data(200);
    assert_eq!(data["user"]["emailVerified"], true);
    let me = server.get("/users/me").bearer(data["accessToken"].as_str().unwrap()).send().data(200);
    assert_eq!(me["user"]["name"], "Ada");
    assert_eq!(me["workspaces"][0]["isPersonal"], true);
    assert!(server.mailbox().mails_to("ada@example.com").iter().all(|mail| mail.token("evt_").is_none()));
    let text = server.run(&["user", "create", "bob@example.com", "--name", "Bob"]).exits(0).stdout;
    let works = text.split_whitespace().any(|word| login(&server, "bob@example.com", word).status == 200);
    assert!(works, "{text}");
}

fn a_password_can_be_given_on_stdin(engine: Engine) {
    let server = Server::start(engine);
    let arguments = ["user", "create", "ada@example.com", "--name", "Ada", "--password-stdin"];
    let ran = server.run_with_input(&arguments, "Given-Horse-9\n").exits(0);
    assert!(!ran.stdout.contains("Given-Horse-9") && !ran.stderr.contains("Given-Horse-9"));
    login(&server, "ada@example.com", "Given-Horse-9").is(200);
}

fn an_account_is_created_without_a_server_too(engine: Engine) {
    let deployment = Deployment::new(engine, Reason::Deployment);
    let created = deployment.run(&["user", "create", "ada@example.com", "--name", "Ada", "--json"]).exits(0).data();
    let server = deployment.serve();
    login(&server, "ada@example.com", created["password"].as_str().unwrap()).is(200);
}

fn a_taken_address_and_a_weak_password_fail(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let ran = server.run(&["user", "create", "ADA@example.com", "--name", "Other"]).exits(1);
    assert!(!ran.stderr.is_empty());
    let weak = ["user", "create", "bob@example.com", "--name", "Bob", "--password-stdin"];
    server.run_with_input(&weak, "weak").exits(1);
    login(&server, "bob@example.com", "weak").is(401);
    ada.try_login().is(200);
}

fn accounts_are_listed(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    server.run(&["user", "suspend", &bob.id]).exits(0);
    let list = server.run(&["user", "list", "--json"]).exits(0).data();
    let find = |id: &str| list.as_array().unwrap().iter().find(|entry| entry["id"] == id).unwrap().clone();
    assert_eq!((&find(&ada.id)["email"], &find(&ada.id)["status"]), (&json!("ada@example.com"), &json!("ACTIVE")));
    assert_eq!(find(&bob.id)["status"], "SUSPENDED");
    assert!(!list.to_string().contains("argon2"));
    let text = server.run(&["user", "list"]).exits(0).stdout;
    assert!(text.contains("ada@example.com") && text.contains("bob@example.com"), "{text}");
}

fn a_reset_prints_a_link_and_ends_sessions(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let text = server.run(&["user", "reset-password", &ada.email]).exits(0).stdout;
    let at = text.find("pwrt_").unwrap_or_else(|| panic!("no token in {text}"));
    let token = &text[at..at + 48];
    assert!(text.contains("http://") || text.contains("https://"), "{text}");
    poll::eventually("the session to end", || {
        let answer = Person { ..ada.clone() }.get("/sessions?status=REVOKED").send();
        (answer.data(200).as_array().unwrap().len() == 1).then_some(())
    });
    ada.refresh_request().send().refuses(403, "FORBIDDEN").because("session_revoked");
    let body = json!({ "token": token, "password": "New-Horse-10" });
    server.post("/auth/password-reset/confirm", &body).send().is(200);
    login(&server, &ada.email, "New-Horse-10").is(200);
    assert!(server.mailbox().mails_to(&ada.email).iter().all(|mail| mail.token("pwrt_").is_none()));
}

fn a_reset_can_be_mailed(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let ran = server.run(&["user", "reset-password", &ada.id, "--send"]).exits(0);
    assert!(!ran.stdout.contains("pwrt_"), "{}", ran.stdout);
    let token = server.mailbox().token(&ada.email, "pwrt_");
    let body = json!({ "token": token, "password": "New-Horse-10" });
    server.post("/auth/password-reset/confirm", &body).send().is(200);
}

fn a_suspended_account_is_out_at_once(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    assert_eq!(ada.me()["status"], "ACTIVE");
    server.run(&["user", "suspend", &ada.email]).exits(0);
    ada.get("/users/me").send().refuses(403, "FORBIDDEN").because("account_suspended");
    ada.patch("/users/me", &json!({ "name": "x" })).send().refuses(403, "FORBIDDEN").because("account_suspended");
    ada.refresh_request().send().refuses(403, "FORBIDDEN").because("account_suspended");
    ada.try_login().refuses(403, "FORBIDDEN").because("account_suspended");
    Person { password: "Wrong-Horse-9".to_owned(), ..ada }.try_login().refuses(401, "UNAUTHORIZED");
    assert_eq!(bob.me()["status"], "ACTIVE");
}

fn a_reinstated_account_is_back(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    server.run(&["user", "suspend", &ada.id]).exits(0);
    server.run(&["user", "reinstate", &ada.email]).exits(0);
    poll::eventually("the account to be back", || (ada.try_login().status == 200).then_some(()));
    ada.refresh_request().send().refuses(403, "FORBIDDEN").because("session_revoked");
    let back = ada.login();
    let events = back.get("/users/me/security-events").send().data(200);
    let find = |action: &str| events.as_array().unwrap().iter().find(|event| event["action"] == action).cloned();
    for action in ["user.suspended", "user.reinstated"] {
        let event = find(action).unwrap_or_else(|| panic!("no {action} in {events}"));
        assert_eq!(event["actor"]["type"], "SYSTEM");
        assert_eq!(event["requestId"], Value::Null);
    }
}

fn an_unknown_account_fails(engine: Engine) {
    let server = Server::start(engine);
    for command in ["suspend", "reinstate", "reset-password"] {
        for who in ["nobody@example.com", "usr_00000000000000000000000000"] {
            let ran = server.run(&["user", command, who]).exits(1);
            assert!(!ran.stderr.is_empty() && !ran.stderr.contains("panicked"), "{}", ran.stderr);
        }
    }
}

fn an_empty_folder_has_no_accounts(engine: Engine) {
    let deployment = Deployment::new(engine, Reason::Deployment);
    for command in [&["user", "list"][..], &["user", "suspend", "ada@example.com"], &["keys", "rotate", "--secret"]] {
        let ran = deployment.run(command).exits(1);
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    }
}
