//! Rate limits, as a client sees them.

use super::{server::settings, *};
use crate::{RateLimits, Settings};
use async_trait::async_trait;
use octavo_core_model::{Bucket, fault::ComputeFault};
use octavo_ports::compute::{ComputePool, ComputeSlot, InPlace, Reservation, Work, WorkKind, WorkOwner};
use serde_json::{Value, json};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

const ME: &str = "/api/v1/users/me";

fn limited(limits: &[(Bucket, u32)]) -> Settings {
    let with = |all: RateLimits, (bucket, limit): &(Bucket, u32)| all.with(*bucket, *limit);
    let base = settings();
    Settings { rate_limits: limits.iter().fold(base.rate_limits.clone(), with), ..base }
}

fn limit_headers(answer: &Answer) -> (String, String, String) {
    let header = |name| answer.header(name).unwrap_or("none").to_owned();
    (header("x-ratelimit-bucket"), header("x-ratelimit-limit"), header("x-ratelimit-remaining"))
}

#[test]
fn a_full_bucket_refuses_says_how_long_and_lists_every_bucket() {
    let server = Server::start_with(limited(&[(Bucket::Generic, 3), (Bucket::Ip, 100)]));
    for left in ["2", "1", "0"] {
        let answer = server.get(ME);
        assert_eq!(answer.refusal(), "UNAUTHORIZED token_missing");
        assert_eq!(limit_headers(&answer), ("generic".into(), "3".into(), left.into()));
    }
    let answer = server.get(ME);
    assert_eq!((answer.status, answer.refusal().as_str()), (429, "RATE_LIMITED"));
    let wait: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    let detail = &answer.json()["error"]["details"][0];
    assert_eq!((&detail["retryAfterSeconds"], &detail["bucket"]), (&json!(wait), &json!("generic")));
    assert_eq!(limit_headers(&answer), ("generic".into(), "3".into(), "0".into()));
    let reset: u64 = answer.header("x-ratelimit-reset").unwrap().parse().unwrap();
    let now = u64::try_from(server::now().seconds()).unwrap();
    assert!((now..=now + 61).contains(&reset), "{reset} at {now}");
    assert_eq!(answer.header("ratelimit-policy"), Some("\"generic\";q=3;w=60, \"ip\";q=100;w=60"));
    let states = answer.header("ratelimit").unwrap();
    assert!(states.starts_with("\"generic\";r=0;t=") && states.contains("\"ip\";r=97;t="), "{states}");
}

#[test]
fn a_refused_call_is_charged_to_no_bucket() {
    let server = Server::start_with(limited(&[(Bucket::Credentials, 1), (Bucket::Generic, 5)]));
    let login = |email: &str| server.post("/api/v1/auth/login", &json!({ "email": email, "password": "x" }));
    assert_eq!(login("a@example.com").status, 401);
    for _ in 0..10 {
        assert_eq!(login("a@example.com").json()["error"]["details"][0]["bucket"], "credentials");
    }
    assert_eq!(
        limit_headers(&server.get(ME)),
        ("generic".into(), "5".into(), "3".into()),
        "two calls were counted: one login, this one"
    );
}

#[test]
fn pages_of_other_sites_use_up_no_bucket_of_their_visitors() {
    let server = Server::start_with(limited(&[(Bucket::Screens, 1)]));
    let embedded =
        request("GET /forgot-password").header("Sec-Fetch-Site", "cross-site").header("Sec-Fetch-Dest", "image");
    for _ in 0..3 {
        assert_eq!(server.send(&embedded).status, 403);
    }
    let followed =
        request("GET /forgot-password").header("Sec-Fetch-Site", "cross-site").header("Sec-Fetch-Dest", "document");
    assert_eq!(server.send(&followed).status, 200, "a link of another site");
    assert_eq!(server.send(&followed).status, 429);
}

#[test]
fn signed_in_calls_count_by_user_and_calls_without_a_good_credential_by_address() {
    let server = Server::start_with(limited(&[(Bucket::Generic, 4)]));
    let (ada, ben) = (server.person("ada"), server.person("ben"));
    let me = |token: &str| server.send(&request(&format!("GET {ME}")).bearer(token));
    for _ in 0..4 {
        assert_eq!(me(&ada.token).status, 200);
    }
    assert_eq!(me(&ada.token).status, 429);
    assert_eq!(me(&ben.token).status, 200);
    // Registering was counted twice for the address.
    assert_eq!(me("junk").status, 401);
    assert_eq!(me("junk").status, 401);
    assert_eq!(me("junk").status, 429, "before 401: guessing is counted");
    assert_eq!(me(&ben.token).status, 200, "a valid credential never meets the address's bucket");
}

#[test]
fn buckets_of_a_route_count_by_what_its_body_says() {
    let server = Server::start_with(limited(&[(Bucket::Login, 2), (Bucket::PasswordReset, 1)]));
    let login = |email: &str| server.post("/api/v1/auth/login", &json!({ "email": email, "password": "x" })).status;
    assert_eq!((login("Ada@Example.com"), login("ada@example.com")), (401, 401));
    assert_eq!(login("ADA@EXAMPLE.COM"), 429);
    assert_eq!(login("ben@example.com"), 401);
    let reset = |path: &str, email: &str| server.post(path, &json!({ "email": email })).status;
    assert_eq!(reset("/api/v1/auth/password-reset/request", "ada@example.com"), 202);
    assert_eq!(reset("/api/v1/auth/reset-password", "Ada@example.com"), 429, "an alias shares its bucket");
    assert_eq!(reset("/api/v1/auth/password-reset/request", "ben@example.com"), 202);
    let broken = server.post("/api/v1/auth/password-reset/request", &json!({ "email": 7 }));
    assert_eq!(broken.refusal(), "VALIDATION_ERROR email invalid_type");
}

