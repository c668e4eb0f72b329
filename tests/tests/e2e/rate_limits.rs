//! Which callers share a bucket.

use octavo_tests::{Answer, Deployment, Engine, Reason, Request, Server, both_engines};
use serde_json::json;

both_engines! {
    users_of_one_address_have_buckets_of_their_own,
    callers_without_credential_share_their_address,
    the_address_has_a_bucket_over_all,
    tries_of_credentials_share_a_bucket,
    logins_count_per_address_and_email,
    resets_count_per_email_on_both_paths,
    mails_of_a_user_are_counted,
    the_defaults_hold_without_settings,
    a_refused_call_is_charged_to_no_bucket,
    a_spent_address_comes_before_a_bad_credential,
    a_spent_bucket_comes_before_a_bad_body,
    a_flood_elsewhere_does_not_lock_a_user_out,
    an_untrusted_header_changes_nothing,
    a_trusted_proxy_names_the_client,
    a_network_of_ipv6_is_one_client,
    a_path_written_otherwise_is_no_fresh_bucket,
    an_ignored_credential_counts_by_address,
    every_credential_reads_its_buckets,
}

const LOGIN: &str = "/auth/login";

fn guess(server: &Server, email: &str) -> Request {
    server.post(LOGIN, &json!({ "email": email, "password": "Wrong-Horse-9" }))
}

fn ask_reset(server: &Server, path: &str, email: &str) -> Answer {
    server.post(path, &json!({ "email": email })).send()
}

#[track_caller]
fn refused_by(answer: &Answer, bucket: &str) {
    answer.refuses(429, "RATE_LIMITED");
    assert_eq!(answer.named("X-RateLimit-Bucket"), bucket);
}

fn users_of_one_address_have_buckets_of_their_own(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_GENERIC", "3")]);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    for _ in 0..3 {
        ada.get("/users/me").send().is(200);
    }
    refused_by(&ada.get("/users/me").send(), "generic");
    refused_by(&ada.get("/sessions").send(), "generic");
    for _ in 0..3 {
        bob.get("/users/me").send().is(200);
    }
}

fn callers_without_credential_share_their_address(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_GENERIC", "4")]);
    let ada = server.person("Ada");
    server.get("/users/me").send().is(401);
    server.get("/users/me").bearer("nonsense").send().is(401);
    server.get("/auth/me").send().is(401);
    refused_by(&server.get("/users/me").send(), "generic");
    ada.get("/users/me").send().is(200);
}

fn the_address_has_a_bucket_over_all(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_IP", "6")]);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    for person in [&ada, &bob, &ada] {
        person.get("/users/me").send().is(200);
    }
    server.get("/users/me").send().is(401);
    for request in [ada.get("/users/me"), bob.get("/users/me"), server.get("/users/me")] {
        refused_by(&request.send(), "ip");
    }
    server.get("/health").send().is(200);
}

fn tries_of_credentials_share_a_bucket(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_CREDENTIALS", "7")]);
    let ada = server.person("Ada");
    guess(&server, "a@example.com").send().is(401);
    ask_reset(&server, "/auth/password-reset/request", "b@example.com").is(202);
    let confirm = json!({ "token": "nonsense", "password": "New-Horse-10" });
    server.post("/auth/password-reset/confirm", &confirm).send().is(400);
    ada.post("/auth/reauthenticate", &json!({ "password": ada.password })).send().is(200);
    let change = json!({ "currentPassword": "Wrong-Horse-9", "newPassword": "New-Horse-10" });
    ada.post("/users/me/password", &change).send().is(401);
    server.post("/auth/reset-password/confirm", &confirm).send().is(400);
    let register = json!({ "email": "c@example.com", "password": "Correct-Horse-9", "name": "C" });
    refused_by(&server.post("/auth/register", &register).send(), "credentials");
    refused_by(&ada.post("/auth/reauthenticate", &json!({ "password": ada.password })).send(), "credentials");
    refused_by(&guess(&server, "d@example.com").send(), "credentials");
    ada.refresh_request().send().is(200);
    ada.get("/users/me").send().is(200);
}

fn logins_count_per_address_and_email(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_LOGIN", "3"), ("OCTAVO_TRUSTED_PROXIES", "127.0.0.1")]);
    let from = |email: &str, address: &str| guess(&server, email).forwarded_for(address).send();
    for email in ["ada@example.com", "ADA@example.com", "Ada@Example.Com"] {
        from(email, "203.0.113.1").is(401);
    }
    refused_by(&from("ada@example.com", "203.0.113.1"), "login");
    from("bob@example.com", "203.0.113.1").is(401);
    from("ada@example.com", "203.0.113.2").is(401);
}

