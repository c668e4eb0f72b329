//! `POST /auth/login` by somebody who guesses.

use octavo_tests::{Answer, Engine, OwnServer, Server, at_once::at_once, both_engines};
use serde_json::json;
use std::time::{SystemTime, UNIX_EPOCH};

both_engines! {
    a_wrong_password_and_an_unknown_address_look_alike,
    after_many_failures_only_known_networks_are_served,
    the_rule_across_addresses_tells_its_bucket_in_the_headers,
    unknown_addresses_meet_the_same_rule,
    the_rule_across_networks_can_be_turned_off,
    many_guesses_at_once_leave_the_server_healthy,
}

fn guess(server: &Server, email: &str, from: &str) -> Answer {
    let body = json!({ "email": email, "password": "Wrong-Horse-9" });
    server.post("/auth/login", &body).forwarded_for(from).send()
}

fn a_wrong_password_and_an_unknown_address_look_alike(engine: Engine) {
    let server = Server::start(engine);
    server.person("Ada");
    let wrong = guess(&server, "ada@example.com", "203.0.113.1");
    let unknown = guess(&server, "eve@example.com", "203.0.113.1");
    wrong.refuses(401, "UNAUTHORIZED").because("invalid_credentials");
    wrong.is_like(&unknown);
}

fn behind_a_proxy(engine: Engine, more: &[(&str, &str)]) -> OwnServer {
    let settings = [&[("OCTAVO_TRUSTED_PROXIES", "127.0.0.0/8")], more].concat();
    Server::with(engine, &settings)
}

fn after_many_failures_only_known_networks_are_served(engine: Engine) {
    let server = behind_a_proxy(engine, &[]);
    let form = json!({ "email": "ada@example.com", "password": "Correct-Horse-9", "name": "Ada" });
    server.post("/auth/register", &form).forwarded_for("192.0.2.1").send().is(201);
    for network in 0..20 {
        guess(&server, "ada@example.com", &format!("10.0.{network}.1")).is(401);
    }
    let refused = guess(&server, "ada@example.com", "10.0.20.1");
    refused.refuses(429, "RATE_LIMITED");
    assert!(refused.number("Retry-After") <= 15 * 60);
    let login = json!({ "email": "ada@example.com", "password": "Correct-Horse-9" });
    server.post("/auth/login", &login).forwarded_for("10.0.21.1").send().refuses(429, "RATE_LIMITED");
    server.post("/auth/login", &login).forwarded_for("192.0.2.200").send().is(200);
    let other = json!({ "email": "bob@example.com", "password": "Correct-Horse-9", "name": "Bob" });
    server.post("/auth/register", &other).forwarded_for("192.0.2.1").send().is(201);
    guess(&server, "bob@example.com", "10.0.22.1").is(401);
}

fn the_rule_across_addresses_tells_its_bucket_in_the_headers(engine: Engine) {
    let server = behind_a_proxy(engine, &[("OCTAVO_LOGIN_FAILURES_PER_EMAIL", "2")]);
    for network in 0..2 {
        guess(&server, "ada@example.com", &format!("10.0.{network}.1")).is(401);
    }
    let before = unix_now();
    let refused = guess(&server, "ada@example.com", "10.0.9.1");
    assert_eq!(refused.refuses(429, "RATE_LIMITED").detail()["bucket"], "login");
    assert_eq!(refused.header("X-RateLimit-Bucket"), Some("login"));
    assert_eq!(refused.number("X-RateLimit-Remaining"), 0);
    let promised = refused.number("X-RateLimit-Reset") - refused.number("Retry-After");
    assert!((before..=unix_now()).contains(&promised), "{before} {promised}");
    let limits = refused.header("RateLimit").unwrap().to_owned();
    assert!(limits.contains(&format!("\"login\";r=0;t={}", refused.number("Retry-After"))), "{limits}");
}

fn unix_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

fn unknown_addresses_meet_the_same_rule(engine: Engine) {
    let server = behind_a_proxy(engine, &[("OCTAVO_LOGIN_FAILURES_PER_EMAIL", "3")]);
    for network in 0..3 {
        guess(&server, "Nobody@example.com", &format!("10.0.{network}.1")).is(401);
    }
    guess(&server, "nobody@Example.com", "10.0.3.1").refuses(429, "RATE_LIMITED");
}

fn the_rule_across_networks_can_be_turned_off(engine: Engine) {
    let server = behind_a_proxy(engine, &[("OCTAVO_LOGIN_FAILURES_PER_EMAIL", "0")]);
    for network in 0..25 {
        guess(&server, "nobody@example.com", &format!("10.0.{network}.1")).is(401);
    }
}

fn many_guesses_at_once_leave_the_server_healthy(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_LOGIN_FAILURES_PER_EMAIL", "0")]);
    let mut answers = at_once(201, |who| {
        if who == 200 {
            return server.origin("GET", "/health").send().status;
        }
        guess(&server, &format!("p{who}@example.com"), "203.0.113.1").status
    });
    assert_eq!(answers.pop(), Some(200), "health");
    assert!(answers.iter().all(|status| [401, 429, 503].contains(status)), "{answers:?}");
    assert!(answers.contains(&401), "{answers:?}");
}
