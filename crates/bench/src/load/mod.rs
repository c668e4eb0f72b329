//! A closed loop of keep-alive clients: each sends its next request after reading the reply to the last one.
//!
//! It must be much cheaper than what it measures, because it runs on the same cores. So requests are prepared in
//! advance, clients share few threads, and only the status and the length of a reply are parsed.

mod connection;
mod http;

use crate::sample::Round;
use anyhow::{Result, anyhow, bail};
use connection::Connection;
pub(crate) use connection::exchange;
pub(crate) use http::{Request, write_request};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

/// How many characters of a refusal are shown. One of a bulk request has a problem for each operation.
const MOST_OF_A_REFUSAL: usize = 1000;

/// Clients of one server, which all stop at the same point.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    pub(crate) server: SocketAddr,
    /// The requests of each client, which are sent in turn and repeated.
    pub(crate) clients: Vec<Vec<Vec<u8>>>,
    pub(crate) until: Until,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Until {
    Elapsed(Duration),
    /// After this many requests of each client.
    Done(usize),
}

impl Until {
    fn is_over(self, started: Instant, done: usize) -> bool {
        match self {
            Self::Elapsed(time) => started.elapsed() >= time,
            Self::Done(count) => done >= count,
        }
    }
}

/// A quarter of the cores is enough even for the bare route; the rest is for the server.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 4).max(1))
}

impl Load {
    /// Runs to the end. Any reply other than 200 makes the whole round fail.
    pub(crate) fn run(&self) -> Result<Round> {
        let connected = runtime()?.block_on(self.connect())?;
        let mut shares = (0..threads()).map(|_| Vec::new()).collect::<Vec<_>>();
        for (index, client) in connected.into_iter().zip(&self.clients).enumerate() {
            shares[index % threads()].push(client);
        }
        let (started, until) = (Instant::now(), self.until);
        let latencies = std::thread::scope(|scope| {
            let threads = shares.into_iter().map(|share| scope.spawn(move || drive(share, started, until)));
            let joined = threads.collect::<Vec<_>>().into_iter().map(std::thread::ScopedJoinHandle::join);
            joined.map(|share| share.map_err(|_| anyhow!("a thread of the load panicked"))?).collect::<Result<Vec<_>>>()
        })?;
        Ok(Round::joined(started.elapsed(), latencies))
    }

    async fn connect(&self) -> Result<Vec<TcpStream>> {
        let mut streams = Vec::with_capacity(self.clients.len());
        for own_address in (2..).map(|host| Ipv4Addr::new(127, 0, 0, host)).take(self.clients.len()) {
            streams.push(Connection::open(self.server, own_address).await?.into_std()?);
        }
        Ok(streams)
    }
}

fn runtime() -> Result<Runtime> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_io().build()?)
}

fn drive(share: Vec<(TcpStream, &Vec<Vec<u8>>)>, started: Instant, until: Until) -> Result<Vec<Duration>> {
    runtime()?.block_on(async {
        let mut clients = JoinSet::new();
        for (stream, requests) in share {
            clients.spawn(client(
                Connection::new(tokio::net::TcpStream::from_std(stream)?),
                requests.clone(),
                started,
                until,
            ));
        }
        let mut latencies = Vec::new();
        while let Some(finished) = clients.join_next().await {
            latencies.extend(finished??);
        }
        Ok(latencies)
    })
}

async fn client(
    mut connection: Connection,
    requests: Vec<Vec<u8>>,
    started: Instant,
    until: Until,
) -> Result<Vec<Duration>> {
    let mut latencies = Vec::new();
    for request in requests.iter().cycle() {
        if until.is_over(started, latencies.len()) {
            break;
        }
        let sent = Instant::now();
        let reply = connection.exchange(request).await?;
        latencies.push(sent.elapsed());
        if !(200..300).contains(&reply.status) {
            let text: String = reply.text().chars().take(MOST_OF_A_REFUSAL).collect();
            bail!("{} instead of 200: {text}", reply.status);
        }
    }
    Ok(latencies)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;

    /// Answers each request with the next one of these replies, on any number of connections, until there are none
    /// left.
    fn server(replies: Vec<&'static str>) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            for reply in replies {
                let mut request = [0; 4096];
                assert!(stream.read(&mut request).unwrap() > 0);
                // In two halves, because a reply need not arrive at once.
                let (head, tail) = reply.split_at(reply.len() / 2);
                stream.write_all(head.as_bytes()).unwrap();
                stream.flush().unwrap();
                std::thread::yield_now();
                stream.write_all(tail.as_bytes()).unwrap();
            }
        });
        address
    }

    fn load(server: SocketAddr, until: Until) -> Load {
        let request = write_request(&Request { method: "GET", path: "/", token: None, workspace: None, body: None });
        Load { server, clients: vec![vec![request]], until }
    }

    const FINE: &str = "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n{\"\"}";

    #[test]
    fn each_client_sends_as_often_as_told() {
        let round = load(server(vec![FINE; 3]), Until::Done(3)).run().unwrap();
        assert_eq!(round.latencies.len(), 3);
        assert!(round.elapsed >= round.latencies.iter().sum::<Duration>());
    }

    #[test]
    fn a_refused_request_fails_the_round() {
        let refused = "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 4\r\n\r\nslow";
        let fault = load(server(vec![FINE, refused]), Until::Done(3)).run().unwrap_err();
        assert_eq!(fault.to_string(), "429 instead of 200: slow");
    }

    #[test]
    fn a_server_that_hangs_up_fails_the_round() {
        assert!(load(server(vec![FINE]), Until::Done(2)).run().is_err());
    }

    #[test]
    fn a_round_by_time_ends_in_time() {
        let round = load(server(vec![FINE; 100_000]), Until::Elapsed(Duration::from_millis(50))).run().unwrap();
        assert!(!round.latencies.is_empty());
        assert!(round.elapsed >= Duration::from_millis(50) && round.elapsed < Duration::from_secs(10));
    }
}
