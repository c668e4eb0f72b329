//! A short run of the fuzz target for heads, with random ones.

use super::head;
use crate::fuzzing::run;
use proptest::{collection::vec, prelude::*, sample::select};

#[path = "../../fuzz/bodies/head.rs"]
mod bodies;

#[rustfmt::skip]
const PARTS: &[&[u8]] = &[
    b"GET ", b"POST ", b"CONNECT ", b"/", b"/a?b=c#d", b"http://a/", b"*", b" HTTP/1.1", b" HTTP/1.0", b" HTTP/2.0", b"\r\n", b"\r\n\r\n", b"\n",
    b"\r", b"Host: a\r\n", b"Host:", b"Content-Length: 5\r\n", b"Content-Length: 0\r\n", b"Content-Length:", b"content-length : 1\r\n",
    b"Transfer-Encoding: chunked\r\n", b"Transfer-Encoding: identity, chunked\r\n", b"Upgrade: websocket\r\n", b"Connection: Upgrade\r\n",
    b"Expect: 100-continue\r\n", b"X: \r\n folded\r\n", b"X:y\r\n", b": z\r\n", b" ", b"\t", b"\0", b"\xff", b"99999999999999999999", b"5",
];

/// Most heads have a request line, a host and an end, so that many are valid.
fn sent() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![6 => select(PARTS).prop_map(<[u8]>::to_vec), 1 => vec(any::<u8>(), 0..4)];
    let line = select(vec![
        &b"GET / HTTP/1.1\r\n"[..],
        b"POST /a HTTP/1.1\r\n",
        b"POST / HTTP/1.0\r\n",
        b"CONNECT a:1 HTTP/1.1\r\n",
        b"",
    ]);
    let host = select(vec![&b"Host: a\r\n"[..], b"Host: a\r\n", b""]);
    let end = select(vec![&b"\r\n"[..], b"\r\n", b"\r\nhello", b""]);
    (line, host, vec(part, 0..10), end).prop_map(|(line, host, parts, end)| [line, host, &parts.concat(), end].concat())
}

#[test]
fn a_head_that_passes_can_be_read_in_one_way_only() {
    run(&sent(), 2_000, |sent| bodies::head(&sent));
}