fn resets_count_per_email_on_both_paths(engine: Engine) {
    let server =
        Server::with(engine, &[("OCTAVO_RATE_LIMIT_PASSWORD_RESET", "3"), ("OCTAVO_TRUSTED_PROXIES", "127.0.0.1")]);
    let ask =
        |path: &str, email: &str, from: &str| server.post(path, &json!({ "email": email })).forwarded_for(from).send();
    ask("/auth/password-reset/request", "ada@example.com", "203.0.113.1").is(202);
    ask("/auth/reset-password", "ada@example.com", "203.0.113.2").is(202);
    ask("/auth/password-reset/request", "ADA@example.com", "203.0.113.3").is(202);
    refused_by(&ask("/auth/reset-password", "ada@example.com", "203.0.113.4"), "password_reset");
    refused_by(&ask("/auth/password-reset/request", "ada@example.com", "203.0.113.5"), "password_reset");
    ask("/auth/password-reset/request", "bob@example.com", "203.0.113.1").is(202);
}

fn mails_of_a_user_are_counted(engine: Engine) {
    let settings = [("OCTAVO_RATE_LIMIT_EMAIL_VERIFICATION", "2"), ("OCTAVO_RATE_LIMIT_EMAIL_CHANGE", "2")];
    let server = Server::with(engine, &settings);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    for (path, bucket) in
        [("/auth/email-verification/request", "email_verification"), ("/users/me/email-change", "email_change")]
    {
        let ask = |who: &octavo_tests::Person| who.post(path, &json!({ "email": "new@example.com" })).send();
        ask(&ada).is(202);
        ask(&ada).is(202);
        refused_by(&ask(&ada), bucket);
        refused_by(&ask(&ada.login()), bucket);
        ask(&bob).is(202);
    }
}

fn the_defaults_hold_without_settings(engine: Engine) {
    let mut deployment = Deployment::new(engine, Reason::Settings);
    for bucket in ["GENERIC", "IP", "LOGIN", "REGISTER", "PASSWORD_RESET", "EMAIL_VERIFICATION", "EMAIL_CHANGE"] {
        deployment.unset(&format!("OCTAVO_RATE_LIMIT_{bucket}"));
    }
    let server = deployment.serve();
    let people: Vec<_> = ["A", "B", "C", "D", "E"].iter().map(|name| server.person(name)).collect();
    let sixth = json!({ "email": "f@example.com", "password": "Correct-Horse-9", "name": "F" });
    refused_by(&server.post("/auth/register", &sixth).send(), "register");
    for _ in 0..10 {
        guess(&server, "a@example.com").send().is(401);
    }
    refused_by(&guess(&server, "a@example.com").send(), "login");
    refused_by(&people[0].try_login(), "login");
    for _ in 0..5 {
        ask_reset(&server, "/auth/password-reset/request", "a@example.com").is(202);
    }
    refused_by(&ask_reset(&server, "/auth/reset-password", "a@example.com"), "password_reset");
    for (path, bucket) in
        [("/auth/email-verification/request", "email_verification"), ("/users/me/email-change", "email_change")]
    {
        let ask = || people[1].post(path, &json!({ "email": "new@example.com" })).send();
        for _ in 0..3 {
            ask().is(202);
        }
        refused_by(&ask(), bucket);
    }
    for _ in 0..100 {
        people[2].get("/auth/me").send().is(200);
    }
    refused_by(&people[2].get("/auth/me").send(), "generic");
}

fn a_refused_call_is_charged_to_no_bucket(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_LOGIN", "1"), ("OCTAVO_RATE_LIMIT_CREDENTIALS", "3")]);
    let server = &server;
    let register = |name: &str| {
        let form = json!({ "email": format!("{name}@example.com"), "password": "Correct-Horse-9", "name": name });
        server.post("/auth/register", &form).send()
    };
    guess(server, "ada@example.com").send().is(401);
    for _ in 0..5 {
        refused_by(&guess(server, "ada@example.com").send(), "login");
    }
    register("b").is(201);
    register("c").is(201);
    refused_by(&register("d"), "credentials");
}

fn a_spent_address_comes_before_a_bad_credential(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_GENERIC", "2")]);
    for _ in 0..2 {
        server.get("/users/me").bearer("nonsense").send().is(401);
    }
    refused_by(&server.get("/users/me").bearer("nonsense").send(), "generic");
    refused_by(&server.get("/users/me").send(), "generic");
}

fn a_spent_bucket_comes_before_a_bad_body(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_CREDENTIALS", "2")]);
    let bad = || server.post(LOGIN, &json!({ "email": 7 })).send();
    bad().refuses(400, "VALIDATION_ERROR");
    bad().refuses(400, "VALIDATION_ERROR");
    refused_by(&bad(), "credentials");
    let unreadable = server.request("POST", LOGIN).body("application/json", "{").send();
    unreadable.refuses(400, "VALIDATION_ERROR");
}

fn a_flood_elsewhere_does_not_lock_a_user_out(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_GENERIC", "20"), ("OCTAVO_TRUSTED_PROXIES", "127.0.0.1")]);
    let ada = server.person("Ada");
    let flood = || server.get("/users/me").bearer(&format!("{}x", ada.access)).forwarded_for("198.51.100.1").send();
    while flood().status != 429 {}
    ada.get("/users/me").forwarded_for("203.0.113.1").send().is(200);
    ada.get("/users/me").forwarded_for("198.51.100.1").send().is(200);
}

