//! `POST /auth/login` by the owner of the account.

use octavo_tests::{Engine, Person, Server, both_engines, jwt, shape};
use serde_json::json;

both_engines! {
    a_login_opens_a_session,
    the_user_of_a_login_is_the_reduced_one,
    the_case_of_the_address_does_not_matter,
    a_password_is_compared_as_it_was_sent,
    every_missing_field_is_named,
    the_session_remembers_program_and_address,
    a_long_program_name_is_cut,
    the_last_login_is_remembered,
    a_credential_sent_along_is_ignored,
    the_hundred_and_first_session_ends_the_idlest,
    a_login_from_elsewhere_is_reported,
    a_session_has_an_absolute_end,
}

fn a_login_opens_a_session(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let data = ada.try_login().data(200);
    shape::token(&data["refreshToken"], "rft_");
    assert_eq!(data["expiresIn"], 900);
    let session = shape::id(&data["session"]["id"], "ses_");
    assert_ne!(session, ada.session);
    let hours = shape::seconds_ahead(&data["session"]["expiresAt"]) / 3600;
    assert!((29 * 24..=30 * 24).contains(&hours), "{data}");
    shape::has(&data["session"], &["userAgent", "ipAddress"]);
    let claims = jwt::claims(data["accessToken"].as_str().unwrap());
    assert_eq!(claims["sid"], session);
    assert_eq!(claims["workspaceId"], ada.workspace);
    assert_eq!(claims["amr"], json!(["pwd"]));
    let again = ada.with_tokens_of(&data);
    assert_eq!(again.me()["id"], ada.id);
}

fn the_user_of_a_login_is_the_reduced_one(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let user = ada.try_login().data(200)["user"].clone();
    shape::exactly(&user, &["id", "email", "emailVerified", "status"]);
    assert_eq!(user, json!({ "id": ada.id, "email": ada.email, "emailVerified": false, "status": "ACTIVE" }));
    let token = server.mailbox().token(&ada.email, "evt_");
    server.post("/auth/email-verification/confirm", &json!({ "token": token })).send().is(200);
    assert_eq!(ada.try_login().data(200)["user"]["emailVerified"], true);
}

fn the_case_of_the_address_does_not_matter(engine: Engine) {
    let server = Server::start(engine);
    let ada = Person { email: "ADA@Example.Com".to_owned(), ..server.person("Ada") };
    assert_eq!(ada.try_login().data(200)["user"]["email"], "ada@example.com");
}

fn a_password_is_compared_as_it_was_sent(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for wrong in [" Correct-Horse-9", "Correct-Horse-9 ", "correct-horse-9", "Correct-Horse-90", "Correct-Horse-"] {
        let wrong = Person { password: wrong.to_owned(), ..ada.clone() };
        wrong.try_login().refuses(401, "UNAUTHORIZED");
    }
}

fn every_missing_field_is_named(engine: Engine) {
    let server = Server::start(engine);
    let refusal = server.post("/auth/login", &json!({})).send().refuses(400, "VALIDATION_ERROR");
    refusal.of("email", "required").of("password", "required");
    let refusal = server.post("/auth/login", &json!({ "email": 1, "password": [] })).send();
    refusal.refuses(400, "VALIDATION_ERROR").of("email", "invalid_type").of("password", "invalid_type");
}

fn the_session_remembers_program_and_address(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let request = ada.login_request().header("User-Agent", "Tester/1.0").forwarded_for("203.0.113.9");
    let session = request.header("X-Real-IP", "203.0.113.10").send().data(200)["session"].clone();
    assert_eq!(session["userAgent"], "Tester/1.0");
    assert_eq!(session["ipAddress"], server.client_address().to_string(), "nobody said that this peer may name others");
}

fn a_long_program_name_is_cut(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let session = ada.login_request().header("User-Agent", "u".repeat(300)).send().data(200)["session"].clone();
    assert_eq!(session["userAgent"], "u".repeat(256));
}

fn the_last_login_is_remembered(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    ada.try_login().is(200);
    let me = ada.me();
    assert!(shape::millis(&me["lastLoginAt"]) >= shape::millis(&me["createdAt"]));
    assert!(shape::seconds_ahead(&me["lastLoginAt"]).abs() < 60);
}

fn a_credential_sent_along_is_ignored(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for credential in ["Bearer nonsense", "Basic YTpi", "Bearer svc_live_0000"] {
        ada.login_request().header("Authorization", credential).send().is(200);
    }
}

fn the_hundred_and_first_session_ends_the_idlest(engine: Engine) {
    let server = Server::start(engine);
    let first = server.person("Ada");
    let second = first.login();
    for _ in 2..100 {
        first.try_login().is(200);
    }
    let newest = first.login();
    first.refresh_request().send().refuses(403, "FORBIDDEN").because("session_revoked");
    let ended = second.get("/sessions?status=REVOKED").send().data(200);
    assert_eq!(ended.as_array().unwrap().len(), 1, "{ended}");
    assert_eq!(ended[0]["id"], first.session);
    second.refresh_request().send().is(200);
    let page = newest.get("/sessions?limit=100").send().body_of(200);
    assert_eq!(page["data"].as_array().unwrap().len(), 100);
    assert!(page["nextCursor"].is_null());
}

fn a_login_from_elsewhere_is_reported(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_TRUSTED_PROXIES", "127.0.0.1/32")]);
    let form = json!({ "email": "ada@example.com", "password": "Correct-Horse-9", "name": "Ada" });
    let home = |request: octavo_tests::Request, last: &str| {
        request.header("User-Agent", "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0").forwarded_for(last)
    };
    home(server.post("/auth/register", &form), "203.0.113.5").send().is(201);
    let login = json!({ "email": "ada@example.com", "password": "Correct-Horse-9" });
    let data = home(server.post("/auth/login", &login), "203.0.113.77").send().data(200);
    assert_eq!(data["session"]["ipAddress"], "203.0.113.77");
    let away = server.post("/auth/login", &login).header("User-Agent", "curl/8.5.0").forwarded_for("198.51.100.7");
    away.send().is(200);
    server.mailbox().mail("ada@example.com", "a report", |mail| mail.text().contains("198.51.100.7"));
    let token = data["accessToken"].as_str().unwrap();
    let events = server.get("/users/me/security-events").bearer(token).send().data(200);
    let news = events.as_array().unwrap().iter().filter(|event| event["action"] == "user.new_device").count();
    assert_eq!(news, 1, "registering and a login next door are no news: {events}");
}

fn a_session_has_an_absolute_end(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_SESSION_ABSOLUTE_DAYS", "2")]);
    let ada = server.person("Ada");
    let hours = |value: &serde_json::Value| shape::seconds_ahead(value) / 3600;
    let session = ada.try_login().data(200)["session"].clone();
    assert!((47..=48).contains(&hours(&session["expiresAt"])), "{session}");
}
