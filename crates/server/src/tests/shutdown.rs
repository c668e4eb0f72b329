//! Shutting down gracefully.

use super::{
    server::settings,
    wire::{Connection, LONGEST},
    *,
};
use crate::Settings;
use serde_json::json;
use std::time::{Duration, Instant};

/// A timeout that a test must not wait for: it would be noticed.
const NEVER: Duration = Duration::from_hours(1);

pub(super) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + LONGEST;
    while !is_so() {
        assert!(Instant::now() < deadline, "waited in vain until {what}");
        std::thread::yield_now();
    }
}

#[test]
fn calls_are_served_during_the_delay_after_not_ready() {
    let mut server = Server::start_with(Settings { shutdown_delay: NEVER, ..settings() });
    server.ask_to_stop();
    until("the server is not ready", || server.get("/health/ready").status == 503);
    assert_eq!(server.get("/api/v1/users/me").status, 401, "it still serves");
    server.leave_running();
}

#[test]
fn every_readiness_probe_reports_the_shutdown() {
    let mut server = Server::start_with(Settings { shutdown_delay: NEVER, ..settings() });
    assert_eq!(server.get("/health/deep").status, 200);
    server.ask_to_stop();
    until("the server leaves", || server.backend.is_leaving());
    for path in ["/health/ready", "/health/deep"] {
        let answer = server.get(path);
        assert_eq!(answer.status, 503, "{path}");
        assert_eq!(answer.json()["error"]["details"][0]["service"], "shutdown", "{path}");
    }
    assert_eq!(server.get("/health").status, 200, "it is still alive");
    server.leave_running();
}

#[test]
fn once_the_delay_is_over_nobody_is_let_in() {
    let mut server = Server::start_with(Settings { shutdown_delay: Duration::from_millis(10), ..settings() });
    server.ask_to_stop();
    server.join();
    assert!(std::net::TcpStream::connect(server.bound.address).is_err());
}

#[test]
fn a_call_under_way_is_finished_and_idle_connections_do_not_hold_it_up() {
    let mut server = Server::start_with(Settings { shutdown_grace: NEVER, ..settings() });
    let mut idle: Connection = server.connect();
    idle.send(&request("GET /health").to_bytes()).answer_to("GET").unwrap();
    let body = json!({ "email": "ada@example.com", "password": "Correct-Horse-7", "name": "Ada" });
    let bytes = request("POST /api/v1/auth/register").json(&body).to_bytes();
    let (early, late) = bytes.split_at(bytes.len() - 5);
    let mut under_way: Connection = server.connect();
    under_way.send(early);
    until("the call is under way", || server.backend.metrics.calls_under_way() > 0);
    server.ask_to_stop();
    until("the server leaves", || server.backend.is_leaving());
    assert!(idle.is_closed());
    assert!(!server.has_ended(), "it waits for the call");
    assert_eq!(under_way.send(late).answer_to("POST").unwrap().status, 201);
    until("the server ends, for it waits for nothing else", || server.has_ended());
}
