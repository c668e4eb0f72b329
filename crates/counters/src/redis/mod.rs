//! Counters that all nodes share, in Redis.
//!
//! A log is a list of times. One script handles a whole call, so that it is atomic and takes one round trip.

mod log_signals;
mod outage;

pub use log_signals::RedisLogSignals;
pub use outage::RedisOutage;

use crate::{is_repeated, millis};
use ::redis::{AsyncConnectionConfig, Client, IntoConnectionInfo, RedisResult, Script, aio::MultiplexedConnection};
use async_trait::async_trait;
use octavo_core_model::Timestamp;
use octavo_ports::counters::{Counters, CountersDown, LimitDecision, LimitRequest, LimitState};
use std::{fmt, time::Duration};
use tokio::{sync::Mutex, time::timeout};

/// A slower Redis counts as down, because calls wait for it.
const TIMEOUT: Duration = Duration::from_millis(250);

/// The text is not a `redis://` or `rediss://` address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a redis:// or rediss:// address")]
pub struct InvalidRedisUrl;

/// Counts in Redis.
pub struct RedisCounters {
    client: Client,
    prefix: String,
    script: Script,
    connection: Mutex<Connection>,
}

/// What the script does with the logs of a call.
#[derive(Clone, Copy)]
enum Action {
    Peek,
    Charge,
    Refund,
}

impl Action {
    const fn number(self) -> u8 {
        match self {
            Self::Peek => 0,
            Self::Charge => 1,
            Self::Refund => 2,
        }
    }
}

/// The one connection, which all calls share, or the place for it.
///
/// This does not use the connection manager of the redis crate: that one keeps a dead connection for as long as the
/// operating system considers it open, which can be a quarter of an hour.
#[derive(Default)]
struct Connection {
    open: Option<MultiplexedConnection>,
    /// The number of connections so far, so that a failure closes the connection on which it happened and not a later
    /// one.
    generation: u64,
}

impl RedisCounters {
    /// Accepts an address; the connection is opened when the first call needs it. The names of all keys start with
    /// `prefix`.
    pub fn new(url: &str, prefix: &str) -> Result<Self, InvalidRedisUrl> {
        Ok(Self {
            client: client(url)?,
            prefix: prefix.to_owned(),
            script: Script::new(include_str!("call.lua")),
            connection: Mutex::default(),
        })
    }

    /// Whether Redis answers.
    pub async fn ping(&self) -> bool {
        self.run(&[], Timestamp::from_millis(0), Action::Peek).await.is_ok()
    }

    async fn run(
        &self,
        charges: &[LimitRequest],
        now: Timestamp,
        action: Action,
    ) -> Result<LimitDecision, CountersDown> {
        let mut call = self.script.arg(action.number());
        call.arg(now.millis());
        for (index, charge) in charges.iter().enumerate() {
            call.key(format!("{}{}:{}", self.prefix, charge.bucket, charge.subject));
            call.arg(charge.limit).arg(millis(charge.window)).arg(u8::from(!is_repeated(charges, index)));
        }
        let mut generation = 0;
        let answer: Result<RedisResult<Vec<i64>>, _> = timeout(TIMEOUT, async {
            let (mut connection, current) = self.connection().await?;
            generation = current;
            call.invoke_async(&mut connection).await
        })
        .await;
        let decision = match answer {
            Ok(Ok(numbers)) => decision(&numbers, charges.len()),
            Ok(Err(_)) | Err(_) => None,
        };
        if decision.is_none() {
            self.give_up(generation);
        }
        decision.ok_or(CountersDown)
    }

    async fn connection(&self) -> RedisResult<(MultiplexedConnection, u64)> {
        let mut connection = self.connection.lock().await;
        if let Some(open) = &connection.open {
            return Ok((open.clone(), connection.generation));
        }
        let config =
            AsyncConnectionConfig::new().set_connection_timeout(Some(TIMEOUT)).set_response_timeout(Some(TIMEOUT));
        let open = self.client.get_multiplexed_async_connection_with_config(&config).await?;
        connection.generation += 1;
        connection.open = Some(open.clone());
        Ok((open, connection.generation))
    }

    /// Closes the connection on which a failure happened; the next call opens a new one. If the place is locked,
    /// somebody is connecting, or the next failure closes the connection.
    fn give_up(&self, generation: u64) {
        if let Ok(mut connection) = self.connection.try_lock()
            && connection.generation == generation
        {
            connection.open = None;
        }
    }
}

/// Parses an address without connecting.
fn client(url: &str) -> Result<Client, InvalidRedisUrl> {
    let info = url.into_connection_info().map_err(|_| InvalidRedisUrl)?;
    if url.starts_with("rediss:") {
        // Fails if the process has already chosen a provider, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
    }
    Client::open(info).map_err(|_| InvalidRedisUrl)
}

/// Parses the answer of the script: whether the call is admitted, then two numbers for each charge.
fn decision(numbers: &[i64], charges: usize) -> Option<LimitDecision> {
    let (admitted, numbers) = numbers.split_first()?;
    let (pairs, []) = numbers.as_chunks::<2>() else { return None };
    let states = pairs.iter().map(|[remaining, leaves_at]| {
        let remaining = u32::try_from(*remaining).ok()?;
        Some(LimitState { remaining, oldest_leaves_at: Timestamp::from_millis(*leaves_at) })
    });
    let states = states.collect::<Option<Vec<_>>>().filter(|states| states.len() == charges)?;
    Some(if *admitted == 1 { LimitDecision::Admitted(states) } else { LimitDecision::Refused(states) })
}

fn states(decision: LimitDecision) -> Vec<LimitState> {
    let (LimitDecision::Admitted(states) | LimitDecision::Refused(states)) = decision;
    states
}

impl fmt::Debug for RedisCounters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisCounters").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}

#[async_trait]
impl Counters for RedisCounters {
    async fn charge(&self, charges: &[LimitRequest], now: Timestamp) -> Result<LimitDecision, CountersDown> {
        self.run(charges, now, Action::Charge).await
    }

    async fn refund(&self, charges: &[LimitRequest], charged_at: Timestamp) -> Result<Vec<LimitState>, CountersDown> {
        Ok(states(self.run(charges, charged_at, Action::Refund).await?))
    }

    async fn peek(&self, charges: &[LimitRequest], now: Timestamp) -> Result<Vec<LimitState>, CountersDown> {
        Ok(states(self.run(charges, now, Action::Peek).await?))
    }

    async fn is_shared_place_up(&self) -> bool {
        self.ping().await
    }
}
