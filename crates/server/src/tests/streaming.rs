//! Bodies that are read as they arrive, and answers that are streamed.

use super::{server::settings, shutdown::until, wire::Connection, *};
use crate::{
    Settings, Timeouts,
    answer::{Answer as Outcome, FileBody, FileBytes, ok},
    dispatcher::Dispatcher,
    request::Upload,
    route::{Bodies, Nothing, routes},
    streaming::{Broken, ByteStream},
    wire::{Data, reply},
};
use actix_web::{
    http::{
        StatusCode,
        header::{CONTENT_TYPE, HeaderMap, HeaderValue},
    },
    web::Bytes,
};
use futures_util::{FutureExt, StreamExt, stream};
use octavo_app::Call;
use std::{sync::Arc, time::Duration};

const MAX: usize = 1 << 20;

routes! {
    /// Reads a body.
    ///
    /// Answers with its length.
    PUT "/test/bytes" => take_all {
        caller: Anyone,
        limits: [],
        takes: (upload: Upload),
        answers: { 200: Data<TakenReply> },
        refusals: [],
        events: [],
        published: false,
        max_body: Some(MAX),
        bodies: Bodies::Bytes,
    }

    /// Reads a body of a signed-in caller.
    ///
    /// Answers with its length.
    PUT "/test/own-bytes" => take_own {
        caller: SignedIn,
        limits: [],
        takes: (upload: Upload),
        answers: { 200: Data<TakenReply> },
        refusals: [],
        events: [],
        published: false,
        max_body: Some(MAX),
        bodies: Bodies::Bytes,
    }

    /// Reads the first piece of a body.
    ///
    /// Ignores the rest.
    PUT "/test/first-bytes" => take_first {
        caller: Anyone,
        limits: [],
        takes: (upload: Upload),
        answers: { 200: Data<TakenReply> },
        refusals: [],
        events: [],
        published: false,
        max_body: Some(1 << 30),
        bodies: Bodies::Bytes,
    }

    /// Reads a body when the service closes.
    ///
    /// Until then the sender has to wait.
    PUT "/test/later-bytes" => take_later {
        caller: Anyone,
        limits: [],
        takes: (upload: Upload),
        answers: { 200: Data<TakenReply> },
        refusals: [],
        events: [],
        published: false,
        max_body: Some(1 << 30),
        bodies: Bodies::Bytes,
    }

    /// Streams events without end.
    ///
    /// Sends the first one at once, and never a second one.
    GET "/test/events" => send_events {
        caller: Anyone,
        limits: [],
        takes: (),
        answers: { 200: Nothing },
        refusals: [],
        events: [],
        published: false,
    }

    /// Streams half of a file.
    ///
    /// Sends the other half when the service closes.
    GET "/test/file" => send_file {
        caller: Anyone,
        limits: [],
        takes: (),
        answers: { 200: Nothing },
        refusals: [],
        events: [],
        published: false,
    }

    /// Streams half of a file.
    ///
    /// Then fails.
    GET "/test/broken-file" => send_broken_file {
        caller: Anyone,
        limits: [],
        takes: (),
        answers: { 200: Nothing },
        refusals: [],
        events: [],
        published: false,
    }
}

reply! {
    /// The size of a body.
    pub(super) TakenReply {
        /// How many bytes it had.
        bytes "bytes": required u64,
        /// In how many pieces it arrived.
        pieces "pieces": required u64,
    }
}

async fn take_all(_: Dispatcher, _: Call, mut upload: Upload) -> Outcome {
    let (mut bytes, mut pieces) = (0, 0);
    loop {
        match upload.next().await {
            Ok(Some(piece)) => {
                bytes += piece.len() as u64;
                pieces += 1;
            }
            Ok(None) => return ok(TakenReply { bytes, pieces }).into(),
            Err(refusal) => return refusal.into(),
        }
    }
}

async fn take_own(dispatcher: Dispatcher, call: Call, upload: Upload) -> Outcome {
    take_all(dispatcher, call, upload).await
}

async fn take_first(_: Dispatcher, _: Call, mut upload: Upload) -> Outcome {
    match upload.next().await {
        Ok(first) => ok(TakenReply { bytes: first.map_or(0, |first| first.len() as u64), pieces: 1 }).into(),
        Err(refusal) => refusal.into(),
    }
}

async fn take_later(dispatcher: Dispatcher, call: Call, upload: Upload) -> Outcome {
    dispatcher.backend().closing.begun().await;
    take_first(dispatcher, call, upload).await
}

fn sent(stream: ByteStream) -> Outcome {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    Outcome::File(FileBytes { status: StatusCode::OK, headers, body: FileBody::Streamed(stream) })
}