#[test]
fn a_disabled_bucket_and_an_unlimited_call_show_a_million() {
    let server = Server::start_with(limited(&[(Bucket::Generic, 0), (Bucket::Ip, 0)]));
    let million = || "1000000".to_owned();
    assert_eq!(limit_headers(&server.get(ME)), ("generic".into(), million(), million()));
    for (call, status) in [
        (request("GET /health"), 200),
        (request("GET /nothing"), 404),
        (request(&format!("PUT {ME}")), 405),
        (request(&format!("OPTIONS {ME}")), 204),
        (request(&format!("PATCH {ME}")).text("application/json", "{"), 400),
        (request(&format!("PATCH {ME}")).text("text/plain", "x"), 415),
        (request("POST /api/v1/auth/login").text("application/json", &" ".repeat(20_000)), 413),
    ] {
        let before = server::now().seconds();
        let answer = server.send(&call);
        assert_eq!(
            (answer.status, limit_headers(&answer)),
            (status, ("none".into(), million(), million())),
            "{call:?}"
        );
        assert_eq!((answer.header("ratelimit"), answer.header("ratelimit-policy")), (None, None), "{call:?}");
        let reset = answer.header("x-ratelimit-reset").unwrap().parse().unwrap();
        assert!((before..=server::now().seconds()).contains(&reset), "the present second, not {reset}");
    }
}

#[test]
fn free_routes_cost_nothing_and_tell_where_the_buckets_stand() {
    let server = Server::start_with(limited(&[(Bucket::Generic, 10), (Bucket::EmailChange, 0)]));
    let ada = server.person("ada");
    let listed = || server.send(&request("GET /api/v1/rate-limit").bearer(&ada.token)).json()["data"].clone();
    server.send(&request(&format!("GET {ME}")).bearer(&ada.token));
    let bucket = |list: &Value, name: &str| list.as_array().unwrap().iter().find(|b| b["bucket"] == name).cloned();
    for _ in 0..3 {
        let list = listed();
        let generic = bucket(&list, "generic").unwrap();
        assert_eq!((&generic["limit"], &generic["remaining"]), (&json!(10), &json!(9)));
        assert!(generic["reset"].is_i64());
        assert_eq!(bucket(&list, "email_change").unwrap()["remaining"], 1_000_000);
        assert_eq!(bucket(&list, "login"), None, "nobody can say whose");
    }
    assert_eq!(server.get("/api/v1/rate-limit").refusal(), "UNAUTHORIZED token_missing");
}

#[test]
fn addresses_behind_trusted_proxies_count_apart_and_a_network_counts_as_one() {
    let trusted = vec!["127.0.0.0/8".parse().unwrap()];
    let server = Server::start_with(Settings { trusted_proxies: trusted, ..limited(&[(Bucket::Generic, 1)]) });
    let from = |address: &str| server.send(&request(&format!("GET {ME}")).header("X-Forwarded-For", address)).status;
    assert_eq!((from("203.0.113.1"), from("203.0.113.1"), from("203.0.113.2")), (401, 429, 401));
    assert_eq!((from("2001:db8::1"), from("2001:db8::2"), from("2001:db8:0:1::1")), (401, 429, 401));
    let untrusting = Server::start_with(limited(&[(Bucket::Generic, 1)]));
    let from =
        |address: &str| untrusting.send(&request(&format!("GET {ME}")).header("X-Forwarded-For", address)).status;
    assert_eq!(
        (from("203.0.113.1"), from("203.0.113.2")),
        (401, 429),
        "a header that nobody vouches for changes nothing"
    );
}

/// A pool that is full until somebody empties it.
#[derive(Default)]
struct Full {
    is_empty: AtomicBool,
}

#[async_trait]
impl ComputePool for Full {
    fn reserve(&self, kind: WorkKind, owner: WorkOwner) -> Result<Reservation, ComputeFault> {
        if self.is_empty.load(Ordering::Relaxed) { InPlace.reserve(kind, owner) } else { Err(ComputeFault::Busy) }
    }

    async fn run(&self, reservation: Reservation, within: Duration, work: Work) -> Result<ComputeSlot, ComputeFault> {
        InPlace.run(reservation, within, work).await
    }
}

#[test]
fn a_sign_in_that_a_busy_hasher_refuses_is_not_charged_as_one() {
    let pool = Arc::new(Full::default());
    let server = Server::start_computing(limited(&[(Bucket::Login, 1)]), pool.clone());
    let login = || server.post("/api/v1/auth/login", &json!({ "email": "ada@example.com", "password": "x" }));
    for _ in 0..3 {
        let answer = login();
        assert_eq!(answer.status, 503);
        assert!(answer.header("ratelimit").unwrap().contains("\"login\";r=1;"), "{answer:?}");
    }
    pool.is_empty.store(true, Ordering::Relaxed);
    assert_eq!(login().status, 401, "a password that was compared counts");
    assert_eq!(login().status, 429);
}

#[test]
fn calls_that_are_refused_because_of_load_are_counted() {
    let server = Server::start_computing(settings(), Arc::new(Full::default()));
    for _ in 0..3 {
        let answer = server.post("/api/v1/auth/login", &json!({ "email": "ada@example.com", "password": "x" }));
        assert_eq!(answer.status, 503);
    }
    let metrics = String::from_utf8(server.backend.metrics.render()).unwrap();
    for (limit, count) in [("hashing", 3), ("compute", 0), ("database", 0)] {
        let line = format!("octavo_overload_refused_total{{limit=\"{limit}\"}} {count}\n");
        assert!(metrics.contains(&line), "{line}{metrics}");
    }
}
