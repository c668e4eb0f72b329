//! The Redis of the test run, directly and through a gateway that can cut the connection.

use crate::RedisCounters;
use std::{
    hash::{BuildHasher, RandomState},
    io::Write,
    sync::Arc,
};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    sync::watch,
};

/// The Redis for tests. Without one the test reports that and passes, unless the run requires Redis.
#[allow(clippy::disallowed_methods, reason = "a test run hands its servers down in the environment")]
pub(super) fn url() -> Option<String> {
    use std::env::var;
    if let Ok(url) = var("OCTAVO_TEST_REDIS_URL") {
        return Some(url);
    }
    let required = var("OCTAVO_TEST_REQUIRE").unwrap_or_default();
    assert!(!required.split(',').any(|service| service == "redis"), "OCTAVO_TEST_REDIS_URL is not set");
    let thread = std::thread::current();
    let line = format!("redis counters::{}\n", thread.name().unwrap_or_default());
    std::io::stderr().write_all(format!("OCTAVO_TEST_REDIS_URL is not set, not run: {line}").as_bytes()).unwrap();
    if let Ok(file) = var("OCTAVO_TEST_SKIPPED_FILE") {
        std::fs::OpenOptions::new().append(true).open(file).unwrap().write_all(line.as_bytes()).unwrap();
    }
    None
}

/// A unique prefix, so that tests share a server but no log.
pub(super) fn fresh_prefix() -> String {
    format!("octavo-test:{:016x}:", RandomState::new().hash_one(()))
}

/// What a gateway does with new and existing connections.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Gate {
    Open,
    /// Keeps connections open but passes on nothing, like a broken network.
    Frozen,
    /// Closes connections, like a restarting server.
    Shut,
}

/// A port in front of Redis.
pub(super) struct Gateway {
    port: u16,
    state: watch::Sender<Gate>,
}

impl Gateway {
    /// `server` is the host and port behind the gateway.
    pub(super) async fn to(server: &str, state: Gate) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (state, gate) = watch::channel(state);
        let server: Arc<str> = server.into();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(pass(stream, Arc::clone(&server), gate.clone()));
            }
        });
        Self { port, state }
    }

    pub(super) fn set(&self, state: Gate) {
        self.state.send(state).unwrap();
    }

    pub(super) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    pub(super) fn counters(&self, prefix: &str) -> RedisCounters {
        RedisCounters::new(&self.url(), prefix).unwrap()
    }
}

/// Passes bytes on until the gateway freezes or shuts. A frozen connection stays open and silent.
async fn pass(mut stream: TcpStream, server: Arc<str>, mut gate: watch::Receiver<Gate>) {
    if *gate.borrow() == Gate::Open {
        let mut upstream = TcpStream::connect(&*server).await.unwrap();
        tokio::select! {
            biased;
            _ = gate.wait_for(|gate| *gate != Gate::Open) => {}
            _ = copy_bidirectional(&mut stream, &mut upstream) => return,
        }
    }
    if *gate.borrow() == Gate::Shut {
        return;
    }
    std::future::pending::<()>().await;
    drop(stream);
}

/// The host and port in `redis://user:password@host:port/0`.
pub(super) fn host_and_port(url: &str) -> &str {
    let rest = url.split_once("://").unwrap().1;
    let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
    rest.split('/').next().unwrap()
}
