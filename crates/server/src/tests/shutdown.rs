//! Ending in good order.

use super::{server::settings, wire::Connection, *};
use crate::Settings;
use serde_json::json;
use std::time::{Duration, Instant};

fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !is_so() {
        assert!(Instant::now() < deadline, "waited in vain until {what}");
        std::thread::yield_now();
    }
}

#[test]
fn it_says_so_first_and_serves_on_during_the_delay() {
    let mut server = Server::start_with(Settings { shutdown_delay: Duration::from_millis(500), ..settings() });
    server.ask_to_stop();
    until("the server is not ready", || server.get("/health/ready").status == 503);
    assert_eq!(server.get("/api/v1/users/me").status, 401, "it still serves");
    server.join();
    assert!(std::net::TcpStream::connect(server.bound.address).is_err());
}

#[test]
fn a_call_under_way_is_finished_and_idle_connections_do_not_hold_it_up() {
    let mut server = Server::start();
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
    until("the idle connection is closed", || idle.is_closed());
    assert!(!server.has_ended(), "it waits for the call");
    assert_eq!(under_way.send(late).answer_to("POST").unwrap().status, 201);
    let began = Instant::now();
    server.join();
    assert!(began.elapsed() < Duration::from_secs(5), "and for nothing else");
}