fn an_untrusted_header_changes_nothing(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_GENERIC", "3")]);
    for n in 0..3 {
        let request = server.get("/users/me").forwarded_for(&format!("203.0.113.{n}"));
        request
            .header("X-Real-IP", format!("203.0.113.{n}"))
            .header("Forwarded", format!("for=203.0.113.{n}"))
            .send()
            .is(401);
    }
    refused_by(&server.get("/users/me").forwarded_for("203.0.113.9").send(), "generic");
}

fn a_trusted_proxy_names_the_client(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_TRUSTED_PROXIES", "127.0.0.1, 10.0.0.0/8")]);
    let ada = server.person("Ada");
    let address = |header: &str, value: &str| {
        ada.login_request().header(header, value).send().data(200)["session"]["ipAddress"].clone()
    };
    assert_eq!(address("X-Forwarded-For", "203.0.113.1"), "203.0.113.1");
    assert_eq!(
        address("X-Forwarded-For", "198.51.100.1, 203.0.113.1"),
        "203.0.113.1",
        "what the client says itself is no news"
    );
    assert_eq!(address("X-Forwarded-For", "203.0.113.1, 10.1.2.3"), "203.0.113.1", "trusted hops are skipped");
    assert_eq!(address("X-Forwarded-For", "203.0.113.1, nonsense"), "127.0.0.1");
    assert_eq!(address("X-Forwarded-For", "::ffff:203.0.113.1"), "203.0.113.1");
    assert_eq!(address("X-Forwarded-For", "2001:db8::1"), "2001:db8::1");
    assert_eq!(address("Forwarded", "for=203.0.113.1;proto=https"), "203.0.113.1");
    assert_eq!(address("Forwarded", "for=198.51.100.1, for=\"[2001:db8::1]:4711\""), "2001:db8::1");
    assert_eq!(address("X-Real-IP", "203.0.113.1"), "127.0.0.1");
}

fn a_network_of_ipv6_is_one_client(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_GENERIC", "2"), ("OCTAVO_TRUSTED_PROXIES", "127.0.0.1")]);
    let from = |address: &str| server.get("/users/me").forwarded_for(address).send();
    from("2001:db8:1:2::1").is(401);
    from("2001:db8:1:2:ffff::2").is(401);
    refused_by(&from("2001:db8:1:2::3"), "generic");
    from("2001:db8:1:3::1").is(401);
    from("203.0.113.1").is(401);
    from("::ffff:203.0.113.1").is(401);
    refused_by(&from("203.0.113.1"), "generic");
}

fn a_path_written_otherwise_is_no_fresh_bucket(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_LOGIN", "1"), ("OCTAVO_RATE_LIMIT_CREDENTIALS", "1")]);
    let body = json!({ "email": "ada@example.com", "password": "Wrong-Horse-9" });
    guess(&server, "ada@example.com").send().is(401);
    for path in [
        "/api/v1/auth/login/",
        "/api/v1//auth/login",
        "/api/v1/AUTH/login",
        "/api/v1/auth/%6Cogin",
        "/api/v1/auth/./login",
        "/api/v1/auth/x/../login",
        "/api/v1/auth/login?x=1",
        "/api/v1/auth%2Flogin",
        "//api/v1/auth/login",
        "/api/v1/auth/login;x=1",
    ] {
        let answer = server.origin("POST", path).json(&body).send();
        assert!([404, 429].contains(&answer.status), "{path}: {}", answer.text());
    }
}

fn an_ignored_credential_counts_by_address(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_GENERIC", "3")]);
    let ada = server.person("Ada");
    let body = json!({ "name": "Importer", "scopes": ["READ"] });
    let made = ada.post(&format!("/workspaces/{}/api-keys", ada.workspace), &body).send().data(201);
    let key = made["key"].as_str().unwrap();
    let accept = || {
        let body = json!({ "token": "itn_nonsense", "email": "ada@example.com" });
        server.post("/invitations/accept", &body).bearer(key).send()
    };
    assert_eq!(accept().named("X-RateLimit-Bucket"), "generic");
    while accept().status != 429 {}
    refused_by(&accept(), "generic");
    refused_by(&server.get("/users/me").send(), "generic");
    server.get("/auth/me").bearer(key).send().is(200);
}

fn every_credential_reads_its_buckets(engine: Engine) {
    let server = Server::start(engine);
    let (ada, grace) = (crate::invitations::proven(&server, "Ada"), server.person("Grace"));
    let workspace = crate::invitations::create_workspace(&ada, "Acme");
    let sent = crate::invitations::try_invite(&ada, &workspace, &json!({ "email": grace.email })).data(201);
    let body = json!({ "token": crate::invitations::handed(&sent), "email": grace.email });
    let data = server.post("/invitations/accept", &body).send().data(200);
    let by_link = data["accessToken"].as_str().unwrap();
    server.get("/sessions").bearer(by_link).send().refuses(403, "FORBIDDEN");
    let listed = server.get("/rate-limit").bearer(by_link).send().data(200);
    assert!(listed.as_array().unwrap().iter().any(|bucket| bucket["bucket"] == "generic"), "{listed}");
}