async fn send_events(_: Dispatcher, _: Call) -> Outcome {
    let first = stream::once(async { Ok(Bytes::from_static(b"begun")) });
    sent(ByteStream::endless(first.chain(stream::pending()), Bytes::from_static(b", ended")))
}

async fn send_file(dispatcher: Dispatcher, _: Call) -> Outcome {
    let backend = Arc::clone(dispatcher.backend());
    let first = stream::once(async { Ok(Bytes::from_static(b"begun,")) });
    let rest = backend.closing.begun().map(|()| Ok(Bytes::from_static(b"done"))).into_stream();
    sent(ByteStream::sized(10, first.chain(rest)))
}

async fn send_broken_file(_: Dispatcher, _: Call) -> Outcome {
    let pieces = [Ok(Bytes::from_static(b"begun,")), Err(Broken("on purpose"))];
    sent(ByteStream::sized(10, stream::iter(pieces)))
}

const TAKE: &str = "/api/v1/test/bytes";

fn head(path: &str, headers: &str) -> Vec<u8> {
    format!("PUT {path} HTTP/1.1\r\nHost: a\r\nContent-Type: image/png\r\n{headers}\r\n").into_bytes()
}

fn goes_on(connection: &mut Connection) {
    let health = connection.send(&request("GET /health").to_bytes()).answer_to("GET");
    assert_eq!(health.unwrap().status, 200, "the connection goes on");
}

#[test]
fn bytes_are_taken_as_they_arrive() {
    let server = Server::start();
    let mut connection = server.connect();
    let body = vec![0; 300_000];
    let put = request(&format!("PUT {TAKE}")).header("Content-Type", "image/png").bytes(&body);
    let answer = connection.send(&put.to_bytes()).answer_to("PUT").unwrap();
    assert_eq!((answer.status, &answer.json()["data"]["bytes"]), (200, &body.len().into()));
    assert!(answer.json()["data"]["pieces"].as_u64().unwrap() > 1, "{answer:?}");
    goes_on(&mut connection);

    connection.send(&head(TAKE, "Transfer-Encoding: chunked\r\n")).send(b"5\r\nhello\r\n3\r\nyou\r\n0\r\n\r\n");
    assert_eq!(connection.answer_to("PUT").unwrap().json()["data"]["bytes"], 8);
    goes_on(&mut connection);

    connection.send(&head(TAKE, "Content-Length: 0\r\n"));
    assert_eq!(connection.answer_to("PUT").unwrap().json()["data"]["bytes"], 0);
    goes_on(&mut connection);
}

#[test]
fn more_bytes_than_the_route_takes_are_refused() {
    let server = Server::start();
    let mut declared = server.connect();
    let answer = declared.send(&head(TAKE, &format!("Content-Length: {}\r\n", MAX + 1))).answer_to("PUT").unwrap();
    let mut chunked = server.connect();
    chunked.send(&head(TAKE, "Transfer-Encoding: chunked\r\n"));
    for _ in 0..=MAX / 65536 {
        chunked.send(b"10000\r\n").send(&b"x".repeat(65536)).send(b"\r\n");
    }
    for answer in [answer, chunked.answer_to("PUT").unwrap()] {
        assert_eq!((answer.status, answer.header("connection")), (413, Some("close")));
        assert_eq!(answer.json()["error"]["details"][0]["maxBytes"], MAX);
    }
    assert!(declared.is_closed() && chunked.is_closed());
    let packed = request(&format!("PUT {TAKE}")).header("Content-Encoding", "gzip").bytes(b"x");
    assert_eq!(server.send(&packed).refusal(), "UNSUPPORTED_MEDIA_TYPE content_encoding");
}

#[test]
fn a_refused_client_sends_no_bytes_first() {
    let server = Server::start();
    let mut connection = server.connect();
    connection.send(&head("/api/v1/test/own-bytes", "Content-Length: 1000000\r\n"));
    let answer = connection.answer_to("PUT").unwrap();
    assert_eq!((answer.status, answer.header("connection")), (401, Some("close")));
    assert!(connection.is_closed());
}

#[test]
fn bytes_that_a_handler_leaves_unread_are_not_waited_for() {
    let server = Server::start();
    for headers in ["Content-Length: 1000000000\r\n", "Transfer-Encoding: chunked\r\n"] {
        let mut connection = server.connect();
        connection.send(&head("/api/v1/test/first-bytes", headers)).send(b"5\r\nhello\r\n");
        let answer = connection.answer_to("PUT").unwrap();
        assert_eq!((answer.status, answer.header("connection")), (200, Some("close")), "{headers}");
        assert!(connection.is_closed(), "{headers}");
    }
}

