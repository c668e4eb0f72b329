//! Signals between nodes through PostgreSQL, for deployments without Redis.
//!
//! They are sent after events are numbered, and not by units: a transaction that notifies holds a lock on the whole
//! database while it commits, so units would commit one after the other.

use super::target::Target;
use async_trait::async_trait;
use diesel::ConnectionError;
use octavo_core_model::{id::WorkspaceId, presence::Presence};
use octavo_ports::log_signals::{LogSignal, LogSignals, NodeTag, SignalsDown};
use octavo_storage_common::OpenError;
use parking_lot::Mutex;
use std::{fmt, future::poll_fn, sync::Arc, time::Duration};
use tokio::{sync::mpsc, time::timeout};
use tokio_postgres::{AsyncMessage, Client};

/// Channels belong to a database, so the name need not distinguish deployments.
const LISTEN: &str = "LISTEN octavo_log";
const NOTIFY: &str = "SELECT pg_notify('octavo_log', signal) FROM unnest($1::TEXT[]) AS signal";

/// How long the connection may be idle before the system checks that the other side is still there.
const SILENCE: Duration = Duration::from_secs(10);

/// A database that takes longer for a signal is treated as unreachable.
const SENDING: Duration = Duration::from_secs(2);

/// Sends and listens on its own connection.
pub struct PostgresLogSignals {
    target: Target,
    tag: NodeTag,
    /// Present while the node listens.
    client: Mutex<Option<Arc<Client>>>,
}

impl PostgresLogSignals {
    /// Connects when the node begins to listen.
    pub fn new(url: &str, tag: NodeTag) -> Result<Self, OpenError> {
        let mut target = Target::parse(url)?;
        target.keep_alive_within(SILENCE);
        Ok(Self { target, tag, client: Mutex::new(None) })
    }

    async fn listen_once(&self, heard: &(dyn Fn(LogSignal) + Send + Sync)) -> Result<(), Lost> {
        let (client, mut connection) = self.target.dial().await?;
        let (forward, mut signals) = mpsc::unbounded_channel();
        // Statements are answered only while this task drives the connection. It ends with the connection, or when
        // nobody listens any more.
        tokio::spawn(async move {
            while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
                if let AsyncMessage::Notification(signal) = message
                    && forward.send(signal.payload().to_owned()).is_err()
                {
                    return;
                }
            }
        });
        client.batch_execute(LISTEN).await?;
        *self.client.lock() = Some(Arc::new(client));
        heard(LogSignal::Missed);
        while let Some(text) = signals.recv().await {
            if let Some(signal) = self.tag.read(&text) {
                heard(signal);
            }
        }
        Ok(())
    }
}

impl PostgresLogSignals {
    async fn notify(&self, signals: Vec<String>) -> Result<(), SignalsDown> {
        let client = self.client.lock().clone().ok_or(SignalsDown)?;
        match timeout(SENDING, client.execute(NOTIFY, &[&signals])).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(SignalsDown),
        }
    }
}

/// The connection was lost or could not be opened.
struct Lost;

impl From<ConnectionError> for Lost {
    fn from(_: ConnectionError) -> Self {
        Self
    }
}

impl From<tokio_postgres::Error> for Lost {
    fn from(_: tokio_postgres::Error) -> Self {
        Self
    }
}

impl fmt::Debug for PostgresLogSignals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresLogSignals").field("tag", &self.tag).finish_non_exhaustive()
    }
}

#[async_trait]
impl LogSignals for PostgresLogSignals {
    async fn send(&self, workspaces: &[WorkspaceId]) -> Result<(), SignalsDown> {
        self.notify(workspaces.iter().map(|id| self.tag.signal(*id)).collect()).await
    }

    async fn send_presence(&self, presence: &Presence) -> Result<(), SignalsDown> {
        self.notify(vec![self.tag.presence(presence)]).await
    }

    async fn listen(&self, heard: &(dyn Fn(LogSignal) + Send + Sync)) -> SignalsDown {
        let (Ok(()) | Err(Lost)) = self.listen_once(heard).await;
        *self.client.lock() = None;
        SignalsDown
    }
}
