//! Checks the head of a request.

use actix_web::http::Uri;
use httparse::{EMPTY_HEADER, Header, Request, Status};

const MAX_URI: usize = 8 * 1024;
const MAX_HEADER: usize = 8 * 1024;
const MAX_BLOCK: usize = 32 * 1024;
/// The number of headers that the HTTP implementation accepts.
const MAX_HEADERS: usize = 96;
/// Space for verb and version in addition to the longest address.
const LINE_SLACK: usize = 64;

/// What is wrong with a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// It is ambiguous or malformed; the text names the place.
    Malformed(&'static str),
    UriTooLong,
    HeadersTooLarge,
    TooSlow,
}

/// What follows a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Follows {
    /// A body of this many bytes.
    Bytes(u64),
    Chunks,
    /// All bytes up to the end of the connection.
    Everything,
}

/// A valid head and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub length: usize,
    pub follows: Follows,
}

/// Parses a head at the start of these bytes; `None` if it is incomplete.
pub(super) fn read(bytes: &[u8]) -> Result<Option<Head>, Flaw> {
    let mut headers = [EMPTY_HEADER; MAX_HEADERS];
    let mut request = Request::new(&mut headers);
    let length = match request.parse(bytes) {
        Ok(Status::Complete(length)) => length,
        Ok(Status::Partial) => return check_partial(bytes).and_then(|()| check_line_ends(bytes)).map(|()| None),
        Err(httparse::Error::TooManyHeaders) => return Err(Flaw::HeadersTooLarge),
        Err(error) => return check_partial(bytes).and(Err(Flaw::Malformed(place(error)))),
    };
    let uri = request.path.unwrap_or_default();
    if uri.len() > MAX_URI {
        return Err(Flaw::UriTooLong);
    }
    check_sizes(bytes, length, request.headers)?;
    check_line_ends(&bytes[..length])?;
    if Uri::try_from(uri).is_err() {
        return Err(Flaw::Malformed("uri"));
    }
    let follows = Framing::read(request.headers)?.follows(request.method, request.version == Some(1))?;
    Ok(Some(Head { length, follows }))
}

const fn place(error: httparse::Error) -> &'static str {
    match error {
        httparse::Error::HeaderName => "header_name",
        httparse::Error::HeaderValue => "header_value",
        httparse::Error::NewLine => "line_end",
        httparse::Error::Version => "version",
        _ => "request_line",
    }
}

/// A head that exceeds the limits is refused before it is complete.
fn check_partial(bytes: &[u8]) -> Result<(), Flaw> {
    match bytes.iter().position(|byte| *byte == b'\n') {
        None if bytes.len() > MAX_URI + LINE_SLACK => Err(Flaw::UriTooLong),
        Some(end) if end > MAX_URI + LINE_SLACK => Err(Flaw::UriTooLong),
        Some(end) if bytes.len() - end > MAX_BLOCK => Err(Flaw::HeadersTooLarge),
        _ => Ok(()),
    }
}

/// Refuses a line feed without a carriage return before it. The parser accepts it as the end of a line, but a proxy
/// in front of this service may read it as part of a value, and the two would see different headers.
fn check_line_ends(bytes: &[u8]) -> Result<(), Flaw> {
    let mut before = 0;
    for byte in bytes {
        if *byte == b'\n' && before != b'\r' {
            return Err(Flaw::Malformed("line_end"));
        }
        before = *byte;
    }
    Ok(())
}

