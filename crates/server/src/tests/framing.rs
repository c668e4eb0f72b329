//! Malformed requests.

use super::{server::settings, shutdown::until, wire::Connection, *};
use crate::{Settings, Timeouts};
use serde_json::json;
use std::time::Duration;

const LOGIN: &str = "/api/v1/auth/login";

fn refused(server: &Server, bytes: &[u8], status: u16, refusal: &str) {
    let mut connection = server.connect();
    let answer = connection.send(bytes).answer_to("").expect("an answer");
    let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).into_owned();
    assert_eq!((answer.status, answer.refusal().as_str()), (status, refusal), "{shown}");
    assert_eq!(answer.header("x-ratelimit-limit"), Some("1000000"), "{shown}");
    assert_eq!(answer.header("connection"), Some("close"), "{shown}");
    assert!(connection.is_closed(), "{shown}");
}

#[test]
fn what_is_no_plain_http_is_refused_in_the_envelope_and_ends_the_connection() {
    let server = Server::start();
    let post = |headers: &str| format!("POST {LOGIN} HTTP/1.1\r\nHost: a\r\n{headers}\r\n\r\n");
    for (bytes, place) in [
        (post("Content-Length: 2\r\nTransfer-Encoding: chunked"), "transfer_encoding"),
        (post("Content-Length: 2\r\nContent-Length: 2"), "content_length"),
        (post("Content-Length: 2\r\nContent-Length: 3"), "content_length"),
        (post("X-Folded: a\r\n b"), "header_name"),
        (post("Transfer-Encoding: gzip"), "transfer_encoding"),
        (post("Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 2") + "{}", "upgrade"),
        (post("X-Bare: a\nX-Other: b"), "line_end"),
        ("GARBAGE\r\n\r\n".to_owned(), "request_line"),
        ("GET / HTTP/1.1\r\n\r\n".to_owned(), "host"),
        ("GET / HTTP/3.0\r\nHost: a\r\n\r\n".to_owned(), "version"),
    ] {
        refused(&server, bytes.as_bytes(), 400, &format!("VALIDATION_ERROR request {place}"));
    }
    let long = "a".repeat(9000);
    refused(&server, format!("GET /{long} HTTP/1.1\r\nHost: a\r\n\r\n").as_bytes(), 414, "URI_TOO_LONG");
    refused(&server, format!("GET /{} HTTP/1.1\r\n", "a".repeat(300_000)).as_bytes(), 414, "URI_TOO_LONG");
    let headers = format!("GET / HTTP/1.1\r\nHost: a\r\nX: {long}\r\n\r\n");
    refused(&server, headers.as_bytes(), 431, "HEADERS_TOO_LARGE");
    let many = format!("X: {}\r\n", "v".repeat(1000)).repeat(50);
    refused(&server, format!("GET / HTTP/1.1\r\nHost: a\r\n{many}\r\n").as_bytes(), 431, "HEADERS_TOO_LARGE");
    refused(&server, format!("GET / HTTP/1.1\r\nHost: a\r\n{}", many.repeat(8)).as_bytes(), 431, "HEADERS_TOO_LARGE");
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn requests_before_a_refused_one_are_served_and_none_after_it() {
    let server = Server::start();
    let good = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n";
    let mut connection = server.connect();
    connection.send(format!("{good}{good}GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n{good}").as_bytes());
    assert_eq!(connection.answer_to("GET").unwrap().status, 200);
    assert_eq!(connection.answer_to("GET").unwrap().status, 200);
    assert_eq!(connection.answer_to("GET").unwrap().refusal(), "VALIDATION_ERROR request host");
    assert!(connection.is_closed());
}

#[test]
fn a_header_that_says_who_is_calling_stands_once() {
    let server = Server::start();
    let doubled = |name: &str| request(&format!("POST {LOGIN}")).header(name, "a").header(name, "b").json(&json!({}));
    assert_eq!(server.send(&doubled("Authorization")).refusal(), "VALIDATION_ERROR Authorization invalid_value");
    assert_eq!(server.send(&doubled("Idempotency-Key")).refusal(), "VALIDATION_ERROR Idempotency-Key invalid_value");
}

#[test]
fn a_body_is_plain_json_or_refused() {
    let server = Server::start();
    let post = || request(&format!("POST {LOGIN}"));
    let wrong = "UNSUPPORTED_MEDIA_TYPE content_type";
    let encoded = "UNSUPPORTED_MEDIA_TYPE content_encoding";
    for (request, status, refusal) in [
        (post().bytes(b"{}"), 415, wrong),
        (post().text("application/x-www-form-urlencoded", "email=a"), 415, wrong),
        (post().text("application/json", "{}").header("Content-Encoding", "gzip"), 415, encoded),
        (post().text("application/json", ""), 400, "VALIDATION_ERROR email required"),
        (post().text("application/merge-patch+json; charset=utf-8", "{}"), 400, "VALIDATION_ERROR email required"),
        (
            post().text("application/json", "{}").header("Content-Encoding", "identity"),
            400,
            "VALIDATION_ERROR email required",
        ),
        (post().text("application/json", "{\"a\":1} x"), 400, "VALIDATION_ERROR body invalid_format"),
        (post().text("application/json", "{\"a\":1,\"a\":2}"), 400, "VALIDATION_ERROR body invalid_value"),
        (post().text("application/json", &"[".repeat(1000)), 400, "VALIDATION_ERROR body too_large"),
        (post().text("application/json", "\"text\""), 400, "VALIDATION_ERROR body invalid_type"),
    ] {
        let answer = server.send(&request);
        assert_eq!((answer.status, answer.refusal().as_str()), (status, refusal), "{request:?}");
    }
}

#[test]
fn a_body_over_the_limit_is_refused_with_the_limit() {
    let server = Server::start_with(Settings { body_max_bytes: 20_000, ..settings() });
    let person = server.person("ada");
    let big = |size: usize| json!({ "name": "x".repeat(size) });
    for (request, max) in [
        (request(&format!("POST {LOGIN}")).json(&big(16 * 1024)), 16 * 1024),
        (request("PATCH /api/v1/users/me").bearer(&person.token).json(&big(20_000)), 20_000),
    ] {
        let answer = server.send(&request);
        assert_eq!((answer.status, answer.refusal().as_str()), (413, "PAYLOAD_TOO_LARGE too_large"));
        assert_eq!(answer.json()["error"]["details"][0]["maxBytes"], max);
        assert_eq!(answer.header("connection"), Some("close"));
    }
    let within = request("PATCH /api/v1/users/me").bearer(&person.token).json(&big(17_000));
    assert_eq!(server.send(&within).refusal(), "VALIDATION_ERROR name too_long");
}

#[test]
fn a_chunked_body_is_bounded_as_it_arrives() {
    let server = Server::start();
    let head = format!(
        "POST {LOGIN} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    );
    let mut connection = server.connect();
    connection.send(head.as_bytes());
    for _ in 0..40 {
        connection.send(format!("400\r\n{}\r\n", " ".repeat(1024)).as_bytes());
    }
    let answer = connection.answer_to("POST").unwrap();
    assert_eq!((answer.status, answer.refusal().as_str()), (413, "PAYLOAD_TOO_LARGE too_large"));

    let mut connection = server.connect();
    connection.send(format!("{head}2\r\n{{}}\r\n0\r\n\r\n").as_bytes());
    assert_eq!(connection.answer_to("POST").unwrap().refusal(), "VALIDATION_ERROR email required");
    connection.send(request("GET /health").to_bytes().as_slice());
    assert_eq!(connection.answer_to("GET").unwrap().status, 200, "the connection goes on");
}

#[test]
fn a_slow_client_is_not_waited_for() {
    // Long enough for a client on a busy machine to start sending after it has connected.
    let short = Timeouts { head: Duration::from_secs(1), idle: Duration::from_millis(200), ..Timeouts::default() };
    let server = Server::start_with(Settings { timeouts: short, ..settings() });

    let mut silent: Connection = server.connect();
    assert!(silent.is_closed());

    let mut head: Connection = server.connect();
    let answer = head.send(b"GET /health HT").answer_to("GET").unwrap();
    assert_eq!((answer.status, answer.refusal().as_str()), (408, "REQUEST_TIMEOUT"));
    assert!(head.is_closed());

    let mut body: Connection = server.connect();
    let start =
        format!("POST {LOGIN} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{{");
    let answer = body.send(start.as_bytes()).answer_to("POST").unwrap();
    assert_eq!((answer.status, answer.refusal().as_str()), (408, "REQUEST_TIMEOUT"));
    assert!(body.is_closed());
}

#[test]
fn a_body_that_nobody_reads_is_not_waited_for() {
    let server = Server::start();
    let chunked = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
    let trickle = |(line, headers, status): (&str, &str, u16)| {
        // A client that never finishes: the answer is the last one, and the connection is closed after it.
        let mut connection = server.connect();
        connection.send(format!("{line} HTTP/1.1\r\nHost: a\r\n{chunked}{headers}\r\n1\r\n{{").as_bytes());
        let answer = connection.answer_to(line.split(' ').next().unwrap()).unwrap();
        assert_eq!((answer.status, answer.header("connection")), (status, Some("close")), "{line} {headers}");
        (connection, line.to_owned())
    };
    let login = format!("POST {LOGIN}");
    let connections = [
        ("GET /health", "", 200),
        ("GET /api/v1/users/me", "", 401),
        ("OPTIONS /health", "", 204),
        ("POST /api/v1/nowhere", "", 404),
        ("POST /health", "", 405),
        (&login, "Content-Encoding: gzip\r\n", 415),
        (&login, "Authorization: a\r\nAuthorization: b\r\n", 400),
    ]
    .map(trickle);
    for (mut connection, line) in connections {
        assert!(connection.is_closed(), "{line}");
    }
}

#[test]
fn a_client_that_sends_half_a_body_and_goes_leaves_the_server_whole() {
    let server = Server::start();
    for _ in 0..20 {
        let start = format!(
            "POST {LOGIN} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{{"
        );
        server.connect().send(start.as_bytes()).end();
    }
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn bodies_that_stall_leave_room_for_small_ones_and_other_networks() {
    const STEP: usize = 16 << 10;
    let settings = Settings {
        // A third, the share of one network, has room for the two steps of one large body.
        body_memory_bytes: 6 * STEP as u64,
        trusted_proxies: vec!["127.0.0.0/8".parse().unwrap()],
        ..settings()
    };
    let server = Server::start_with(settings);
    let person = server.person("ada");
    let used = || server.backend.body_memory.used();
    let named = |size: usize| {
        request("PATCH /api/v1/users/me").bearer(&person.token).json(&json!({ "name": "x".repeat(size) }))
    };
    let passes = |request: &wire::Request| assert_eq!(server.send(request).refusal(), "VALIDATION_ERROR name too_long");
    // Announces more than it sends, and sends one byte more than what is not counted.
    let head = "PATCH /api/v1/users/me HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
    let large = format!("{head}Content-Length: {}\r\n\r\n{}", 1 << 20, " ".repeat(STEP + 1));

    let mut stalled = server.connect();
    stalled.send(large.as_bytes());
    until("the body is counted", || used() == 2 * STEP as u64);

    let mut refused = server.connect();
    let answer = refused.send(large.as_bytes()).answer_to("PATCH").unwrap();
    assert_eq!((answer.status, answer.refusal().as_str()), (503, "SERVICE_UNAVAILABLE busy"));
    assert_eq!((answer.header("retry-after"), answer.header("connection")), (Some("1"), Some("close")));
    assert!(refused.is_closed());
    assert_eq!(server.backend.metrics.bodies_refused(), 1);
    passes(&named(STEP - 100));
    passes(&named(STEP + 100).header("X-Forwarded-For", "203.0.113.1"));
    assert_eq!(used(), 2 * STEP as u64, "only the body that stalls still counts");

    drop(stalled);
    until("nothing is counted", || used() == 0);
    passes(&named(STEP + 100));
    assert_eq!(used(), 0);
}
