//! The part of HTTP/1.1 that a client of a known server needs.

use anyhow::{Context as _, Result, bail};
use octavo_core_model::id::WorkspaceId;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) token: Option<&'a str>,
    /// The workspace, if neither path nor token name it.
    pub(crate) workspace: Option<WorkspaceId>,
    pub(crate) body: Option<&'a str>,
}

pub(crate) fn write_request(request: &Request<'_>) -> Vec<u8> {
    let Request { method, path, token, workspace, body } = request;
    let credential = token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
    let place = workspace.map(|id| format!("x-service-workspace: {id}\r\n")).unwrap_or_default();
    let described = |body: &str| format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
    let (description, body) = (body.map(described).unwrap_or_default(), body.unwrap_or_default());
    let head = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\naccept: application/json\r\n");
    format!("{head}{credential}{place}{description}\r\n{body}").into_bytes()
}

/// The relevant parts of a reply's head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) status: u16,
    /// Where the body starts and ends.
    pub(crate) body: (usize, usize),
}

/// Parses the head of a reply; `None` if it is incomplete.
pub(crate) fn read_head(reply: &[u8]) -> Result<Option<Head>> {
    let Some(end) = reply.windows(4).position(|four| four == b"\r\n\r\n") else { return Ok(None) };
    let head = std::str::from_utf8(&reply[..end])?;
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok());
    let status = status.context("a reply without a status")?;
    let length = lines.find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>())
    });
    let length = match length {
        Some(length) => length?,
        None if status == 204 => 0,
        None => bail!("a reply that has no length"),
    };
    Ok(Some(Head { status, body: (end + 4, end + 4 + length) }))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn a_request_carries_its_credential_and_body() {
        let request = Request { method: "PATCH", path: "/me", token: Some("t"), workspace: None, body: Some("{}") };
        let text = String::from_utf8(write_request(&request)).unwrap();
        assert!(text.starts_with("PATCH /me HTTP/1.1\r\nhost: "), "{text}");
        assert!(text.contains("\r\nauthorization: Bearer t\r\n"), "{text}");
        assert!(text.ends_with("\r\ncontent-length: 2\r\n\r\n{}"), "{text}");
    }

    #[test]
    fn a_head_is_read_once_it_is_complete() {
        let reply = b"HTTP/1.1 201 Created\r\nX: 1\r\ncontent-LENGTH: 5\r\n\r\nhello";
        assert_eq!(read_head(reply).unwrap(), Some(Head { status: 201, body: (49, 54) }));
        assert_eq!(&reply[49..54], b"hello");
        assert_eq!(read_head(&reply[..47]).unwrap(), None);
        let empty = b"HTTP/1.1 204 No Content\r\nX: 1\r\n\r\n";
        assert_eq!(read_head(empty).unwrap(), Some(Head { status: 204, body: (33, 33) }));
    }

    #[test]
    fn what_cannot_be_followed_is_an_error() {
        for reply in ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", "SSH-2.0\r\n\r\n"] {
            assert!(read_head(reply.as_bytes()).is_err(), "{reply}");
        }
    }
}
