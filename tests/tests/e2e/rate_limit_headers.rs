//! The headers of answers about rate limits.

use octavo_tests::{Answer, Engine, Server, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    an_answer_counts_down,
    a_refusal_says_how_long_to_wait,
    the_scarcest_bucket_is_described,
    every_bucket_is_described_in_structured_fields,
    of_several_refusals_the_longest_wait_counts,
    a_bucket_turned_off_shows_a_million,
    an_unlimited_call_shows_a_million,
    the_buckets_of_a_caller_can_be_listed_for_free,
}

const MILLION: u64 = 1_000_000;

fn remaining(answer: &Answer) -> u64 {
    answer.number("X-RateLimit-Remaining")
}

fn bucket(answer: &Answer) -> &str {
    answer.named("X-RateLimit-Bucket")
}

fn seconds_until_reset(answer: &Answer) -> i64 {
    i64::try_from(answer.number("X-RateLimit-Reset")).unwrap() - shape::now_seconds()
}

fn an_answer_counts_down(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_GENERIC", "5")]);
    let ada = server.person("Ada");
    for left in [4, 3, 2] {
        let answer = ada.get("/users/me").send();
        assert_eq!(answer.number("X-RateLimit-Limit"), 5);
        assert_eq!(remaining(&answer), left);
        assert_eq!(bucket(&answer), "generic");
        assert!((0..=61).contains(&seconds_until_reset(&answer)), "{}", seconds_until_reset(&answer));
    }
}

fn a_refusal_says_how_long_to_wait(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_GENERIC", "3")]);
    let ada = server.person("Ada");
    for _ in 0..3 {
        ada.get("/users/me").send().is(200);
    }
    for _ in 0..3 {
        let answer = ada.get("/users/me").send();
        answer.refuses(429, "RATE_LIMITED");
        assert_eq!(remaining(&answer), 0);
        assert_eq!(bucket(&answer), "generic");
        let wait = i64::try_from(answer.number("Retry-After")).unwrap();
        assert!((1..=60).contains(&wait), "{wait}");
        assert!((seconds_until_reset(&answer) - wait).abs() <= 1, "{wait} {}", seconds_until_reset(&answer));
    }
}

fn the_scarcest_bucket_is_described(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_IP", "50"), ("OCTAVO_RATE_LIMIT_LOGIN", "7")]);
    let ada = server.person("Ada");
    assert_eq!(bucket(&ada.get("/users/me").send()), "ip");
    let login = ada.try_login();
    assert_eq!((bucket(&login), login.number("X-RateLimit-Limit"), remaining(&login)), ("login", 7, 6));
}

fn every_bucket_is_described_in_structured_fields(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for (answer, buckets) in [
        (ada.get("/users/me").send(), &["generic", "ip"][..]),
        (ada.try_login(), &["generic", "ip", "credentials", "login"]),
    ] {
        for header in ["RateLimit-Policy", "RateLimit"] {
            let value = answer.named(header);
            let members: Vec<_> = value.split(',').map(|member| member.trim().split(';').next().unwrap()).collect();
            let mut names: Vec<_> = members.iter().map(|name| name.trim_matches('"')).collect();
            names.sort_unstable();
            let mut wanted = buckets.to_vec();
            wanted.sort_unstable();
            assert_eq!(names, wanted, "{header}: {value}");
        }
    }
}

fn of_several_refusals_the_longest_wait_counts(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_CREDENTIALS", "2"), ("OCTAVO_RATE_LIMIT_LOGIN", "2")]);
    let login = json!({ "email": "nobody@example.com", "password": "Wrong-Horse-9" });
    for _ in 0..2 {
        server.post("/auth/login", &login).send().is(401);
    }
    let answer = server.post("/auth/login", &login).send();
    answer.refuses(429, "RATE_LIMITED");
    assert_eq!(bucket(&answer), "login");
    assert!(answer.number("Retry-After") > 60);
}

fn a_bucket_turned_off_shows_a_million(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_GENERIC", "0"), ("OCTAVO_RATE_LIMIT_IP", "0")]);
    let ada = server.person("Ada");
    let answer = ada.get("/users/me").send();
    assert_eq!((answer.number("X-RateLimit-Limit"), remaining(&answer)), (MILLION, MILLION));
}

fn an_unlimited_call_shows_a_million(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_IP", "50")]);
    let ada = server.person("Ada");
    let left = remaining(&ada.get("/users/me").send());
    for request in [
        server.get("/health"),
        server.get("/health/ready"),
        server.origin("GET", "/health"),
        server.request("OPTIONS", "/users/me"),
        ada.get("/nothing"),
        ada.request("PUT", "/users/me"),
        ada.get("/rate-limit"),
        server
            .request("POST", "/auth/login")
            .json(&json!({}))
            .header("Content-Length", "2")
            .header("Content-Length", "3"),
    ] {
        let answer = request.send();
        assert_eq!((answer.number("X-RateLimit-Limit"), remaining(&answer)), (MILLION, MILLION), "{answer:?}");
        assert!(seconds_until_reset(&answer).abs() <= 2);
    }
    assert_eq!(remaining(&ada.get("/users/me").send()), left - 1, "none of them counted");
}

fn the_buckets_of_a_caller_can_be_listed_for_free(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_GENERIC", "5")]);
    let ada = server.person("Ada");
    ada.get("/users/me").send().is(200);
    for _ in 0..10 {
        let data = ada.get("/rate-limit").send().data(200);
        let entries = data.as_array().unwrap();
        for entry in entries {
            shape::has(entry, &["bucket", "limit", "remaining", "reset"]);
        }
        let generic: Vec<&Value> = entries.iter().filter(|entry| entry["bucket"] == "generic").collect();
        assert_eq!(generic.len(), 1, "{data}");
        assert_eq!((&generic[0]["limit"], &generic[0]["remaining"]), (&json!(5), &json!(4)));
    }
    for _ in 0..4 {
        ada.get("/users/me").send().is(200);
    }
    ada.get("/users/me").send().is(429);
    ada.get("/rate-limit").send().is(200);
}
