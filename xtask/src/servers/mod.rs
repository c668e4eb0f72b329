//! PostgreSQL and Redis for one test run: found, installed or started here, and always stopped at the end.

mod account;
pub(crate) mod apt;
mod postgres;
mod redis;
mod server;
mod supervisor;

use anyhow::{Context as _, Result};
use server::Server;
use std::fmt;
use std::path::Path;
pub(crate) use supervisor::{VERB as SUPERVISE, run as supervise};

/// An external service that tests use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Service {
    Postgres,
    Redis,
}

impl Service {
    pub(crate) const ALL: [Self; 2] = [Self::Postgres, Self::Redis];

    /// Its name in `--require` and in the variables that tests read.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Postgres => "postgres",
            Self::Redis => "redis",
        }
    }

    /// The variable with its address. Users set it for a server of their own; otherwise `cargo xtask test` sets it.
    pub(crate) fn variable(self) -> &'static str {
        match self {
            Self::Postgres => "OCTAVO_TEST_POSTGRES_URL",
            Self::Redis => "OCTAVO_TEST_REDIS_URL",
        }
    }

    pub(crate) fn parse(word: &str) -> Result<Self> {
        let known = Self::ALL.into_iter().find(|service| service.word() == word);
        known.with_context(|| format!("no service {word}: postgres or redis"))
    }
}

/// How a service is provided, for as long as this value lives.
pub(crate) enum Supply {
    /// An existing server, named by the environment.
    Given { url: String },
    /// A server that was started for this run and is stopped with it.
    Started { url: String, origin: String, _server: Server },
    /// Not available, and why.
    Missing { reason: String },
    /// Not needed in this run.
    NotWanted,
}

impl Supply {
    /// Uses the server named by the environment, or starts one.
    pub(crate) fn of(service: Service, scratch: &Path, durable: bool) -> Self {
        if let Some(url) = std::env::var(service.variable()).ok().filter(|url| !url.is_empty()) {
            return Self::Given { url };
        }
        let started = match service {
            Service::Postgres => postgres::start(scratch, durable),
            Service::Redis => redis::start(scratch),
        };
        match started {
            Ok(Started { url, origin, server }) => Self::Started { url, origin, _server: server },
            Err(fault) => Self::Missing { reason: format!("{fault:#}") },
        }
    }

    pub(crate) fn url(&self) -> Option<&str> {
        match self {
            Self::Given { url } | Self::Started { url, .. } => Some(url),
            Self::Missing { .. } | Self::NotWanted => None,
        }
    }
}

impl fmt::Display for Supply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given { .. } => f.write_str("taken from the environment"),
            Self::Started { origin, .. } => write!(f, "started for this run from {origin}"),
            Self::Missing { reason } => write!(f, "not to be had: {reason}"),
            Self::NotWanted => f.write_str("not wanted in this run"),
        }
    }
}

struct Started {
    url: String,
    origin: String,
    server: Server,
}

/// A port that was free a moment ago. Another process may take it first, so starting is tried several times.
fn free_port() -> Result<u16> {
    Ok(std::net::TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

const START_ATTEMPTS: u32 = 3;

/// Starts a server on a free port, and tries another one if that was taken meanwhile.
fn on_a_free_port(start: impl Fn(u16) -> Result<Server>) -> Result<(u16, Server)> {
    let mut attempt = 1;
    loop {
        let port = free_port()?;
        match start(port) {
            Ok(server) => return Ok((port, server)),
            Err(fault) if attempt == START_ATTEMPTS => return Err(fault),
            Err(_) => attempt += 1,
        }
    }
}
