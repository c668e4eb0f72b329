//! `octavo health`: asks the running server whether it can take calls. Images and units need no HTTP client for that.

use crate::start::Ready;
use anyhow::{Context as _, Result, anyhow, ensure};
use serde_json::{Value, json};
use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// A server checks its database for 2 seconds at most.
const LONGEST: Duration = Duration::from_secs(5);

/// Answers of this address are much smaller.
const MOST_BYTES: u64 = 64 << 10;

pub(super) async fn run(ready: &Ready) -> Result<String> {
    let listen = ready.settings.listen;
    ensure!(listen.port() != 0, "OCTAVO_LISTEN leaves the port to the server: name the port that it uses");
    let address = on_this_machine(listen);
    let answer = timeout(LONGEST, ask(address)).await;
    let answer = answer.map_err(|_| anyhow!("{address} gives no answer within {} s", LONGEST.as_secs()))?;
    let answer = answer.with_context(|| format!("no server answers at {address}"))?;
    let Answer { status, failing } =
        read(&answer).with_context(|| format!("what answers at {address} is no octavo"))?;
    ensure!(status == 200, "{}", not_ready(status, &failing));
    Ok(if ready.json { format!("{}\n", json!({ "data": { "status": "ready" } })) } else { "ready\n".to_owned() })
}

/// A server that listens on all addresses of the machine also listens on the loopback address.
fn on_this_machine(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

async fn ask(address: SocketAddr) -> io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!("GET /health/ready HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.take(MOST_BYTES).read_to_end(&mut answer).await?;
    Ok(answer)
}

/// What a server answered.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    status: u16,
    /// The names of the checks that fail.
    failing: Vec<String>,
}

fn read(answer: &[u8]) -> Option<Answer> {
    let text = str::from_utf8(answer).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()?;
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let details = body["error"]["details"].as_array().into_iter().flatten();
    let failing = details.filter_map(|check| check["service"].as_str().map(str::to_owned)).collect();
    Some(Answer { status, failing })
}

fn not_ready(status: u16, failing: &[String]) -> String {
    if failing.is_empty() {
        format!("not ready: the server answers {status}")
    } else {
        format!("not ready: {} (the server answers {status})", failing.join(", "))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn a_server_on_all_addresses_is_asked_on_the_loopback_address() {
        for (listen, asked) in [
            ("0.0.0.0:80", "127.0.0.1:80"),
            ("[::]:80", "[::1]:80"),
            ("192.0.2.1:80", "192.0.2.1:80"),
            ("127.0.0.1:8080", "127.0.0.1:8080"),
        ] {
            assert_eq!(on_this_machine(listen.parse().unwrap()), asked.parse::<SocketAddr>().unwrap(), "{listen}");
        }
    }

    #[test]
    fn an_answer_has_a_status_and_the_checks_that_fail() {
        let body = r#"{"error":{"code":"SERVICE_UNAVAILABLE","details":[{"service":"database","status":"down"}]}}"#;
        let answer = format!("HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\n\r\n{body}");
        let read_answer = read(answer.as_bytes()).unwrap();
        assert_eq!(read_answer, Answer { status: 503, failing: vec!["database".to_owned()] });
        assert_eq!(not_ready(503, &read_answer.failing), "not ready: database (the server answers 503)");
        let well = read(b"HTTP/1.1 200 OK\r\n\r\n{}").unwrap();
        assert_eq!(well, Answer { status: 200, failing: Vec::new() });
        for foreign in [&b""[..], b"SSH-2.0-OpenSSH", b"HTTP/1.1 20", b"HTTP/1.1 abc\r\n\r\n"] {
            assert_eq!(read(foreign), None);
        }
    }
}