#[test]
fn a_client_that_goes_away_is_noticed() {
    let server = Server::start();
    let mut connection = server.connect();
    let answer = connection.send(&head(TAKE, "Content-Length: 9\r\n")).send(b"half").end().answer_to("PUT").unwrap();
    assert_eq!((answer.status, answer.refusal().as_str()), (400, "VALIDATION_ERROR request body"));
}

#[test]
fn only_silence_is_too_slow() {
    let timeouts = Timeouts { idle: Duration::from_millis(200), ..Timeouts::default() };
    let server = Server::start_with(Settings { timeouts, ..settings() });
    let mut silent = server.connect();
    let answer = silent.send(&head(TAKE, "Content-Length: 9\r\n")).send(b"half").answer_to("PUT").unwrap();
    assert_eq!((answer.status, answer.refusal().as_str()), (408, "REQUEST_TIMEOUT"));
    assert!(silent.is_closed());

    // The whole body may take longer than any other request.
    let timeouts = Timeouts { request: Duration::ZERO, ..Timeouts::default() };
    let server = Server::start_with(Settings { timeouts, ..settings() });
    let other =
        "POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{";
    assert_eq!(server.send_raw(other.as_bytes()).unwrap().status, 408);
    let mut long = server.connect();
    long.send(&head(TAKE, "Content-Length: 9\r\n")).send(b"half");
    until("the call is under way", || server.backend.metrics.calls_under_way() > 0);
    assert_eq!(long.send(b"-half").answer_to("PUT").unwrap().status, 200);
}

#[test]
fn a_client_waits_while_nobody_reads_its_bytes() {
    let server = Server::start();
    let mut connection = server.connect();
    connection.send(&head("/api/v1/test/later-bytes", "Content-Length: 1000000000\r\n"));
    let most = 256 << 20;
    let sent = connection.send_while_taken(most);
    assert!(sent < most, "all {sent} bytes were taken in");
}

#[test]
fn an_endless_answer_ends_in_good_order_when_the_service_closes() {
    let mut server = Server::start();
    let mut connection = server.connect();
    connection.send(&request("GET /api/v1/test/events").header("Accept-Encoding", "gzip, identity;q=0").to_bytes());
    connection.wait_for(b"begun");
    assert!(server.backend.metrics.calls_under_way() > 0);
    server.ask_to_stop();
    let answer = connection.answer_to("GET").unwrap();
    assert_eq!((answer.status, answer.body.as_str(), answer.header("content-encoding")), (200, "begun, ended", None));
    assert!(connection.is_closed());
    until("nothing is under way any more", || server.backend.metrics.calls_under_way() == 0);
    server.join();
}

#[test]
fn an_answer_that_ends_by_itself_is_sent_whole_when_the_service_closes() {
    let mut server = Server::start();
    let mut connection = server.connect();
    connection.send(&request("GET /api/v1/test/file").to_bytes());
    until("the call is under way", || server.backend.metrics.calls_under_way() > 0);
    server.ask_to_stop();
    let answer = connection.answer_to("GET").unwrap();
    assert_eq!((answer.header("content-length"), answer.body.as_str()), (Some("10"), "begun,done"));
    assert!(connection.is_closed());
    server.join();
}

#[test]
fn a_call_counts_as_under_way_until_its_answer_is_sent_or_its_client_gone() {
    let server = Server::start();
    let mut connection = server.connect();
    connection.send(&request("HEAD /api/v1/test/file").to_bytes());
    let head = connection.answer_to("HEAD").unwrap();
    assert_eq!((head.status, head.header("content-length")), (200, Some("10")), "and nothing is waited for");
    goes_on(&mut connection);
    until("nothing is under way", || server.backend.metrics.calls_under_way() == 0);
    connection.send(&request("GET /api/v1/test/file").to_bytes());
    // If a client leaves before any byte has reached it, the server cannot tell that from a client that has only
    // stopped sending, until it writes again.
    connection.wait_for_bytes();
    assert_eq!(server.backend.metrics.calls_under_way(), 1);
    drop(connection);
    until("the call is given up", || server.backend.metrics.calls_under_way() == 0);
}

#[test]
fn a_broken_answer_is_visibly_cut() {
    let server = Server::start();
    let mut connection = server.connect();
    connection.send(&request("GET /api/v1/test/broken-file").to_bytes());
    // The connection ends before all ten bytes have arrived; the bytes written before that may or may not have been
    // sent.
    let all = String::from_utf8(connection.rest()).unwrap();
    let body = all.split("\r\n\r\n").nth(1).unwrap_or_default();
    assert!(body.len() < 10, "{all}");
}
