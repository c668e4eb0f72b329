//! What the operator decides about the HTTP surface.

use actix_web::http::header::HeaderValue;
use ipnet::IpNet;
use octavo_core_model::Bucket;
use std::{net::SocketAddr, time::Duration};

#[derive(Clone, Debug)]
pub struct Settings {
    pub listen: SocketAddr,
    /// Scheme, host and port under which clients find the service, without a path.
    pub origin: String,
    /// Whose forwarding headers are believed.
    pub trusted_proxies: Vec<IpNet>,
    pub cors: Cors,
    /// The largest JSON body of routes that name no other limit.
    pub body_max_bytes: usize,
    pub rate_limits: RateLimits,
    /// Whether the catalog of event types is shown.
    pub debug_events: bool,
    /// Where metrics are served, if anywhere.
    pub metrics: Option<SocketAddr>,
    /// How long the listener stays open after the service reports that it is stopping.
    pub shutdown_delay: Duration,
    /// How long running calls then have to finish.
    pub shutdown_grace: Duration,
    /// How much work may wait for the store and run there together.
    pub queue: u32,
    /// The timeout of one statement.
    pub query_timeout: Duration,
    pub timeouts: Timeouts,
}

/// How long the service waits for a slow client.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// For the head of a request.
    pub head: Duration,
    /// For the next byte of a body, or for the client to read the next byte of an answer.
    pub idle: Duration,
    /// For a whole request.
    pub request: Duration,
    /// For the next request on a connection.
    pub keep_alive: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { head: seconds(10), idle: seconds(30), request: seconds(120), keep_alive: seconds(75) }
    }
}

/// The origins whose pages may call the API.
#[derive(Clone, Debug)]
pub enum Cors {
    Any,
    Listed(Vec<String>),
}

impl Cors {
    /// What to answer a page of this origin, when it may call.
    pub(crate) fn allows(&self, origin: &HeaderValue) -> Option<HeaderValue> {
        match self {
            Self::Any => Some(HeaderValue::from_static("*")),
            Self::Listed(origins) => {
                origins.iter().any(|listed| listed.as_bytes() == origin.as_bytes()).then(|| origin.clone())
            }
        }
    }
}

/// How many calls the window of each bucket lets through; 0 turns a bucket off.
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
