//! Ensures that a server has a PostgreSQL database to itself.

use super::{
    migrations::LOCKS,
    target::{Target, unreachable},
};
use octavo_storage_common::OpenError;
use std::{fmt, time::Duration};
use tokio::{
    task::JoinHandle,
    time::{Instant, sleep},
};
use tokio_postgres::Client;

const SERVING: i32 = 2;

/// How long the connection may be idle before either side checks that the other is still there. The default is two
/// hours: a vanished machine would keep its successor out that long.
const SILENCE: Duration = Duration::from_secs(10);
const ASK_AFTER_SILENCE: &str =
    "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3";
const PAUSE_BETWEEN_TRIES: Duration = Duration::from_secs(1);

/// How long a server that starts waits for the lock: on a busy machine it takes a moment until the database notices that
/// a predecessor was killed.
const LONGEST_WAIT: Duration = Duration::from_secs(3);
const PAUSE_AT_START: Duration = Duration::from_millis(50);

/// Held while a server serves alone.
///
/// The lock ends with its connection, so nothing needs cleaning up after a crash. If the connection is lost first,
/// for example because the database was restarted, the lock is taken again.
pub struct SingleNodeLock {
    keeper: JoinHandle<()>,
}

impl fmt::Debug for SingleNodeLock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SingleNodeLock")
    }
}

impl Drop for SingleNodeLock {
    fn drop(&mut self) {
        self.keeper.abort();
    }
}

/// Takes the lock, or reports that another server keeps it.
pub async fn hold_single_node_lock(url: &str) -> Result<SingleNodeLock, OpenError> {
    let mut target = Target::parse(url)?;
    target.keep_alive_within(SILENCE);
    let began = Instant::now();
    let held = loop {
        match acquire_lock(&target).await {
            Err(OpenError::Held) if began.elapsed() < LONGEST_WAIT => sleep(PAUSE_AT_START).await,
            acquired => break acquired?,
        }
    };
    Ok(SingleNodeLock { keeper: tokio::spawn(keep(target, held)) })
}

/// A connection that holds the lock.
struct Held {
    /// The connection ends when this is dropped.
    _client: Client,
    /// Ends with the connection.
    connection: JoinHandle<()>,
}

async fn acquire_lock(target: &Target) -> Result<Held, OpenError> {
    let (client, connection) = target.dial().await?;
    let connection = tokio::spawn(async {
        // The reason it ended shows when the lock is taken again.
        let _ = connection.await;
    });
    client.batch_execute(ASK_AFTER_SILENCE).await.map_err(unreachable)?;
    let asked = client.query_one("SELECT pg_try_advisory_lock($1, $2)", &[&LOCKS, &SERVING]).await;
    let is_taken: bool = asked.and_then(|row| row.try_get(0)).map_err(unreachable)?;
    if is_taken { Ok(Held { _client: client, connection }) } else { Err(OpenError::Held) }
}

async fn keep(target: Target, mut held: Held) {
    loop {
        // A panic of the connection ends it as well.
        let _ = held.connection.await;
        // If the database is down, the store reports that. If not, the lock is taken again at once.
        tracing::debug!("the connection that keeps other servers away from the database was lost");
        held = reacquire_lock(&target).await;
        tracing::debug!("other servers are kept away from the database again");
    }
}

async fn reacquire_lock(target: &Target) -> Held {
    let mut has_reported = false;
    loop {
        match acquire_lock(target).await {
            Ok(held) => return held,
            Err(OpenError::Held) if !has_reported => {
                tracing::error!("{}", OpenError::Held);
                has_reported = true;
            }
            // Other code reports a database that is down; this loop only waits for the lock.
            Err(_) => {}
        }
        sleep(PAUSE_BETWEEN_TRIES).await;
    }
}
