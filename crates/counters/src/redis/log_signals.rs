//! Signals between nodes through Redis.

use super::{InvalidRedisUrl, RedisOutage, client};
use ::redis::{AsyncConnectionConfig, Client, RedisResult, Value, aio::MultiplexedConnection, pipe};
use async_trait::async_trait;
use futures_util::StreamExt;
use octavo_core_model::{id::WorkspaceId, presence::Presence};
use octavo_ports::log_signals::{LogSignal, LogSignals, NodeTag, SignalsDown};
use std::{fmt, sync::Arc, time::Duration};
use tokio::{sync::Mutex, time::timeout};

/// A Redis that takes longer counts as down.
const TIMEOUT: Duration = Duration::from_secs(2);

/// After this time without a signal the node checks whether Redis is still there: a broken connection can be silent
/// too.
const SILENCE: Duration = Duration::from_secs(10);

/// Sends on one connection and listens on another one.
pub struct RedisLogSignals {
    client: Client,
    channel: String,
    tag: NodeTag,
    sending: Mutex<Option<MultiplexedConnection>>,
    outage: Arc<RedisOutage>,
}

impl RedisLogSignals {
    /// Accepts an address; connections are opened when they are needed. The name of the channel starts with `prefix`.
    pub fn new(url: &str, prefix: &str, tag: NodeTag, outage: Arc<RedisOutage>) -> Result<Self, InvalidRedisUrl> {
        Ok(Self { client: client(url)?, channel: format!("{prefix}:log"), tag, sending: Mutex::new(None), outage })
    }

    async fn publish(&self, signals: &[String]) -> Result<(), SignalsDown> {
        let mut sending = self.sending.lock().await;
        let published = timeout(TIMEOUT, async {
            let mut connection = if let Some(connection) = sending.take() {
                connection
            } else {
                let config = AsyncConnectionConfig::new()
                    .set_connection_timeout(Some(TIMEOUT))
                    .set_response_timeout(Some(TIMEOUT));
                self.client.get_multiplexed_async_connection_with_config(&config).await?
            };
            let mut batch = pipe();
            for signal in signals {
                batch.publish(&self.channel, signal).ignore();
            }
            batch.query_async::<()>(&mut connection).await?;
            RedisResult::Ok(connection)
        });
        match published.await {
            Ok(Ok(connection)) => {
                *sending = Some(connection);
                Ok(())
            }
            // The next signal opens a new connection.
            Ok(Err(_)) | Err(_) => Err(SignalsDown),
        }
    }

    async fn listen_once(&self, heard: &(dyn Fn(LogSignal) + Send + Sync)) -> Result<(), SignalsDown> {
        let subscribed = timeout(TIMEOUT, async {
            let mut listening = self.client.get_async_pubsub().await?;
            listening.subscribe(&self.channel).await?;
            RedisResult::Ok(listening)
        });
        let Ok(Ok(listening)) = subscribed.await else { return Err(SignalsDown) };
        self.outage.answered();
        heard(LogSignal::Missed);
        let (mut asking, mut messages) = listening.split();
        loop {
            match timeout(SILENCE, messages.next()).await {
                Ok(Some(message)) => {
                    let text = message.get_payload::<String>().unwrap_or_default();
                    if let Some(signal) = self.tag.read(&text) {
                        heard(signal);
                    }
                }
                Ok(None) => return Ok(()),
                Err(_) => match timeout(TIMEOUT, asking.ping::<Value>()).await {
                    Ok(Ok(_)) => {}
                    Ok(Err(_)) | Err(_) => return Err(SignalsDown),
                },
            }
        }
    }
}

impl fmt::Debug for RedisLogSignals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisLogSignals").field("channel", &self.channel).finish_non_exhaustive()
    }
}

#[async_trait]
impl LogSignals for RedisLogSignals {
    async fn send(&self, workspaces: &[WorkspaceId]) -> Result<(), SignalsDown> {
        let signals: Vec<_> = workspaces.iter().map(|id| self.tag.signal(*id)).collect();
        self.publish(&signals).await
    }

    async fn send_presence(&self, presence: &Presence) -> Result<(), SignalsDown> {
        self.publish(&[self.tag.presence(presence)]).await
    }

    async fn listen(&self, heard: &(dyn Fn(LogSignal) + Send + Sync)) -> SignalsDown {
        let (Ok(()) | Err(SignalsDown)) = self.listen_once(heard).await;
        self.outage.failed();
        SignalsDown
    }
}
