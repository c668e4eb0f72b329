//! Requests that contradict themselves about their length, and slow clients.

use octavo_tests::{Answer, Engine, Reason, Server, engine::slow, one_engine, poll, wire::Wire};
use std::time::{Duration, Instant};

one_engine! {
    two_lengths_end_the_connection,
    a_length_and_chunks_end_the_connection,
    a_folded_header_ends_the_connection,
    an_invalid_length_ends_the_connection,
    an_invalid_coding_ends_the_connection,
    broken_chunks_end_the_connection,
    what_is_not_http_is_no_harm,
    other_forms_of_http_are_answered,
    a_chunked_body_is_read,
    a_chunked_body_has_the_same_limit,
    a_body_announced_too_large_is_refused_before_it_comes,
    several_requests_share_a_connection,
    a_smuggled_request_is_not_run,
    a_header_that_never_ends_is_cut_off,
    a_body_that_never_comes_is_cut_off,
    trickling_clients_do_not_slow_others,
}

const BODY: &str = r#"{"email":"nobody@example.com"}"#;

/// A request to reset a password, with these headers in addition to the usual ones.
fn framed(headers: &str, body: &str) -> String {
    format!(
        "POST /api/v1/auth/password-reset/request HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{headers}\r\n{body}"
    )
}

fn exchange(server: &Server, bytes: &str) -> (Answer, Wire) {
    let mut wire = server.wire();
    wire.send(bytes).unwrap();
    let answer = wire.receive("POST").unwrap();
    (answer, wire)
}

#[track_caller]
fn refused_for_good(server: &Server, bytes: &str) {
    let (answer, mut wire) = exchange(server, bytes);
    answer.refuses(400, "VALIDATION_ERROR");
    assert!(octavo_tests::shape::is_id(answer.named("X-Request-Id"), "req_"));
    assert!(wire.closes_within(poll::DEADLINE), "the connection stays open after {bytes:?}");
}

fn two_lengths_end_the_connection(engine: Engine) {
    let server = Server::start(engine);
    let length = BODY.len();
    refused_for_good(
        &server,
        &framed(&format!("Content-Length: {length}\r\nContent-Length: {}\r\n", length + 1), BODY),
    );
    refused_for_good(&server, &framed(&format!("Content-Length: {length}\r\nContent-Length: {length}\r\n"), BODY));
    refused_for_good(&server, &framed(&format!("Content-Length: {length}, {length}\r\n"), BODY));
}

fn a_length_and_chunks_end_the_connection(engine: Engine) {
    let server = Server::start(engine);
    let chunked = format!("{:x}\r\n{BODY}\r\n0\r\n\r\n", BODY.len());
    for headers in [
        format!("Content-Length: {}\r\nTransfer-Encoding: chunked\r\n", BODY.len()),
        format!("Transfer-Encoding: chunked\r\nContent-Length: {}\r\n", chunked.len()),
        "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n".to_owned(),
    ] {
        refused_for_good(&server, &framed(&headers, &chunked));
    }
}

fn a_folded_header_ends_the_connection(engine: Engine) {
    let server = Server::start(engine);
    let length = BODY.len();
    refused_for_good(&server, &framed(&format!("X-Folded: a\r\n b\r\nContent-Length: {length}\r\n"), BODY));
    refused_for_good(
        &server,
        &framed(&format!("Transfer-Encoding:\r\n chunked\r\nContent-Length: {length}\r\n"), BODY),
    );
}

fn an_invalid_length_ends_the_connection(engine: Engine) {
    let server = Server::start(engine);
    for length in ["-1", "+5", "0x10", "abc", "1e2", "99999999999999999999999", "3 0"] {
        refused_for_good(&server, &framed(&format!("Content-Length: {length}\r\n"), BODY));
    }
}

fn an_invalid_coding_ends_the_connection(engine: Engine) {
    let server = Server::start(engine);
    for coding in ["identity, chunkedx", "x-chunked", "chunked, gzip", "chunked\r\nTransfer-Encoding: identity"] {
        let (answer, mut wire) = exchange(&server, &framed(&format!("Transfer-Encoding: {coding}\r\n"), "0\r\n\r\n"));
        assert!([400, 415, 501].contains(&answer.status), "{coding}: {}", answer.text());
        assert!(wire.closes_within(poll::DEADLINE), "{coding}");
    }
}

fn broken_chunks_end_the_connection(engine: Engine) {
    let server = Server::start(engine);
    for body in ["zz\r\n{}\r\n0\r\n\r\n", "-1\r\n{}\r\n0\r\n\r\n", "ffffffffffffffffff\r\n{}\r\n0\r\n\r\n"] {
        let mut wire = server.wire();
        wire.send(framed("Transfer-Encoding: chunked\r\n", body)).unwrap();
        match wire.receive("POST") {
            Ok(answer) => _ = answer.refuses(400, "VALIDATION_ERROR"),
            Err(fault) => assert!(!octavo_tests::wire::is_timeout(&fault), "{body:?}: {fault}"),
        }
        assert!(wire.closes_within(poll::DEADLINE), "{body:?}");
    }
}

