//! Neither the text nor the timing of an answer shows whether an address has an account.

use octavo_tests::{Engine, OwnServer, Server, Site, both_engines, jwt, request::BASE};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

both_engines! {
    a_login_takes_as_long_for_an_unknown_address,
    a_reset_takes_as_long_for_an_unknown_address,
    a_suspension_shows_only_to_the_owner,
}

/// How many calls of each kind are timed per attempt.
const CALLS: usize = 40;
/// By what share the times of the two kinds may differ.
const TOLERANCE: f64 = 0.15;
/// How many attempts there are: on a busy machine one may fail by chance, but a real difference shows every time.
const ATTEMPTS: usize = 6;

/// Times one call over a connection that is already open.
fn time(site: &Site, path: &str, body: &Value) -> Duration {
    let request = site.bare("POST", &format!("{BASE}{path}")).json(body).bytes();
    let mut wire = site.wire();
    let started = Instant::now();
    wire.send(request).unwrap();
    wire.receive("POST").unwrap();
    started.elapsed()
}

/// Compares the lower quartile of the calls of each kind. Neither the median nor the minimum would do: on a busy
/// machine a hash takes once or twice its time, and one lucky call can be a fifth quicker than all others.
#[track_caller]
fn take_as_long(site: &Site, path: &str, known: &Value, unknown: &Value) {
    let mut attempts = Vec::new();
    for _ in 0..ATTEMPTS {
        let (of_known, of_unknown) = quartiles(site, path, known, unknown);
        if of_known.abs_diff(of_unknown) < of_known.max(of_unknown).mul_f64(TOLERANCE) {
            return;
        }
        attempts.push((of_known, of_unknown));
    }
    panic!("calls with the known and with the unknown address took {attempts:?}");
}

/// The lower quartiles of one attempt: of the known address, of the unknown one.
fn quartiles(site: &Site, path: &str, known: &Value, unknown: &Value) -> (Duration, Duration) {
    let (mut of_known, mut of_unknown) = (Vec::with_capacity(CALLS), Vec::with_capacity(CALLS));
    for _ in 0..CALLS / 2 {
        // The kinds do not simply alternate: if two threads served in turn, each would get one kind, and the
        // threads would be compared instead.
        of_known.push(time(site, path, known));
        of_unknown.push(time(site, path, unknown));
        of_unknown.push(time(site, path, unknown));
        of_known.push(time(site, path, known));
    }
    (lower_quartile(of_known), lower_quartile(of_unknown))
}

fn lower_quartile(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 4]
}

fn server(engine: Engine) -> OwnServer {
    Server::with(engine, &[("OCTAVO_LOGIN_FAILURES_PER_EMAIL", "0")])
}

fn a_login_takes_as_long_for_an_unknown_address(engine: Engine) {
    let server = server(engine);
    server.person("Ada");
    let body = |email: &str| json!({ "email": email, "password": "Wrong-Horse-9" });
    take_as_long(server.site(), "/auth/login", &body("ada@example.com"), &body("eve@example.com"));
}

fn a_reset_takes_as_long_for_an_unknown_address(engine: Engine) {
    let server = server(engine);
    server.person("Ada");
    let body = |email: &str| json!({ "email": email });
    take_as_long(server.site(), "/auth/password-reset/request", &body("ada@example.com"), &body("eve@example.com"));
}

fn a_suspension_shows_only_to_the_owner(engine: Engine) {
    let server = server(engine);
    let ada = server.person("Ada");
    assert_eq!(jwt::claims(&ada.access)["sub"], ada.id);
    server.run(&["user", "suspend", &ada.email]).exits(0);
    let guess =
        |email: &str| server.post("/auth/login", &json!({ "email": email, "password": "Wrong-Horse-9" })).send();
    guess(&ada.email).refuses(401, "UNAUTHORIZED");
    guess(&ada.email).is_like(&guess("eve@example.com"));
    ada.try_login().refuses(403, "FORBIDDEN").because("account_suspended");
}