fn check_sizes(bytes: &[u8], length: usize, headers: &[Header<'_>]) -> Result<(), Flaw> {
    check_partial(&bytes[..length])?;
    let is_large = |header: &Header<'_>| header.name.len() + header.value.len() > MAX_HEADER;
    if headers.iter().any(is_large) { Err(Flaw::HeadersTooLarge) } else { Ok(()) }
}

/// The headers that determine the end of a request.
#[derive(Default)]
struct Framing {
    length: Option<u64>,
    is_chunked: bool,
    hosts: usize,
    wants_websocket: bool,
}

impl Framing {
    fn read(headers: &[Header<'_>]) -> Result<Self, Flaw> {
        let mut framing = Self::default();
        for header in headers {
            let is = |name: &str| header.name.eq_ignore_ascii_case(name);
            if is("content-length") {
                if framing.length.is_some() {
                    return Err(Flaw::Malformed("content_length"));
                }
                framing.length = Some(digits(header.value).ok_or(Flaw::Malformed("content_length"))?);
            } else if is("transfer-encoding") {
                if framing.is_chunked || !header.value.trim_ascii().eq_ignore_ascii_case(b"chunked") {
                    return Err(Flaw::Malformed("transfer_encoding"));
                }
                framing.is_chunked = true;
            } else if is("host") {
                framing.hosts += 1;
            } else if is("upgrade") {
                framing.wants_websocket |= header.value.trim_ascii().eq_ignore_ascii_case(b"websocket");
            }
        }
        Ok(framing)
    }

    fn follows(&self, method: Option<&str>, is_http_11: bool) -> Result<Follows, Flaw> {
        if self.hosts > 1 || (is_http_11 && self.hosts == 0) {
            return Err(Flaw::Malformed("host"));
        }
        if self.is_chunked && (self.length.is_some() || !is_http_11) {
            return Err(Flaw::Malformed("transfer_encoding"));
        }
        if !is_http_11 && method == Some("POST") && self.length.is_none() {
            return Err(Flaw::Malformed("content_length"));
        }
        // A handshake is a GET without a body. Whatever length it declares, the HTTP implementation would treat
        // everything up to the end of the connection as its body, so reading that body would wait until the client
        // hangs up.
        let has_body = self.is_chunked || self.length.is_some_and(|length| length > 0);
        if self.wants_websocket && (has_body || method != Some("GET")) {
            return Err(Flaw::Malformed("upgrade"));
        }
        Ok(match self.length {
            _ if self.is_chunked => Follows::Chunks,
            // The HTTP implementation passes such a connection on without parsing it further.
            _ if self.wants_websocket => Follows::Everything,
            None if method == Some("CONNECT") => Follows::Everything,
            length => Follows::Bytes(length.unwrap_or(0)),
        })
    }
}

fn digits(value: &[u8]) -> Option<u64> {
    let value = value.trim_ascii();
    let all_digits = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
    all_digits.then(|| std::str::from_utf8(value).ok()?.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(head: &str, expected: Result<Option<Follows>, Flaw>) {
        let found = read(head.as_bytes());
        if let Ok(Some(head_read)) = found {
            assert_eq!(head_read.length, head.len(), "{head}");
        }
        assert_eq!(found.map(|head| head.map(|head| head.follows)), expected, "{head}");
    }

    fn refused(head: &str, place: &'static str) {
        check(head, Err(Flaw::Malformed(place)));
    }

    #[test]
    fn a_head_in_order_says_what_follows() {
        check("GET / HTTP/1.1\r\nHost: a\r\n\r\n", Ok(Some(Follows::Bytes(0))));
        check("GET / HTTP/1.0\r\n\r\n", Ok(Some(Follows::Bytes(0))));
        check("POST /a?b=c HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\n", Ok(Some(Follows::Bytes(12))));
        check("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n", Ok(Some(Follows::Chunks)));
        check("GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n", Ok(Some(Follows::Everything)));
        check("GET / HTTP/1.1\r\nHost: a\r\n", Ok(None));
        check("", Ok(None));
    }

    #[test]
    fn what_two_readers_could_frame_differently_is_refused() {
        let with = |headers: &str| format!("POST / HTTP/1.1\r\nHost: a\r\n{headers}\r\n\r\n");
        refused(&with("Content-Length: 3\r\nTransfer-Encoding: chunked"), "transfer_encoding");
        refused(&with("Content-Length: 3\r\nContent-Length: 3"), "content_length");
        refused(&with("Content-Length: 3, 3"), "content_length");
        refused(&with("Content-Length: +3"), "content_length");
        refused(&with("Content-Length: -3"), "content_length");
        refused(&with("Content-Length: "), "content_length");
        refused(&with("Content-Length: 99999999999999999999"), "content_length");
        refused(&with("Transfer-Encoding: gzip, chunked"), "transfer_encoding");
        refused(&with("Transfer-Encoding: identity"), "transfer_encoding");
        refused(&with("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"), "transfer_encoding");
        refused(&with("X-Folded: a\r\n b"), "header_name");
        refused(&with("X-Space : a"), "header_name");
        refused(&with("X-Nul: a\0b"), "header_value");
        refused(&with("Host: b"), "host");
        refused("GET / HTTP/1.1\r\n\r\n", "host");
        refused("POST / HTTP/1.0\r\n\r\n", "content_length");
        refused("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", "transfer_encoding");
        refused("GET / HTTP/2.0\r\n\r\n", "version");
        refused(&with("Upgrade: websocket\r\nContent-Length: 3"), "upgrade");
        refused(&with("Upgrade: websocket"), "upgrade");
        refused(&with("Upgrade: websocket\r\nTransfer-Encoding: chunked"), "upgrade");
        refused("GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nContent-Length: 3\r\n\r\n", "upgrade");
        refused("GET http://[ HTTP/1.1\r\nHost: a\r\n\r\n", "uri");
    }

    #[test]
    fn a_line_ends_in_carriage_return_and_line_feed() {
        for head in [
            "GET / HTTP/1.1\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\n\n",
            "GET / HTTP/1.1\r\nHost: a\r\nX: b\nY: c\r\n\r\n",
            "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\nHost: a\n\n",
            "GET / HTTP/1.1\nHost: a",
        ] {
            refused(head, "line_end");
        }
        check("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", Ok(Some(Follows::Bytes(0))));
    }

    #[test]
    fn sizes_are_checked_before_a_head_is_complete() {
        let uri = |length: usize| format!("/{}", "a".repeat(length - 1));
        check(&format!("GET {} HTTP/1.1\r\nHost: a\r\n\r\n", uri(8192)), Ok(Some(Follows::Bytes(0))));
        check(&format!("GET {} HTTP/1.1\r\nHost: a\r\n\r\n", uri(8193)), Err(Flaw::UriTooLong));
        check(&format!("GET {}", uri(9000)), Err(Flaw::UriTooLong));
        check(&format!("GET {} HTTP/1.1\r\nHost: a\r\n\r\n", uri(200_000)), Err(Flaw::UriTooLong));
        let value = |length: usize| format!("GET / HTTP/1.1\r\nHost: a\r\nX: {}\r\n\r\n", "v".repeat(length));
        check(&value(8191), Ok(Some(Follows::Bytes(0))));
        check(&value(8192), Err(Flaw::HeadersTooLarge));
        let many = |count: usize| {
            let headers = format!("X: {}\r\n", "v".repeat(1000)).repeat(count);
            format!("GET / HTTP/1.1\r\nHost: a\r\n{headers}")
        };
        check(&format!("{}\r\n", many(31)), Ok(Some(Follows::Bytes(0))));
        check(&many(33), Err(Flaw::HeadersTooLarge));
        let small = "X: v\r\n".repeat(97);
        check(&format!("GET / HTTP/1.1\r\n{small}\r\n"), Err(Flaw::HeadersTooLarge));
    }
}
