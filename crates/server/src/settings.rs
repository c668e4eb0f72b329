//! The operator's settings of the HTTP server.

use actix_web::http::header::HeaderValue;
use ipnet::IpNet;
use octavo_core_model::Bucket;
use std::{net::SocketAddr, time::Duration};

#[derive(Clone, Debug)]
pub struct Settings {
    pub listen: SocketAddr,
    /// Scheme, host and port under which clients reach the service, without a path.
    pub origin: String,
    /// The origin of the pages to which invitations link. It differs from `origin` if a product has pages of its own.
    pub pages_origin: String,
    /// The proxies whose forwarding headers are trusted.
    pub trusted_proxies: Vec<IpNet>,
    pub cors: Cors,
    /// The largest JSON body, unless a route has its own limit.
    pub body_max_bytes: usize,
    pub rate_limits: RateLimits,
    /// Whether the catalog of event types is served.
    pub debug_events: bool,
    /// The address on which metrics are served, if any.
    pub metrics: Option<SocketAddr>,
    /// How long the listener stays open after the service has reported that it is stopping.
    pub shutdown_delay: Duration,
    /// How long running calls have to finish after that.
    pub shutdown_grace: Duration,
    /// How much work for the store may wait and run at the same time.
    pub queue: u32,
    /// The timeout of one statement.
    pub query_timeout: Duration,
    /// How many bytes of page content all calls together may have in memory.
    pub content_memory_bytes: u64,
    /// How many bytes of request bodies all calls together may have in memory.
    pub body_memory_bytes: u64,
    pub timeouts: Timeouts,
    pub streams: StreamTimes,
}

/// How long the service waits for a slow client.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// To send the head of a request.
    pub head: Duration,
    /// To send the next byte of a body, or to read the next byte of an answer.
    pub idle: Duration,
    /// For a whole request.
    pub request: Duration,
    /// Until the next request on a connection.
    pub keep_alive: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { head: seconds(10), idle: seconds(30), request: seconds(120), keep_alive: seconds(75) }
    }
}

/// How long the parts of a stream wait.
#[derive(Clone, Copy, Debug)]
pub struct StreamTimes {
    /// Until a stream without events sends a heartbeat.
    pub heartbeat: Duration,
    /// Until the log is read without a signal, because signals can be lost.
    pub poll: Duration,
    /// Until it is checked again whether callers may still be there.
    pub check: Duration,
    /// Until somebody of whom nothing is heard has left a page.
    pub presence: Duration,
}

impl Default for StreamTimes {
    fn default() -> Self {
        Self {
            heartbeat: Duration::from_secs(15),
            poll: Duration::from_millis(500),
            check: Duration::from_secs(2),
            presence: Duration::from_secs(30),
        }
    }
}

/// The origins whose pages may call the API.
#[derive(Clone, Debug)]
pub enum Cors {
    Any,
    Listed(Vec<String>),
}

impl Cors {
    /// The value of `Access-Control-Allow-Origin` for a page of this origin, if it may call.
    pub(crate) fn allows(&self, origin: &HeaderValue) -> Option<HeaderValue> {
        match self {
            Self::Any => Some(HeaderValue::from_static("*")),
            Self::Listed(origins) => {
                origins.iter().any(|listed| listed.as_bytes() == origin.as_bytes()).then(|| origin.clone())
            }
        }
    }
}

/// How many calls each bucket allows in its window; 0 turns a bucket off.
#[derive(Clone, Debug)]
pub struct RateLimits([u32; Bucket::ALL.len()]);

impl RateLimits {
    #[must_use]
    pub const fn with(mut self, bucket: Bucket, limit: u32) -> Self {
        self.0[bucket as usize] = limit;
        self
    }

    pub const fn of(&self, bucket: Bucket) -> u32 {
        self.0[bucket as usize]
    }
}

impl Default for RateLimits {
    fn default() -> Self {
        let mut limits = [0; Bucket::ALL.len()];
        for bucket in Bucket::ALL {
            limits[*bucket as usize] = bucket.default_limit();
        }
        Self(limits)
    }
}
