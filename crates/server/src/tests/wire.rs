//! The client's side: sending requests as bytes and parsing answers.

use serde_json::Value;
use std::{
    fmt::Write as _,
    io::{ErrorKind, Read, Write},
    net::{Shutdown, SocketAddr, TcpStream},
    time::Duration,
};

/// Longer than anything takes on the busiest machine; only a failing test waits that long.
pub(super) const LONGEST: Duration = Duration::from_mins(1);

#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: String,
    /// The unparsed answer.
    pub(super) raw: Vec<u8>,
}

impl Answer {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name));
        let first = found.next().map(|(_, value)| value.as_str());
        assert!(found.next().is_none(), "{name} stands twice");
        first
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }

    /// The code and the first cause of a refusal, for example `UNAUTHORIZED token_missing`.
    pub(super) fn refusal(&self) -> String {
        let error = &self.json()["error"];
        assert_eq!(error["requestId"].as_str(), self.header("x-request-id"), "{self:?}");
        let detail = &error["details"][0];
        let cause = ["reason", "issue"].iter().find_map(|key| detail[key].as_str()).unwrap_or_default();
        let field = detail["field"].as_str().map(|field| format!("{field} ")).unwrap_or_default();
        format!("{} {field}{cause}", error["code"].as_str().unwrap()).trim_end().to_owned()
    }

    fn parse(head: &str, body: String) -> Self {
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let header = |line: &str| line.split_once(": ").map(|(name, value)| (name.to_owned(), value.to_owned()));
        Self { status, headers: lines.filter_map(header).collect(), body, raw: Vec::new() }
    }
}

/// A connection that can send one request after the other.
#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    read: Vec<u8>,
}

impl Connection {
    pub(super) fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(LONGEST)).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, read: Vec::new() }
    }

    pub(super) fn send(&mut self, bytes: &[u8]) -> &mut Self {
        // A server that gave up may already have closed the connection; its answer says why.
        let _ = self.stream.write_all(bytes);
        self
    }

    /// Closes the sending side of the connection.
    pub(super) fn end(&mut self) -> &mut Self {
        let _ = self.stream.shutdown(Shutdown::Write);
        self
    }

    /// Waits until something has arrived and leaves it unread.
    pub(super) fn wait_for_bytes(&mut self) {
        assert!(!self.read.is_empty() || self.stream.peek(&mut [0]).unwrap() > 0, "the server closed");
    }

    /// Reads until `bytes` have arrived and leaves them to be read as part of the answer.
    pub(super) fn wait_for(&mut self, bytes: &[u8]) {
        while !self.read.windows(bytes.len()).any(|window| window == bytes) {
            assert!(self.fill(), "the server closed");
        }
    }

    /// Reads the next answer. `None` if the server closed the connection instead.
    pub(super) fn answer_to(&mut self, verb: &str) -> Option<Answer> {
        let head_end = loop {
            if let Some(at) = self.read.windows(4).position(|window| window == b"\r\n\r\n") {
                break at;
            }
            if !self.fill() {
                assert!(self.read.is_empty(), "half an answer: {}", String::from_utf8_lossy(&self.read));
                return None;
            }
        };
        let head = String::from_utf8(self.read[..head_end].to_vec()).unwrap();
        let mut answer = Answer::parse(&head, String::new());
        if answer.header("content-type") == Some("text/event-stream") {
            // It does not end.
            self.read.drain(..head_end + 4);
            return Some(answer);
        }
        if answer.header("transfer-encoding") == Some("chunked") && verb != "HEAD" {
            self.read.drain(..head_end + 4);
            answer.raw = self.chunks();
            answer.body = String::from_utf8_lossy(&answer.raw).into_owned();
            return Some(answer);
        }
        let length = match (verb, answer.status) {
            ("HEAD", _) | (_, 204 | 304) => 0,
            _ => answer.header("content-length").map_or(0, |length| length.parse().unwrap()),
        };
        while self.read.len() < head_end + 4 + length {
            assert!(self.fill(), "the body is cut");
        }
        let body = self.read[head_end + 4..head_end + 4 + length].to_vec();
        self.read.drain(..head_end + 4 + length);
        answer.body = String::from_utf8_lossy(&body).into_owned();
        answer.raw = body;
        Some(answer)
    }

    /// Reads a chunked body to its end.
    fn chunks(&mut self) -> Vec<u8> {
        let mut body = Vec::new();
        loop {
            let end = loop {
                if let Some(at) = self.read.windows(2).position(|window| window == b"\r\n") {
                    break at;
                }
                assert!(self.fill(), "the body is cut");
            };
            let size = usize::from_str_radix(std::str::from_utf8(&self.read[..end]).unwrap(), 16).unwrap();
            while self.read.len() < end + 2 + size + 2 {
                assert!(self.fill(), "the body is cut");
            }
            body.extend_from_slice(&self.read[end + 2..end + 2 + size]);
            self.read.drain(..end + 2 + size + 2);
            if size == 0 {
                return body;
            }
        }
    }

    /// Reads until the server closes the connection.
    pub(super) fn rest(&mut self) -> Vec<u8> {
        while self.fill() {}
        std::mem::take(&mut self.read)
    }

    /// Sends bytes for as long as the server reads them, up to `most`, and returns how many were sent.
    pub(super) fn send_while_taken(&mut self, most: usize) -> usize {
        let piece = vec![b'x'; 1 << 16];
        let mut sent = 0;
        self.stream.set_write_timeout(Some(Duration::from_millis(500))).unwrap();
        while sent < most {
            match self.stream.write(&piece) {
                Ok(size) => sent += size,
                Err(error) if [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind()) => break,
                Err(error) => panic!("{error}"),
            }
        }
        sent
    }

    /// Whether the server closes the connection without sending anything more.
    pub(super) fn is_closed(&mut self) -> bool {
        self.read.is_empty() && !self.fill()
    }

    /// Reads more bytes. Returns false if the server has closed the connection, gracefully or not.
    fn fill(&mut self) -> bool {
        let mut piece = [0; 16 * 1024];
        let size = match self.stream.read(&mut piece) {
            Err(error) if [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind()) => {
                panic!("the server neither says anything nor closes")
            }
            read => read.unwrap_or(0),
        };
        self.read.extend_from_slice(&piece[..size]);
        size > 0
    }
}

/// A request that is being built.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) verb: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

/// Starts a request, for example `GET /path`, relative to the origin.
pub(super) fn request(line: &str) -> Request {
    let (verb, path) = line.split_once(' ').unwrap();
    Request { verb: verb.to_owned(), path: path.to_owned(), headers: Vec::new(), body: None }
}

impl Request {
    pub(super) fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    pub(super) fn bearer(self, token: &str) -> Self {
        self.header("Authorization", format!("Bearer {token}"))
    }

    pub(super) fn json(self, body: &Value) -> Self {
        self.text("application/json", &body.to_string())
    }

    pub(super) fn text(self, media: &str, body: &str) -> Self {
        self.header("Content-Type", media).bytes(body.as_bytes())
    }

    pub(super) fn bytes(mut self, body: &[u8]) -> Self {
        self.body = Some(body.to_vec());
        self
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\nHost: localhost\r\n", self.verb, self.path);
        for (name, value) in &self.headers {
            write!(head, "{name}: {value}\r\n").unwrap();
        }
        if let Some(body) = &self.body {
            write!(head, "Content-Length: {}\r\n", body.len()).unwrap();
        }
        let mut bytes = format!("{head}\r\n").into_bytes();
        bytes.extend(self.body.as_deref().unwrap_or_default());
        bytes
    }
}
