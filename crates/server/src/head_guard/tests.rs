//! Heads that arrive in pieces, and heads that must not pass.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::*;
use actix_web::http::Method;
use futures_util::FutureExt;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

const GET: &str = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";
const POST: &str = "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";
const STAND_IN: &str = "REFUSED / HTTP/1.1\r\nhost: refused\r\nconnection: close\r\n\r\n";

fn watched() -> (DuplexStream, HeadGuard<DuplexStream>) {
    let (client, server) = duplex(1 << 20);
    (client, HeadGuard::new(server, Timeouts::default()))
}

/// What the HTTP implementation receives when a client sends these pieces and then stops.
async fn seen(pieces: &[&[u8]]) -> (String, Option<&'static str>) {
    let (mut client, mut head_guard) = watched();
    let mut seen = Vec::new();
    for piece in pieces {
        client.write_all(piece).await.unwrap();
        let _ = head_guard.read_buf(&mut seen).now_or_never();
    }
    drop(client);
    head_guard.read_to_end(&mut seen).await.unwrap();
    let verb = Method::from_bytes(connection_state::STAND_IN_VERB.as_bytes()).unwrap();
    let code = head_guard.connection_state().refusal_of(&verb).map(|refusal| refusal.problem().code);
    (String::from_utf8(seen).unwrap(), code)
}

#[tokio::test]
async fn requests_in_order_pass_untouched_however_they_arrive() {
    let chunked = "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
    let all = format!("{GET}{POST}{chunked}{GET}");
    assert_eq!(seen(&[all.as_bytes()]).await, (all.clone(), None));
    for size in [1, 7, 40] {
        let pieces: Vec<_> = all.as_bytes().chunks(size).collect();
        assert_eq!(seen(&pieces).await, (all.clone(), None), "in pieces of {size}");
    }
}

#[tokio::test]
async fn a_refused_head_is_replaced_and_nothing_behind_it_is_read() {
    let folded = "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n";
    let all = format!("{GET}{folded}{GET}");
    let expected = (format!("{GET}{STAND_IN}"), Some("VALIDATION_ERROR"));
    assert_eq!(seen(&[all.as_bytes()]).await, expected);
    assert_eq!(seen(&all.as_bytes().chunks(3).collect::<Vec<_>>()).await, expected);
    let long = format!("GET /{} HTTP/1.1\r\n", "a".repeat(100_000));
    assert_eq!(seen(&[long.as_bytes()]).await, (STAND_IN.to_owned(), Some("URI_TOO_LONG")));
}

#[tokio::test]
async fn the_verb_of_the_stand_in_is_nothing_special_when_a_client_sends_it() {
    let all = "REFUSED / HTTP/1.1\r\nHost: a\r\n\r\n";
    assert_eq!(seen(&[all.as_bytes()]).await, (all.to_owned(), None));
}

#[tokio::test(start_paused = true)]
async fn a_head_that_does_not_arrive_in_time_is_refused() {
    let (mut client, mut head_guard) = watched();
    client.write_all(b"GET / HTTP/1.1\r\nHo").await.unwrap();
    let mut seen = vec![0; 1024];
    let size = head_guard.read(&mut seen).await.unwrap();
    assert_eq!(std::str::from_utf8(&seen[..size]).unwrap(), STAND_IN);
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_says_nothing_ends_but_one_that_idles_between_requests_does_not() {
    let (client, mut head_guard) = watched();
    let mut seen = vec![0; 1024];
    assert_eq!(head_guard.read(&mut seen).await.unwrap(), 0);
    drop(client);

    let (mut client, mut head_guard) = watched();
    client.write_all(GET.as_bytes()).await.unwrap();
    assert_eq!(head_guard.read(&mut seen).await.unwrap(), GET.len());
    let idle = tokio::time::timeout(Duration::from_hours(1), head_guard.read(&mut seen)).await;
    assert!(idle.is_err());
}

#[tokio::test(start_paused = true)]
async fn a_client_that_reads_nothing_is_disconnected() {
    let (_client, server) = duplex(16);
    let mut head_guard = HeadGuard::new(server, Timeouts::default());
    let error = head_guard.write_all(&[0; 64]).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
}

/// Writes 64 bytes to a client that reads one byte every 20 seconds. Returns how many it has read in the end, and
/// whether all were written before it was disconnected.
async fn written_to_slow_reader(head_guard: &mut HeadGuard<DuplexStream>, mut client: DuplexStream) -> (usize, bool) {
    let reading = tokio::spawn(async move {
        let mut read = 0;
        while client.read_u8().await.is_ok() {
            read += 1;
            tokio::time::sleep(Duration::from_secs(20)).await;
        }
        read
    });
    let ended = head_guard.write_all(&[0; 64]).await.map_err(|error| error.kind());
    assert!(matches!(ended, Ok(()) | Err(io::ErrorKind::TimedOut)), "{ended:?}");
    let _ = head_guard.shutdown().await;
    (reading.await.unwrap(), ended.is_ok())
}

#[tokio::test(start_paused = true)]
async fn a_client_that_reads_a_little_at_a_time_is_disconnected_when_the_time_for_the_answer_is_over() {
    for limit in [None, Some(200), Some(5_000)] {
        let (client, server) = duplex(1);
        let mut head_guard = HeadGuard::new(server, Timeouts::default());
        let state = head_guard.connection_state();
        let limited = limit.map(|seconds| state.limit_sending(Duration::from_secs(seconds)));
        let (read, is_whole) = written_to_slow_reader(&mut head_guard, client).await;
        assert_eq!(is_whole, limit != Some(200), "{limit:?}");
        assert!(if is_whole { read == 64 } else { (10..13).contains(&read) }, "{limit:?}: {read}");
        assert_eq!(limited.is_some(), state.send_by().is_some());
    }
}

#[tokio::test(start_paused = true)]
async fn a_limit_ends_with_its_answer_and_the_next_answer_has_its_own() {
    let (client, server) = duplex(1);
    let mut head_guard = HeadGuard::new(server, Timeouts::default());
    let state = head_guard.connection_state();
    let first = state.limit_sending(Duration::from_secs(10));
    assert!(head_guard.write_all(&[0; 2]).now_or_never().is_none(), "starts the timer");
    drop(first);
    let _second = state.limit_sending(Duration::from_secs(5_000));
    let (read, is_whole) = written_to_slow_reader(&mut head_guard, client).await;
    assert!(is_whole && read == 65, "{read}");
}

#[tokio::test(start_paused = true)]
async fn bytes_after_a_refusal_are_discarded_until_the_connection_ends() {
    let (mut client, mut head_guard) = watched();
    client.write_all(POST.as_bytes()).await.unwrap();
    let mut seen = vec![0; 1024];
    assert_eq!(head_guard.read(&mut seen).await.unwrap(), POST.len());
    head_guard.connection_state().give_up();
    client.write_all(POST.as_bytes()).await.unwrap();
    assert_eq!(head_guard.read(&mut seen).await.unwrap(), 0, "although the client has not closed");
}