fn what_is_not_http_is_no_harm(engine: Engine) {
    let server = Server::start(engine);
    let tls: &[u8] = &[0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03];
    for bytes in [
        tls,
        b"\r\n\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET /health\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\0\0\0\0\r\n\r\n",
    ] {
        let mut wire = server.wire();
        wire.send(bytes).unwrap();
        wire.finish().unwrap();
        if let Ok(answer) = wire.receive("GET") {
            assert!((400..500).contains(&answer.status) || answer.status == 505, "{}", answer.status);
        }
        assert!(wire.closes_within(Duration::from_secs(15)), "{bytes:?}");
    }
    server.get("/health").send().is(200);
}

fn other_forms_of_http_are_answered(engine: Engine) {
    let server = Server::start(engine);
    let status = |bytes: &str| {
        let (answer, _) = exchange(&server, bytes);
        octavo_tests::shape::is_id(answer.named("X-Request-Id"), "req_").then_some(answer.status)
    };
    assert_eq!(status("GET http://octavo.test/health HTTP/1.1\r\nHost: octavo.test\r\n\r\n"), Some(200));
    assert_eq!(status("GET /health HTTP/1.0\r\n\r\n"), Some(200));
    let expecting = framed(&format!("Expect: 100-continue\r\nContent-Length: {}\r\n", BODY.len()), BODY);
    assert_eq!(status(&expecting), Some(202));
    for odd in ["OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n"] {
        assert!(status(odd).is_some_and(|status| status < 500), "{odd:?}");
    }
}

fn a_chunked_body_is_read(engine: Engine) {
    let server = Server::start(engine);
    let (start, end) = BODY.split_at(7);
    let chunks =
        format!("{:x}\r\n{start}\r\n{:X};name=value\r\n{end}\r\n0\r\nTrailer: x\r\n\r\n", start.len(), end.len());
    exchange(&server, &framed("Transfer-Encoding: chunked\r\n", &chunks)).0.is(202);
}

fn a_chunked_body_has_the_same_limit(engine: Engine) {
    let server = Server::start(engine);
    let mut wire = server.wire();
    wire.send(framed("Transfer-Encoding: chunked\r\n", "")).unwrap();
    let chunk = format!("400\r\n{}\r\n", " ".repeat(1024));
    for _ in 0..17 {
        // Sending may fail: the server may already have answered and closed the connection.
        let _ = wire.send(&chunk);
    }
    let answer = wire.receive("POST").unwrap();
    assert_eq!(answer.refuses(413, "PAYLOAD_TOO_LARGE").detail()["maxBytes"], 16 * 1024);
}

fn a_body_announced_too_large_is_refused_before_it_comes(engine: Engine) {
    let server = Server::start(engine);
    let (answer, _) = exchange(&server, &framed("Content-Length: 9999999999\r\n", ""));
    answer.refuses(413, "PAYLOAD_TOO_LARGE");
}

fn several_requests_share_a_connection(engine: Engine) {
    let server = Server::start(engine);
    let mut wire = server.wire();
    let health = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n";
    wire.send(health).unwrap();
    wire.receive("GET").unwrap().is(200);
    wire.send(framed(&format!("Content-Length: {}\r\n", BODY.len()), BODY)).unwrap();
    wire.receive("POST").unwrap().is(202);
    wire.send(format!("{health}{health}")).unwrap();
    let ids = [wire.receive("GET").unwrap(), wire.receive("GET").unwrap()]
        .map(|answer| answer.named("X-Request-Id").to_owned());
    assert_ne!(ids[0], ids[1]);
}

fn a_smuggled_request_is_not_run(engine: Engine) {
    let server = Server::start(engine);
    let hidden = "DELETE /api/v1/sessions HTTP/1.1\r\nHost: x\r\n\r\n";
    let body = format!("0\r\n\r\n{hidden}");
    let headers = format!("Content-Length: {}\r\nTransfer-Encoding: chunked\r\n", body.len());
    let (answer, mut wire) = exchange(&server, &framed(&headers, &body));
    answer.is(400);
    assert!(wire.receive("DELETE").is_err(), "one answer and no more");
}

fn a_header_that_never_ends_is_cut_off(engine: Engine) {
    let server = Server::start(engine);
    let mut wire = server.wire();
    wire.send("GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ").unwrap();
    let started = Instant::now();
    assert!(wire.closes_within(Duration::from_secs(15)));
    assert!(started.elapsed() > Duration::from_secs(5), "{:?}", started.elapsed());
}

/// Runs for half a minute, so only the long run includes it.
fn a_body_that_never_comes_is_cut_off(engine: Engine) {
    if !slow() {
        return;
    }
    let server = Server::start(engine);
    let mut wire = server.wire();
    wire.send(framed("Content-Length: 100\r\n", "{")).unwrap();
    let started = Instant::now();
    assert!(wire.closes_within(Duration::from_secs(45)));
    assert!(started.elapsed() > Duration::from_secs(20), "{:?}", started.elapsed());
}

fn trickling_clients_do_not_slow_others(engine: Engine) {
    let server = Server::own(engine, Reason::Load);
    let mut trickling: Vec<_> = (0..500).map(|_| server.wire()).collect();
    for wire in &mut trickling {
        wire.send("POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nX-Slow: ").unwrap();
    }
    let started = Instant::now();
    server.get("/health").send().is(200);
    assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
    for wire in &mut trickling {
        let _ = wire.send("a");
    }
    assert!(trickling.iter_mut().all(|wire| wire.closes_within(Duration::from_secs(20))));
}
