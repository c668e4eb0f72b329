//! Live streams: what depends on time, and what they cost.

use super::{
    server::{now, settings},
    shutdown::until,
    wire::Connection,
    *,
};
use crate::{Settings, StreamTimes};
use octavo_core_model::claims::ACCESS_TOKEN_LIFE;
use serde_json::json;
use std::time::Duration;

fn quick() -> Settings {
    let streams = StreamTimes {
        heartbeat: Duration::from_millis(50),
        poll: Duration::from_millis(20),
        check: Duration::from_millis(20),
        presence: Duration::from_millis(50),
    };
    Settings { streams, ..settings() }
}

fn stream(server: &Server, token: &str, query: &str) -> Connection {
    let mut connection = server.connect();
    let path = format!("GET /api/v1/events/stream?{query}");
    connection.send(&request(&path).header("Authorization", format!("Bearer {token}")).to_bytes());
    connection
}

#[test]
fn a_stream_without_events_sends_heartbeats() {
    let server = Server::start_with(quick());
    let ada = server.person("ada");
    let mut connection = stream(&server, &ada.token, "");
    connection.wait_for(b"retry: 3000\n\n");
    connection.wait_for(b"event: heartbeat\ndata: {}\n\n");
}

#[test]
fn a_stream_ends_when_its_token_expires() {
    let server = Server::start_with(quick());
    let ada = server.person("ada");
    let issued = now().minus(ACCESS_TOKEN_LIFE).plus(Duration::from_secs(2));
    let mut connection = stream(&server, &server.token_issued(&ada, issued), "");
    connection.wait_for(b"event: close\ndata: {\"reason\":\"token_expired\"}\n\n");
}

#[test]
fn a_stream_ends_when_its_user_is_suspended() {
    let server = Server::start_with(quick());
    let ada = server.person("ada");
    let mut connection = stream(&server, &ada.token, "");
    connection.wait_for(b"retry: 3000\n\n");
    server.suspend(&ada);
    connection.wait_for(b"event: close\ndata: {\"reason\":\"revoked\"}\n\n");
}

#[test]
fn somebody_of_whom_nothing_is_heard_has_left_the_page() {
    let server = Server::start_with(quick());
    let ada = server.person("ada");
    let send = |verb_and_path: &str, body: &serde_json::Value| {
        let request = request(verb_and_path).header("Authorization", format!("Bearer {}", ada.token));
        server.send(&request.json(body))
    };
    let page = send("POST /api/v1/pages", &json!({ "title": "Here" })).json()["data"]["id"].clone();
    let page = page.as_str().unwrap();
    let mut connection = stream(&server, &ada.token, &format!("pageId={page}"));
    connection.wait_for(b"retry: 3000\n\n");
    let answer = send(&format!("PUT /api/v1/pages/{page}/presence"), &json!({ "offset": 3, "state": "viewing" }));
    assert_eq!(answer.status, 204, "{answer:?}");
    connection.wait_for(b"\"state\":\"viewing\"");
    connection.wait_for(b"\"state\":\"left\"");
}

#[test]
fn a_client_that_hangs_up_gives_its_place_back() {
    let server = Server::start_with(settings());
    let ada = server.person("ada");
    let open = || {
        let mut connection = stream(&server, &ada.token, "");
        connection.wait_for_bytes();
        connection
    };
    let connections: Vec<_> = (0..10).map(|_| open()).collect();
    let path = request("GET /api/v1/events/stream").header("Authorization", format!("Bearer {}", ada.token));
    assert_eq!(server.send(&path).status, 429);
    drop(connections);
    // Nothing is sent to them meanwhile: a heartbeat would take 15 seconds.
    until("there is a place", || server.send(&path).status == 200);
}
